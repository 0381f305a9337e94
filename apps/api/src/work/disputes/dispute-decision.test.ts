import { sumOf } from '@nearhand/contract/arithmetic';
import { hourMs } from '@nearhand/contract/durations';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, failure, type Person, useTestApp } from '../../../test/harness.ts';
import { balanceOf } from '../../money/ledger/ledger.ts';
import { compareBooks } from '../../money/provider/books.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp();
const start = new Date('2026-11-21T09:00:00Z');
const whole = 12_000;
let nadia: Person;
let leila: Person;
let stranger: Person;
let operator: Person;
let businessId: string;
let engagementId: string;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  stranger = await app.person();
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});
beforeEach(async () => {
  app.clock.set(start);
  leila = await app.person({ name: 'Leila Haddad' });
});

async function disputed({ escalated = true, options = {} } = {}) {
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const work = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the fence',
    payMinor: whole,
    ...options,
  });
  engagementId = work.id;
  const { version } = await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  await nadia.api.disputes.file({ engagementId, version, reason: 'Half is unpainted.', amountMinor: 4_000 });
  if (escalated) {
    app.clock.forward({ days: 5 });
    await app.runDue();
  }
  const { dispute } = await leila.api.engagements.get({ engagementId });
  if (!dispute) throw new Error('no dispute');
  return { disputeId: dispute.id, version: dispute.version };
}
const decision = (disputeRef: { disputeId: string; version: number }, amountMinor = 7_000) => ({
  ...disputeRef,
  amountMinor,
  note: 'The photos show two of three sides painted.',
});
const noticesOf = async (person: Person, topic: string) =>
  (await person.api.notifications.list({ limit: 100 })).items.filter(
    (notice) => notice.topic === topic && notice.path.endsWith(engagementId),
  );
const record = async () =>
  JSON.stringify(
    (
      await app.pool.query(
        `select (select jsonb_agg(to_jsonb(d) order by id) from disputes d) as disputes, (select count(*) from dispute_steps) as steps,
          (select jsonb_agg(to_jsonb(e) order by id) from engagements e) as engagements, (select count(*) from engagement_moves) as moves,
          (select count(*) from ledger_entries) as entries, (select count(*) from releases) as releases,
          (select count(*) from notifications) as notices`,
      )
    ).rows[0],
  );
/** The money still set aside. Also asserts that all postings sum to zero. */
async function heldNow() {
  const holds = await app.db
    .selectFrom('holds')
    .select('id')
    .where('engagementId', '=', engagementId)
    .execute();
  const { rows } = await app.pool.query('select sum(amount)::int as sum from ledger_postings');
  expect(rows).toEqual([{ sum: 0 }]);
  return balanceOf(app.db, { kind: 'hold', ownerId: holds[0]?.id ?? '' }, 'EUR');
}

