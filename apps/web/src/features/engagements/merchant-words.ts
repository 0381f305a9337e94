import { t } from '@lingui/core/macro';
import type { Engagement, EngagementCard, EngagementStatus } from '@nearhand/contract/engagements';
import type { Step } from '@nearhand/contract/terms';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatDay, formatMinutes, formatMoney, formatTime } from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { TimelineItem } from '../../ui/steps.tsx';
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
        label: t`Here`,
        meaning: t`At work now, or done and about to send the hours.`,
        nothing: t`Nobody is at work now.`,
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
      return { label: t`Left, hours to come`, tone: 'wait' };
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
  if (checkedOutAt && checkedInAt) return t`Here ${time(checkedInAt)} to ${time(checkedOutAt)}`;
  if (checkedInAt) return t`Here since ${time(checkedInAt)}`;
  if (isLate(work, now) && terms.startsAt) {
    const late = Math.floor((now.getTime() - Date.parse(terms.startsAt)) / 60_000);
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

function stepTitle(step: Step, worker: string): string {
  switch (step.action) {
    case 'book':
      return t`Booked`;
    case 'confirm':
      return t`${worker} confirmed`;
    case 'check-in':
      return t`${worker} checked in`;
    case 'check-out':
      return t`${worker} checked out`;
    case 'start':
      return t`${worker} began`;
    case 'submit-hours':
      return t`${worker} sent the hours`;
    case 'auto-submit':
      return t`Hours put in by themselves`;
    case 'counter':
      return t`You proposed other hours`;
    case 'accept-counter':
      return t`${worker} agreed to your hours`;
    case 'counter-stands':
      return t`Your hours stand, as no answer came`;
    case 'deliver':
      return t`${worker} delivered`;
    case 'request-changes':
      return t`You asked for changes`;
    case 'approve':
      return step.by === 'timer' ? t`Approved by itself` : t`You approved`;
    case 'complete':
      return t`Completed`;
    case 'cancel':
      return step.by === 'worker' ? t`${worker} called it off` : t`You called it off`;
    case 'report-no-show':
      return t`You reported that ${worker} did not come`;
    case 'contest':
      return t`${worker} contested it`;
    case 'uphold':
      return t`The report stands`;
    case 'overturn':
      return t`The report was taken back`;
    case 'dispute':
      return step.by === 'timer'
        ? t`A dispute opened by itself`
        : step.by === 'worker'
          ? t`${worker} opened a dispute`
          : t`You opened a dispute`;
    case 'settle':
      return t`The dispute is settled`;
    default:
      return merchantStatusWords({ status: step.status as EngagementStatus }).label;
  }
}

/** What happened so far, as the business reads it. */
export function merchantTimeline(
  { steps, worker, terms }: Pick<Engagement, 'steps' | 'worker' | 'terms'>,
  now = new Date(),
): TimelineItem[] {
  const name = worker.name || t`The worker`;
  return steps.map((step, index) => ({
    title: stepTitle(step, name),
    time: stamp(step.at, terms.timeZone, now),
    state: index === steps.length - 1 ? 'now' : 'done',
    ...(step.reason ? { note: step.reason } : {}),
  }));
}

/** What somebody else did meanwhile, in words; the plain refusal where it was something else. */
export function merchantNews(error: unknown): string {
  if (!isApiError(error, 'engagement/stale', 'engagement/wrong-state')) return errorText(error);
  const { status, by } = (error.data ?? {}) as { status?: EngagementStatus; by?: string };
  if (!status) return errorText(error);
  const { label } = merchantStatusWords({ status });
  return by
    ? t`${by} was faster: it now says "${label}". Look again, then decide.`
    : t`Meanwhile it became "${label}". Look again, then decide.`;
}
