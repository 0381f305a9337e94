import type { Engagement } from '@nearhand/contract/work/engagements';
import { tipUntil } from '@nearhand/contract/work/pay.rules';

/** Agreed pay that is still unpaid, in minor units, without the fee. */
export const owedOf = ({ releases }: Pick<Engagement, 'releases'>): number =>
  releases.reduce((sum, { state, amountMinor }) => (state === 'not_funded' ? sum + amountMinor : sum), 0);

/** Until when a tip can be added after approval; null unless the work is completed. */
export function tipDeadline(
  { status, steps }: Pick<Engagement, 'status' | 'steps'>,
  tipDays: number,
): Date | null {
  if (status !== 'completed') return null;
  const approved = steps.find((step) => step.status === 'approved') ?? steps.at(-1);
  return approved ? tipUntil(new Date(approved.at), tipDays) : null;
}
