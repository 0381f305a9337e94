import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { reconcile } from '../provider/reconciliation.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp();

describe('a checkout whose task was lost', () => {
  it('ends in reconciliation once it expires, and not before', async () => {
    const owner = await app.person();
    const worker = await app.person();
    const scope = app.scopeOf(owner);
    const { id: businessId } = await makeBusiness(app.db, scope, { funded: false });
    await makeCard(app.db, scope, businessId, testCards.confirm);
    const job = await makeJob(app.db, scope, businessId);
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    const { hold } = await owner.api.offers.make({ applicationId });
    const holdId = hold?.id ?? '';
    const state = async () => (await owner.api.holds.get({ holdId })).status;
    await sql`delete from graphile_worker._private_jobs where key like 'holds.checkout/%'`.execute(app.db);
    const run = () =>
      reconcile({ ...scope, db: app.db, provider: app.provider, mailer: { send: async () => {} } } as never);
    await run();
    expect(await state()).toBe('authorising');
    app.clock.forward({ minutes: 18 });
    await app.runDue();
    await run();
    expect(await state()).toBe('expired');
    await run();
    expect(await state()).toBe('expired');
  });
});
