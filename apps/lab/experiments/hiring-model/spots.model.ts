import { minuteIn, nextAt } from '@nearhand/contract/zoned-time';
import {
  type Application,
  day,
  hour,
  type Job,
  jobOf,
  minute,
  refuse,
  type Terms,
  type Work,
  type World,
} from './records.ts';

export const waitsForAnswer = (status: string): boolean =>
  ['submitted', 'viewed', 'shortlisted', 'interviewing'].includes(status);

/** The pay for some minutes in minor units, rounded half up. */
export const payFor = (anHourMinor: number, minutes: number): number =>
  Math.floor((anHourMinor * minutes * 2 + 60) / 120);

const fee = (payMinor: number): number => Math.floor((payMinor * 1_000 + 5_000) / 10_000);
/** Pay on top of earlier pay, with the business's tenth. */
export const withFee = (before: number, payMinor: number): number =>
  payMinor + fee(before + payMinor) - fee(before);

export const freeSpots = (job: Job): number => job.headCount - job.hired - job.offered;

export const agreeBy = (job: Job): number => job.startsAt ?? job.dueAt ?? Number.POSITIVE_INFINITY;

export function move(application: Application, status: string): void {
  application.status = status;
  application.version += 1;
  if (status !== 'position_filled') application.waitingSince = null;
}

export const isLiveInterview = (status: string): boolean =>
  ['proposed', 'scheduled', 'reschedule_requested'].includes(status);

export function cancelInterviews(world: World, application: Application): void {
  for (const interview of application.interviews)
    if (isLiveInterview(interview.status)) {
      interview.status = 'cancelled';
      interview.version += 1;
      interview.last = { who: world.actor, action: 'cancel-interview' };
      interview.answerBy = null;
      interview.rescheduleBy = null;
      interview.slots = [];
    }
}

/** Returns true when the job has just become full. */
export function updateFilledStatus(world: World, job: Job): boolean {
  if (job.hired >= job.headCount) {
    const fills = ['open', 'paused', 'expired'].includes(job.status);
    if (fills) {
      job.pausedBefore = job.status === 'paused';
      job.status = 'filled';
    }
    return fills;
  }
  if (job.status === 'filled' && job.expiresAt !== null && job.expiresAt > world.now)
    job.status = job.pausedBefore ? 'paused' : 'open';
  return false;
}

export function endOffer(world: World, application: Application, status: string): void {
  if (application.offer?.status !== 'sent') return;
  application.offer.status = status;
  application.offer.version += 1;
  cancelInterviews(world, application);
  if (status !== 'accepted') jobOf(world, application).offered -= 1;
}

export function spotFreed(world: World, job: Job): void {
  if (job.status !== 'open' && job.status !== 'filled') return;
  while (freeSpots(job) > 0 && agreeBy(job) > world.now) {
    const waiting = world.applications
      .filter((application) => jobOf(world, application) === job && application.waitingSince !== null)
      .sort((a, b) => (a.waitingSince as number) - (b.waitingSince as number) || (a.id < b.id ? -1 : 1));
    const next = world.mistake === 'waitlist-newest-first' ? waiting.at(-1) : waiting[0];
    if (!next) return;
    move(next, 'offered');
    sendOffer(world, next, 'waitlist', job.payMinor);
  }
}

export const termsOf = (job: Job, payMinor: number): Terms => ({
  kind: job.kind,
  payMinor,
  startsAt: job.startsAt,
  endsAt: job.endsAt,
  breakMinutes: job.breakMinutes,
  payTotalMinor:
    job.kind === 'task' || job.startsAt === null || job.endsAt === null
      ? payMinor
      : payFor(payMinor, (job.endsAt - job.startsAt) / minute - job.breakMinutes),
});

export function sendOffer(world: World, application: Application, source: string, payMinor: number): void {
  const job = jobOf(world, application);
  if (freeSpots(job) < 1) refuse('offer/no-spot');
  job.offered += 1;
  application.offer = {
    id: '',
    status: 'sent',
    version: 1,
    source,
    terms: termsOf(job, payMinor),
    expiresAt: offerEnd(world, application, world.now + 48 * hour),
  };
}

const noTime = ['cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested'];
const overlaps = (work: Work, terms: Pick<Terms, 'startsAt' | 'endsAt'>) =>
  work.terms.startsAt !== null &&
  work.terms.endsAt !== null &&
  terms.startsAt !== null &&
  terms.endsAt !== null &&
  !noTime.includes(work.status) &&
  work.terms.startsAt < terms.endsAt &&
  terms.startsAt < work.terms.endsAt;

