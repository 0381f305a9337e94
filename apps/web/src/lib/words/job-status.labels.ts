import { t } from '@lingui/core/macro';
import type { JobStanding } from '@nearhand/contract/hiring/jobs.rules';
import type { SettingsView } from '@nearhand/contract/people/settings';

type StatusTone = 'good' | 'wait' | 'bad' | 'here' | undefined;

type Spots = { headCount: number; hired: number; offered: number };

/** Every free spot has an open offer, as after booking a crew again, so a paused job only needs the answers. */
const isByOffer = (spots: Spots | undefined): boolean =>
  spots !== undefined && spots.offered > 0 && spots.hired + spots.offered >= spots.headCount;

export function jobStatusText(standing: JobStanding, spots?: Spots): { label: string; tone: StatusTone } {
  switch (standing) {
    case 'draft':
      return { label: t`Draft`, tone: undefined };
    case 'in_review':
      return { label: t`In review`, tone: 'wait' };
    case 'open':
      return { label: t({ message: 'Open', context: 'state' }), tone: 'good' };
    case 'paused':
      return { label: isByOffer(spots) ? t`By offer only` : t`Paused`, tone: 'wait' };
    case 'filled':
      return { label: t`Filled`, tone: 'here' };
    case 'expired':
      return { label: t`Expired`, tone: 'wait' };
    case 'closed':
      return { label: t`Closed`, tone: undefined };
    case 'archived':
      return { label: t`Archived`, tone: undefined };
    case 'suspended':
      return { label: t`Suspended`, tone: 'bad' };
    case 'rejected':
      return { label: t`Rejected in review`, tone: 'bad' };
    case 'in_progress':
      return { label: t`In progress`, tone: 'here' };
    case 'finished':
      return { label: t({ message: 'Finished', context: 'job' }), tone: undefined };
    case 'not_filled':
      return { label: t`Not filled`, tone: undefined };
  }
}

/** Explains the job's state and the possible actions (product.md, States: Job). */
export function jobStatusMeaning(
  standing: JobStanding,
  { jobLifeDays }: Pick<SettingsView, 'jobLifeDays'>,
  spots?: Spots,
): string {
  switch (standing) {
    case 'draft':
      return t`Only your team sees it. Publish it to show it to workers.`;
    case 'in_review':
      return t`Someone on our team checks it before workers see it, usually within a day. You don't have to do anything, or you can close it.`;
    case 'open':
      return t`Workers nearby see it and can apply.`;
    case 'paused':
      return isByOffer(spots)
        ? t`Only people with an offer can take it. Reopen it so others can apply.`
        : t`It's hidden from workers. Applicants still see it.`;
    case 'filled':
      return t`Every spot is taken. It reopens when one becomes free.`;
    case 'expired':
      return t`It was open for ${jobLifeDays} days. Reopen it so workers can find it again.`;
    case 'closed':
      return t`It has ended, and its applicants were notified. Duplicate it to hire again.`;
    case 'archived':
      return t`It's archived. Duplicate it to hire again.`;
    case 'suspended':
      return t`We took it down. Workers can't see it.`;
    case 'rejected':
      return t`It didn't pass our check. Our decision says why. You can appeal it, or duplicate the job and fix the copy.`;
    case 'in_progress':
      return t`The people you hired are working now.`;
    case 'finished':
      return t`Its time is over. Duplicate it to hire again.`;
    case 'not_filled':
      return t`Its time came before anyone was hired. Duplicate it to try another day.`;
  }
}
