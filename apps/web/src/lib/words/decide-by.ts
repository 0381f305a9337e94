import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import { shareLeft } from '../forms/share-left.ts';
import { formatDate, formatDayTime, formatLeft, formatLeftShort } from './format.ts';

const waiting: readonly ApplicationStatus[] = ['submitted', 'viewed', 'shortlisted', 'interviewing'];

export type DecideBy = {
  /** The remaining share, from 1 to 0. */
  share: number;
  left: string | null;
  short: string;
  /** "Today, 18:40" or "Thu 3 Dec, 18:40" in the job's zone, as standalone text. */
  until: string;
  /** The time of `until` as part of a sentence, always with its day. */
  by: string;
};

/** The clock of an unanswered application (product.md, Constants: 14 d); null if nobody is waiting. */
export function decideBy(
  applicant: Pick<Applicant, 'status' | 'submittedAt' | 'decideBy'>,
  timeZone: string,
  now = new Date(),
): DecideBy | null {
  if (!waiting.includes(applicant.status)) return null;
  return {
    share: shareLeft(applicant.submittedAt, applicant.decideBy, now),
    left: formatLeft(applicant.decideBy, now),
    short: formatLeftShort(applicant.decideBy, now),
    until: formatDayTime(applicant.decideBy, timeZone, now),
    by: formatDate(applicant.decideBy, timeZone, now),
  };
}
