import { addMs, minuteMs } from '@nearhand/contract/durations';
import { type EngagementStatus, engagementStatuses } from '@nearhand/contract/engagement-statuses';
import { type EngagementAction, engagementActions } from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededShare } from '../../../../../scripts/seeded-sample.ts';
import { type Client, failure, type Person, useTestApp } from '../../../test/harness.ts';
import { tasks } from '../../app.ts';
import { refillHold } from '../../money/holds/holds.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import type { AnyTask } from '../../platform/tasks/tasks.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeEngagement } from './engagements.fixtures.ts';
import { engagementMoves, nextEngagementStatus } from './engagements.rules.ts';

/**
 * Tests every state and action of both sides. States are set directly, so that each is tried from the same
 * moment.
 */
const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
const isTried = seededShare();
const actors = ['worker', 'recruiter', 'finance', 'stranger'] as const;
type Actor = (typeof actors)[number];
const sides = ['worker', 'recruiter'] as const;
const people = {} as Record<Actor | 'operator', Person>;
const works = {} as Record<'shift' | 'task', { id: string; terms: Terms; jobId: string }>;

beforeAll(async () => {
  const owner = await app.person();
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
  for (const actor of actors) people[actor] = await app.person({ name: `The ${actor}` });
  for (const role of ['recruiter', 'finance'] as const)
    await makeMember(app.db, app.clock, businessId, people[role].accountId, role);
  people.operator = await app.person();
  await makeOperator(app.db, app, people.operator);
  people.operator = app.working(people.operator);
  const scopes = {
    worker: app.scopeOf(people.worker),
    recruiter: app.scopeOf(people.recruiter),
  };
  works.shift = await makeEngagement(app.db, scopes, businessId, { headCount: 5 });
  works.task = await makeEngagement(app.db, scopes, businessId, { kind: 'task', headCount: 5 });
  await app.runDue();
});

const momentOf: Partial<Record<EngagementAction, number>> = {
  confirm: -30 * 60,
  cancel: -30 * 60,
  'check-in': 5,
  'start-break': 60,
  'end-break': 60,
  'say-late': 5,
  'check-in-for': 5,
  'check-out-for': 60,
  'report-no-show': 70,
  contest: 80,
};

const calls: Record<
  EngagementAction,
  (api: Client, work: { engagementId: string; version: number }) => Promise<unknown>
> = {
  confirm: (api, work) => api.engagements.confirm(work),
  'check-in': (api, work) => api.attendance.checkIn(evidence(work)),
  'start-break': (api, work) => api.attendance.startBreak(evidence(work)),
  'end-break': (api, work) => api.attendance.endBreak(evidence(work)),
  'check-out': (api, work) => api.attendance.checkOut(evidence(work)),
  'say-late': (api, { engagementId }) => api.attendance.sayLate({ engagementId, minutes: 30, note: '' }),
  'check-in-for': (api, work) => api.attendance.checkInFor({ ...work, reason: 'No phone' }),
  'check-out-for': (api, work) => api.attendance.checkOutFor({ ...work, reason: 'No phone' }),
  'submit-hours': (api, work) => api.timesheets.submitHours({ ...work, ...hours(480), note: '' }),
  counter: (api, work) => api.timesheets.counter({ ...work, ...hours(420), note: 'Less' }),
  'accept-counter': (api, work) => api.timesheets.acceptCounter(work),
  start: (api, work) => api.engagements.start(work),
  deliver: (api, work) => api.timesheets.deliver({ ...work, note: 'Done', fileIds: [] }),
  'request-changes': (api, work) => api.timesheets.requestChanges({ ...work, note: 'More' }),
  approve: (api, work) => api.timesheets.approve(work),
  cancel: (api, work) => api.engagements.cancel({ ...work, reason: 'Because' }),
  'report-no-show': (api, work) => api.engagements.reportNoShow(work),
  contest: (api, work) => api.engagements.contest({ ...work, note: 'I was there' }),
  dispute: (api, work) => api.disputes.file({ ...work, reason: 'Because', amountMinor: 10_000 }),
};
const startsAt = () => new Date(works.shift.terms.startsAt ?? '');
const after = (minutes: number) => addMs(startsAt(), minutes * minuteMs).toISOString();
const hours = (minutes: number) => ({ startsAt: after(0), endsAt: after(minutes), breakMinutes: 30 });
const evidence = ({ engagementId }: { engagementId: string }) => ({
  engagementId,
  at: app.clock.now().toISOString(),
  sentAt: app.clock.now().toISOString(),
  position: { ...works.shift.terms.place, accuracyM: 5 },
});

