import { plural, t } from '@lingui/core/macro';
import type { InviteOutcome, SavedWorker } from '@nearhand/contract/hiring/pools';
import { formatAgoWithin, formatDistance, joined } from '../../lib/words/format.ts';

export function workedText(
  worker: Pick<SavedWorker, 'timesWorked' | 'lastWorkedAt' | 'reliability' | 'distanceM'>,
): string {
  const { timesWorked, lastWorkedAt, reliability, distanceM } = worker;
  const times = plural(timesWorked, { one: 'Worked here once', other: 'Worked here # times' });
  const { percent } = reliability;
  return joined(
    timesWorked === 0
      ? t`Hasn't worked here yet`
      : lastWorkedAt === null
        ? times
        : t`${times}, last ${formatAgoWithin(lastWorkedAt)}`,
    percent === null ? null : t`${percent}% reliable`,
    distanceM === null ? null : awayText(distanceM),
  );
}

export const hireText = ({ timesWorked }: Pick<SavedWorker, 'timesWorked'>): string =>
  timesWorked === 0 ? t`Offer a job` : t`Hire again`;

/** A rough distance: below half a kilometre it would claim more than is known. */
export const awayText = (metres: number): string => t`about ${formatDistance(Math.max(500, metres))} away`;

export function outcomeText(outcome: InviteOutcome): string {
  switch (outcome) {
    case 'ready':
      return t`Gets the invitation`;
    case 'applied':
      return t`Already applied`;
    case 'invited':
      return t`Already invited`;
    case 'declined':
      return t`Declined this job`;
    case 'offered':
      return t`Has an offer for this job`;
    case 'blocked':
      return t`You blocked them`;
    case 'booked':
      return t`Booked at that time`;
    case 'limit':
      return t`Invited to several jobs today`;
    case 'gone':
      return t`No longer available`;
  }
}
