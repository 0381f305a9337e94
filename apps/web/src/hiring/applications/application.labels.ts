import { t } from '@lingui/core/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { ApplicationStep, MyApplication } from '@nearhand/contract/hiring/applications';
import {
  type ApplicationStatus,
  undecidedApplicationStatuses,
} from '@nearhand/contract/hiring/applications.rules';
import { decideByAt } from '@nearhand/contract/hiring/decide-by.rules';
import type { Job, Pay } from '@nearhand/contract/hiring/jobs';
import { shareLeft } from '../../lib/forms/share-left.ts';
import { formatDate, formatLeft, formatLeftShort, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { rejectReasonText } from '../../lib/words/reject-reason.labels.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { TimelineItem } from '../../ui/steps.tsx';

/** The rings of the illustration, from the outermost. */
const rings = ['submitted', 'viewed', 'shortlisted', 'interviewing', 'offered', 'hired'] as const;
type Ring = (typeof rings)[number];
const isRing = (status: ApplicationStatus): status is Ring => rings.some((ring) => ring === status);

function ringName(ring: Ring): string {
  switch (ring) {
    case 'submitted':
      return t`Sent`;
    case 'viewed':
      return t`Viewed`;
    case 'shortlisted':
      return t`Shortlisted`;
    case 'interviewing':
      return t`Interview`;
    case 'offered':
      return t`Offer`;
    case 'hired':
      return t`Hired`;
  }
}

/** An application's pay: from its pending or accepted offer, otherwise as posted. */
export const payThatCounts = ({
  status,
  offer,
  job,
}: Pick<MyApplication, 'status' | 'offer' | 'job'>): Pay =>
  offer && ((status === 'offered' && offer.status === 'sent') || offer.status === 'accepted')
    ? offer.pay
    : job.pay;

/** The rings to draw, outermost first, and the current or last of them. Skipped steps have no ring. */
export function waysIn({ status, steps }: Pick<MyApplication, 'status' | 'steps'>): {
  names: string[];
  now: number;
} {
  const reached = [...steps.map((step) => step.status), status].filter(isRing);
  const last = rings.indexOf(reached.at(-1) ?? 'submitted');
  const visibleSteps = rings.filter(
    (ring, index) =>
      (index <= last && reached.includes(ring)) || index === last || index === last + 1 || ring === 'hired',
  );
  return { names: visibleSteps.map(ringName), now: visibleSteps.indexOf(rings[last] as Ring) };
}

type StatusWords = { badge: string; title: string; tone?: Tone };

export function applicationStatusText(status: ApplicationStatus): StatusWords {
  switch (status) {
    case 'submitted':
      return { badge: t`Sent`, title: t`Application sent`, tone: 'here' };
    case 'viewed':
      return { badge: t`Viewed`, title: t`They've seen your application`, tone: 'here' };
    case 'shortlisted':
      return { badge: t`Shortlisted`, title: t`You're shortlisted`, tone: 'good' };
    case 'interviewing':
      return { badge: t`Interview`, title: t`They'd like to interview you`, tone: 'good' };
    case 'offered':
      return { badge: t`Offer`, title: t`You have an offer`, tone: 'good' };
    case 'hired':
      return { badge: t`Hired`, title: t`You're hired`, tone: 'good' };
    case 'withdrawn':
      return { badge: t`Withdrawn`, title: t`You withdrew your application` };
    case 'rejected':
      return { badge: t`Not selected`, title: t`They decided not to move forward` };
    case 'offer_declined':
      return { badge: t`Offer declined`, title: t`You declined the offer` };
    case 'offer_expired':
      return { badge: t`Offer expired`, title: t`The offer expired` };
    case 'offer_withdrawn':
      return { badge: t`Offer withdrawn`, title: t`They withdrew the offer` };
    case 'no_response':
      return { badge: t`No reply`, title: t`No reply`, tone: 'bad' };
    case 'position_filled':
      return { badge: t`Filled`, title: t`Every spot is taken` };
    case 'job_closed':
      return { badge: t`Job closed`, title: t`The job was closed` };
  }
}

/** The state of the viewer's application, in words for the job's pages. */
export function applicationStandingText({ status, workEnding }: NonNullable<Job['myApplication']>): {
  title: string;
  note: string;
} {
  if (status === 'hired') {
    if (workEnding === 'cancelled')
      return { title: t`This booking was cancelled`, note: t`See what it means for your pay.` };
    if (workEnding === 'done') return { title: t`You've done this job`, note: t`See your hours and pay.` };
    if (workEnding === 'no_show')
      return { title: t`This job is marked as a no-show`, note: t`See what you can do about it.` };
    return { title: t`You're hired`, note: t`Find the address, check-in and your hours in My work.` };
  }
  if (status === 'offered') return { title: t`You have an offer`, note: t`Accept or decline it.` };
  if (clockRuns(status) || status === 'interviewing')
    return { title: t`You've applied`, note: t`We'll let you know when they reply.` };
  return {
    title: applicationStatusText(status).title,
    note: t`There are other jobs open nearby.`,
  };
}

export function endingText(status: ApplicationStatus, business: string): string | null {
  switch (status) {
    case 'withdrawn':
      return t`${business} was notified. You can apply again while the job is open.`;
    case 'rejected':
      return t`Not this time. There are other jobs open nearby.`;
    case 'no_response':
      return t`${business} didn't reply in time, so your application was closed automatically. This isn't about you.`;
    case 'position_filled':
      return t`Someone else was hired. There are other jobs open nearby.`;
    case 'job_closed':
      return t`${business} closed the job, so all applications were closed too.`;
    case 'offer_declined':
    case 'offer_expired':
    case 'offer_withdrawn':
      return t`This application is closed. There are other jobs open nearby.`;
    default:
      return null;
  }
}

export const clockRuns = (status: ApplicationStatus): boolean =>
  status === 'submitted' || status === 'viewed' || status === 'shortlisted';

/** True while an application can still lead to work, and can be withdrawn. */
export const isUndecided = (status: ApplicationStatus): boolean => undecided.includes(status);
const undecided: readonly ApplicationStatus[] = [...undecidedApplicationStatuses, 'offered'];

export const clockText = (
  {
    submittedAt,
    decideBy,
    job,
  }: Pick<MyApplication, 'submittedAt' | 'decideBy'> & { job: { timeZone: string } },
  now = new Date(),
) => ({
  left: shareLeft(submittedAt, decideBy, now),
  figure: formatLeftShort(decideBy, now),
  title: formatLeft(decideBy, now) ?? t`Time is up`,
  reply: replyText(decideBy, job.timeZone, now),
});

const replyText = (decideBy: string, timeZone: string, now: Date): string =>
  t`They'll reply by ${formatDate(decideBy, timeZone, now)}`;

/** The time by which an applicant gets an answer. */
export const replyIfSentNow = (
  { startsAt, timeZone }: { timeZone: string; startsAt: string | null },
  days: number,
  now: Date,
): string =>
  replyText(
    decideByAt(now, days, startsAt ? new Date(startsAt) : null, timeZone).toISOString(),
    timeZone,
    now,
  );

function whenOf(at: string, timeZone: string, now: Date): string {
  return dayIn(timeZone, at) === dayIn(timeZone, now)
    ? formatTime(at, timeZone)
    : formatDate(at, timeZone, now);
}

export function applicationTimeline(application: MyApplication, now = new Date()): TimelineItem[] {
  const { steps, status, job } = application;
  const business = job.business.name;
  const interviewStep = steps.findLast((step) => step.status === 'interviewing');
  const pastSteps = steps.map((step, index): TimelineItem => {
    const isLast = index === steps.length - 1;
    return {
      title: isWithdrawal(step, steps[index - 1])
        ? t`${business} withdrew the offer`
        : stepTitle(step.status),
      time: whenOf(step.at, ownTimeZone(), now),
      state: isLast ? 'now' : 'done',
      note: noteOf(step) || (step === interviewStep && interviewNote(application, now)) || undefined,
    };
  });
  return [...pastSteps, ...upcomingSteps(status)];
}

function stepTitle(status: ApplicationStatus): string {
  if (status === 'interviewing') return t`Interview requested`;
  return isRing(status) ? ringName(status) : applicationStatusText(status).title;
}

/** True if the business withdrew the offer: it ended the application, or returned it to the stage before. */
const isWithdrawal = (step: ApplicationStep, before: ApplicationStep | undefined): boolean =>
  step.status === 'offer_withdrawn' || (before?.status === 'offered' && ringBefore(step.status, 'offered'));

const ringBefore = (status: ApplicationStatus, ring: Ring): boolean =>
  isRing(status) && rings.indexOf(status) < rings.indexOf(ring);

const noteOf = ({ reason, rejectReason }: ApplicationStep): string =>
  [rejectReason ? rejectReasonText(rejectReason).reads : null, reason].filter(Boolean).join(' ');

/** The time of the interview that was agreed, or that it was cancelled. */
function interviewNote({ interview, job }: MyApplication, now: Date): string | null {
  if (interview?.status === 'cancelled') return t`The interview was cancelled.`;
  if (!interview?.startsAt || (interview.status !== 'scheduled' && interview.status !== 'completed'))
    return null;
  const when = formatDate(interview.startsAt, job.timeZone, now);
  return now.getTime() < Date.parse(interview.startsAt)
    ? t`Your interview is on ${when}.`
    : t`Your interview was on ${when}.`;
}

function upcomingSteps(status: ApplicationStatus): TimelineItem[] {
  if (!isRing(status)) return [];
  const ahead: Record<Exclude<Ring, 'submitted' | 'hired'>, string> = {
    viewed: t`They review it`,
    shortlisted: t`Shortlist, if they keep one`,
    interviewing: t`Interview, if they want one`,
    offered: t`Offer, if they choose you`,
  };
  const next = rings.slice(rings.indexOf(status) + 1).filter((ring) => ring in ahead);
  return next.map((ring) => ({ title: ahead[ring as keyof typeof ahead], state: 'next' }));
}
