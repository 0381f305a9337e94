import { plural, t } from '@lingui/core/macro';
import type { InviteOutcome, SavedWorker } from '@nearhand/contract/hiring/pools';
import { formatAgoWithin, formatDistance, joined } from '../../lib/words/format.ts';

export function workedText(
  worker: Pick<SavedWorker, 'timesWorked' | 'lastWorkedAt' | 'reliability' | 'distanceM'>,
): string {
  const { lastWorkedAt, reliability, distanceM } = worker;
  const times = timesWorkedText(worker);
  const { percent } = reliability;
  return joined(
    lastWorkedAt === null ? times : t`${times}, last ${formatAgoWithin(lastWorkedAt)}`,
    percent === null ? null : t`${percent}% reliable`,
    distanceM === null ? null : awayText(distanceM),
  );
}

export const timesWorkedText = ({ timesWorked }: Pick<SavedWorker, 'timesWorked'>): string =>
  timesWorked === 0
    ? t`Hasn't worked here yet`
    : plural(timesWorked, { one: 'Worked here once', other: 'Worked here # times' });

export function inviteResultText(results: readonly { sent: boolean }[]): string {
  const sentCount = results.filter(({ sent }) => sent).length;
  const failedCount = results.length - sentCount;
  const sent = plural(sentCount, { one: '# person invited', other: '# people invited' });
  return failedCount === 0 ? sent : t`${sent}. ${failedCount} couldn't be invited any more.`;
}

export const hireText = ({ timesWorked }: Pick<SavedWorker, 'timesWorked'>): string =>
  timesWorked === 0 ? t`Offer a job` : t`Hire again`;

/** A rough distance: below half a kilometre it would claim more than is known. */
export const awayText = (metres: number): string => t`about ${formatDistance(Math.max(500, metres))} away`;

export function inviteOutcomeText(outcome: InviteOutcome): string {
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
