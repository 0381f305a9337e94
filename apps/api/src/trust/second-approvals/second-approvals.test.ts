import { minuteMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { compareBooks } from '../../money/provider/books.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { removeOperator } from '../operators/operators.ts';

/** Decisions about more than €20.00 need two operators; the task pays €120.00. */
const app = useTestApp({ SECOND_OPERATOR_ABOVE_MINOR: '2000' });
const start = new Date('2026-11-21T09:00:00Z');
const note = 'The photos show two of three sides painted.';
let nadia: Person;
let leila: Person;
let first: Person;
let second: Person;
let support: Person;
let businessId: string;

const operator = async (name: string, roles?: Parameters<typeof makeOperator>[3]) => {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person);
};

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  first = await operator('Jonas Weber');
  second = await operator('Mila Horvat', ['trust', 'finance']);
  support = await operator('Sven Berg', ['support']);
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});
beforeEach(async () => {
  app.clock.set(start);
  leila = await app.person({ name: 'Leila Haddad' });
});

async function disputed() {
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const work = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the fence',
    payMinor: 12_000,
  });
  const engagementId = work.id;
  const { version } = await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  await nadia.api.disputes.file({ engagementId, version, reason: 'Half is unpainted.', amountMinor: 4_000 });
  app.clock.forward({ days: 5 });
  await app.runDue();
  const { dispute } = await leila.api.engagements.get({ engagementId });
  if (!dispute) throw new Error('no dispute');
  await first.api.cases.claim({ kind: 'dispute', subjectId: dispute.id });
  return { engagementId, subjectId: dispute.id, version: dispute.version };
}
type Disputed = Awaited<ReturnType<typeof disputed>>;
const ask = ({ subjectId, version }: Disputed, amountMinor = 7_000) =>
  first.api.secondApprovals.request({ kind: 'dispute', subjectId, version, note, amountMinor });
const caseOf = (subjectId: string) => ({ kind: 'second_approval' as const, subjectId });
const statusOf = async ({ engagementId }: Disputed) => {
  const { status, amountMinor } = await leila.api.engagements.get({ engagementId });
  return { status, amountMinor };
};
const settled = { status: 'completed', amountMinor: 7_000 };

describe('a decision about much money', () => {
  it('is rejected for a single operator, and nothing moves', async () => {
    const dispute = await disputed();
    const decision = { disputeId: dispute.subjectId, version: dispute.version, note, amountMinor: 7_000 };
    expect(await failure(first.api.disputes.decide(decision))).toMatchObject({
      status: 422,
      code: 'approval/required',
      data: { amountMinor: 13_200, aboveMinor: 2_000, currency: 'EUR' },
    });
    expect(await statusOf(dispute)).toMatchObject({ status: 'disputed' });
    const { facts } = await first.api.cases.get({ kind: 'dispute', subjectId: dispute.subjectId });
    if (facts.kind !== 'dispute') throw new Error(facts.kind);
    expect(facts.effects.every(({ takesSecondPerson }) => takesSecondPerson)).toBe(true);
  });

  it('needs one operator below the amount', async () => {
    Object.assign(app.config, { SECOND_OPERATOR_ABOVE_MINOR: 13_200 });
    try {
      const dispute = await disputed();
      expect(await failure(ask(dispute))).toMatchObject({ status: 400, code: 'request/invalid' });
      const decision = { disputeId: dispute.subjectId, version: dispute.version, note, amountMinor: 7_000 };
      expect(await first.api.disputes.decide(decision)).toMatchObject(settled);
    } finally {
      Object.assign(app.config, { SECOND_OPERATOR_ABOVE_MINOR: 2_000 });
    }
  });
});

