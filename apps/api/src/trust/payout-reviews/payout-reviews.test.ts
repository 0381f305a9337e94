import type { Withdrawal } from '@nearhand/contract/money/payouts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { erasePayee } from '../../money/payouts/balance.ts';
import { reconcilePayouts } from '../../money/payouts/payout-reconciliation.ts';
import { bookFaults, makeBank, payWorker } from '../../money/payouts/payouts.fixtures.ts';
import { sendWithdrawal } from '../../money/payouts/withdrawal-lifecycle.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp({ PAYOUT_METHOD_HOLD_DAYS: '0', WITHDRAWALS_PER_DAY: '50' });
const taskScope = () => ({ ...app.scopeOf(leila), db: app.db, mailer: { send: async () => {} } });
const words = { rule: 'identity', facts: 'The bank account belongs to someone else.' } as const;
let first: Person;
let second: Person;
let trust: Person;
let leila: Person;
let methodId: string;

beforeAll(async () => {
  first = await operator('Jonas Weber', ['finance']);
  second = await operator('Mila Horvat', ['finance', 'trust']);
  trust = await operator('Ada Lind', ['trust']);
});
async function operator(name: string, roles: Parameters<typeof makeOperator>[3]) {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person);
}

beforeEach(async () => {
  leila = await app.person({ name: 'Leila Brandt' });
  methodId = (await makeBank(app.db, app.scopeOf(leila))).id;
  await payWorker(app.db, app.scopeOf(leila), leila.accountId, 200_000, { atOnce: true });
});
const verify = (legalName = 'Leila Brandt') =>
  leila.api.payouts.verifyIdentity({
    legalName,
    bornOn: '1901-01-01',
    countryCode: 'NL',
    address: 'Lindengracht 1',
  });
const request = (change: Partial<Parameters<Person['api']['payouts']['withdraw']>[0]> = {}) =>
  leila.api.payouts.withdraw({ methodId, amountMinor: 3_000, speed: 'standard', ...change });
async function held(amountMinor = 3_000): Promise<Withdrawal> {
  if ((await leila.api.payouts.balance({})).identity.status === 'none') await verify();
  return request({ amountMinor });
}
const caseOf = ({ id }: { id: string }) => ({ kind: 'payout_held' as const, subjectId: id });
async function claimed(amountMinor = 3_000, by = first) {
  const withdrawal = await held(amountMinor);
  await by.api.cases.claim(caseOf(withdrawal));
  return { ...withdrawal, withdrawalId: withdrawal.id };
}
const now = ({ id }: { id: string }) => leila.api.payouts.withdrawal({ withdrawalId: id });
const balance = async () => (await leila.api.payouts.balance({})).balances[0];
const faults = () => bookFaults(app.db, app.scopeOf(leila));
const topics = async (person = leila) =>
  (await person.api.notifications.list({ limit: 50 })).items.map(({ topic }) => topic);
const sentToProvider = async () =>
  (
    await app.pool.query(
      'select from sandbox_payouts where bank_ref = (select provider_ref from payout_methods where id = $1)',
      [methodId],
    )
  ).rowCount;

