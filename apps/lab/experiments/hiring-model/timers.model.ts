import { breaksWithin, runDispute, withinPlan } from './disputes.model.ts';
import { turn } from './engagements.model.ts';
import { interviewOver, turn as turnInterview } from './interviews.model.ts';
import { openDispute, payOf, settle, timer } from './pay.model.ts';
import { hour, jobOf, type Work, type World } from './records.ts';
import { cancelInterviews, endOffer, fill, move, seatFreed, waitsForAnswer } from './seats.model.ts';

type Due = { at: number; run: () => void };

/** Hours not submitted twelve hours after the end: as recorded, otherwise as planned. */
function submitByItself(world: World, work: Work): void {
  const { startsAt, endsAt, breakMinutes } = work.terms;
  if (startsAt === null || endsAt === null) return;
  const { checkedInAt: came, checkedOutAt: left } = work;
  const whole =
    came !== null && left !== null && left > came
      ? { startsAt: came, endsAt: left, breakMinutes: breaksWithin(work, came, left) }
      : null;
  const amountMinor = payOf(work, withinPlan(work, null) ?? whole ?? { startsAt, endsAt, breakMinutes });
  work.claims.push({ by: 'timer', amountMinor });
  turn(work, 'submitted', timer, 'auto-submit');
  work.amountMinor = amountMinor;
  work.breakSince = null;
  work.nextAt = world.now + 72 * hour;
}

/** What happens to unanswered hours or deliveries. */
function answerByItself(world: World, work: Work): void {
  const claim = work.claims.at(-1);
  if (work.status === 'delivered') settle(work, work.terms.payTotalMinor);
  else if (!claim) return;
  else if (work.status === 'submitted' && claim.by === 'timer' && work.checkedInAt === null)
    openDispute(world, work, timer, {
      filedBy: 'timer',
      worker: null,
      business: null,
      status: 'open',
    });
  else settle(work, claim.amountMinor);
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
  for (const job of world.jobs)
    if (job.status === 'open' && job.expiresAt !== null)
      yield {
        at: job.expiresAt,
        run: () => {
          job.status = 'expired';
        },
      };
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
          seatFreed(world, jobOf(world, application));
        },
      };
    if (application.work) yield* workTimers(world, application.work);
  }
}

/** When the next automatic step is due. */
export const nextTimer = (world: World): number => Math.min(...[...timers(world)].map(({ at }) => at));

/** Does everything that is due now, in order. */
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
