import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { bookFaults, makeBank, payWorker } from '../../money/payouts/payouts.fixtures.ts';
import { bankToken, testIbans } from '../../money/sandbox/sandbox.fixtures.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp({ PAYOUT_METHOD_HOLD_DAYS: '0' });
let jonas: Person;
beforeAll(async () => {
  jonas = await operator('Jonas Weber', ['finance']);
});
async function operator(name: string, roles: Parameters<typeof makeOperator>[3]) {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person);
}
const unclaimed = async (subjectId: string) =>
  (await jonas.api.cases.list({ limit: 100 })).items.filter((item) => item.subjectId === subjectId);

describe('payoutReviews.payFormer', () => {
  it('opens a case when a bank returns it, and pays to a new account after a review', async () => {
    const leila = await app.person({ name: 'Leila Haddad' });
    const scope = app.scopeOf(leila);
    const { id: methodId } = await makeBank(app.db, scope, testIbans.returned);
    await payWorker(app.db, scope, leila.accountId, 10_000, { atOnce: true });
    await leila.api.payouts.withdraw({ methodId, amountMinor: 10_000, speed: 'instant' });
    await app.runDue();
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    const state = await leila.api.accountDeletion.get();
    expect(state).toMatchObject({ obstacles: [], mayReturn: [{ amountMinor: 9_850, currency: 'EUR' }] });
    expect(await unclaimed(leila.accountId)).toEqual([]);
    const now = app.clock.now();
    await app.db
      .insertInto('account_deletions')
      .values({
        id: leila.accountId,
        accountId: leila.accountId,
        status: 'removed',
        requestedAt: now,
        deleteAt: now,
        endedAt: now,
      })
      .execute();
    app.clock.forward({ days: 3 });
    await app.runDue();
    const [item] = await unclaimed(leila.accountId);
    expect(item).toMatchObject({ kind: 'unclaimed', title: 'Money of a removed account' });
    const unclaimedCase = { kind: 'unclaimed' as const, subjectId: leila.accountId };
    const pay = async (person: Person) =>
      person.api.payoutReviews.payFormer({
        ...{
          ownerId: leila.accountId,
          currency: 'EUR',
          token: await bankToken(app.scopeOf(leila).provider),
        },
      });
    await jonas.api.cases.claim(unclaimedCase);
    expect((await jonas.api.cases.get(unclaimedCase)).facts).toMatchObject({
      unclaimed: {
        owner: 'person',
        balances: [{ currency: 'EUR', amountMinor: 10_000, pendingMinor: 0 }],
        withdrawals: [{ status: 'returned', amountMinor: 10_000 }],
      },
    });
    const { withdrawalId, status } = await pay(jonas);
    expect(status).toBe('in_review');
    // The money is reserved, so the case is closed, and the held withdrawal has its own case.
    expect(await unclaimed(leila.accountId)).toEqual([]);
    const heldCase = { kind: 'payout_held' as const, subjectId: withdrawalId };
    // The operator who entered the bank account can't release it, however small the amount.
    await jonas.api.cases.claim(heldCase);
    expect((await jonas.api.cases.get(heldCase)).facts).toMatchObject({
      held: { enteredBy: { name: 'Jonas Weber', isYou: true } },
    });
    expect(await failure(jonas.api.payoutReviews.release({ withdrawalId }))).toMatchObject({
      status: 403,
      code: 'operator/own-decision',
    });
    const mira = await operator('Mira Adler', ['finance']);
    await jonas.api.cases.release(heldCase);
    await mira.api.cases.claim(heldCase);
    expect((await mira.api.cases.get(heldCase)).facts).toMatchObject({
      held: { enteredBy: { name: 'Jonas Weber', isYou: false } },
    });
    await mira.api.payoutReviews.release({ withdrawalId });
    await app.runDue();
    app.clock.forward({ days: 3 });
    await app.runDue();
    const paid = await app.db
      .selectFrom('withdrawals')
      .innerJoin('payout_methods', 'payout_methods.id', 'withdrawals.methodId')
      .select(['withdrawals.status', 'payout_methods.holderName', 'payout_methods.last4'])
      .where('withdrawals.id', '=', withdrawalId)
      .executeTakeFirst();
    expect(paid).toEqual({ status: 'paid', holderName: 'Former member', last4: '' });
    expect(await bookFaults(app.db, scope)).toEqual([]);
  });

  it('rejects an account that still exists', async () => {
    const sam = await app.person();
    await payWorker(app.db, app.scopeOf(sam), sam.accountId, 5_000, { atOnce: true });
    expect(await unclaimed(sam.accountId)).toEqual([]);
    const scope = app.scopeOf(sam);
    const token = await bankToken(scope.provider);
    expect(
      await failure(jonas.api.payoutReviews.payFormer({ ownerId: sam.accountId, currency: 'EUR', token })),
    ).toMatchObject({ status: 404 });
  });
});