describe('a withdrawal to a bank account of another name', () => {
  it('is held: reserved and never sent, with a notice and a case that shows the facts', async () => {
    await verify();
    const ask = { methodId, amountMinor: 3_000, speed: 'instant' } as const;
    expect(await leila.api.payouts.quote(ask)).toMatchObject({ isReviewed: true, feeMinor: 0 });
    const withdrawal = await request({ speed: 'instant' });
    expect(withdrawal).toMatchObject({
      status: 'in_review',
      feeMinor: 0,
      getsMinor: 3_000,
      arrivesOn: null,
      cancelBy: null,
      actions: ['cancel'],
      refusedBecause: null,
    });
    expect(Date.parse(withdrawal.reviewBy ?? '')).toBeGreaterThan(Date.parse(withdrawal.requestedAt));
    expect(await balance()).toMatchObject({ availableMinor: 197_000, reservedMinor: 3_000 });
    expect(await topics()).toContain('withdrawal-in-review');
    expect(await topics()).not.toContain('withdrawal-requested');
    app.clock.forward({ hours: 30 });
    await app.runDue();
    await sendWithdrawal(taskScope(), withdrawal.id);
    await reconcilePayouts(taskScope());
    await app.runDue();
    expect(await now(withdrawal)).toMatchObject({ status: 'in_review' });
    expect(await sentToProvider()).toBe(0);
    expect(await faults()).toEqual([]);
    const { item, facts } = await first.api.cases.get(caseOf(withdrawal));
    expect(item).toMatchObject({ priority: 'high', business: null });
    expect(facts).toMatchObject({
      kind: 'payout_held',
      held: {
        getsMinor: 3_000,
        availableMinor: 197_000,
        takesSecondPerson: false,
        earlier: [],
        decisions: [],
        person: { name: 'Leila Brandt' },
        method: { holderName: 'Nadia Haddad', last4: '9000' },
        names: { verified: [{ name: 'Leila Brandt', source: 'provider' }], businesses: [] },
      },
    });
    expect(await failure(leila.api.payouts.removeMethod({ methodId }))).toMatchObject({
      code: 'payout/method-in-use',
    });
  });

  it('shows others with the bank account, the work that was paid, and its chat', async () => {
    const namesake = await app.person({ name: 'Nadia Haddad' });
    await app.pool.query(
      `insert into payout_methods (id, account_id, provider_ref, bank_name, last4, holder_name, fingerprint, country, currency,
        instant, is_default, usable_from, added_at)
      select gen_random_uuid(), $1::uuid, gen_random_uuid()::text, bank_name, last4, 'N. Haddad', fingerprint, country, currency, instant, false,
        usable_from, added_at from payout_methods where id = $2`,
      [namesake.accountId, methodId],
    );
    const owner = await app.person();
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(owner) };
    const work = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
    const conversation = await makeConversation(app.db, app.scopeOf(leila), work.jobId);
    app.clock.set(new Date(work.terms.startsAt ?? ''));
    const clientId = crypto.randomUUID();
    await leila.api.messages.send({ conversationId: conversation.id, clientId, body: 'I am here.' });
    await app.pool.query(
      `insert into releases (id, engagement_id, kind, amount_minor, worker_fee_minor, currency, state, at, released_at)
      values (gen_random_uuid(), $1, 'rest', 9000, 100, 'EUR', 'released', $2, $2)`,
      [work.id, app.clock.now()],
    );
    app.clock.forward({ hours: 1 });
    const withdrawal = await claimed();
    const { facts } = await first.api.cases.get(caseOf(withdrawal));
    expect(facts).toMatchObject({
      held: {
        sharedWith: expect.arrayContaining([
          { id: namesake.accountId, name: 'Nadia Haddad', holderName: 'N. Haddad' },
        ]),
        work: [{ engagementId: work.id, title: 'Wash up', getsMinor: 8_900 }],
      },
    });
    const chat = { ...caseOf(withdrawal), engagementId: work.id };
    expect((await first.api.cases.chat(chat)).messages.map(({ body }) => body)).toContain('I am here.');
    const stranger = await app.person();
    const others = { worker: app.scopeOf(stranger), recruiter: app.scopeOf(owner) };
    const foreign = await makeEngagement(app.db, others, businessId);
    const unpaid = await makeEngagement(app.db, sides, businessId);
    for (const engagementId of [foreign.id, unpaid.id, undefined])
      expect(await failure(first.api.cases.chat({ ...chat, engagementId }))).toMatchObject({
        code: 'case/not-found',
      });
    await makeMember(app.db, app.clock, businessId, first.accountId, 'finance');
    expect(await failure(first.api.cases.chat(chat))).toMatchObject({ code: 'operator/own-record' });
  });

  it("is sent without a verified name, under a similar one, or to a verified business of one's own", async () => {
    expect(await request()).toMatchObject({ status: 'requested' });
    await verify('Haddad N.');
    expect(await request()).toMatchObject({ status: 'requested' });
    await app.pool.query(`update payout_identities set legal_name = 'Leila Brandt' where account_id = $1`, [
      leila.accountId,
    ]);
    expect(await request()).toMatchObject({ status: 'in_review' });
    const { id } = await makeBusiness(app.db, app.scopeOf(leila), { verified: true });
    await app.pool.query(`update businesses set legal_name = 'NADIA HADDAD' where id = $1`, [id]);
    expect(await request()).toMatchObject({ status: 'requested' });
  });

  it('compares with the identity document that staff checked', async () => {
    await app.pool.query(
      `insert into identity_checks (id, account_id, checker, document, name, status, submitted_at, decided_at)
      values (gen_random_uuid(), $1, 'staff', 'passport', 'Leila Brandt', 'verified', now(), now())`,
      [leila.accountId],
    );
    const withdrawal = await request();
    expect(withdrawal).toMatchObject({ status: 'in_review' });
    expect(await first.api.cases.get(caseOf(withdrawal))).toMatchObject({
      facts: { held: { names: { verified: [{ name: 'Leila Brandt', source: 'document' }] } } },
    });
  });

  it('can be cancelled only by its worker, which returns the money and closes the case', async () => {
    const withdrawal = await held();
    const cancel = { withdrawalId: withdrawal.id, version: withdrawal.version };
    expect(await failure(first.api.payouts.cancel(cancel))).toMatchObject({ code: 'payout/not-found' });
    app.clock.forward({ hours: 20 });
    expect(await leila.api.payouts.cancel(cancel)).toMatchObject({ status: 'cancelled', reviewBy: null });
    expect(await balance()).toMatchObject({ availableMinor: 200_000, reservedMinor: 0 });
    expect(await failure(first.api.cases.get(caseOf(withdrawal)))).toMatchObject({ code: 'case/not-found' });
    expect(await faults()).toEqual([]);
  });

  it('blocks deletion of the account', async () => {
    await held();
    const { obstacles } = await leila.api.accountDeletion.get({});
    expect(obstacles).toEqual(expect.arrayContaining([{ kind: 'withdrawal', count: 1 }]));
  });
});

