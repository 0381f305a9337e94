import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import {
  type InterviewAction,
  type InterviewStatus,
  interviewActions,
} from '@nearhand/contract/hiring/interviews';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Side } from '@nearhand/contract/sides';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { bringInterview, hoursAhead, makeInterview } from './interviews.fixtures.ts';

const app = useTestApp();
const actors = ['worker', 'business', 'finance', 'stranger', 'unverified', 'signed-out'] as const;
type Actor = (typeof actors)[number];
type Expected = Partial<Record<Side, readonly InterviewAction[]>>;

/** The actions of each side in a state, written independently of the table under test. */
type Situation = {
  to: InterviewStatus;
  by?: Side;
  suggested?: boolean;
  over?: boolean;
  may: Expected;
  repeats?: Expected;
  later?: Expected;
};
const situations: Record<string, Situation> = {
  proposed: { to: 'proposed', may: { worker: ['pick', 'suggest', 'cancel'], business: ['cancel'] } },
  'answered with other times': {
    to: 'proposed',
    suggested: true,
    may: { worker: ['pick', 'cancel'], business: ['pick', 'suggest', 'cancel'] },
  },
  'scheduled, to come': {
    to: 'scheduled',
    may: { worker: ['reschedule', 'cancel'], business: ['reschedule', 'cancel'] },
    repeats: { worker: ['keep'], business: ['keep'] },
    later: { worker: ['report-no-show'], business: ['complete', 'report-no-show'] },
  },
  'scheduled, begun': {
    to: 'scheduled',
    over: true,
    may: { worker: ['report-no-show'], business: ['complete', 'report-no-show'] },
    repeats: { worker: ['keep'], business: ['keep'] },
    later: { worker: ['reschedule'], business: ['reschedule'] },
  },
  'moved by the worker': {
    to: 'reschedule_requested',
    by: 'worker',
    may: { worker: ['keep', 'cancel'], business: ['pick', 'keep', 'cancel'] },
  },
  'moved by the business': {
    to: 'reschedule_requested',
    by: 'business',
    may: { worker: ['pick', 'keep', 'cancel'], business: ['keep', 'cancel'] },
  },
  completed: { to: 'completed', may: {} },
  cancelled: { to: 'cancelled', may: {}, repeats: { worker: ['cancel'], business: ['cancel'] } },
  lapsed: { to: 'lapsed', may: {} },
  'missed by the worker': {
    to: 'no_show_worker',
    may: { worker: ['contest'] },
    repeats: { business: ['report-no-show'] },
  },
  'missed by the business': {
    to: 'no_show_business',
    may: { business: ['contest'] },
    repeats: { worker: ['report-no-show'] },
  },
};

let people: Record<Exclude<Actor, 'worker' | 'signed-out'>, Person>;
let business: Business;
let job: Job;
let walked = 0;
let worked = 0;
let repeated = 0;
beforeAll(async () => {
  people = {
    business: await app.person(),
    finance: await app.person(),
    stranger: await app.person(),
    unverified: await app.person({ verified: false }),
  };
  business = await makeBusiness(app.db, app.scopeOf(people.business));
  job = await makeJob(app.db, app.scopeOf(people.business), business.id, {
    headCount: 400,
    startsAt: hoursAhead(app, 80 * 24),
    endsAt: hoursAhead(app, 80 * 24 + 6),
  });
  await makeMember(app.db, app.clock, business.id, people.finance.accountId, 'finance');
});
afterAll(() => {
  // biome-ignore lint/suspicious/noConsole: the test reports how much it covered
  console.info(
    `interviews: ${walked} of state x action x actor walked, ${worked} allowed, ${repeated} repeats, ${walked - worked - repeated} refused`,
  );
});

