import { plural, t } from '@lingui/core/macro';
import { dayIn, hourMs, minuteMs } from '@nearhand/contract/durations';
import type {
  Interview,
  InterviewMode,
  InterviewOutcome,
  InterviewStatus,
} from '@nearhand/contract/hiring/interviews';
import type { SettingsView } from '@nearhand/contract/people/settings';
import type { Step } from '@nearhand/contract/sides';
import { dateIn, formatDate, formatSpan, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { TimelineItem } from '../../ui/steps.tsx';

/** The contract's list would bring zod into the browser. */
export const modes = ['in_person', 'phone', 'video'] as const satisfies readonly InterviewMode[];
export const outcomes = ['advance', 'undecided', 'decline'] as const satisfies readonly InterviewOutcome[];

export const isLiveInterview = (status: InterviewStatus): boolean =>
  status === 'proposed' || status === 'scheduled' || status === 'reschedule_requested';

export const modeIcons: Record<InterviewMode, IconName> = {
  in_person: 'map-pin',
  phone: 'phone',
  video: 'video-camera',
};

export function modeText(mode: InterviewMode): string {
  if (mode === 'in_person') return t`In person`;
  return mode === 'phone' ? t`By phone` : t`By video`;
}

/** The button to join, call or find the way appears this many minutes before the start. */
export const joinMinutes = 15;

export const mapLink = (place: string): string =>
  `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`;

type Standing = Pick<Interview, 'status' | 'side' | 'endsAt' | 'awaits'>;

export const isAsked = ({ side, awaits }: Pick<Interview, 'side' | 'awaits'>): boolean => awaits === side;

export const isOverInterview = ({ status, endsAt }: Standing, now: Date): boolean =>
  status === 'scheduled' && endsAt !== null && Date.parse(endsAt) <= now.getTime();

export function interviewStandingText(standing: Standing, now: Date): { label: string; tone?: Tone } {
  const isMine = standing.side === 'business';
  switch (standing.status) {
    case 'proposed':
      return isAsked(standing)
        ? { label: t`Pick a time`, tone: 'wait' }
        : { label: t`Waiting for their reply`, tone: 'wait' };
    case 'reschedule_requested':
      return isAsked(standing)
        ? { label: t`Asked to reschedule`, tone: 'wait' }
        : { label: t`You asked to reschedule`, tone: 'wait' };
    case 'scheduled':
      if (!isOverInterview(standing, now)) return { label: t`Scheduled`, tone: 'good' };
      return isMine ? { label: t`No outcome yet`, tone: 'wait' } : { label: t`Finished` };
    case 'completed':
      return { label: t`Completed` };
    case 'cancelled':
      return { label: t`Cancelled` };
    case 'lapsed':
      return { label: t`Expired without a reply` };
    case 'no_show_worker':
      return { label: isMine ? t`They didn't show up` : t`You didn't show up`, tone: 'bad' };
    case 'no_show_business':
      return { label: isMine ? t`You didn't show up` : t`They didn't show up`, tone: 'bad' };
  }
}

export function interviewOutcomeText(outcome: InterviewOutcome): string {
  if (outcome === 'advance') return t`Move to offer`;
  return outcome === 'undecided' ? t`Undecided` : t`No`;
}

export const interviewPartnerName = (interview: Pick<Interview, 'side' | 'worker' | 'business'>): string =>
  interview.side === 'worker' ? interview.business.name : interview.worker.name || t`Someone`;

/** The time to sort by: the scheduled one, otherwise the first proposed. */
export const sortTime = (interview: Pick<Interview, 'startsAt' | 'slots' | 'steps'>): string =>
  interview.startsAt ?? interview.slots[0]?.startsAt ?? interview.steps[0]?.at ?? '';

/** The same instant in the reader's zone; null if it does not differ. */
export function inOwnZone(
  instant: string,
  timeZone: string,
  now: Date,
  own: string = ownTimeZone(),
): string | null {
  const there = dateIn(instant, timeZone, now);
  const here = dateIn(instant, own, now);
  if (there === here) return null;
  return dayIn(timeZone, instant) === dayIn(own, instant) ? formatTime(instant, own) : here;
}

export function slotText(instant: string, timeZone: string, now: Date): string {
  const there = dateIn(instant, timeZone, now);
  const here = inOwnZone(instant, timeZone, now);
  return here ? t`${there} (${here} your time)` : there;
}

export const spanText = (startsAt: string, minutes: number, timeZone: string, now: Date): string =>
  formatSpan(startsAt, new Date(Date.parse(startsAt) + minutes * minuteMs).toISOString(), timeZone, now);

export function movesLeftText(
  interview: Pick<Interview, 'reschedules' | 'startsAt' | 'zones'>,
  now: Date,
  settings: Pick<SettingsView, 'interviewReschedulesMax' | 'interviewRescheduleClosesHours'>,
): string {
  const reschedulesLeft = settings.interviewReschedulesMax - interview.reschedules;
  if (reschedulesLeft <= 0) return t`It can't be rescheduled again.`;
  const closesAt = interview.startsAt
    ? new Date(Date.parse(interview.startsAt) - settings.interviewRescheduleClosesHours * hourMs)
    : null;
  const text = plural(reschedulesLeft, {
    one: 'You can reschedule # more time',
    other: 'You can reschedule # more times',
  });
  if (closesAt === null) return t`${text}.`;
  if (closesAt <= now)
    return t`It starts in less than ${settings.interviewRescheduleClosesHours} hours, so it's too late to reschedule.`;
  const zone = interview.zones.business;
  return dayIn(zone, closesAt) === dayIn(zone, now)
    ? t`${text} until ${formatTime(closesAt.toISOString(), zone)} today.`
    : t`${text} until ${formatDate(closesAt, zone, now)}.`;
}

export function interviewStatusText(status: InterviewStatus): string {
  switch (status) {
    case 'proposed':
      return t`Proposed`;
    case 'scheduled':
      return t`Scheduled`;
    case 'reschedule_requested':
      return t`Rescheduling`;
    case 'completed':
      return t`Completed`;
    case 'cancelled':
      return t`Cancelled`;
    case 'lapsed':
      return t`Expired without a reply`;
    case 'no_show_worker':
      return t`The worker didn't show up`;
    case 'no_show_business':
      return t`The business didn't show up`;
  }
}

function stepText(step: Step<InterviewStatus>, interview: Interview): string {
  const isMine = step.by === interview.side;
  const name = step.by === 'worker' ? interview.worker.name : interview.business.name;
  switch (step.action) {
    case 'propose':
      return isMine ? t`You proposed times` : t`${name} proposed times`;
    case 'suggest':
      return isMine ? t`You suggested other times` : t`${name} suggested other times`;
    case 'pick':
      return isMine ? t`You picked a time` : t`${name} picked a time`;
    case 'reschedule':
      return isMine ? t`You asked to reschedule` : t`${name} asked to reschedule`;
    case 'keep':
      return isMine ? t`You kept the original time` : t`${name} kept the original time`;
    case 'cancel':
      if (step.by === 'timer') return t`No longer needed`;
      return isMine ? t`You cancelled` : t`${name} cancelled`;
    case 'lapse':
      return t`Nobody replied in time`;
    case 'complete':
      return t`The interview took place`;
    case 'report-no-show':
      return isMine ? t`You reported a no-show` : t`${name} reported a no-show`;
    case 'contest':
      return isMine ? t`You contested the report` : t`${name} contested the report`;
    default:
      return interviewStatusText(step.status);
  }
}

export function interviewTimeline(interview: Interview, now: Date): TimelineItem[] {
  const isOver = isOverInterview(interview, now);
  const steps = interview.steps.map(
    (step, index): TimelineItem => ({
      title: stepText(step, interview),
      note: step.reason || undefined,
      time: formatDate(step.at, ownTimeZone(), now),
      state: index === interview.steps.length - 1 && !isOver ? 'now' : 'done',
    }),
  );
  if (!isOver || interview.endsAt === null) return steps;
  return [
    ...steps,
    { title: t`Finished`, time: formatDate(interview.endsAt, ownTimeZone(), now), state: 'now' },
  ];
}