describe('payoutReviews.release', () => {
  it("sends it once, and doesn't hold later withdrawals to the account", async () => {
    const { withdrawalId, ...one } = await claimed();
    const released = await first.api.payoutReviews.release({ withdrawalId });
    expect(released).toEqual({ withdrawalId, status: 'processing' });
    await app.runDue();
    expect(await now(one)).toMatchObject({ status: 'in_transit', reviewBy: null, actions: [] });
    expect((await first.api.payoutReviews.release({ withdrawalId })).status).toBe('in_transit');
    app.clock.forward({ days: 4 });
    await app.runDue();
    expect(await now(one)).toMatchObject({
      status: 'paid',
      steps: ['requested', 'in_review', 'processing', 'in_transit', 'paid'].map((status) => ({ status })),
    });
    expect(await sentToProvider()).toBe(1);
    expect(await request()).toMatchObject({ status: 'requested' });
    expect(await faults()).toEqual([]);
    const refuse = first.api.payoutReviews.refuse({ withdrawalId, ...words });
    expect(await failure(refuse)).toMatchObject({ status: 409, code: 'payout-review/decided' });
  });

  it('recovers in reconciliation if its task was lost', async () => {
    const { withdrawalId, ...one } = await claimed();
    await first.api.payoutReviews.release({ withdrawalId });
    await app.pool.query(`delete from graphile_worker._private_jobs`);
    app.clock.forward({ minutes: 5 });
    await reconcilePayouts(taskScope());
    await app.runDue();
    expect((await now(one)).status).toBe('in_transit');
  });

  it('requires the role, the claim and an outsider, and rejects a cancelled one', async () => {
    const withdrawal = await held();
    const { id: withdrawalId } = withdrawal;
    const release = (person: Person) => failure(person.api.payoutReviews.release({ withdrawalId }));
    const fresh = await signAccessToken(app.secret, app.clock, first);
    const unclaimed = app.apiAs(fresh).payoutReviews.release({ withdrawalId });
    expect(await failure(unclaimed)).toMatchObject({ status: 403, code: 'case/claim-required' });
    await first.api.cases.claim(caseOf(withdrawal));
    expect(await release(trust)).toMatchObject({ status: 403, code: 'operator/role-required' });
    expect(await release(leila)).toMatchObject({ status: 403 });
    await leila.api.payouts.cancel({ withdrawalId, version: withdrawal.version });
    expect(await release(first)).toMatchObject({ status: 409, code: 'payout-review/decided' });
    expect(await balance()).toMatchObject({ availableMinor: 200_000, reservedMinor: 0 });
    const own = await operator('Leila Brandt', ['finance']);
    leila = own;
    methodId = (await makeBank(app.db, app.scopeOf(own))).id;
    await payWorker(app.db, app.scopeOf(own), own.accountId, 10_000, { atOnce: true });
    const mine = await held();
    expect(await failure(own.api.cases.claim(caseOf(mine)))).toMatchObject({ code: 'operator/own-record' });
  });

  it('happens once in a race with itself, a rejection and a cancellation', async () => {
    for (let round = 0; round < 4; round += 1) {
      const start = (await balance())?.availableMinor ?? 0;
      const { withdrawalId, version } = await claimed();
      const outcomes = await Promise.allSettled([
        first.api.payoutReviews.release({ withdrawalId }),
        first.api.payoutReviews.release({ withdrawalId }),
        first.api.payoutReviews.refuse({ withdrawalId, ...words }),
        leila.api.payouts.cancel({ withdrawalId, version }),
      ]);
      const { rows } = await app.pool.query(
        `select action from withdrawal_moves where withdrawal_id = $1 and from_status = 'in_review'`,
        [withdrawalId],
      );
      expect(rows).toHaveLength(1);
      const expectedMinor = ['cancel', 'refuse'].includes(rows[0].action) ? 0 : 3_000;
      expect(await balance()).toMatchObject({ availableMinor: start - expectedMinor });
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
      await app.runDue();
      await app.pool.query(`update payout_methods set accepted_for = null where id = $1`, [methodId]);
      expect(await faults()).toEqual([]);
    }
  });

  it('requires two operators above the limit', async () => {
    const { withdrawalId, ...one } = await claimed(120_000);
    expect(await failure(first.api.payoutReviews.release({ withdrawalId }))).toMatchObject({
      status: 422,
      code: 'approval/required',
      data: { amountMinor: 120_000 },
    });
    const approvalRequest = { ...caseOf(one), note: 'It is her married name; she sent the certificate.' };
    const { id } = await first.api.secondApprovals.request(approvalRequest);
    expect(await failure(first.api.secondApprovals.request(approvalRequest))).toMatchObject({
      code: 'approval/waiting',
    });
    const second_approval = { kind: 'second_approval' as const, subjectId: id };
    await second.api.cases.claim(second_approval);
    expect(await second.api.cases.get(second_approval)).toMatchObject({
      facts: { pay: null, referral: null, held: { withdrawalId } },
    });
    await second.api.secondApprovals.decide({ ...second_approval, decision: 'approve' });
    // It closes both cases: the withdrawal's with the decision of the operator who asked for it.
    expect(await first.api.cases.decided(caseOf(one))).toMatchObject({
      item: { decision: 'release', reason: approvalRequest.note },
      facts: { kind: 'payout_held', held: { withdrawalId, status: 'in_review' } },
    });
    await app.runDue();
    expect((await now(one)).status).toBe('in_transit');
    expect(await faults()).toEqual([]);
    await app.pool.query(`update payout_methods set accepted_for = null where id = $1`, [methodId]);
    // A withdrawal that its worker cancels leaves the queue and can't be approved.
    const next = await request({ amountMinor: 60_000 });
    await first.api.cases.claim(caseOf(next));
    const again = await first.api.secondApprovals.request({ ...approvalRequest, subjectId: next.id });
    const late = { kind: 'second_approval' as const, subjectId: again.id };
    await second.api.cases.claim(late);
    await leila.api.payouts.cancel({ withdrawalId: next.id, version: next.version });
    expect(await failure(second.api.secondApprovals.decide({ ...late, decision: 'approve' }))).toMatchObject({
      code: 'payout-review/decided',
    });
    expect(await failure(second.api.cases.get(late))).toMatchObject({ code: 'case/not-found' });
  });
});

