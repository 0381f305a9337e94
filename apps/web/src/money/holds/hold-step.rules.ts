import type { Hold } from '@nearhand/contract/money/holds';

/** Until when paying still helps: the offer must also be answered in time, so the earlier of both. */
export const payUntil = (payBy: string | null, answerBy: string): string | null =>
  payBy !== null && Date.parse(answerBy) < Date.parse(payBy) ? answerBy : payBy;

/**
 * What an open hold needs: `taking` the card is being charged, `confirm` its bank asks the cardholder, `choose` it was declined or none
 * was chosen yet, `paid`, or `over` once it was not paid in time.
 */
export type HoldStep = 'taking' | 'confirm' | 'choose' | 'paid' | 'over';

export function holdStep(
  { status, charge, payBy }: Pick<Hold, 'status' | 'charge' | 'payBy'>,
  now: Date,
): HoldStep {
  if (status === 'expired') return 'over';
  if (status !== 'created' && status !== 'authorising') return 'paid';
  if (charge?.status === 'created' || charge?.status === 'processing') return 'taking';
  // It was charged; the hold follows in a moment.
  if (charge?.status === 'succeeded') return 'taking';
  if (payBy !== null && Date.parse(payBy) <= now.getTime()) return 'over';
  return charge?.status === 'requires_action' ? 'confirm' : 'choose';
}
