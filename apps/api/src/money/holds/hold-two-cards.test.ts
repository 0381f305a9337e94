import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let business: Business;
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  business = await makeBusiness(app.db, app.scopeOf(nadia), { funded: false });
});

describe('a hold paid by a second card', () => {
  it('is paid once when the first card is confirmed anyway', async () => {
    const scope = app.scopeOf(nadia);
    const job = await makeJob(app.db, scope, business.id, { headCount: 1 });
    const worker = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    const asks = await makeCard(app.db, scope, business.id, testCards.confirm);
    const pays = await makeCard(app.db, scope, business.id, testCards.pays);
    const { id: offerId } = await nadia.api.offers.make({
      applicationId,
      funding: { from: 'card', cardId: asks.id },
    });
    await app.runDue();
    const { hold } = await nadia.api.offers.get({ offerId });
    const page = new URL(hold?.charge?.actionUrl ?? '').pathname;
    await nadia.api.holds.pay({
      holdId: hold?.id ?? '',
      funding: { from: 'card', cardId: pays.id },
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.raw({ method: 'POST', url: page, headers, payload: 'decision=approve' });
    expect(answer.statusCode).toBe(303);
    await app.runDue();
    expect(await nadia.api.offers.get({ offerId })).toMatchObject({
      status: 'sent',
      hold: { status: 'held', remainingMinor: hold?.amountMinor },
    });
    const rows = await app.db.selectFrom('charges').select(['cardId', 'status']).execute();
    expect(new Map(rows.map((row) => [row.cardId, row.status]))).toEqual(
      new Map([
        [asks.id, 'succeeded'],
        [pays.id, 'cancelled'],
      ]),
    );
    expect(await balanceOf(app.db, { kind: 'business_balance', ownerId: business.id }, 'EUR')).toBe(0);
  });
});
