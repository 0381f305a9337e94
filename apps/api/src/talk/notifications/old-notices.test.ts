import { subtractMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { expireAnsweredRequests, notify } from './notifications.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
const waiting = async (person: Person) =>
  (await person.api.notifications.list({ waiting: 'true', limit: 100 })).items.map(({ path }) => path);
const asking = async ({ accountId }: Person) =>
  (
    await app.db
      .selectFrom('notifications')
      .select('path')
      .where('accountId', '=', accountId)
      .where('asks', '=', true)
      .execute()
  ).map(({ path }) => path);

beforeAll(async () => {
  owner = await app.person();
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
});

async function applied({ answered }: { answered: boolean }): Promise<string> {
  const worker = await app.person();
  const job = await makeJob(app.db, app.scopeOf(owner), businessId);
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  if (answered) await makeOffer(app.db, app.scopeOf(owner), id);
  return id;
}

describe('settling notices', () => {
  it('settles notices done a day ago with nothing left to send, and keeps pending ones', async () => {
    const done = await applied({ answered: true });
    const open = await applied({ answered: false });
    const queued = await applied({ answered: true });
    await app.db.transaction().execute((tx) =>
      notify(tx, app.scopeOf(owner), {
        accountId: owner.accountId,
        topic: 'hours-to-submit',
        data: {},
        path: '/withdraw',
        dedupeKey: 'no record',
      }),
    );
    const about = (paths: string[], id: string) => paths.some((path) => path.includes(id));
    await app.db
      .updateTable('notification_deliveries')
      .set({ state: 'sent' })
      .where('accountId', '=', owner.accountId)
      .where('notificationId', 'not in', (from) =>
        from.selectFrom('notifications').select('id').where('path', 'like', `%${queued}%`),
      )
      .execute();
    const before = await waiting(owner);
    expect([about(before, open), about(before, done)]).toEqual([true, false]);
    expect(before).toContain('/withdraw');

    await expireAnsweredRequests(app);
    expect(about(await asking(owner), done)).toBe(true);
    app.clock.forward({ hours: 25 });
    const aDayLater = await waiting(owner);
    await expireAnsweredRequests(app);
    const left = await asking(owner);
    expect([done, open, queued].map((id) => about(left, id))).toEqual([false, true, true]);
    expect(left).toContain('/withdraw');
    expect(await waiting(owner)).toEqual(aDayLater);
    expect((await owner.api.notifications.list({})).items.some(({ path }) => path.includes(done))).toBe(true);
  });

  it('settles older repeats across batches', async () => {
    const person = await app.person();
    const row = (n: number) => ({
      id: crypto.randomUUID(),
      accountId: person.accountId,
      topic: 'hours-to-submit',
      data: {},
      path: `/about/${n % 50}`,
      dedupeKey: `repeated ${n}`,
      asks: true,
      createdAt: subtractMs(app.clock.now(), (10_000 - n) * 60_000),
    });
    for (let from = 0; from < 3_000; from += 1_000)
      await app.db
        .insertInto('notifications')
        .values(Array.from({ length: 1_000 }, (_, n) => row(from + n)))
        .execute();
    const before = await waiting(person);
    expect(new Set(before).size).toBe(50);
    await expireAnsweredRequests(app);
    expect((await asking(person)).toSorted()).toEqual(before.toSorted());
    expect(await waiting(person)).toEqual(before);
  });

  it('keeps notices that can become pending again without another one', async () => {
    const { accountId } = owner;
    const worker = await app.person();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    const sent = () =>
      app.db
        .updateTable('notification_deliveries')
        .set({ state: 'sent' })
        .where('accountId', '=', accountId)
        .execute();
    const isWaiting = async () => (await waiting(owner)).some((path) => path.includes(id));
    await sent();
    await owner.api.applicants.shortlist({ applicationId: id });
    expect(await isWaiting()).toBe(false);
    app.clock.forward({ hours: 25 });
    await expireAnsweredRequests(app);
    await owner.api.applicants.unshortlist({ applicationId: id });
    expect(await isWaiting()).toBe(true);
  });
});