async function enter({ to, by, suggested, over }: Pick<Situation, 'to' | 'by' | 'suggested' | 'over'>) {
  const worker = await app.person();
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const scopes = { worker: app.scopeOf(worker), business: app.scopeOf(people.business) };
  const interview = await makeInterview(app.db, scopes.business, id);
  if (suggested)
    await worker.api.interviews.suggest({
      interviewId: interview.id,
      version: interview.version,
      slots: [hoursAhead(app, 24)],
    });
  await bringInterview(app.db, scopes, interview, to, { by, clock: app.clock });
  const row = await snapshot(interview.id);
  if (over) app.clock.set(new Date((row.startsAt?.getTime() ?? 0) + 20 * minuteMs));
  return { worker, id: interview.id };
}

const snapshot = async (interviewId: string) => {
  const row = await app.db
    .selectFrom('interviews')
    .innerJoin('applications', 'applications.id', 'interviews.applicationId')
    .selectAll('interviews')
    .select(['applications.status as applicationStatus', 'applications.version as applicationVersion'])
    .where('interviews.id', '=', interviewId)
    .executeTakeFirstOrThrow();
  const count = async (table: 'interview_moves' | 'interview_slots') =>
    (await app.db.selectFrom(table).select('id').where('interviewId', '=', interviewId).execute()).length;
  return { ...row, moves: await count('interview_moves'), slots: await count('interview_slots') };
};

async function call(api: Client, action: InterviewAction, interviewId: string) {
  const { version, startsAt } = await snapshot(interviewId);
  const view = await api.interviews.get({ interviewId }).catch(() => null);
  const slot = view?.earlierSlots[0] ?? view?.slots[0];
  const interviewRef = { interviewId, version };
  const newTime = addMs(startsAt ?? app.clock.now(), 30 * hourMs).toISOString();
  const calls: Record<InterviewAction, () => Promise<unknown>> = {
    pick: () => api.interviews.pick({ ...interviewRef, slotId: slot?.id ?? interviewId }),
    suggest: () => api.interviews.suggest({ ...interviewRef, slots: [newTime] }),
    reschedule: () => api.interviews.reschedule({ ...interviewRef, slots: [newTime] }),
    keep: () => api.interviews.keep(interviewRef),
    cancel: () => api.interviews.cancel(interviewRef),
    complete: () => api.interviews.complete({ ...interviewRef, outcome: 'undecided' }),
    'report-no-show': () => api.interviews.reportNoShow(interviewRef),
    contest: () => api.interviews.contest({ ...interviewRef, note: 'I was there.' }),
  };
  return calls[action]();
}

const refusalOf = (actor: Actor, action: InterviewAction, later: Expected | undefined) => {
  if (actor === 'signed-out') return 401;
  if (actor === 'unverified') return 403;
  if (actor === 'finance' || actor === 'stranger') return 404;
  if (actor === 'worker' && action === 'complete') return 403;
  return later?.[actor]?.includes(action) ? 422 : 409;
};

describe('an interview in every state, with every action by every actor', () => {
  it.each(Object.entries(situations))('%s', async (_, situation) => {
    const { may, repeats, later } = situation;
    let met = await enter(situation);
    for (const actor of actors) {
      const api = () =>
        actor === 'signed-out' ? app.apiAs(null) : actor === 'worker' ? met.worker.api : people[actor].api;
      const side = actor === 'worker' || actor === 'business' ? actor : null;
      if (side)
        expect((await api().interviews.get({ interviewId: met.id })).actions).toEqual(may[side] ?? []);
      for (const action of interviewActions) {
        walked += 1;
        const before = await snapshot(met.id);
        if (side && may[side]?.includes(action)) {
          worked += 1;
          await call(api(), action, met.id);
          const after = await snapshot(met.id);
          expect([after.version, after.moves], `${actor} ${action}`).toEqual([
            before.version + 1,
            before.moves + 1,
          ]);
          met = await enter(situation);
          continue;
        }
        if (side && repeats?.[side]?.includes(action)) {
          repeated += 1;
          await call(api(), action, met.id);
        } else {
          const { status } = await failure(call(api(), action, met.id));
          expect(status, `${actor} ${action}`).toBe(refusalOf(actor, action, later));
        }
        expect(await snapshot(met.id), `${actor} ${action}`).toEqual(before);
      }
    }
  });
});