async function put(kind: 'shift' | 'task', status: EngagementStatus, action: EngagementAction | 'decide') {
  const { id } = works[kind];
  const here = ['checked_in', 'checked_out'].includes(status);
  // Takes the spot again after each cancellation.
  await app.pool.query(
    `delete from disputes; delete from releases; delete from attendance_events; delete from hours_claims; delete from deliveries;
     update jobs set hired_count = 1 where id = '${works[kind].jobId}' and hired_count <> 1`,
  );
  await refillHold(app.db, app.scopeOf(people.recruiter), id);
  await app.pool.query(
    `update engagements set version = 1, status = $2, checked_in_at = $3, checked_out_at = $4, on_break_since = $5,
      no_show_at = $6, contest = null, late_minutes = null, late_note = null, late_at = null, cancelled_late = null, compensation_minor = null, amount_minor = 13125,
      next_what = null, next_at = null, approved_at = null where id = $1`,
    [
      id,
      status,
      here ? after(0) : null,
      status === 'checked_out' ? after(470) : null,
      action === 'end-break' && status === 'checked_in' ? after(30) : null,
      status === 'no_show_reported' || status === 'contested' ? after(70) : null,
    ],
  );
  const claim = (by: string, minutes: number) =>
    app.pool.query(
      `insert into hours_claims (id, engagement_id, round, by_side, starts_at, ends_at, break_minutes, paid_minutes, amount_minor, at)
       values (gen_random_uuid(), $1, 1, $2, $3, $4, 30, $5, $6, $4)`,
      [id, by, after(0), after(minutes), minutes - 30, Math.round(((minutes - 30) * 1750) / 60)],
    );
  if (kind === 'shift' && ['submitted', 'counter_proposed', 'disputed'].includes(status))
    await claim('timer', 480);
  if (kind === 'shift' && status === 'counter_proposed') await claim('business', 481);
  if (kind === 'task' && ['delivered', 'changes_requested', 'disputed'].includes(status))
    await app.pool.query(
      "insert into deliveries (id, engagement_id, round, note, at) values (gen_random_uuid(), $1, 1, 'Done', $2)",
      [id, after(0)],
    );
}

async function record(id: string): Promise<string> {
  const { rows } = await app.pool.query(
    `select (select to_jsonb(e) from engagements e where id = $1) as row,
      (select count(*) from engagement_moves where engagement_id = $1) as moves,
      (select count(*) from attendance_events where engagement_id = $1) as events,
      (select count(*) from hours_claims where engagement_id = $1) as claims,
      (select count(*) from deliveries where engagement_id = $1) as deliveries,
      (select count(*) from releases where engagement_id = $1) as releases,
      (select count(*) from disputes where engagement_id = $1) as disputes,
      (select count(*) from notifications) as notices,
      (select jsonb_agg(to_jsonb(j) order by id) from (select id, hired_count, offered_count, status from jobs) j) as spots`,
    [id],
  );
  return JSON.stringify(rows[0]);
}

async function putAndRecord(...state: Parameters<typeof put>): Promise<string> {
  await put(...state);
  return record(works[state[0]].id);
}

