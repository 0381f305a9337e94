import { dayMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/engagements';

/** Pay that was agreed and is not paid, in minor units, without the fee on it. */
export const owedOf = ({ releases }: Pick<Engagement, 'releases'>): number =>
  releases.reduce((sum, { state, amountMinor }) => (state === 'not_funded' ? sum + amountMinor : sum), 0);

/** Until when a tip can be given: some days after completed work was approved; null where it is not completed. */
export function tipUntil(
  { status, steps }: Pick<Engagement, 'status' | 'steps'>,
  tipDays: number,
): Date | null {
  if (status !== 'completed') return null;
  const approved = steps.find((step) => step.status === 'approved') ?? steps.at(-1);
  return approved ? new Date(Date.parse(approved.at) + tipDays * dayMs) : null;
}
