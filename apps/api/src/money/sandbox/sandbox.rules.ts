import type { Currency } from '@nearhand/contract/currencies';
import { addMs, dayMs, minuteMs } from '@nearhand/contract/durations';
import type { BankBehaviour, CardBehaviour } from './sandbox-numbers.rules.ts';

export const tokenLifeMs = 30 * minuteMs;
const lateResultMs = 2 * minuteMs;
const chargebackOpensMs = 2 * dayMs;
const chargebackEndsMs = 5 * dayMs;
const instantPayoutMs = 30_000;
const payoutFailsMs = dayMs;
const payoutReturnsMs = 2 * dayMs;
const latePayoutMs = 2 * dayMs;
export const identityMs = minuteMs;

type Failure =
  | 'card_declined'
  | 'insufficient_funds'
  | 'card_expired'
  | 'account_closed'
  | 'bank_rejected'
  | 'instant_unavailable';

type ChargeStart =
  | { status: 'succeeded' | 'processing' | 'requires_action' }
  | { status: 'failed'; failure: Failure };

export const chargeStarts: Record<CardBehaviour, ChargeStart> = {
  pays: { status: 'succeeded' },
  declined: { status: 'failed', failure: 'card_declined' },
  insufficient_funds: { status: 'failed', failure: 'insufficient_funds' },
  expired: { status: 'failed', failure: 'card_expired' },
  confirm: { status: 'requires_action' },
  late: { status: 'processing' },
  late_failure: { status: 'processing' },
  chargeback_lost: { status: 'succeeded' },
  chargeback_won: { status: 'succeeded' },
};

type Charge = {
  behaviour: CardBehaviour;
  status: string;
  createdAt: Date;
  succeededAt: Date | null;
  amountMinor: number;
  refundedMinor: number;
  chargebackStatus: string | null;
  chargebackAt: Date | null;
};

export type ChargeMove = 'succeed' | 'fail' | 'charge_back' | 'win_chargeback' | 'lose_chargeback';

/** The next automatic step of a sandbox charge and its time. */
export function nextChargeMove(charge: Charge): { at: Date; move: ChargeMove } | null {
  const { behaviour, status } = charge;
  if (status === 'processing')
    return {
      at: addMs(charge.createdAt, lateResultMs),
      move: behaviour === 'late_failure' ? 'fail' : 'succeed',
    };
  if (status !== 'succeeded' || !charge.succeededAt || !behaviour.startsWith('chargeback')) return null;
  if (charge.chargebackAt === null)
    return charge.refundedMinor < charge.amountMinor
      ? { at: addMs(charge.succeededAt, chargebackOpensMs), move: 'charge_back' }
      : null;
  if (charge.chargebackStatus !== 'open') return null;
  return {
    at: addMs(charge.chargebackAt, chargebackEndsMs),
    move: behaviour === 'chargeback_won' ? 'win_chargeback' : 'lose_chargeback',
  };
}

/** The next weekday in UTC; the sandbox knows no holidays. */
export function nextBusinessDay(now: Date): string {
  let day = addMs(now, dayMs);
  while ([0, 6].includes(day.getUTCDay())) day = addMs(day, dayMs);
  return day.toISOString().slice(0, 10);
}

type Speed = 'standard' | 'instant';

/**
 * The first status of a sandbox payout, which fails for another currency, a closed account, a bank without
 * instant payouts, or a balance that is too low.
 */
export function payoutStart(
  request: { speed: Speed; currency: Currency },
  bank: { behaviour: BankBehaviour; instant: boolean; currency: Currency },
  covered: boolean,
): { status: 'in_transit' | 'processing' } | { status: 'failed'; failure: Failure } {
  if (request.currency !== bank.currency) return { status: 'failed', failure: 'bank_rejected' };
  if (request.speed === 'instant' && !bank.instant)
    return { status: 'failed', failure: 'instant_unavailable' };
  if (bank.behaviour === 'closed') return { status: 'failed', failure: 'account_closed' };
  if (!covered) return { status: 'failed', failure: 'insufficient_funds' };
  return { status: request.speed === 'instant' ? 'processing' : 'in_transit' };
}

type Payout = {
  behaviour: BankBehaviour;
  status: string;
  speed: string;
  arrivesOn: string | null;
  createdAt: Date;
  paidAt: Date | null;
};

export type PayoutMove = 'pay' | 'fail' | 'return';

/** The next automatic step of a sandbox payout and its time. */
export function nextPayoutMove(payout: Payout): { at: Date; move: PayoutMove } | null {
  const { behaviour, status } = payout;
  if (status === 'processing' || status === 'in_transit') {
    if (behaviour === 'fails_later') return { at: addMs(payout.createdAt, payoutFailsMs), move: 'fail' };
    const promised =
      payout.speed === 'instant'
        ? addMs(payout.createdAt, instantPayoutMs)
        : new Date(`${payout.arrivesOn}T09:00:00Z`);
    return { at: behaviour === 'late' ? addMs(promised, latePayoutMs) : promised, move: 'pay' };
  }
  if (status === 'paid' && behaviour === 'returned' && payout.paidAt)
    return { at: addMs(payout.paidAt, payoutReturnsMs), move: 'return' };
  return null;
}

/** Two dates of birth choose an immediate result (payments.md); any other is checked later. */
export function identityStart(bornOn: string): {
  status: 'pending' | 'verified' | 'refused';
  reason: string | null;
} {
  if (bornOn === '1901-01-01') return { status: 'verified', reason: null };
  if (bornOn === '1902-01-01')
    return { status: 'refused', reason: 'The name and the date of birth do not match.' };
  return { status: 'pending', reason: null };
}

export type WebhookPlan = { copies: number; again: boolean; lostPercent: number; spreadSeconds: number };

const plans: Record<string, WebhookPlan> = {
  normal: { copies: 1, again: false, lostPercent: 0, spreadSeconds: 0 },
  shuffled: { copies: 1, again: true, lostPercent: 0, spreadSeconds: 120 },
  lossy: { copies: 1, again: true, lostPercent: 10, spreadSeconds: 120 },
};

/**
 * Reads SANDBOX_WEBHOOKS: copies, losses and delays of events, for tests.
 * @throws Error for an invalid plan
 */
export function webhookPlan(spec: string): WebhookPlan {
  const plan = plans[spec];
  if (plan) return plan;
  const match = /^copies=(\d),lost=(\d{1,3})%,spread=(\d{1,5})s$/.exec(spec);
  if (!match) throw new Error(`SANDBOX_WEBHOOKS=${spec} is not a plan`);
  return {
    copies: Number(match[1]),
    again: false,
    lostPercent: Number(match[2]),
    spreadSeconds: Number(match[3]),
  };
}

/** The delays of each copy of an event in seconds; none for a lost one. `chance` returns numbers in [0, 1). */
export function deliveryDelays(plan: WebhookPlan, chance: () => number): number[] {
  if (chance() * 100 < plan.lostPercent) return [];
  const copies = plan.copies + (plan.again && chance() < 0.3 ? 1 : 0);
  return Array.from({ length: copies }, () => Math.floor(chance() * (plan.spreadSeconds + 1)));
}

const retryMinutes = [1, 5, 30, 120, 300, 600, 720, 720, 720, 720];

/** The time of the next attempt to deliver an event; null after the last one. */
export function retryAt(attempts: number, now: Date): Date | null {
  const minutes = retryMinutes[attempts - 1];
  return minutes === undefined ? null : addMs(now, minutes * minuteMs);
}
