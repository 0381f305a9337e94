import { t } from '@lingui/core/macro';
import { minuteMs } from '@nearhand/contract/durations';
import {
  type BusinessWorkGroup,
  type EngagementStatus,
  isUpcoming,
} from '@nearhand/contract/engagement-statuses';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { shiftNoShowFrom } from '@nearhand/contract/work/attendance.rules';
import type { Engagement, EngagementCard } from '@nearhand/contract/work/engagements';
import { formatDay, formatMinutes, formatMoney, formatTime, withZone } from '../../lib/words/format.ts';
import type { Tone } from '../../ui/badge.tsx';
import { isAlreadyPaid, isPaidAsProposed, reviewText, timeText, workWhen } from './engagement.labels.ts';

export const businessGroups: readonly BusinessWorkGroup[] = [
  'here',
  'late',
  'due',
  'to_approve',
  'unsettled',
  'no_show',
  'ended',
];

export function groupText(group: BusinessWorkGroup): { label: string; meaning: string; nothing: string } {
  switch (group) {
    case 'here':
      return {
        label: t`Started`,
        meaning: t`On shift, working on a task, or done and about to submit hours.`,
        nothing: t`Nothing has started.`,
      };
    case 'late':
      return {
        label: t`Late`,
        meaning: t`The start time has passed and they haven't checked in.`,
        nothing: t`No one is late.`,
      };
    case 'due':
      return { label: t`Upcoming`, meaning: t`Booked and not started yet.`, nothing: t`No one is booked.` };
    case 'to_approve':
      return {
        label: t`To approve`,
        meaning: t`Hours or deliveries awaiting your approval, oldest first.`,
        nothing: t`Nothing to approve.`,
      };
    case 'unsettled':
      return {
        label: t`Unresolved`,
        meaning: t`New hours proposed, changes requested, a no-show contested or in dispute.`,
        nothing: t`No unresolved work.`,
      };
    case 'no_show':
      return {
        label: t`No-shows`,
        meaning: t`Reported as a no-show. What they contest is under Unresolved.`,
        nothing: t`No no-shows.`,
      };
    case 'ended':
      return {
        label: t`Ended`,
        meaning: t`Completed, cancelled or given away.`,
        nothing: t`No finished work yet.`,
      };
  }
}

const over: readonly EngagementStatus[] = [
  'approved',
  'completed',
  'cancelled_by_worker',
  'cancelled_by_merchant',
  'given_away',
];

export const isLiveShift = ({ status }: { status: EngagementStatus }): boolean => !over.includes(status);

export function businessWorkText(
  {
    status,
    onBreak = false,
    lateMinutes = null,
    unconfirmed = false,
    excused = false,
  }: {
    status: EngagementStatus;
    onBreak?: boolean;
    lateMinutes?: number | null;
    unconfirmed?: boolean;
    excused?: boolean;
  },
  late = false,
): { label: string; tone?: Tone } {
  switch (status) {
    case 'booked':
      return late ? { label: t`Late`, tone: 'bad' } : { label: t`Booked`, tone: 'here' };
    case 'confirmed':
      return late ? { label: t`Late`, tone: 'bad' } : { label: t`Confirmed`, tone: 'good' };
    case 'checked_in':
      return onBreak
        ? { label: t`On break`, tone: 'wait' }
        : { label: (lateMinutes ?? 0) > 5 ? t`On site, arrived late` : t`On site`, tone: 'good' };
    case 'checked_out':
      return { label: t`Checked out, hours pending`, tone: 'wait' };
    case 'in_progress':
      return { label: t`In progress`, tone: 'good' };
    case 'submitted':
      return { label: t`Hours to approve`, tone: 'wait' };
    case 'counter_proposed':
      return { label: t`You proposed new hours`, tone: 'wait' };
    case 'delivered':
      return { label: t`Work to approve`, tone: 'wait' };
    case 'changes_requested':
      return { label: t`Changes requested`, tone: 'wait' };
    case 'approved':
      return { label: t`Approved`, tone: 'good' };
    case 'completed':
      return { label: t`Completed`, tone: 'good' };
    case 'disputed':
      return { label: t`In dispute`, tone: 'bad' };
    case 'cancelled_by_worker':
      return { label: unconfirmed ? t`Not confirmed` : excused ? t`Day off` : t`They cancelled` };
    case 'cancelled_by_merchant':
      return { label: t`You cancelled` };
    case 'given_away':
      return { label: t`Given away` };
    case 'no_show_reported':
      return { label: t`No-show`, tone: 'bad' };
    case 'contested':
      return { label: t`Under review`, tone: 'wait' };
  }
}

