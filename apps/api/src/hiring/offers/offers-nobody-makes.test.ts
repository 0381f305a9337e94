import { hourMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { auditLedger, balanceOf } from '../../money/ledger/ledger.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire } from './offers.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
let nadia: Person;
let business: Business;
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
});
beforeEach(async () => {
  business = await makeBusiness(app.db, app.scopeOf(nadia), { funded: false });
  await fundBusiness(app.db, app.scopeOf(nadia), business.id, { amountMinor: 14_438 });
  await app.pool.query('update cards set removed_at = now(), is_default = false where business_id = $1', [
    business.id,
  ]);
});
const expectSoundLedger = async () => {
  const { findings } = await auditLedger(app.db, { clock: app.clock, sign: createSign(app.secret) });
  expect(findings).toEqual([]);
};
const topics = async () =>
  (await nadia.api.notifications.list({ limit: 100 })).items.map(({ topic }) => topic);

async function fullAndWaiting() {
  const job = await makeJob(app.db, app.scopeOf(nadia), business.id, { headCount: 1 });
  const people = [await app.person(), await app.person()] as const;
  const ids = [];
  for (const worker of people) ids.push((await makeApplication(app.db, app.scopeOf(worker), job.id)).id);
  const { engagementId } = await hire(
    app.db,
    { recruiter: app.scopeOf(nadia), worker: app.scopeOf(people[0]) },
    ids[0] ?? '',
  );
  await app.runDue();
  const waits = ids[1] ?? '';
  await people[1].api.waitlist.join({ applicationId: waits });
  const free = async () => {
    app.clock.set(new Date(Date.parse(job.startsAt ?? '') - hourMs));
    const { version } = await nadia.api.engagements.get({ engagementId });
    await nadia.api.engagements.cancel({ engagementId, version, reason: 'Closed' });
  };
  return { job, waiting: people[1], applicationId: waits, free };
}

describe('an automatic offer', () => {
  it('charges the default card and is sent once the charge succeeds', async () => {
    app.clock.set('2026-11-21T09:00:00Z');
    const { waiting, applicationId, free } = await fullAndWaiting();
    await makeCard(app.db, app.scopeOf(nadia), business.id);
    await free();
    expect(await waiting.api.applications.get({ applicationId })).toMatchObject({
      status: 'position_filled',
    });
    expect((await waiting.api.offers.mine({})).items).toEqual([]);
    await app.runDue();
    expect((await waiting.api.offers.mine({})).items).toMatchObject([
      { source: 'waitlist', status: 'sent', funding: 'funded' },
    ]);
    expect(await waiting.api.applications.get({ applicationId })).toMatchObject({ status: 'offered' });
    await expectSoundLedger();
  });

  it('is skipped without money; the waitlist place stays and recruiters are notified once', async () => {
    app.clock.set('2026-11-21T09:00:00Z');
    const { job, waiting, applicationId, free } = await fullAndWaiting();
    await free();
    await app.runDue();
    expect(await nadia.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'open' });
    expect(await waiting.api.applications.get({ applicationId })).toMatchObject({
      status: 'position_filled',
    });
    const { rows } = await app.pool.query('select waitlisted_at from applications where id = $1', [
      applicationId,
    ]);
    expect(rows[0]?.waitlisted_at).not.toBeNull();
    expect((await topics()).filter((topic) => topic === 'hold-unpaid')).toHaveLength(1);
    const has = await balanceOf(app.db, { kind: 'business_balance', ownerId: business.id }, 'EUR');
    expect(has).toBe(14_438 - 6_563);
    await expectSoundLedger();
  });

  it('with a declined card ends with its checkout and leaves the applicant on the waitlist', async () => {
    app.clock.set('2026-11-21T09:00:00Z');
    const { job, waiting, applicationId, free } = await fullAndWaiting();
    await makeCard(app.db, app.scopeOf(nadia), business.id, testCards.declined);
    await free();
    await app.runDue();
    app.clock.forward({ minutes: 16 });
    await app.runDue();
    const { rows } = await app.pool.query(
      "select status from offers where job_id = $1 and source = 'waitlist'",
      [job.id],
    );
    expect(rows).toEqual([{ status: 'expired' }]);
    expect(await waiting.api.applications.get({ applicationId })).toMatchObject({
      status: 'position_filled',
    });
    expect((await waiting.api.offers.mine({})).items).toEqual([]);
    await expectSoundLedger();
  });
});