/** Returns whether applying for the job is a booking, which the applicant must agree to. */
export const booksAtOnce = (world: World, job: World['jobs'][number]): boolean =>
  job.instant && freeSpots(job) > 0 && agreeBy(job) > world.now;

export const isBusy = (
  world: World,
  worker: Application['worker'],
  terms: Pick<Terms, 'startsAt' | 'endsAt'>,
): boolean =>
  world.applications.some(
    (application) =>
      application.worker === worker && application.work !== null && overlaps(application.work, terms),
  );

export function hire(world: World, application: Application): void {
  const { offer } = application;
  if (!offer) return;
  const job = jobOf(world, application);
  move(application, 'hired');
  endOffer(world, application, 'accepted');
  const busy = isBusy(world, application.worker, offer.terms);
  if (busy && world.mistake !== 'double-booking') refuse('engagement/overlap');
  application.work = {
    id: '',
    bookedAt: world.now,
    status: 'booked',
    version: 1,
    terms: offer.terms,
    amountMinor: offer.terms.payTotalMinor,
    checkedInAt: null,
    checkedOutAt: null,
    breakSince: null,
    events: [],
    claims: [],
    movedAt: world.now,
    nextAt: null,
    late: null,
    compensationMinor: null,
    noShowAt: null,
    releases: [],
    dispute: null,
    heldMinor: withFee(0, offer.terms.payTotalMinor),
    addedMinor: 0,
    last: { who: application.worker, action: 'book' },
  };
  job.offered -= 1;
  job.hired += 1;
  if (updateFilledStatus(world, job)) world.toFill.push(application.job);
}

export function fill(world: World, at: number): void {
  const job = world.jobs[at];
  if (job?.status !== 'filled') return;
  for (const application of world.applications)
    if (application.job === at && waitsForAnswer(application.status)) {
      move(application, 'position_filled');
      cancelInterviews(world, application);
    }
}

/** 14 days, but three hours before the work starts, or half of the time left; not at night, if the evening before will do. */
export function decideBy(now: number, job: Job): number {
  const deadline = afterNight(now + 14 * day);
  if (job.startsAt === null) return deadline;
  if (job.startsAt <= now) return now;
  const lead = Math.min(3 * hour, (job.startsAt - now) / 2);
  const latest = Math.trunc(job.startsAt - lead);
  const evening = eveningBefore(latest);
  return Math.min(deadline, evening - now >= lead ? evening : latest);
}

function eveningBefore(at: number): number {
  const minute = minuteIn('Europe/Amsterdam', new Date(at));
  return minute >= 8 * 60 && minute <= 22 * 60
    ? at
    : nextAt('Europe/Amsterdam', 22 * 60, new Date(at - day)).getTime();
}

/** All jobs are in Amsterdam: nothing ends between 22:00 and 8:00 there. */
function afterNight(at: number): number {
  const minute = minuteIn('Europe/Amsterdam', new Date(at));
  return minute >= 8 * 60 && minute < 22 * 60
    ? at
    : nextAt('Europe/Amsterdam', 8 * 60, new Date(at)).getTime();
}

/** The end of an offer: not before an agreed interview ends, and never past the deadline for agreeing. */
export function offerEnd(world: World, application: Application, end: number): number {
  const interviews = application.interviews.filter(({ status }) => status === 'scheduled');
  const ends = interviews.map(({ startsAt, minutes }) => (startsAt ?? 0) + minutes * minute);
  return Math.min(afterNight(Math.max(end, ...ends)), agreeBy(jobOf(world, application)));
}

/** The deadline of an interview's answer: two hours before its last time, at least half the time left, never at night. */
export function answerEnd(now: number, last: number): number {
  const by = Math.min(now + 72 * hour, Math.trunc(last - Math.min(2 * hour, (last - now) / 2)));
  return Math.min(afterNight(by), Math.trunc((by + last) / 2));
}

/** Two days after the interview, never past the start of the work (ADR 18). */
export function decideAfter(world: World, application: Application, lastEndsAt: number): void {
  const latest = jobOf(world, application).startsAt ?? Number.POSITIVE_INFINITY;
  application.decideBy = Math.max(application.decideBy, Math.min(lastEndsAt + 48 * hour, latest));
}
