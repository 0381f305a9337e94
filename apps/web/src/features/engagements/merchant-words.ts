import { t } from '@lingui/core/macro';
import { minuteMs } from '@nearhand/contract/durations';
import type { EngagementCard, EngagementStatus } from '@nearhand/contract/engagements';
import { formatDay, formatMinutes, formatMoney, formatTime } from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';
import { stamp, workWhen } from './engagement-words.ts';
import type { BusinessGroup } from './engagements.api.ts';

export const businessGroups: readonly BusinessGroup[] = [
  'here',
  'late',
  'due',
  'to_approve',
  'unsettled',
  'ended',
];

/** A group of work, as a chip and as what it means. */
export function groupWords(group: BusinessGroup): { label: string; meaning: string; nothing: string } {
  switch (group) {
    case 'here':
      return {
        label: t`Begun`,
        meaning: t`At work now, a task that has begun, or done and about to send the hours.`,
        nothing: t`Nothing has begun.`,
      };
    case 'late':
      return {
        label: t`Late`,
        meaning: t`It has begun and they did not check in.`,
        nothing: t`Nobody is late.`,
      };
    case 'due':
      return { label: t`To come`, meaning: t`Booked and still ahead.`, nothing: t`Nobody is booked.` };
    case 'to_approve':
      return {
        label: t`To approve`,
        meaning: t`Hours or work that wait for you. What waits longest comes first.`,
        nothing: t`Nothing waits for your approval.`,
      };
    case 'unsettled':
      return {
        label: t`Not settled`,
        meaning: t`Other hours proposed, changes asked for, reported or in dispute.`,
        nothing: t`Everything is agreed on.`,
      };
    case 'ended':
      return { label: t`Ended`, meaning: t`Completed or called off.`, nothing: t`No work has ended yet.` };
  }
}

const over: readonly EngagementStatus[] = [
  'approved',
  'completed',
  'cancelled_by_worker',
  'cancelled_by_merchant',
];

/** Whether its money still lies in the hold, or should. */
export const isLive = ({ status }: { status: EngagementStatus }): boolean => !over.includes(status);

/** A status as the business reads it. */
export function merchantStatusWords(
  {
    status,
    onBreak = false,
    lateMinutes = null,
  }: { status: EngagementStatus; onBreak?: boolean; lateMinutes?: number | null },
  late = false,
): { label: string; tone?: Tone } {
  switch (status) {
    case 'booked':
      return late ? { label: t`Late`, tone: 'bad' } : { label: t`Booked`, tone: 'here' };
    case 'confirmed':
      return late ? { label: t`Late`, tone: 'bad' } : { label: t`Confirmed`, tone: 'good' };
    case 'checked_in':
      return onBreak
        ? { label: t`On a break`, tone: 'wait' }
        : { label: (lateMinutes ?? 0) > 5 ? t`Here, came late` : t`Here`, tone: 'good' };
    case 'checked_out':
      return { label: t`Checked out, hours to come`, tone: 'wait' };
    case 'in_progress':
      return { label: t`Going on`, tone: 'good' };
    case 'submitted':
      return { label: t`Hours to approve`, tone: 'wait' };
    case 'counter_proposed':
      return { label: t`You proposed other hours`, tone: 'wait' };
    case 'delivered':
      return { label: t`Work to approve`, tone: 'wait' };
    case 'changes_requested':
      return { label: t`Changes asked for`, tone: 'wait' };
    case 'approved':
      return { label: t`Approved`, tone: 'good' };
    case 'completed':
      return { label: t`Completed`, tone: 'good' };
    case 'disputed':
      return { label: t`In dispute`, tone: 'bad' };
    case 'cancelled_by_worker':
      return { label: t`They called it off` };
    case 'cancelled_by_merchant':
      return { label: t`You called it off` };
    case 'no_show_reported':
      return { label: t`Did not come`, tone: 'bad' };
    case 'contested':
      return { label: t`Being looked at`, tone: 'wait' };
  }
}

/** Whether it should have begun and nobody checked in. */
export const isLate = ({ status, terms }: Pick<EngagementCard, 'status' | 'terms'>, now: Date): boolean =>
  (status === 'booked' || status === 'confirmed') &&
  terms.startsAt !== null &&
  Date.parse(terms.startsAt) < now.getTime();

/** The one line under a name in a list: when, and what is remarkable about it now. */
export function merchantLine(work: EngagementCard, now = new Date()): string {
  const { terms, checkedInAt, checkedOutAt, status } = work;
  const time = (instant: string) => formatTime(instant, terms.timeZone);
  if (checkedOutAt && checkedInAt) return t`Was here ${time(checkedInAt)} to ${time(checkedOutAt)}`;
  if (checkedInAt) return t`Here since ${time(checkedInAt)}`;
  if (isLate(work, now) && terms.startsAt) {
    const late = Math.floor((now.getTime() - Date.parse(terms.startsAt)) / minuteMs);
    return t`${formatMinutes(late)} late, due at ${time(terms.startsAt)}`;
  }
  if (status === 'submitted') return t`No check-in was recorded`;
  return terms.kind === 'task'
    ? t`${formatMoney(terms.payTotalMinor, terms.currency)} fixed price`
    : (workWhen(terms, now) ?? t`Any day`);
}

/** The day a piece of work belongs to in a list, in the zone of the place. */
export const workDay = ({ terms }: Pick<EngagementCard, 'terms'>, now = new Date()): string =>
  terms.startsAt
    ? formatDay(terms.startsAt, terms.timeZone, { style: 'long', now })
    : (workWhen(terms, now) ?? t`Any day`);

/** What happens by itself, and when, to the business. */
export function merchantNextWords(
  { next, status, terms, worker }: Pick<EngagementCard, 'next' | 'status' | 'terms' | 'worker'>,
  now = new Date(),
): string | null {
  if (next === null)
    return status === 'contested' ? t`Somebody at Nearhand reads both sides and decides.` : null;
  const at = stamp(next.at, terms.timeZone, now);
  const name = worker.name || t`The worker`;
  switch (next.what) {
    case 'confirm':
      return t`${name} is asked to confirm ${at}.`;
    case 'auto-submit':
      return t`${name} sends the hours after the work. If not, they are put in from the record ${at}.`;
    case 'auto-approve':
      return t`Without an answer it is approved by itself ${at}.`;
    case 'counter-stands':
      return t`${name} can answer until ${at}. After that your hours stand.`;
    case 'contest-over':
      return t`${name} can contest it until ${at}. After that it stands.`;
    case 'dispute':
      return t`The next step of the dispute is due by ${at}.`;
  }
}
