import type { Hold } from '@nearhand/contract/money/holds';

/** Until when paying still helps: what was offered must be answered in time, so the earlier of both counts. */
export const payUntil = (payBy: string | null, answerBy: string): string | null =>
  payBy !== null && Date.parse(answerBy) < Date.parse(payBy) ? answerBy : payBy;

/**
 * What a hold that was begun asks for: `taking` the card is asked, `confirm` its bank asks its owner, `choose` it was refused or nothing was chosen yet, `paid`,
 * or `over` once nothing was paid in time.
 */
export type HoldStep = 'taking' | 'confirm' | 'choose' | 'paid' | 'over';

export function holdStep(
  { status, charge, payBy }: Pick<Hold, 'status' | 'charge' | 'payBy'>,
  now: Date,
): HoldStep {
  if (status === 'expired') return 'over';
  if (status !== 'created' && status !== 'authorising') return 'paid';
  if (charge?.status === 'created' || charge?.status === 'processing') return 'taking';
  // It was taken; the hold follows in a moment.
  if (charge?.status === 'succeeded') return 'taking';
  if (payBy !== null && Date.parse(payBy) <= now.getTime()) return 'over';
  return charge?.status === 'requires_action' ? 'confirm' : 'choose';
}