export const isLate = ({ status, terms }: Pick<EngagementCard, 'status' | 'terms'>, now: Date): boolean =>
  isUpcoming(status) && terms.startsAt !== null && Date.parse(terms.startsAt) < now.getTime();

export function businessWorkLine(work: EngagementCard, now = new Date()): string {
  const { terms, checkedInAt, checkedOutAt, status } = work;
  const time = (instant: string) => withZone(formatTime(instant, terms.timeZone), instant, terms.timeZone);
  if (checkedOutAt && checkedInAt)
    return t`On site ${formatTime(checkedInAt, terms.timeZone)} to ${time(checkedOutAt)}`;
  if (checkedInAt) return t`On site since ${time(checkedInAt)}`;
  if (isLate(work, now) && terms.startsAt) {
    const late = Math.floor((now.getTime() - Date.parse(terms.startsAt)) / minuteMs);
    return t`${formatMinutes(late)} late, due at ${time(terms.startsAt)}`;
  }
  if (status === 'submitted') return t`No check-in`;
  return terms.kind === 'task'
    ? t`${formatMoney(terms.payTotalMinor, terms.currency)} fixed price`
    : (workWhen(terms, now) ?? t`Any day`);
}

export const workDay = ({ terms }: Pick<EngagementCard, 'terms'>, now = new Date()): string =>
  terms.startsAt
    ? formatDay(terms.startsAt, terms.timeZone, { style: 'long', now })
    : (workWhen(terms, now) ?? t`Any day`);

export function lateText({ runningLate, checkedInAt }: EngagementCard): string | null {
  if (!runningLate || checkedInAt) return null;
  const { minutes } = runningLate;
  return minutes === null ? t`Running late` : t`Says ${minutes} min late`;
}

/** The consequence of a shift that its worker does not confirm, for the business. */
const unconfirmedText = (name: string, confirmBy: string, timeZone: string, now = new Date()): string =>
  t`If ${name} doesn’t confirm by ${timeText(confirmBy, timeZone, now)}, we offer the spot to your waitlist and to people who worked for you.`;

export function businessNextText(
  work: Pick<
    Engagement,
    'next' | 'status' | 'terms' | 'worker' | 'checkedInAt' | 'runningLate' | 'actions' | 'claims' | 'releases'
  >,
  { noShowAfterMinutes }: Pick<SettingsView, 'noShowAfterMinutes'>,
  now = new Date(),
): string | null {
  const { next, status, terms, worker } = work;
  if (next === null) return status === 'contested' ? t`Nearhand reviews both sides and decides.` : null;
  const at = timeText(next.at, terms.timeZone, now);
  const name = worker.name || t`The worker`;
  const money = formatMoney(next.amountMinor ?? 0, terms.currency);
  switch (next.kind) {
    case 'confirm':
      return terms.confirmBy
        ? t`We’ll ask ${name} to confirm ${at}. ${unconfirmedText(name, terms.confirmBy, terms.timeZone, now)}`
        : t`We'll ask ${name} to confirm ${at}.`;
    case 'confirm-by':
      return unconfirmedText(name, next.at, terms.timeZone, now);
    case 'auto-submit':
      if (work.checkedInAt === null && terms.startsAt && Date.parse(terms.startsAt) < now.getTime()) {
        const startsAt = new Date(terms.startsAt);
        const from = shiftNoShowFrom(
          { startsAt, lateMinutes: work.runningLate?.minutes ?? null },
          noShowAfterMinutes,
        );
        return work.actions.includes('report-no-show')
          ? t`${name} hasn’t checked in. If they didn’t come, report a no-show. Otherwise the planned hours are submitted ${at} for you to review.`
          : t`${name} hasn’t checked in. If they don’t come, you can report a no-show from ${timeText(from.toISOString(), terms.timeZone, now)}. Otherwise the planned hours are submitted ${at} for you to review.`;
      }
      return t`${name} submits hours after the shift. If not, the recorded hours are submitted ${at}.`;
    case 'approve-planned':
    case 'auto-approve':
      return t`If you don't reply by ${at}, ${money} is approved automatically.`;
    case 'pay-recorded':
      if (isAlreadyPaid(work))
        return t`If ${name} doesn't reply by ${at}, it stays at ${money}, which is already paid.`;
      return isPaidAsProposed(work)
        ? t`If ${name} doesn't reply by ${at}, ${money} is paid, as you proposed.`
        : t`If ${name} doesn't reply by ${at}, ${money} is paid for the recorded hours within the planned time.`;
    case 'review':
      return reviewText(work, money, at);
    case 'contest-over':
      return t`${name} can contest it until ${at}. After that it's final.`;
    case 'dispute':
      return t`The next step in the dispute is due by ${at}.`;
  }
}
