import type { Card } from '@nearhand/contract/money/cards';
import type { Charge } from '@nearhand/contract/money/charges';
import type { Wallet } from './wallet.api.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;

export const sampleCardOf = (part: Partial<Card> = {}): Card => ({
  id: id('a1'),
  brand: 'visa',
  last4: '0002',
  expiresMonth: 9,
  expiresYear: 2029,
  isDefault: true,
  declined: false,
  addedAt: '2026-11-20T10:00:00Z',
  ...part,
});

export const otherCard = sampleCardOf({ id: id('a2'), last4: '4242', isDefault: false });

export const sampleWallet = (
  part: Partial<Wallet> & { availableMinor?: number; promoMinor?: number; heldMinor?: number } = {},
): Wallet => {
  const { availableMinor = 0, promoMinor = 0, heldMinor = 0, ...rest } = part;
  return {
    balances: [
      {
        currency: 'EUR',
        availableMinor,
        promoMinor,
        heldMinor,
        holds: 0,
        plannedMinor: 0,
        plannedHolds: 0,
        plannedFrom: null,
        waitingMinor: 0,
        paidThisMonthMinor: 0,
        owedMinor: 0,
      },
    ],
    cards: [sampleCardOf(), otherCard],
    tokenUrl: 'http://localhost/sandbox/tokens',
    bankMethods: [],
    test: true,
    canManage: true,
    ...rest,
  };
};

export const sampleCharge = (part: Partial<Charge> = {}): Charge => ({
  id: id('c1'),
  purpose: 'hold',
  status: 'processing',
  amountMinor: 11_880,
  currency: 'EUR',
  cardBrand: 'Visa',
  cardLast4: '0002',
  failure: null,
  actionUrl: null,
  createdAt: '2026-11-21T09:00:00Z',
  ...part,
});
