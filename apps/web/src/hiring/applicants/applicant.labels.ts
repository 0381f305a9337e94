import { t } from '@lingui/core/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Answer } from '@nearhand/contract/hiring/applications';
import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { WorkEnding } from '@nearhand/contract/hiring/jobs.rules';
import { formatDayTime, formatNumber, joined } from '../../lib/words/format.ts';
import type { Tone } from '../../ui/badge.tsx';

export function applicantStatusText(
  status: ApplicationStatus,
  workEnding: WorkEnding | null = null,
): { label: string; tone?: Tone } {
  if (workEnding === 'done') return { label: t`Work finished`, tone: 'good' };
  if (workEnding === 'cancelled') return { label: t`Booking cancelled` };
  if (workEnding === 'no_show') return { label: t`No-show`, tone: 'bad' };
  switch (status) {
    case 'submitted':
      return { label: t`Not opened`, tone: 'hot' };
    case 'viewed':
      return { label: t`Viewed` };
    case 'shortlisted':
      return { label: t`Shortlisted`, tone: 'here' };
    case 'interviewing':
      return { label: t`Interviewing`, tone: 'here' };
    case 'offered':
      return { label: t`Offered`, tone: 'wait' };
    case 'hired':
      return { label: t`Hired`, tone: 'good' };
    case 'withdrawn':
      return { label: t`Withdrawn by the worker` };
    case 'rejected':
      return { label: t`Rejected` };
    case 'offer_declined':
      return { label: t`Offer declined` };
    case 'offer_expired':
      return { label: t`Offer expired` };
    case 'offer_withdrawn':
      return { label: t`Offer withdrawn` };
    case 'no_response':
      return { label: t`Closed without a reply`, tone: 'bad' };
    case 'position_filled':
      return { label: t`Position filled` };
    case 'job_closed':
      return { label: t`Job closed` };
  }
}

export function answerText(question: JobQuestion, answers: readonly Answer[]): string | null {
  const value = answers.find((answer) => answer.questionId === question.id)?.value;
  if (value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  return typeof value === 'number' ? formatNumber(value) : value;
}

export const applicantName = ({ worker }: { worker: { name: string } }): string =>
  worker.name || t`Unnamed worker`;

/** The job that an application is for, with its start: jobs of a business often share a title. */
export const jobAndTime = ({ jobTitle, jobStartsAt, timeZone }: Applicant): string =>
  joined(jobTitle, jobStartsAt && formatDayTime(jobStartsAt, timeZone));

/** The missing answer of an interview, while its times are proposed or are to change. */
export const proposalText = ({ status, awaits }: NonNullable<Applicant['interview']>): string => {
  if (status === 'reschedule_requested') return t`Another time requested`;
  return awaits === 'business' ? t`They suggested other times` : t`Waiting for them to pick a time`;
};

/** True if an interview has started and the recruiter hasn't recorded its outcome. */
export const needsOutcome = ({ status, startsAt }: NonNullable<Applicant['interview']>, now: Date): boolean =>
  status === 'scheduled' && startsAt !== null && Date.parse(startsAt) < now.getTime();
