import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { offerToWaitlist } from '../../hiring/waitlist/waitlist.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp();

async function cast() {
  const owner = await app.person();
  const finance = await app.person();
  const scope = app.scopeOf(owner);
  const business = await makeBusiness(app.db, scope, { funded: false });
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
  const notified = async (person: typeof owner, topic: string) =>
    (await person.api.notifications.list({})).items.filter((notice) => notice.topic === topic);
  return { owner, finance, scope, business, notified };
}

describe('a charge that its card owner must confirm', () => {
  it('notifies members who pay, once, with a confirmation link', async () => {
    const { owner, finance, scope, business, notified } = await cast();
    const { id: cardId } = await makeCard(app.db, scope, business.id, testCards.confirm);
    const pay = { businessId: business.id, amountMinor: 5_000, currency: 'EUR' as const, cardId };
    const { id: chargeId } = await owner.api.wallet.topUp(pay);
    for (let run = 0; run < 3; run += 1) await app.runDue();
    expect((await owner.api.charges.get({ chargeId })).actionUrl).toContain('/sandbox/confirm/');
    for (const person of [owner, finance])
      expect(await notified(person, 'payment-needs-confirmation')).toEqual([
        expect.objectContaining({
          path: '/merchant-transaction',
          waiting: true,
          data: expect.objectContaining({ amountMinor: 5_000, currency: 'EUR' }),
        }),
      ]);
  });
});

describe('an instant-hire spot that cannot be funded again', () => {
  it('notifies members who hire and pay, once a day', async () => {
    const { owner, finance, scope, business, notified } = await cast();
    await fundBusiness(app.db, scope, business.id, { amountMinor: 14_438 });
    const job = await makeJob(app.db, scope, business.id, { instantHire: true, headCount: 1 });
    await app.db.updateTable('jobs').set({ headCount: 2 }).where('id', '=', job.id).execute();
    const freed = () => app.db.transaction().execute((tx) => offerToWaitlist(tx, scope, job.id));
    await freed();
    await freed();
    for (const person of [owner, finance])
      expect(await notified(person, 'spot-unfunded')).toEqual([
        expect.objectContaining({
          path: `/job-desc/${job.id}`,
          data: expect.objectContaining({ amountMinor: 14_438, count: 1, jobTitle: job.title }),
        }),
      ]);
    await fundBusiness(app.db, scope, business.id, { amountMinor: 14_438 });
    app.clock.forward({ days: 1 });
    await freed();
    expect(await notified(owner, 'spot-unfunded')).toHaveLength(1);
  });
});
