import { plural, t } from '@lingui/core/macro';
import { share } from '@nearhand/contract/arithmetic';
import type { Job, Pay } from '@nearhand/contract/jobs';
import {
  formatCalendarDay,
  formatDay,
  formatMinutes,
  formatMoney,
  formatShare,
  formatTime,
} from '../../lib/format.ts';

/** What the worker gets after their own fee, of the whole job where it is known. */
function netMinor(pay: Pay): number {
  const gross = pay.totalMinor ?? pay.minor;
  return gross - share(gross, pay.workerFeeBasisPoints);
}

/** The fee in words (look.md, Money): who pays what, and what is left. */
export function feeWords(job: Pick<Job, 'pay' | 'business'>): string {
  const { pay, business } = job;
  const ofMerchant = formatShare(pay.merchantFeeBasisPoints);
  if (pay.workerFeeBasisPoints === 0) {
    return pay.merchantFeeBasisPoints === 0
      ? t`You keep all of it.`
      : t`You keep all of it. ${business.name} pays our ${ofMerchant} fee on top.`;
  }
  const ofWorker = formatShare(pay.workerFeeBasisPoints);
  const net = formatMoney(netMinor(pay), pay.currency);
  return t`Our ${ofWorker} fee comes off: ${net} reaches you.`;
}

/** The sum beside the action: "€108 to you". */
export const netWords = (pay: Pay): string => t`${formatMoney(netMinor(pay), pay.currency)} to you`;

/** The day and hours in full, in the zone of the job: "Saturday 21 November, 08:00–14:00". */
export function longWhen(job: Job, now = new Date()): string | null {
  if (job.startsAt && job.endsAt) {
    const day = formatDay(job.startsAt, job.timeZone, { style: 'long', now });
    return `${day}, ${formatTime(job.startsAt, job.timeZone)}–${formatTime(job.endsAt, job.timeZone)}`;
  }
  if (job.dueOn) return t`Done by ${formatCalendarDay(job.dueOn, { style: 'long', now })}`;
  return job.hoursNote;
}

export function breakWords(job: Job): string | null {
  if (job.kind === 'task') return t`When you do it is up to you.`;
  if (!job.startsAt) return null;
  if (job.breakMinutes === 0) return t`No break is planned.`;
  const length = formatMinutes(job.breakMinutes);
  return job.breakPaid ? t`${length} paid break` : t`${length} break, not paid`;
}

export const seatsLeftWords = (left: number): string =>
  plural(left, { one: '# seat left', other: '# seats left' });

/** Why nobody can apply any more, or null while it is open. */
export function closedWords(job: Job): { title: string; text: string } | null {
  switch (job.status) {
    case 'open':
      return null;
    case 'filled':
      return { title: t`Every seat is taken`, text: t`It opens again if somebody drops out.` };
    case 'paused':
      return { title: t`Paused by the business`, text: t`It takes no applications for now.` };
    case 'expired':
      return { title: t`This job has run out`, text: t`The business may open it again.` };
    case 'draft':
    case 'in_review':
      return { title: t`Not open yet`, text: t`Only you and your business see this page.` };
    default:
      return { title: t`This job is closed`, text: t`It takes no applications any more.` };
  }
}