/** Breaks change no state and are not in the table. */
function expected(
  kind: 'shift' | 'task',
  status: EngagementStatus,
  action: EngagementAction,
  actor: Actor,
): EngagementStatus | null {
  if (actor === 'stranger' || (actor === 'finance' && action !== 'approve')) return null;
  if (action === 'start-break' || action === 'end-break')
    return actor === 'worker' && kind === 'shift' && status === 'checked_in' ? status : null;
  if (action === 'say-late')
    return actor === 'worker' && kind === 'shift' && ['booked', 'confirmed'].includes(status) ? status : null;
  return nextEngagementStatus(kind, status, action, actor === 'worker' ? 'worker' : 'business');
}

const possible = (kind: 'shift' | 'task', status: EngagementStatus, action: EngagementAction) =>
  sides.some((actor) => expected(kind, status, action, actor) !== null);

/**
 * Tries other actors on every action that a side may take, and once on the rest: access is checked before the state.
 */
const othersToo: typeof possible = (kind, status, action) =>
  possible(kind, status, action) ||
  status === engagementStatuses.find((engagementStatus) => !possible(kind, engagementStatus, action));

const settledAs: Partial<Record<EngagementStatus, EngagementStatus>> = { approved: 'completed' };

const counts = { tried: 0, allowed: 0, repeats: 0, refused: 0 };
afterAll(() => {
  process.stdout.write(
    `engagements: ${counts.tried} times an action was tried in a state; ${counts.allowed} led on, ${counts.repeats} were repeats, ${counts.refused} refused\n`,
  );
});

describe.each(['shift', 'task'] as const)(
  'every state x action of both sides of a %s, and of others where it matters',
  (kind) => {
    it.each(engagementActions)(
      '%s',
      async (action) => {
        const { id } = works[kind];
        app.clock.set(after(momentOf[action] ?? 9 * 60));
        for (const status of engagementStatuses) {
          let before: string | null = null;
          for (const actor of othersToo(kind, status, action) ? actors : sides) {
            const to = expected(kind, status, action, actor);
            const label = `${kind} ${status} ${action} ${actor}`;
            if (to === null && !isTried(`${action} ${actor}`, label)) continue;
            before ??= await putAndRecord(kind, status, action);
            const leadsOn =
              to !== null &&
              (to !== status ||
                action.endsWith('-break') ||
                action === 'say-late' ||
                // A correction.
                (action === 'submit-hours' && status === 'submitted'));
            // The actions that screens offer must work.
            if (actor !== 'stranger') {
              const { actions } = await people[actor].api.engagements.get({ engagementId: id });
              expect(actions.includes(action), `${label} offered`).toBe(leadsOn);
            }
            const call = calls[action](people[actor].api, { engagementId: id, version: 1 });
            counts.tried += 1;
            if (to !== null && leadsOn) {
              const answer = (await call.catch((error) => {
                throw new Error(`${label}: ${error.message} ${JSON.stringify(error.data)}`);
              })) as { status: EngagementStatus; actions: string[] };
              expect(answer.status, label).toBe(settledAs[to] ?? to);
              counts.allowed += 1;
              before = null;
              continue;
            }
            if (to === status) {
              const code = await call.then(
                () => null,
                async (error) => (await failure(Promise.reject(error))).status,
              );
              expect([null, 409], label).toContain(code);
              counts.repeats += 1;
            } else {
              const { status: code } = await failure(call).catch((error) => {
                throw new Error(`${label}: ${error.message}`);
              });
              const isBarred = actor === 'finance' && action !== 'approve';
              const allowedCodes = actor === 'stranger' ? [404] : isBarred ? [403] : [403, 409];
              expect(allowedCodes, `${label} answered ${code}`).toContain(code);
              counts.refused += 1;
            }
            expect(await record(id), label).toBe(before);
          }
        }
      },
      60_000,
    );
  },
);

