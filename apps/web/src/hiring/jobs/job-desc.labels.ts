import { plural, t } from '@lingui/core/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { workerGetsMinor } from '@nearhand/contract/hiring/pay.rules';
import {
  formatCalendarDay,
  formatDay,
  formatMinutes,
  formatMoney,
  formatShare,
  formatTime,
  withZone,
} from '../../lib/words/format.ts';

export function feeText(job: Pick<Job, 'pay' | 'business'>): string {
  const { pay, business } = job;
  const businessShare = formatShare(pay.businessFeeBasisPoints);
  if (pay.workerFeeBasisPoints === 0) {
    return pay.businessFeeBasisPoints === 0
      ? t`You keep all of it.`
      : t`You keep all of it. ${business.name} pays our ${businessShare} fee on top.`;
  }
  const ofWorker = formatShare(pay.workerFeeBasisPoints);
  const net = formatMoney(workerGetsMinor(pay), pay.currency);
  return t`You get ${net} after our ${ofWorker} fee.`;
}

/** The worker's net pay; for a series per shift, from the lowest if they differ. */
export const netPayText = ({ pay, series, dates }: Pick<Job, 'pay' | 'series' | 'dates'>): string => {
  const amount = formatMoney(workerGetsMinor(pay), pay.currency);
  const all = dates.map((date) => workerGetsMinor(date.pay));
  const min = Math.min(...all);
  if (series && all.length > 1 && min < Math.max(...all))
    return t`from ${formatMoney(min, pay.currency)} to you per shift`;
  return series ? t`${amount} to you per shift` : t`${amount} to you`;
};

export function longWhen(job: Job, now = new Date()): string | null {
  if (job.startsAt && job.endsAt) {
    const day = formatDay(job.startsAt, job.timeZone, { style: 'long', now });
    const hours = `${formatTime(job.startsAt, job.timeZone)}–${formatTime(job.endsAt, job.timeZone)}`;
    return withZone(`${day}, ${hours}`, job.startsAt, job.timeZone);
  }
  if (job.dueOn) return t`Due by ${formatCalendarDay(job.dueOn, { style: 'long', now })}`;
  return job.hoursNote;
}

export function breakText(job: Job): string | null {
  if (job.kind === 'task') return t`You choose when.`;
  if (!job.startsAt) return null;
  if (job.breakMinutes === 0) return t`No break`;
  const length = formatMinutes(job.breakMinutes);
  return job.breakPaid ? t`${length} paid break` : t`${length} unpaid break`;
}

export const bookText = ({ kind }: Pick<Job, 'kind'>): string =>
  kind === 'shift' ? t`Book this shift` : t`Book this task`;

export const spotsLeftText = (left: number): string =>
  plural(left, { one: '# spot left', other: '# spots left' });

export function closedText(job: Job): { title: string; text: string } | null {
  switch (job.status) {
    case 'open':
      return null;
    case 'filled':
      return { title: t`Every spot is taken`, text: t`It reopens if someone cancels.` };
    case 'paused':
      return { title: t`Paused by the business`, text: t`It's not accepting applications right now.` };
    case 'expired':
      return { title: t`This job has expired`, text: t`The business may reopen it.` };
    case 'draft':
    case 'in_review':
      return { title: t`Not published yet`, text: t`Only you and your business see this page.` };
    default:
      return { title: t`This job is closed`, text: t`It's no longer accepting applications.` };
  }
}
