import { minuteMs } from '@nearhand/contract/durations';
import type { Hold } from '@nearhand/contract/money/holds';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;

export const sampleHold = (part: Partial<Hold> = {}): Hold => ({
  id: id('b1'),
  status: 'authorising',
  currency: 'EUR',
  payMinor: 10_800,
  feeMinor: 1_080,
  amountMinor: 11_880,
  remainingMinor: 0,
  frozen: false,
  source: null,
  payBy: new Date(Date.now() + 14 * minuteMs).toISOString(),
  fundAt: null,
  fundBy: null,
  offerId: id('d1'),
  engagementId: null,
  charge: null,
  ...part,
});
