import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../test/harness.ts';
import { tasks } from '../app.ts';
import { demoAccounts } from './demo-accounts.ts';
import { seedDemoTown } from './demo-town.ts';

describe('the demo town', () => {
  const app = useTestApp();
  const seed = () =>
    seedDemoTown(
      {
        config: app.config,
        log: app.scopeOf('').log,
        clock: app.clock,
        fileStore: app.fileStore,
        db: app.db,
        pool: app.pool,
      },
      tasks,
      () => {},
    );
  const counts = async (table: 'jobs' | 'businesses' | 'applications', column = 'status' as const) => {
    const rows = await app.db
      .selectFrom(table)
      .select([column, (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(column)
      .execute();
    return Object.fromEntries(rows.map((row) => [row.status, row.count]));
  };

  it('is made once, with everything in every state', async () => {
    expect(await seed()).toBe(true);
    const accounts = await app.db
      .selectFrom('accounts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst();
    expect(accounts?.count).toBe(150);
    expect(await counts('businesses')).toEqual({ verified: 36, submitted: 4 });
    const jobs = await counts('jobs');
    expect(Object.values(jobs).reduce((sum, count) => sum + count, 0)).toBe(400);
    expect(jobs.open).toBeGreaterThan(280);
    for (const status of ['draft', 'paused', 'expired', 'closed', 'archived'] as const)
      expect(jobs[status]).toBeGreaterThan(4);
    const applications = await counts('applications');
    for (const status of ['submitted', 'viewed', 'withdrawn', 'no_response'] as const)
      expect(applications[status]).toBeGreaterThan(5);
    expect(app.mails).toEqual([]);
    expect(await seed()).toBe(false);
  }, 180_000);

  it('has work around everyone, in the future, some of it at blurred addresses', async () => {
    const found = await app.apiAs(null).jobs.nearby({ lat: 52.3728, lng: 4.8936, radiusKm: 5, limit: 100 });
    expect(found.items).toHaveLength(100);
    expect(new Set(found.items.map((job) => job.category)).size).toBeGreaterThan(10);
    expect(found.items.some((job) => job.place.blurred)).toBe(true);
    const now = app.clock.now().toISOString();
    expect(found.items.filter((job) => job.startsAt !== null && job.startsAt <= now)).toEqual([]);
    expect(new Set(found.items.map((job) => job.title)).size).toBeGreaterThan(50);
  });

  it('gives Leila applications in several states and Nadia applicants to look at', async () => {
    const idOf = async (email: string) =>
      (await app.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow())
        .id;
    const states = await app.db
      .selectFrom('applications')
      .select('status')
      .where('worker_id', '=', await idOf(demoAccounts.worker.email))
      .execute();
    expect(new Set(states.map(({ status }) => status))).toEqual(
      new Set(['submitted', 'viewed', 'withdrawn', 'no_response']),
    );
    const nadias = await app.db
      .selectFrom('applications')
      .innerJoin('business_members', 'business_members.business_id', 'applications.business_id')
      .select('applications.id')
      .where('account_id', '=', await idOf(demoAccounts.merchant.email))
      .execute();
    expect(nadias.length).toBeGreaterThan(30);
    const unread = await app.db
      .selectFrom('notifications')
      .select('id')
      .where('account_id', '=', await idOf(demoAccounts.merchant.email))
      .where('read_at', 'is', null)
      .execute();
    expect(unread).toHaveLength(6);
  });

  it('signs in with the password that is printed', async () => {
    const answer = await app.raw({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      headers: { origin: app.config.PUBLIC_URL },
      payload: { email: demoAccounts.worker.email, password: 'demo-nearhand' },
    });
    expect(answer.statusCode).toBe(200);
  });
});
