import { addMs, dayMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import {
  type DisputeAction,
  type DisputeStatus,
  disputeActions,
  disputeStatuses,
  nextDisputeStatus,
} from '@nearhand/contract/work/disputes.rules';
import type { Dispute } from '@nearhand/contract/work/engagements';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededShare } from '../../../../../scripts/seeded-sample.ts';
import { type Client, failure, useTestApp } from '../../../test/harness.ts';
import { tasks } from '../../app.ts';
import { refillHold } from '../../money/holds/holds.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import type { AnyTask } from '../../platform/tasks/tasks.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

/**
 * Tests every state, action and actor of a dispute. States are set directly, so that each is tried from the same
 * moment.
 */
const app = useTestApp();
const isTried = seededShare();
const actors = [
  'worker',
  'owner',
  'recruiter',
  'finance',
  'stranger',
  'unverified',
  'guest',
  'operator',
  'operator of the business',
] as const;
type Actor = (typeof actors)[number];
type Side = 'worker' | 'business';
const clients = {} as Record<Actor, Client>;
let engagementId: string;
let disputeId: string;
let scope: ReturnType<typeof app.scopeOf>;

beforeAll(async () => {
  const owner = await app.person();
  const worker = await app.person();
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
  const member = async (role: MemberRole, isOperator = false) => {
    const person = await app.person();
    if (isOperator) await makeOperator(app.db, app, person);
    await makeMember(app.db, app.clock, businessId, person.accountId, role);
    return isOperator ? app.working(person).api : person.api;
  };
  clients.worker = worker.api;
  clients.owner = owner.api;
  clients.recruiter = await member('recruiter');
  clients.finance = await member('finance');
  clients.stranger = (await app.person()).api;
  clients.unverified = (await app.person({ verified: false })).api;
  clients.guest = app.apiAs(null);
  const operator = await app.person();
  await makeOperator(app.db, app, operator);
  clients.operator = app.working(operator).api;
  clients['operator of the business'] = await member('finance', true);
  scope = app.scopeOf(owner);
  ({ id: engagementId } = await makeEngagement(
    app.db,
    { worker: app.scopeOf(worker), recruiter: scope },
    businessId,
    { kind: 'task', payMinor: 12_000 },
  ));
  await worker.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  const { dispute } = await owner.api.disputes.file({
    engagementId,
    version: 2,
    reason: 'Half is unpainted.',
    amountMinor: 4_000,
  });
  disputeId = dispute?.id ?? '';
});

const acts = [...disputeActions, 'decide'] as const;
type Act = DisputeAction | 'decide';
const calls: Record<Act, (api: Client) => Promise<unknown>> = {
  decide: (api) => api.disputes.decide({ disputeId, version: 7, note: 'So be it.', amountMinor: 6_500 }),
  answer: (api) => api.disputes.answer({ disputeId, version: 7, note: 'It rained.', amountMinor: 5_000 }),
  propose: (api) => api.disputes.propose({ disputeId, version: 7, note: '', amountMinor: 6_000 }),
  'accept-proposal': (api) => api.disputes.acceptProposal({ disputeId, version: 7 }),
};

type Turn = { status: DisputeStatus; filedBy: Dispute['filedBy']; proposalBy: Side | null };

async function put({ status, filedBy, proposalBy }: Turn) {
  await app.pool.query('delete from releases');
  await app.pool.query(
    "update engagements set version = 3, status = 'disputed', amount_minor = 12000, approved_at = null where id = $1",
    [engagementId],
  );
  await app.pool.query(
    `update disputes set version = 7, status = $2, filed_by = $3, proposal_by = $4,
      proposal_amount_minor = $5, proposal_note = '', proposal_at = $6, settled_minor = null,
      worker_amount_minor = 10000, business_amount_minor = 4000, due_at = $7, stop_at = $8 where id = $1`,
    [
      disputeId,
      status,
      filedBy,
      proposalBy,
      proposalBy && 7_000,
      proposalBy && app.clock.now(),
      status === 'with_operator' || status === 'settled' ? null : hence(2),
      hence(20),
    ],
  );
}
const hence = (days: number) => addMs(app.clock.now(), days * dayMs);