describe('payoutReviews.refundFormer', () => {
  it('opens a case and refunds the original cards', async () => {
    const nadia = await app.person();
    const scope = app.scopeOf(nadia);
    const business = await makeBusiness(app.db, scope, { name: 'Bar Noord' });
    await fundBusiness(app.db, scope, business.id, { amountMinor: 4_000 });
    expect(await unclaimed(business.id)).toEqual([]);
    await app.db.updateTable('businesses').set({ status: 'closed' }).where('id', '=', business.id).execute();
    expect(await unclaimed(business.id)).toMatchObject([{ kind: 'unclaimed', title: 'Bar Noord' }]);
    await jonas.api.cases.claim({ kind: 'unclaimed', subjectId: business.id });
    expect(
      await jonas.api.payoutReviews.refundFormer({ ownerId: business.id, currency: 'EUR' }),
    ).toMatchObject({ refundedMinor: 100_004_000, currency: 'EUR' });
    await app.runDue();
    expect(await unclaimed(business.id)).toEqual([]);
    expect(await bookFaults(app.db, scope)).toEqual([]);
  });

  it('refunds the cards as far as they can take it; the rest stays a case', async () => {
    const nadia = await app.person();
    const scope = app.scopeOf(nadia);
    const business = await makeBusiness(app.db, scope, { name: 'Café Zuid', funded: false });
    await fundBusiness(app.db, scope, business.id, { amountMinor: 4_000 });
    await app.db
      .updateTable('charges')
      .set({ refundedMinor: 1_500 })
      .where('businessId', '=', business.id)
      .execute();
    await app.db.updateTable('businesses').set({ status: 'closed' }).where('id', '=', business.id).execute();
    const unclaimedCase = { kind: 'unclaimed' as const, subjectId: business.id };
    await jonas.api.cases.claim(unclaimedCase);
    const balanceShown = async () => {
      const { facts } = await jonas.api.cases.get(unclaimedCase);
      return facts.kind === 'unclaimed' ? facts.unclaimed.balances : [];
    };
    expect(await balanceShown()).toEqual([
      { currency: 'EUR', amountMinor: 4_000, pendingMinor: 0, refundableMinor: 2_500 },
    ]);
    const refundRequest = { ownerId: business.id, currency: 'EUR' as const };
    expect(await jonas.api.payoutReviews.refundFormer(refundRequest)).toMatchObject({
      refundedMinor: 2_500,
      leftMinor: 1_500,
    });
    expect(await unclaimed(business.id)).toHaveLength(1);
    expect(await balanceShown()).toEqual([
      { currency: 'EUR', amountMinor: 1_500, pendingMinor: 0, refundableMinor: 0 },
    ]);
    expect(await failure(jonas.api.payoutReviews.refundFormer(refundRequest))).toMatchObject({
      code: 'payment/refund-too-much',
      data: { maxMinor: 0 },
    });
  });
});
