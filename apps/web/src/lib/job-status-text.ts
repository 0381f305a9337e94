import { t } from '@lingui/core/macro';
import type { JobStatus } from '@nearhand/contract/jobs';
import type { SettingsView } from './settings.ts';

type StatusTone = 'good' | 'wait' | 'bad' | 'here' | undefined;

/** A job's status as its members read it. */
export function jobStatusWords(status: JobStatus): { label: string; tone: StatusTone } {
  switch (status) {
    case 'draft':
      return { label: t`Draft`, tone: undefined };
    case 'in_review':
      return { label: t`In review`, tone: 'wait' };
    case 'open':
      return { label: t`Open`, tone: 'good' };
    case 'paused':
      return { label: t`Paused`, tone: 'wait' };
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
      return { label: t`Refused in review`, tone: 'bad' };
  }
}

/** What the status means, and what can be done, in a sentence (product.md, States: Job). */
export function jobStatusMeaning(
  status: JobStatus,
  { jobLifeDays }: Pick<SettingsView, 'jobLifeDays'>,
): string {
  switch (status) {
    case 'draft':
      return t`Only your team sees it. Publish it to open it to workers.`;
    case 'in_review':
      return t`We look at it before workers see it. You hear from us.`;
    case 'open':
      return t`Workers nearby see it and can apply.`;
    case 'paused':
      return t`It is hidden from workers. Those who applied still see it.`;
    case 'filled':
      return t`Every seat is taken. It opens again when one becomes free.`;
    case 'expired':
      return t`It was open for ${jobLifeDays} days. Reopen it to be found again.`;
    case 'closed':
      return t`It has ended and its applicants were told. Duplicate it to hire again.`;
    case 'archived':
      return t`It is put away. Duplicate it to hire again.`;
    case 'suspended':
      return t`We took it down. Workers do not see it.`;
    case 'rejected':
      return t`It was not let through our review. Workers never saw it.`;
  }
}