async function record() {
  const { rows } = await app.pool.query(
    `select (select to_jsonb(d) from disputes d where id = $1) as dispute,
      (select count(*) from dispute_steps where dispute_id = $1) as steps,
      (select to_jsonb(e) from engagements e where id = $2) as engagement,
      (select count(*) from engagement_moves where engagement_id = $2) as moves,
      (select count(*) from releases) as releases, (select count(*) from notifications) as notices`,
    [disputeId, engagementId],
  );
  return JSON.stringify(rows[0]);
}
async function putAndRecord(turn: Turn): Promise<string> {
  await put(turn);
  await refillHold(app.db, scope, engagementId);
  return record();
}
const statusNow = async () =>
  (await app.db.selectFrom('disputes').select('status').where('id', '=', disputeId).executeTakeFirst())
    ?.status;

function proposersIn(status: Turn['status']): Turn['proposalBy'][] {
  if (status === 'proposed') return ['worker', 'business'];
  return status === 'with_operator' ? ['worker', 'business', null] : [null];
}

const turns = disputeStatuses.flatMap((status) =>
  (['worker', 'business', 'timer'] as const).flatMap((filedBy) =>
    proposersIn(status).map((proposalBy): Turn => ({ status, filedBy, proposalBy })),
  ),
);

function expectation(turn: Turn, action: Act, actor: Actor): DisputeStatus | number {
  if (actor === 'guest') return 401;
  if (action === 'decide')
    return actor === 'operator' ? (nextDisputeStatus(turn.status, action, 'operator') ?? 409) : 403;
  if (!['worker', 'owner', 'recruiter', 'stranger'].includes(actor)) return 403;
  if (actor === 'stranger') return 404;
  const side: Side = actor === 'worker' ? 'worker' : 'business';
  const to = nextDisputeStatus(turn.status, action, side);
  if (to === null) return 409;
  if (action === 'accept-proposal' && turn.proposalBy === null) return 409;
  if (action === 'answer' && turn.filedBy === side) return 403;
  return action === 'accept-proposal' && turn.proposalBy === side ? 403 : to;
}

const counts = { tried: 0, allowed: 0, refused: 0, timers: 0 };
afterAll(() => {
  process.stdout.write(
    `disputes: ${counts.tried} of state x action x actor walked; ${counts.allowed} led on, ${counts.refused} refused; ${counts.timers} by the timer\n`,
  );
});

describe('every state, action and actor of a dispute', () => {
  it.each(turns)(
    '$status, filed by $filedBy, proposed by $proposalBy',
    async (turn) => {
      let before: string | null = null;
      for (const action of acts)
        for (const actor of actors) {
          const said = `${action} by ${actor}`;
          const expected = expectation(turn, action, actor);
          if (typeof expected === 'number' && !isTried(said, `${JSON.stringify(turn)} ${said}`)) continue;
          before ??= await putAndRecord(turn);
          if (!['stranger', 'unverified', 'guest'].includes(actor) && action !== 'decide') {
            const view = await clients[actor].engagements.get({ engagementId });
            expect(view.dispute?.actions.includes(action), said).toBe(typeof expected === 'string');
          }
          counts.tried += 1;
          if (typeof expected === 'number') {
            expect([said, (await failure(calls[action](clients[actor]))).status]).toEqual([said, expected]);
            expect(await record(), said).toBe(before);
            counts.refused += 1;
          } else {
            await calls[action](clients[actor]);
            expect([said, await statusNow()]).toEqual([said, expected]);
            counts.allowed += 1;
            before = null;
          }
        }
    },
    60_000,
  );

  it.each(turns)('the timer of $status, filed by $filedBy, proposed by $proposalBy', async (turn) => {
    const timer: AnyTask | undefined = tasks.find(({ name }) => name === 'disputes.clock');
    const run = () => timer?.run({ ...scope, db: app.db, mailer: { send: async () => {} } }, { disputeId });
    const start = app.clock.now();
    for (const [days, action] of [
      [1, null],
      [3, 'escalate'],
      [21, 'stop'],
    ] as const) {
      app.clock.set(start);
      await put(turn);
      const before = await record();
      app.clock.set(hence(days));
      await run();
      const to = action && nextDisputeStatus(turn.status, action, 'timer');
      expect([days, await statusNow()]).toEqual([days, to ?? turn.status]);
      if (!to) expect(await record()).toBe(before);
      const once = await record();
      await run();
      expect(await record(), `${days} days, again`).toBe(once);
      counts.timers += 1;
    }
    app.clock.set(start);
  });
});
