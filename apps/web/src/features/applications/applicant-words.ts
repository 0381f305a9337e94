import { t } from '@lingui/core/macro';
import type { Answer, Applicant, ApplicationStatus } from '@nearhand/contract/applications';
import type { JobQuestion } from '@nearhand/contract/jobs';
import { limits } from '@nearhand/contract/limits';
import { formatDayTime, formatLeft, formatNumber, ownTimeZone } from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';

/** An application's status as the business reads it. */
export function applicantStatusWords(status: ApplicationStatus): { label: string; tone?: Tone } {
  switch (status) {
    case 'submitted':
      return { label: t`New`, tone: 'hot' };
    case 'viewed':
      return { label: t`Seen` };
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
      return { label: t`Turned down` };
    case 'offer_declined':
      return { label: t`Offer declined` };
    case 'offer_expired':
      return { label: t`Offer expired` };
    case 'offer_withdrawn':
      return { label: t`Offer taken back` };
    case 'no_response':
      return { label: t`Closed without an answer`, tone: 'bad' };
    case 'position_filled':
      return { label: t`Position filled` };
    case 'job_closed':
      return { label: t`Job closed` };
  }
}

const waiting: readonly ApplicationStatus[] = ['submitted', 'viewed', 'shortlisted', 'interviewing'];

export type DecideBy = {
  /** 1: all of the time is left, 0: none. */
  share: number;
  /** "9 days left"; null once it has passed. */
  left: string | null;
  /** "9 d", inside the ring. */
  short: string;
  /** "Thu 3 Dec, 18:40" in the reader's own zone. */
  until: string;
};

/** The clock of an application that waits for an answer (product.md, Constants: 14 d); null where nobody waits. */
export function decideBy(applicant: Pick<Applicant, 'status' | 'decideBy'>, now = new Date()): DecideBy | null {
  if (!waiting.includes(applicant.status)) return null;
  const ms = Date.parse(applicant.decideBy) - now.getTime();
  const hours = Math.max(0, Math.ceil(ms / 3_600_000));
  return {
    share: ms / (limits.decideByDays * 86_400_000),
    left: formatLeft(applicant.decideBy, now),
    short: hours >= 48 ? t`${Math.floor(hours / 24)} d` : t`${hours} h`,
    until: formatDayTime(applicant.decideBy, ownTimeZone(), now),
  };
}

/** An answer in words; null where the question was left open. */
export function answerWords(question: JobQuestion, answers: readonly Answer[]): string | null {
  const value = answers.find((one) => one.questionId === question.id)?.value;
  if (value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  return typeof value === 'number' ? formatNumber(value) : value;
}
