import { t } from '@lingui/core/macro';
import type { Applicant, ApplicationStatus } from '@nearhand/contract/applications';
import { formatDayTime, formatLeft } from './format.ts';
import { settingsNow } from './settings.ts';

const waiting: readonly ApplicationStatus[] = ['submitted', 'viewed', 'shortlisted', 'interviewing'];

export type DecideBy = {
  /** 1: all of the time is left, 0: none. */
  share: number;
  /** "9 days left"; null once it has passed. */
  left: string | null;
  /** "9 d", inside the ring. */
  short: string;
  /** "Thu 3 Dec, 18:40" in the zone of the job, as the worker reads it. */
  until: string;
};

/** The clock of an application that waits for an answer (product.md, Constants: 14 d); null where nobody waits. */
export function decideBy(
  applicant: Pick<Applicant, 'status' | 'decideBy'>,
  timeZone: string,
  now = new Date(),
): DecideBy | null {
  if (!waiting.includes(applicant.status)) return null;
  const ms = Date.parse(applicant.decideBy) - now.getTime();
  const hours = Math.max(0, Math.floor(Math.ceil(ms / 60_000) / 60));
  return {
    share: ms / (settingsNow().decideByDays * 86_400_000),
    left: formatLeft(applicant.decideBy, now),
    short: hours >= 48 ? t`${Math.floor(hours / 24)} d` : t`${hours} h`,
    until: formatDayTime(applicant.decideBy, timeZone, now),
  };
}
