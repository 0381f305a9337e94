import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person } from '../../../test/harness.ts';
import { useStripe } from '../../../test/stripe-double/use-stripe.ts';
import { bookFaults } from '../../money/payouts/payouts.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const stripe = useStripe();
const { app, scope, settle } = stripe;
let jonas: Person;
let mira: Person;
beforeAll(async () => {
  jonas = await operator('Jonas Weber');
  mira = await operator('Mira Adler');
});
async function operator(name: string): Promise<Person> {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, ['finance']);
  return app.working(person);
}
const remove = (accountId: string) => {
  const now = app.clock.now();
  const deletion = { id: accountId, accountId, status: 'removed' as const };
  return app.db
    .insertInto('account_deletions')
    .values({ ...deletion, requestedAt: now, deleteAt: now, endedAt: now })
    .execute();
};
const claim = (ownerId: string) => jonas.api.cases.claim({ kind: 'unclaimed', subjectId: ownerId });

/** A removed account whose last withdrawal came back. */
async function formerMember() {
  const owner = await stripe.payer();
  await owner.topUp(20_000);
  await settle();
  const leila = await stripe.payee();
  await stripe.move(owner.account, leila.account, 5_000);
  app.clock.forward({ days: 3 });
  const { id } = await leila.withdraw(5_000);
  await settle();
  const payout = stripe.double.all('payout').find(({ metadata }) => metadata.nearhand_key === id);
  stripe.double.movePayout(payout?.id, 'paid');
  await settle();
  await remove(leila.accountId);
  stripe.double.movePayout(payout?.id, 'failed');
  await stripe.double.delivered();
  await settle();
  await claim(leila.accountId);
  return leila;
}

describe('payoutReviews.formerPage', () => {
  it('sends the former holder to a fresh page of the provider, for 14 days', async () => {
    const { accountId: ownerId } = await formerMember();
    const { url, expiresAt } = await jonas.api.payoutReviews.formerPage({ ownerId });
    expect(Date.parse(expiresAt)).toBe(app.clock.now().getTime() + 14 * 86_400_000);
    const path = url.slice(app.config.PUBLIC_URL.length);
    const open = (address: string) => app.raw({ url: address, headers: { 'accept-language': 'fr' } });
    const links = () =>
      stripe.double.calls.filter(({ route }) => route === 'POST /v2/core/account_links').length;
    const before = links();
    const first = await open(path);
    const second = await open(path);
    expect([first.statusCode, second.statusCode, links()]).toEqual([303, 303, before + 2]);
    // The provider's button to go on leads to our page of thanks.
    const back = await stripe.double.press(String(second.headers.location), 'Continue');
    expect(back).toBe(`${url}?payee=1`);
    expect((await open(back.slice(app.config.PUBLIC_URL.length))).body).toContain('<html lang="fr"');
    const changed = `${path.slice(0, -2)}aa`;
    for (const wrong of [changed, '/api/payee/x', '/api/payee/a.b'])
      expect((await open(wrong)).statusCode).toBe(404);
    app.clock.forward({ days: 14 });
    expect((await open(path)).statusCode).toBe(404);
  });

  it('requires a removed account with an account at the provider', async () => {
    const sam = await app.person();
    expect(await failure(jonas.api.payoutReviews.formerPage({ ownerId: sam.accountId }))).toMatchObject({
      code: 'payout/not-found',
    });
    await remove(sam.accountId);
    await stripe.move(
      { kind: 'provider_clearing' },
      { kind: 'worker_available', ownerId: sam.accountId },
      1_000,
    );
    await claim(sam.accountId);
    expect(await failure(jonas.api.payoutReviews.formerPage({ ownerId: sam.accountId }))).toMatchObject({
      code: 'payout/identity-wrong-state',
      data: { status: 'none' },
    });
    await stripe.move(
      { kind: 'worker_available', ownerId: sam.accountId },
      { kind: 'provider_clearing' },
      1_000,
    );
  });
});

describe('payoutReviews.formerBanks', () => {
  it('names the accounts there, one of which is paid after a review, the earlier one too', async () => {
    const leila = await formerMember();
    const { accountId: ownerId, stripeAccount } = leila;
    const facts = async () => {
      const { facts } = await jonas.api.cases.get({ kind: 'unclaimed', subjectId: ownerId });
      return facts;
    };
    expect(await facts()).toMatchObject({
      unclaimed: { tokenUrl: null, balances: [{ currency: 'EUR', amountMinor: 5_000 }] },
    });
    const [earlier] = await jonas.api.payoutReviews.formerBanks({ ownerId });
    stripe.double.addBank(stripeAccount, { holder: 'L. Haddad' });
    const banks = await jonas.api.payoutReviews.formerBanks({ ownerId });
    expect(banks.map(({ holderName }) => holderName).toSorted()).toEqual(['L. Haddad', 'Leila Haddad']);
    const pay = (token: string) => jonas.api.payoutReviews.payFormer({ ownerId, currency: 'EUR', token });
    const otherPayee = await stripe.payee();
    expect(await failure(pay(`${otherPayee.stripeAccount}/ba_1`))).toMatchObject({
      code: 'payout/method-refused',
    });
    const { withdrawalId, status } = await pay(earlier?.token ?? '');
    expect(status).toBe('in_review');
    const held = { kind: 'payout_held' as const, subjectId: withdrawalId };
    await mira.api.cases.claim(held);
    expect((await mira.api.cases.get(held)).facts).toMatchObject({
      held: { method: { holderName: 'Leila Haddad' }, enteredBy: { name: 'Jonas Weber' } },
    });
    await mira.api.payoutReviews.release({ withdrawalId });
    await settle();
    const payout = stripe.double.all('payout').find(({ metadata }) => metadata.nearhand_key === withdrawalId);
    stripe.double.movePayout(payout?.id, 'paid');
    await settle();
    const paid = await app.db
      .selectFrom('withdrawals')
      .innerJoin('payout_methods', 'payout_methods.id', 'withdrawals.methodId')
      .select(['withdrawals.status', 'payout_methods.holderName'])
      .where('withdrawals.id', '=', withdrawalId)
      .executeTakeFirst();
    expect(paid).toEqual({ status: 'paid', holderName: 'Former member' });
    expect(await bookFaults(app.db, scope())).toEqual([]);
  });
});
