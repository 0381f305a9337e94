import type { Charge } from '@nearhand/contract/money/charges';
import type { Hold } from '@nearhand/contract/money/holds';
import { describe, expect, it } from 'vitest';
import { holdStep, payUntil } from './hold-payment.tsx';

const now = new Date('2026-11-21T09:00:00Z');
const charge = (status: Charge['status']) => ({ status }) as Charge;
const waiting = (part: Partial<Hold> = {}) =>
  ({ status: 'authorising', charge: null, payBy: '2026-11-21T09:10:00Z', ...part }) as Hold;

it("can be paid until the earlier of its own deadline and the reply's", () => {
  expect(payUntil('2026-11-21T09:15:00Z', '2026-11-21T09:09:00Z')).toBe('2026-11-21T09:09:00Z');
  expect(payUntil('2026-11-21T09:15:00Z', '2026-11-23T09:00:00Z')).toBe('2026-11-21T09:15:00Z');
  expect(payUntil(null, '2026-11-23T09:00:00Z')).toBeNull();
});

describe('what a hold that was begun asks for', () => {
  it('waits during the charge, and until the hold has followed it', () => {
    for (const status of ['created', 'processing', 'succeeded'] as const)
      expect(holdStep(waiting({ charge: charge(status) }), now)).toBe('taking');
  });

  it("asks for the bank's confirmation, then for another payment method", () => {
    expect(holdStep(waiting({ charge: charge('requires_action') }), now)).toBe('confirm');
    expect(holdStep(waiting({ charge: charge('failed') }), now)).toBe('choose');
    expect(holdStep(waiting({ charge: charge('cancelled') }), now)).toBe('choose');
    expect(holdStep(waiting(), now)).toBe('choose');
  });

  it('is over at the deadline unless a charge is in progress', () => {
    const late = new Date('2026-11-21T09:10:00Z');
    expect(holdStep(waiting({ charge: charge('failed') }), late)).toBe('over');
    expect(holdStep(waiting({ charge: charge('processing') }), late)).toBe('taking');
    expect(holdStep(waiting({ status: 'expired' }), now)).toBe('over');
  });

  it('is paid in every state that contained money', () => {
    for (const status of ['held', 'partly_released', 'released', 'disputed'] as const)
      expect(holdStep(waiting({ status }), now)).toBe('paid');
  });
});