describe('secondApprovals.request', () => {
  it('waits for another operator, shows it to the first, and is one per case', async () => {
    const dispute = await disputed();
    const approval = await ask(dispute);
    expect(approval).toMatchObject({
      kind: 'dispute',
      state: 'waiting',
      amountMinor: 13_200,
      currency: 'EUR',
      reason: note,
      requestedBy: { name: 'Jonas Weber' },
    });
    expect(await statusOf(dispute)).toMatchObject({ status: 'disputed' });
    const file = await first.api.cases.get({ kind: 'dispute', subjectId: dispute.subjectId });
    expect(file.approval).toEqual(approval);
    // The list shows the case to its operator, and the approval to operators who may give it.
    for (const { api } of [first, second]) {
      const { items } = await api.cases.list({ kind: 'dispute', limit: 100 });
      expect(items.find(({ subjectId }) => subjectId === dispute.subjectId)).toMatchObject({
        awaitsApproval: true,
      });
    }
    const listed = async ({ api }: typeof first) =>
      (await api.cases.list({ kind: 'second_approval' })).items.map(({ subjectId }) => subjectId);
    expect(await listed(second)).toContain(approval.id);
    expect(await listed(first)).not.toContain(approval.id);
    expect(await failure(ask(dispute, 8_000))).toMatchObject({ status: 409, code: 'approval/waiting' });
    const other = await disputed();
    const tries = await Promise.allSettled([ask(other), ask(other, 8_000)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('rejects impossible decisions, and callers without claim or role', async () => {
    const dispute = await disputed();
    expect(await failure(ask(dispute, 12_001))).toMatchObject({
      status: 422,
      code: 'dispute/amount-impossible',
    });
    expect(await failure(ask({ ...dispute, version: 1 }))).toMatchObject({ code: 'engagement/stale' });
    const request = { kind: 'dispute' as const, ...dispute, note, amountMinor: 7_000 };
    for (const { api } of [second, support])
      expect(await failure(api.secondApprovals.request(request))).toMatchObject({
        status: 403,
        code: 'case/claim-required',
      });
    for (const wrong of [{ note: ' ' }, { amountMinor: -1 }, { amountMinor: 1.5 }, { kind: 'correction' }])
      expect(
        await failure(first.api.secondApprovals.request({ ...request, ...wrong } as typeof request)),
      ).toMatchObject({ status: expect.toSatisfy((status: number) => status === 400 || status === 403) });
    expect(await failure(leila.api.secondApprovals.request(request))).toMatchObject({ status: 403 });
  });
});

describe('secondApprovals.decide', () => {
  it('executes once another operator approves it, and the books agree', async () => {
    const dispute = await disputed();
    const { id } = await ask(dispute);
    await second.api.cases.claim(caseOf(id));
    const { facts } = await second.api.cases.get(caseOf(id));
    expect(facts).toMatchObject({
      kind: 'second_approval',
      approval: { id },
      referral: null,
      pay: { engagementId: dispute.engagementId, effect: { amountMinor: 7_000, workerGetsMinor: 7_000 } },
    });
    const approval = await second.api.secondApprovals.decide({ ...caseOf(id), decision: 'approve' });
    expect(approval).toMatchObject({ state: 'approved', decidedBy: { name: 'Mila Horvat' } });
    expect(await statusOf(dispute)).toEqual(settled);
    expect(await second.api.secondApprovals.decide({ ...caseOf(id), decision: 'approve' })).toEqual(approval);
    expect(await compareBooks(app.db, app.scopeOf(nadia))).toEqual([]);
  });

  it('rejects the requesting operator and those concerned', async () => {
    const dispute = await disputed();
    const { id } = await ask(dispute);
    expect(await failure(first.api.cases.claim(caseOf(id)))).toMatchObject({ code: 'operator/own-record' });
    const approve = { ...caseOf(id), decision: 'approve' as const };
    expect(await failure(first.api.secondApprovals.decide(approve))).toMatchObject({
      status: 403,
      code: 'case/claim-required',
    });
    // If a bug hands the claim over, the service still refuses; after that, the database does.
    const own = `update case_work set claimed_by = $2 where subject_id = $1`;
    await second.api.cases.claim(caseOf(id));
    await app.pool.query(own, [id, first.accountId]);
    expect(await failure(first.api.secondApprovals.decide(approve))).toMatchObject({
      status: 403,
      code: 'operator/own-decision',
    });
    await expect(
      app.pool.query(
        `update second_approvals set state = 'approved', decided_by = requested_by, decided_at = now() where id = $1`,
        [id],
      ),
    ).rejects.toThrow(/second_approvals_by_another/);
    expect(await statusOf(dispute)).toMatchObject({ status: 'disputed' });
    expect(await failure(support.api.cases.claim(caseOf(id)))).toMatchObject({ code: 'case/not-found' });
  });

  it('rejects with a note, after which the first can ask again', async () => {
    const dispute = await disputed();
    const { id } = await ask(dispute);
    await second.api.cases.claim(caseOf(id));
    const refuse = { ...caseOf(id), decision: 'refuse' as const };
    expect(await failure(second.api.secondApprovals.decide(refuse))).toMatchObject({ status: 400 });
    const refused = await second.api.secondApprovals.decide({ ...refuse, note: 'Too little.' });
    expect(refused).toMatchObject({ state: 'refused', note: 'Too little.' });
    expect(await statusOf(dispute)).toMatchObject({ status: 'disputed' });
    expect(
      await failure(second.api.secondApprovals.decide({ ...caseOf(id), decision: 'approve' })),
    ).toMatchObject({ status: 409, code: 'approval/over', data: { state: 'refused' } });
    expect(await ask(dispute, 8_000)).toMatchObject({ state: 'waiting' });
  });

  it('moves nothing if the case changed or the first is no longer an operator', async () => {
    const dispute = await disputed();
    const { id } = await ask(dispute);
    await second.api.cases.claim(caseOf(id));
    await app.pool.query('update disputes set version = version + 1 where id = $1', [dispute.subjectId]);
    const approve = { ...caseOf(id), decision: 'approve' as const };
    expect(await failure(second.api.secondApprovals.decide(approve))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    await app.pool.query('update disputes set version = version - 1 where id = $1', [dispute.subjectId]);
    const leaving = await operator('Ada Lind');
    await app.pool.query('update second_approvals set requested_by = $2 where id = $1', [
      id,
      leaving.accountId,
    ]);
    await removeOperator(app.db, app, { email: leaving.email, by: 'test' });
    expect(await failure(second.api.secondApprovals.decide(approve))).toMatchObject({
      code: 'approval/over',
    });
    expect(await statusOf(dispute)).toMatchObject({ status: 'disputed' });
  });

  it('counts once when approved, rejected and withdrawn concurrently', async () => {
    for (let round = 0; round < 3; round += 1) {
      const dispute = await disputed();
      const { id } = await ask(dispute);
      await second.api.cases.claim(caseOf(id));
      const done = await Promise.allSettled([
        second.api.secondApprovals.decide({ ...caseOf(id), decision: 'approve' }),
        second.api.secondApprovals.decide({ ...caseOf(id), decision: 'refuse', note: 'Too little.' }),
        first.api.secondApprovals.withdraw({ approvalId: id }),
      ]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { rows } = await app.pool.query('select state from second_approvals where id = $1', [id]);
      const { status } = await statusOf(dispute);
      expect(status).toBe(rows[0].state === 'approved' ? 'completed' : 'disputed');
    }
    expect(await compareBooks(app.db, app.scopeOf(nadia))).toEqual([]);
  });

  it('decides a contested no-show the same way', async () => {
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
    app.clock.set(new Date(Date.parse(shift.terms.startsAt ?? '') + 70 * minuteMs));
    const { version } = await nadia.api.engagements.reportNoShow({ engagementId: shift.id, version: 1 });
    const contested = await leila.api.engagements.contest({
      engagementId: shift.id,
      version,
      note: 'I was at the back door.',
    });
    const missed = { kind: 'no_show' as const, subjectId: shift.id };
    await first.api.cases.claim(missed);
    const absent = { engagementId: shift.id, version: contested.version, note, outcome: 'absent' as const };
    expect(await failure(first.api.disputes.decideNoShow(absent))).toMatchObject({
      code: 'approval/required',
    });
    app.clock.set(new Date(shift.terms.endsAt ?? ''));
    const worked = { outcome: 'worked' as const, amountMinor: 9_000 };
    const { id } = await first.api.secondApprovals.request({
      ...missed,
      version: contested.version,
      note,
      ...worked,
    });
    await second.api.cases.claim(caseOf(id));
    expect((await second.api.cases.get(caseOf(id))).facts).toMatchObject({
      pay: { outcome: 'worked', effect: { amountMinor: 9_000 } },
    });
    await second.api.secondApprovals.decide({ ...caseOf(id), decision: 'approve' });
    expect(await leila.api.engagements.get({ engagementId: shift.id })).toMatchObject({
      status: 'completed',
      amountMinor: 9_000,
    });
  });
});

describe('secondApprovals.withdraw', () => {
  it('allows only the requesting operator, while it is pending', async () => {
    const { id: approvalId } = await ask(await disputed());
    expect(await failure(second.api.secondApprovals.withdraw({ approvalId }))).toMatchObject({
      status: 404,
      code: 'approval/not-found',
    });
    const done = await first.api.secondApprovals.withdraw({ approvalId });
    expect(done).toMatchObject({ state: 'withdrawn' });
    expect(await first.api.secondApprovals.withdraw({ approvalId })).toEqual(done);
  });

  it('fails after three days', async () => {
    const dispute = await disputed();
    const { id } = await ask(dispute);
    await second.api.cases.claim(caseOf(id));
    app.clock.forward({ days: 3 });
    const approve = { ...caseOf(id), decision: 'approve' as const };
    expect(await failure(second.api.secondApprovals.decide(approve))).toMatchObject({
      code: 'approval/over',
      data: { state: 'expired' },
    });
    await app.runDue();
    const { rows } = await app.pool.query('select state from second_approvals where id = $1', [id]);
    expect(rows).toEqual([{ state: 'expired' }]);
    expect(await ask(dispute)).toMatchObject({ state: 'waiting' });
  });
});