describe('every state x what an operator does', () => {
  const decisions = {
    uphold: { outcome: 'absent', note: 'They were not there' },
    overturn: { outcome: 'worked', amountMinor: 9_000, note: 'They were there' },
  } as const;

  it.each(['shift', 'task'] as const)('of a %s: decides contested reports, and only those', async (kind) => {
    const { id } = works[kind];
    app.clock.set(after(9 * 60));
    for (const status of engagementStatuses)
      for (const action of ['uphold', 'overturn'] as const) {
        let before: string | null = null;
        for (const actor of [...actors, 'operator'] as const) {
          const label = `${kind} ${status} ${action} ${actor}`;
          // An uncontested report is not a repeat of an upheld one.
          const to = status === 'contested' ? nextEngagementStatus(kind, status, action, 'operator') : null;
          if (!(actor === 'operator' && to) && !isTried(`${action} ${actor}`, label)) continue;
          before ??= await putAndRecord(kind, status, 'decide');
          const { api } = people[actor];
          const call = api.disputes.decideNoShow({ engagementId: id, version: 1, ...decisions[action] });
          counts.tried += 1;
          if (actor === 'operator' && to) {
            expect((await call).status, label).toBe(settledAs[to] ?? to);
            counts.allowed += 1;
            before = null;
            continue;
          }
          expect((await failure(call)).status, label).toBe(actor === 'operator' ? 409 : 403);
          expect(await record(id), label).toBe(before);
          counts.refused += 1;
        }
      }
  });

  it.each(engagementActions)('%s excludes operators on either side', async (action) => {
    app.clock.set(after(momentOf[action] ?? 9 * 60));
    for (const kind of ['shift', 'task'] as const)
      for (const status of engagementStatuses.filter((engagementStatus) =>
        othersToo(kind, engagementStatus, action),
      )) {
        if (!isTried(`${action} operator`, `${kind} ${status} ${action} operator`)) continue;
        await put(kind, status, action);
        const { id } = works[kind];
        const before = await record(id);
        const { api } = people.operator;
        expect((await api.engagements.get({ engagementId: id })).actions).toEqual([]);
        const { status: code } = await failure(calls[action](api, { engagementId: id, version: 1 }));
        expect([403, 404], `${kind} ${status} ${action}`).toContain(code);
        expect(await record(id)).toBe(before);
        counts.tried += 1;
        counts.refused += 1;
      }
  });
});

describe('every state x timer', () => {
  const timers = ['engagements.confirm-watch', 'timesheets.auto-submit', 'settlement.clock'];
  const scope = () => ({
    ...app.scopeOf(people.recruiter),
    db: app.db,
    mailer: { send: async () => {} },
  });
  const reachable = (kind: 'shift' | 'task', from: EngagementStatus): Set<EngagementStatus> => {
    const statuses = new Set([from]);
    for (const status of statuses)
      for (const [state, , who, to] of engagementMoves[kind])
        if (state === status && who === 'timer') statuses.add(to);
    return statuses;
  };

  it.each(timers)('%s moves only as the table allows', async (name) => {
    const timer: AnyTask | undefined = tasks.find((task) => task.name === name);
    for (const minutes of [-30 * 60, 60, 60 * 24 * 30])
      for (const kind of ['shift', 'task'] as const)
        for (const status of engagementStatuses) {
          const label = `${kind} ${status} ${name} at ${minutes}`;
          // No timer moves this state.
          if (reachable(kind, status).size === 1 && !isTried(`${name} at ${minutes}`, label)) continue;
          await put(kind, status, 'confirm');
          app.clock.set(after(minutes));
          const { id } = works[kind];
          const before = await record(id);
          await timer?.run(scope(), { engagementId: id });
          const row = await app.db
            .selectFrom('engagements')
            .select('status')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          expect([...reachable(kind, status)], label).toContain(row.status);
          const moved = row.status !== status;
          if (!moved && reachable(kind, status).size === 1) expect(await record(id), label).toBe(before);
          // A runner that died after the effect runs the task again.
          const once = await record(id);
          await timer?.run(scope(), { engagementId: id });
          expect(await record(id), `${label} again`).toBe(once);
          counts.tried += 1;
          if (moved) counts.allowed += 1;
          else counts.refused += 1;
        }
  });
});