describe('disputes.decide', () => {
  it('settles with the amount, splits the hold, records who and why, and notifies both', async () => {
    const disputeRef = await disputed();
    const decided = await operator.api.disputes.decide(decision(disputeRef));
    expect(decided).toMatchObject({
      status: 'completed',
      amountMinor: 7_000,
      actions: [],
      contact: null,
      releases: [{ kind: 'rest', amountMinor: 7_000, state: 'released' }],
      dispute: { status: 'settled', settledMinor: 7_000, dueAt: null, actions: [] },
    });
    const last = { by: 'operator', reason: 'The photos show two of three sides painted.' };
    for (const person of [leila, nadia]) {
      const view = await person.api.engagements.get({ engagementId });
      expect(view.dispute?.steps.at(-1)).toMatchObject({ ...last, action: 'decide', amountMinor: 7_000 });
      expect(view.steps.find(({ action }) => action === 'settle')).toMatchObject(last);
      expect(await noticesOf(person, 'dispute-settled')).toMatchObject([
        { data: { variant: 'decided', amountMinor: 7_000, reason: last.reason } },
      ]);
    }
    const { rows } = await app.pool.query('select status from holds where engagement_id = $1', [
      engagementId,
    ]);
    expect(rows).toEqual([{ status: 'split' }]);
    expect(await heldNow()).toBe(0);
    const steps = await app.pool.query('select actor from dispute_steps where side = $1', ['operator']);
    expect(steps.rows).toEqual([{ actor: operator.accountId }]);
    app.clock.forward({ days: 40 });
    await app.runDue();
    expect((await leila.api.engagements.get({ engagementId })).releases).toHaveLength(1);
    expect(await compareBooks(app.db, app.scopeOf(nadia))).toEqual([]);
  });

  it.each([
    ['nothing', 0, 'refunded'],
    ['all', whole, 'released'],
  ])('can award %s', async (_what, amountMinor, status) => {
    const disputeRef = await disputed();
    expect(await operator.api.disputes.decide(decision(disputeRef, amountMinor))).toMatchObject({
      status: 'completed',
      amountMinor,
    });
    const { rows } = await app.pool.query('select status from holds where engagement_id = $1', [
      engagementId,
    ]);
    expect(rows).toEqual([{ status }]);
    expect(await compareBooks(app.db, app.scopeOf(nadia))).toEqual([]);
  });

  it('allows only operators on neither side', async () => {
    const disputeRef = await disputed();
    const before = await record();
    expect(await failure(app.apiAs(null).disputes.decide(decision(disputeRef)))).toMatchObject({
      status: 401,
    });
    const unverified = await app.person({ verified: false });
    for (const person of [leila, nadia, stranger, unverified])
      expect(await failure(person.api.disputes.decide(decision(disputeRef)))).toMatchObject({
        status: 403,
        code: person === unverified ? 'session/email-not-verified' : 'operator/required',
      });
    const inside = await app.person();
    for (const role of ['finance', 'recruiter']) {
      await app.pool.query(
        `insert into business_members (business_id, account_id, role, created_at) values ($1, $2, $3, now())
          on conflict (business_id, account_id) do update set role = $3`,
        [businessId, inside.accountId, role],
      );
      if (role === 'finance') await makeOperator(app.db, app, inside);
      expect(await failure(app.working(inside).api.disputes.decide(decision(disputeRef)))).toMatchObject({
        status: 403,
        code: 'operator/own-record',
      });
    }
    await makeOperator(app.db, app, leila);
    expect(await failure(app.working(leila).api.disputes.decide(decision(disputeRef)))).toMatchObject({
      status: 403,
      code: 'operator/own-record',
    });
    expect(await record()).toBe(before);
  });

  it('rejects invalid amounts and notes, and unknown, stale, unescalated or settled disputes', async () => {
    const disputeRef = await disputed();
    const before = await record();
    const { decide } = operator.api.disputes;
    for (const amountMinor of [-1, 1.5, 1e15, Number.NaN, '7000' as unknown as number])
      expect(await failure(decide(decision(disputeRef, amountMinor)))).toMatchObject({ status: 400 });
    expect(await failure(decide(decision(disputeRef, whole + 1)))).toMatchObject({
      status: 422,
      code: 'dispute/amount-impossible',
      data: { minMinor: 0, maxMinor: whole },
    });
    for (const note of ['', '  ', 'x'.repeat(1_001), 'a\u0000b', '\ud800'])
      expect(await failure(decide({ ...decision(disputeRef), note }))).toMatchObject({ status: 400 });
    expect(await failure(decide({ ...decision(disputeRef), disputeId: crypto.randomUUID() }))).toMatchObject({
      status: 404,
      code: 'dispute/not-found',
    });
    expect(await failure(decide({ ...decision(disputeRef), version: disputeRef.version - 1 }))).toMatchObject(
      {
        status: 409,
        code: 'engagement/stale',
      },
    );
    expect(await record()).toBe(before);
    await decide(decision(disputeRef));
    expect(await failure(decide({ ...decision(disputeRef), version: disputeRef.version + 1 }))).toMatchObject(
      {
        status: 409,
        code: 'dispute/wrong-state',
      },
    );
    const open = await disputed({ escalated: false });
    expect(await failure(decide(decision(open)))).toMatchObject({
      status: 409,
      code: 'dispute/wrong-state',
      data: { status: 'open' },
    });
  });

  it('never goes below the agreed amount', async () => {
    const shift = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const work = await makeEngagement(app.db, shift, businessId, {});
    engagementId = work.id;
    const { startsAt, endsAt, payTotalMinor } = work.terms;
    app.clock.set(new Date(Date.parse(endsAt ?? '') + hourMs));
    const hours = { startsAt: startsAt ?? '', endsAt: endsAt ?? '', breakMinutes: 30, note: '' };
    const engagementRef = { engagementId, version: 1 };
    const sent = await leila.api.timesheets.submitHours({ ...engagementRef, ...hours });
    const less = { ...hours, breakMinutes: 90, note: 'You left early.' };
    const countered = await nadia.api.timesheets.counter({
      ...engagementRef,
      ...less,
      version: sent.version,
    });
    const paid = sumOf(countered.releases, ({ amountMinor }) => amountMinor);
    expect(paid).toBeGreaterThan(0);
    await leila.api.disputes.file({
      ...engagementRef,
      version: countered.version,
      reason: 'I did not.',
      amountMinor: payTotalMinor,
    });
    app.clock.forward({ days: 5 });
    await app.runDue();
    const { dispute } = await leila.api.engagements.get({ engagementId });
    const its = { disputeId: dispute?.id ?? '', version: dispute?.version ?? 0 };
    expect(await failure(operator.api.disputes.decide(decision(its, paid - 1)))).toMatchObject({
      status: 422,
      data: { minMinor: paid, maxMinor: payTotalMinor },
    });
    const decided = await operator.api.disputes.decide(decision(its, paid + 500));
    expect(decided.releases.map(({ amountMinor }) => amountMinor)).toEqual([paid, 500]);
    expect(await compareBooks(app.db, app.scopeOf(nadia))).toEqual([]);
  });

  it('decides once, for repeats and concurrent endings', async () => {
    const dispute = await disputed();
    const key = crypto.randomUUID();
    const asOperator: Client = app.working(operator, { 'idempotency-key': key }).api;
    app.clock.set(start);
    const first = await asOperator.disputes.decide(decision(dispute));
    expect(await asOperator.disputes.decide(decision(dispute))).toEqual(first);
    expect(await failure(asOperator.disputes.decide(decision(dispute, 6_000)))).toMatchObject({
      status: 422,
    });
    const other = await disputed();
    await nadia.api.disputes.propose({ ...other, note: '', amountMinor: 5_000 });
    const its = { ...other, version: other.version + 1 };
    const both = await Promise.allSettled([
      leila.api.disputes.acceptProposal(its),
      operator.api.disputes.decide(decision(its)),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await leila.api.engagements.get({ engagementId })).releases).toHaveLength(1);
    expect(await compareBooks(app.db, app.scopeOf(nadia))).toEqual([]);
  });
});
