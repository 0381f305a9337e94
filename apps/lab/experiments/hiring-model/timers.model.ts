import { payByRecord, runDispute, wholeRecord, withinPlan } from './disputes.model.ts';
import { turn } from './engagements.model.ts';
import { interviewOver, turn as turnInterview } from './interviews.model.ts';
import { openDispute, payOf, release, released, settle, timer } from './pay.model.ts';
import { hour, jobOf, type Work, type World } from './records.ts';
import {
  agreeBy,
  cancelInterviews,
  endOffer,
  fill,
  move,
  payFor,
  spotFreed,
  waitsForAnswer,
} from './spots.model.ts';

type Due = { at: number; run: () => void };

/** Submits hours twelve hours after the end: as recorded, otherwise as planned; never more than the plan. */
function submitByItself(world: World, work: Work): void {
  const { startsAt, endsAt, breakMinutes, payTotalMinor } = work.terms;
  if (startsAt === null || endsAt === null) return;
  const hours = withinPlan(work) ?? wholeRecord(work) ?? { startsAt, endsAt, breakMinutes };
  const amountMinor = Math.min(payOf(work, hours), payTotalMinor);
  work.claims.push({ by: 'timer', amountMinor });
  turn(work, 'submitted', timer, 'auto-submit');
  work.amountMinor = amountMinor;
  work.breakSince = null;
  work.nextAt = world.now + 72 * hour;
}

/** Pays the amount that the business agreed to; the rest is in dispute. */
function review(world: World, work: Work, amountMinor: number, worker: number | null): void {
  const business = work.claims.filter(({ by }) => by === 'business').at(-1)?.amountMinor ?? null;
  release(work, 'undisputed', amountMinor - released(work));
  openDispute(world, work, timer, {
    filedBy: 'timer',
    worker,
    business,
    status: worker !== null && business !== null ? 'answered' : 'open',
  });
}

/** Settles unanswered hours, proposals and deliveries (product.md, What silence does). */
function answerByItself(world: World, work: Work): void {
  const { payTotalMinor, payMinor } = work.terms;
  const claimMinor = work.claims.filter(({ by }) => by !== 'business').at(-1)?.amountMinor ?? 0;
  const paid = released(work);
  const agreed = Math.max(paid, Math.min(claimMinor, payTotalMinor));
  const recorded = world.mistake === 'silence-costs-the-worker' ? 0 : payByRecord(work);
  const complete = work.checkedInAt !== null && work.checkedOutAt !== null;
  const last = work.claims.at(-1)?.by;
  if (work.status === 'delivered') settle(work, payTotalMinor);
  else if (last === 'business' && complete) settle(work, Math.max(paid, Math.min(recorded, agreed)));
  else if (last === 'business') review(world, work, paid, claimMinor);
  else if (last === 'timer' && recorded === 0) review(world, work, 0, complete ? claimMinor : null);
  else if (claimMinor - agreed > payFor(payMinor, 5)) review(world, work, agreed, claimMinor);
  else settle(work, agreed);
}

const beforeHours = ['booked', 'confirmed', 'checked_in', 'checked_out'];

function* workTimers(world: World, work: Work): Generator<Due> {
  const { endsAt } = work.terms;
  if (endsAt !== null && beforeHours.includes(work.status))
    yield { at: endsAt + 12 * hour, run: () => submitByItself(world, work) };
  if (work.nextAt !== null && ['submitted', 'counter_proposed', 'delivered'].includes(work.status))
    yield { at: work.nextAt, run: () => answerByItself(world, work) };
  if (work.status === 'disputed' && work.nextAt !== null)
    yield { at: work.nextAt, run: () => runDispute(world, work) };
}

function* timers(world: World): Generator<Due> {
  for (const job of world.jobs) {
    const at = job.status === 'paused' ? agreeBy(job) : job.expiresAt;
    if (['open', 'paused'].includes(job.status) && at !== null && Number.isFinite(at))
      yield {
        at,
        run: () => {
          job.status = 'expired';
        },
      };
  }
  for (const application of world.applications) {
    if (waitsForAnswer(application.status))
      yield {
        at: application.decideBy,
        run: () => {
          move(application, 'no_response');
          cancelInterviews(world, application);
        },
      };
    for (const interview of application.interviews)
      if (interview.answerBy !== null)
        yield {
          at: interview.answerBy,
          run: () => {
            turnInterview(interview, 'lapsed');
            interview.last = { who: timer, action: 'lapse' };
            interviewOver(application);
          },
        };
    if (application.offer?.status === 'sent')
      yield {
        at: application.offer.expiresAt,
        run: () => {
          move(application, 'offer_expired');
          endOffer(world, application, 'expired');
          spotFreed(world, jobOf(world, application));
        },
      };
    if (application.work) yield* workTimers(world, application.work);
  }
}

export const nextTimer = (world: World): number => Math.min(...[...timers(world)].map(({ at }) => at));

export function runTimers(world: World): void {
  world.actor = timer;
  for (const at of world.toFill.splice(0)) fill(world, at);
  for (;;) {
    const [due] = [...timers(world)].filter(({ at }) => at <= world.now).sort((a, b) => a.at - b.at);
    if (!due) return;
    due.run();
    for (const at of world.toFill.splice(0)) fill(world, at);
  }
}
