import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Businesses } from '../../platform/tables.gen.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
const scope = () => app.scopeOf(owner);
const newBusiness = () => makeBusiness(app.db, scope());
const setStatus = (id: string, status: Businesses['status']) =>
  app.db.updateTable('businesses').set({ status }).where('id', '=', id).execute();
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
});

describe('followedBusinesses.follow', () => {
  it('follows once, even from an unverified account', async () => {
    const worker = await app.person({ verified: false });
    const { id: businessId } = await newBusiness();
    for (const _time of [1, 2])
      expect(await worker.api.followedBusinesses.follow({ businessId })).toEqual({
        businessId,
        following: true,
      });
    expect(await worker.api.followedBusinesses.ids()).toEqual([businessId]);
  });

  it('rejects a hidden business and one above the limit', async () => {
    const worker = await app.person();
    const { id: businessId } = await newBusiness();
    await setStatus(businessId, 'suspended');
    expect(await failure(worker.api.followedBusinesses.follow({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'businesses' and is_generated = 'NEVER' and column_name not in ('id', 'transfer_number')`.execute(
      app.db,
    );
    const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
    await sql`with copied as (insert into businesses (id, ${columns}) select gen_random_uuid(), ${columns}
        from businesses, generate_series(1, ${hiringLimits.followedBusinessesMax}::integer) where id = ${businessId} returning id)
      insert into business_follows select ${worker.accountId}, id, now() from copied`.execute(app.db);
    const business = await newBusiness();
    expect(await failure(worker.api.followedBusinesses.follow({ businessId: business.id }))).toMatchObject({
      code: 'follow/too-many',
      data: { limit: hiringLimits.followedBusinessesMax },
    });
  });
});

describe('followedBusinesses.unfollow', () => {
  it('unfollows only for the caller, otherwise a no-op', async () => {
    const worker = await app.person();
    const stranger = await app.person();
    const { id: businessId } = await newBusiness();
    for (const { api } of [worker, stranger]) await api.followedBusinesses.follow({ businessId });
    for (const _time of [1, 2])
      expect(await worker.api.followedBusinesses.unfollow({ businessId })).toEqual({
        businessId,
        following: false,
      });
    expect(await worker.api.followedBusinesses.ids()).toEqual([]);
    expect(await stranger.api.followedBusinesses.ids()).toEqual([businessId]);
  });
});

describe('followedBusinesses.ids', () => {
  it('returns the followed businesses, last followed first', async () => {
    const worker = await app.person();
    const firstBusiness = await newBusiness();
    const secondBusiness = await newBusiness();
    await worker.api.followedBusinesses.follow({ businessId: firstBusiness.id });
    app.clock.forward({ seconds: 1 });
    await worker.api.followedBusinesses.follow({ businessId: secondBusiness.id });
    expect(await worker.api.followedBusinesses.ids()).toEqual([secondBusiness.id, firstBusiness.id]);
  });
});

describe('followedBusinesses.list', () => {
  it('pages through businesses with their open jobs and omits hidden ones', async () => {
    const worker = await app.person();
    const firstBusiness = await newBusiness();
    const secondBusiness = await newBusiness();
    const hidden = await newBusiness();
    for (const { id: businessId } of [firstBusiness, secondBusiness, hidden]) {
      await worker.api.followedBusinesses.follow({ businessId });
      app.clock.forward({ seconds: 1 });
    }
    await setStatus(hidden.id, 'suspended');
    const job = await makeJob(app.db, scope(), firstBusiness.id);
    const first = await worker.api.followedBusinesses.list({ limit: 1 });
    expect(first.items).toMatchObject([
      { business: { id: secondBusiness.id, name: secondBusiness.name }, newest: null, openJobs: 0 },
    ]);
    const second = await worker.api.followedBusinesses.list({ limit: 1, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({
      items: [{ business: { id: firstBusiness.id }, newest: { id: job.id, title: job.title }, openJobs: 1 }],
      nextCursor: null,
    });
    expect(await failure(worker.api.followedBusinesses.list({ cursor: 'nonsense' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});