describe('payoutReviews.refuse', () => {
  it('returns the money with a statement of reasons, once', async () => {
    const { withdrawalId, ...one } = await claimed();
    const refused = await first.api.payoutReviews.refuse({ withdrawalId, ...words });
    expect(refused).toMatchObject({
      measure: 'payout_refused',
      business: null,
      ...words,
      target: { kind: 'withdrawal', id: withdrawalId, name: 'Sandbox Bank NL ••••\u00a09000' },
    });
    expect(await first.api.payoutReviews.refuse({ withdrawalId, ...words })).toEqual(refused);
    expect(await now(one)).toMatchObject({ status: 'refused', refusedBecause: words.facts, actions: [] });
    expect(await balance()).toMatchObject({ availableMinor: 200_000, reservedMinor: 0 });
    expect((await topics()).filter((topic) => topic === 'sanction-imposed')).toHaveLength(1);
    const release = first.api.payoutReviews.release({ withdrawalId });
    expect(await failure(release)).toMatchObject({ status: 409, code: 'payout-review/decided' });
    for (const facts of ['', 'x'.repeat(2_001)])
      expect(
        await failure(first.api.payoutReviews.refuse({ withdrawalId, rule: 'identity', facts })),
      ).toMatchObject({ status: 400 });
    expect(await request()).toMatchObject({ status: 'in_review' });
    expect(await faults()).toEqual([]);
  });

  it('can be appealed; if overturned, the account is accepted', async () => {
    const { withdrawalId } = await claimed();
    const { id: sanctionId } = await first.api.payoutReviews.refuse({ withdrawalId, ...words });
    const { appeal } = await leila.api.appeals.create({ sanctionId, words: 'Nadia is my married name.' });
    const appealCase = { kind: 'appeal' as const, subjectId: appeal?.id ?? '' };
    await trust.api.cases.claim(appealCase);
    expect((await trust.api.cases.get(appealCase)).facts).toMatchObject({
      appeal: {
        evidence: {
          payout: {
            withdrawalId,
            status: 'refused',
            names: { verified: [{ name: 'Leila Brandt' }] },
            availableMinor: 200_000,
            decisions: [],
          },
          business: null,
        },
      },
    });
    await trust.api.appeals.decide({
      appealId: appealCase.subjectId,
      outcome: 'overturned',
      reason: 'She is right.',
    });
    expect(await request()).toMatchObject({ status: 'requested' });
  });

  it('stores no name or reason once the account is removed', async () => {
    const { withdrawalId } = await claimed();
    await first.api.payoutReviews.refuse({ withdrawalId, ...words });
    await app.pool.query(`update payout_methods set accepted_for = 'Leila Brandt' where id = $1`, [methodId]);
    await app.db.transaction().execute((tx) => erasePayee(tx, leila.accountId, app.clock.now()));
    const { rows } = await app.pool.query(
      `select refused_because, holder_name, accepted_for from withdrawals join payout_methods method on method.id = method_id
      where withdrawals.id = $1`,
      [withdrawalId],
    );
    expect(rows).toEqual([{ refused_because: '', holder_name: 'Former member', accepted_for: null }]);
  });
});
