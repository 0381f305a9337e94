import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { searchInput } from './saved-searches.fixtures.ts';
import { matchJobTask } from './search-matches.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
const openJob = (options: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, app.scopeOf(owner), business.id, options);
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

async function searcher(options: Partial<SavedSearch> = {}, person?: Person) {
  const worker = person ?? (await app.person());
  const search = await worker.api.savedSearches.create(searchInput(business, options));
  return { worker, search };
}
const alertTopics = ['search-matched', 'search-summary', 'followed-business-opened', 'known-business-opened'];
const newsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items
    .filter(({ topic }) => alertTopics.includes(topic))
    .map(({ topic, path, data }) => [topic, path, data.count]);
const nextBatch = async () => {
  await app.runDue();
  app.clock.forward({ minutes: 5 });
  await app.runDue();
};

describe('an alert at once', () => {
  it('links to a single job, and combines several within minutes', async () => {
    const { worker, search } = await searcher();
    const job = await openJob();
    await app.runDue();
    expect(await newsOf(worker)).toEqual([]);
    await nextBatch();
    expect(await newsOf(worker)).toEqual([['search-matched', `/job-desc/${job.id}`, 1]]);
    for (const title of ['Waiter', 'Cook', 'Host']) await openJob({ title });
    await nextBatch();
    const [[topic, path, count] = []] = await newsOf(worker);
    expect([topic, count]).toEqual(['search-matched', 3]);
    expect(path).toMatch(/^\/tabs\/menu\/explore\?.*sort=newest/);
    const [notice] = (await worker.api.notifications.list({})).items;
    expect(notice?.data).toMatchObject({ searchName: search.name, unlisted: 0 });
    expect(String(notice?.data.listed).split(' · ').sort()).toEqual(
      ['Cook', 'Host', 'Waiter'].map((title) => `${title}, ${business.name}`),
    );
  });

  it('includes a job matched after its batch', async () => {
    const { worker } = await searcher();
    await openJob({ title: 'First' });
    await nextBatch();
    const late = await openJob({ title: 'Late' });
    const openedAt = app.clock.now().toISOString();
    app.clock.forward({ minutes: 30 });
    await app.db.transaction().execute((tx) => enqueue(tx, matchJobTask, { jobId: late.id, openedAt }));
    await app.runDue();
    expect((await newsOf(worker)).map(([, path]) => path)).toContain(`/job-desc/${late.id}`);
    expect(await newsOf(worker)).toHaveLength(2);
  });

  it("matches only the search's filters", async () => {
    const matching = await searcher({
      q: 'sommelier',
      kind: 'shift',
      minPay: 2_000,
      minTotal: 5_000,
      weekdays: ['thu', 'fri'],
      startsFrom: 9 * 60,
      endsBy: 18 * 60,
      maxMinutes: 8 * 60,
      category: 'hospitality',
    });
    const others = await Promise.all(
      [
        { q: 'plumber' },
        { q: 'sommelier', kind: 'task' as const },
        { q: 'sommelier', minPay: 2_600 },
        { q: 'sommelier', minTotal: 90_000 },
        { q: 'sommelier', weekdays: ['sat' as const, 'sun' as const] },
        { q: 'sommelier', startsFrom: 15 * 60 },
        { q: 'sommelier', endsBy: 12 * 60 },
        { q: 'sommelier', maxMinutes: 4 * 60 },
        { q: 'sommelier', category: 'retail' as const },
        { q: 'sommelier', from: '2027-06-01' },
        { q: 'sommelier', to: '2026-11-01' },
        { q: 'sommelier', lat: business.lat + 1 },
        { q: 'sommelier', alert: 'off' as const },
      ].map((options) => searcher(options)),
    );
    const job = await openJob({
      title: 'Sommelier',
      payMinor: 2_500,
      startsAt: '2027-01-08T09:00:00Z',
      endsAt: '2027-01-08T17:00:00Z',
    });
    await nextBatch();
    expect(await newsOf(matching.worker)).toEqual([['search-matched', `/job-desc/${job.id}`, 1]]);
    for (const { worker } of others) expect(await newsOf(worker)).toEqual([]);
  });

  it('never repeats: not for another search, a second run, an edit or a reopened job', async () => {
    const { worker } = await searcher();
    await searcher({ name: 'The same again' }, worker);
    const job = await openJob();
    await nextBatch();
    expect(await newsOf(worker)).toHaveLength(1);
    await owner.api.jobs.pause({ jobId: job.id });
    await owner.api.jobs.reopen({ jobId: job.id });
    await nextBatch();
    const { version } = await owner.api.jobs.get({ jobId: job.id });
    await owner.api.jobs.update({ jobId: job.id, version, payMinor: 3_000 });
    await app.db
      .transaction()
      .execute((tx) => enqueue(tx, matchJobTask, { jobId: job.id, openedAt: app.clock.now().toISOString() }));
    await nextBatch();
    expect(await newsOf(worker)).toHaveLength(1);
  });

  it('omits earlier jobs, own jobs, jobs applied to or invited to, and ended jobs', async () => {
    await openJob({ title: 'Before' });
    app.clock.forward({ minutes: 1 });
    const { worker } = await searcher();
    await searcher({}, owner);
    const applied = await openJob({ title: 'Applied' });
    const invited = await openJob({ title: 'Invited' });
    const ended = await openJob({ title: 'Ended' });
    await app.runDue();
    await makeApplication(app.db, app.scopeOf(worker), applied.id);
    await owner.api.invitations.send({ jobId: invited.id, workerId: worker.accountId });
    await owner.api.jobs.pause({ jobId: ended.id });
    await nextBatch();
    expect(await newsOf(worker)).toEqual([]);
    expect(await newsOf(owner)).toEqual([]);
  });

  it("notifies those who haven't seen a reopened job", async () => {
    const job = await openJob();
    await owner.api.jobs.pause({ jobId: job.id });
    app.clock.forward({ minutes: 1 });
    const { worker } = await searcher();
    await owner.api.jobs.reopen({ jobId: job.id });
    await nextBatch();
    expect(await newsOf(worker)).toHaveLength(1);
  });

  it('is dropped with its search, and sent if that is restored in time', async () => {
    const leaver = await searcher();
    const back = await searcher();
    await openJob();
    await app.runDue();
    for (const { worker, search } of [leaver, back])
      await worker.api.savedSearches.remove({ savedSearchId: search.id });
    await back.worker.api.savedSearches.restore({ savedSearchId: back.search.id });
    await nextBatch();
    expect(await newsOf(leaver.worker)).toEqual([]);
    expect(await newsOf(back.worker)).toHaveLength(1);
  });
});

describe('a summary', () => {
  it('arrives at 8:00 local time, once for all daily searches', async () => {
    app.clock.set('2026-11-24T10:00:00Z');
    const { worker } = await searcher({ alert: 'daily', q: 'barista' });
    await searcher({ alert: 'daily', q: 'waiter' }, worker);
    await worker.api.notificationSettings.update({
      quiet: { on: false, from: '22:00', to: '07:00', timeZone: 'America/New_York' },
    });
    const [barista] = [await openJob({ title: 'Barista' }), await openJob({ title: 'Waiter' })];
    const closed = await openJob({ title: 'Waiter too' });
    await app.runDue();
    await owner.api.jobs.close({ jobId: closed.id });
    app.clock.set('2026-11-24T12:55:00Z');
    await app.runDue();
    expect(await newsOf(worker)).toEqual([]);
    app.clock.set('2026-11-24T13:00:00Z');
    await app.runDue();
    expect(await newsOf(worker)).toEqual([['search-summary', '/favorite?part=searches', 2]]);
    await owner.api.jobs.pause({ jobId: barista.id });
    await owner.api.jobs.reopen({ jobId: barista.id });
    app.clock.set('2026-11-25T13:00:00Z');
    await app.runDue();
    expect(await newsOf(worker)).toHaveLength(1);
  });

  it('arrives on Monday for a weekly search', async () => {
    app.clock.set('2026-11-24T10:00:00Z');
    const { worker } = await searcher({ alert: 'weekly' });
    await worker.api.notificationSettings.update({
      quiet: { on: false, from: '22:00', to: '07:00', timeZone: 'Europe/Amsterdam' },
    });
    const job = await openJob({ startsAt: '2026-12-10T08:00:00Z', endsAt: '2026-12-10T16:00:00Z' });
    app.clock.set('2026-11-30T06:59:00Z');
    await app.runDue();
    expect(await newsOf(worker)).toEqual([]);
    app.clock.set('2026-11-30T07:00:00Z');
    await app.runDue();
    expect(await newsOf(worker)).toEqual([['search-summary', `/job-desc/${job.id}`, 1]]);
  });
});

describe('a followed business', () => {
  it('is announced once, even if a search matches, and never after unfollowing', async () => {
    const { worker } = await searcher();
    const follower = await app.person();
    for (const { api } of [worker, follower])
      await api.followedBusinesses.follow({ businessId: business.id });
    const job = await openJob();
    await nextBatch();
    const told = [['followed-business-opened', `/job-desc/${job.id}`, 1]];
    expect([await newsOf(worker), await newsOf(follower)]).toEqual([told, told]);
    await follower.api.followedBusinesses.unfollow({ businessId: business.id });
    await openJob();
    await nextBatch();
    expect(await newsOf(follower)).toHaveLength(1);
    expect((await newsOf(worker)).map(([topic]) => topic)).toEqual(Array(2).fill('followed-business-opened'));
  });
});

describe('the alert audience of a published job', () => {
  const publish = async (alerts: 'everyone' | 'colleagues' | 'nobody') => {
    const { id: jobId } = await openJob({ status: 'draft' });
    await owner.api.jobs.publish({ jobId, alerts });
    await nextBatch();
    return jobId;
  };

  it('is everyone whom the shift may suit, only people whom the business knows, or nobody', async () => {
    const { worker: stranger } = await searcher();
    const colleague = await app.person();
    await makeApplication(app.db, app.scopeOf(colleague), (await openJob()).id);
    await owner.api.pools.create({
      businessId: business.id,
      name: 'Regulars',
      workerIds: [colleague.accountId],
    });
    await nextBatch();
    const before = (await newsOf(stranger)).length;
    const topicsOf = async (person: Person, jobId: string) =>
      (await newsOf(person)).filter(([, path]) => path === `/job-desc/${jobId}`).map(([topic]) => topic);
    const forEveryone = await publish('everyone');
    expect(await topicsOf(stranger, forEveryone)).toEqual(['search-matched']);
    expect(await topicsOf(colleague, forEveryone)).toEqual(['known-business-opened']);
    const forColleagues = await publish('colleagues');
    expect(await topicsOf(colleague, forColleagues)).toEqual(['known-business-opened']);
    const forNobody = await publish('nobody');
    expect(await topicsOf(colleague, forNobody)).toEqual([]);
    // Pausing and reopening alerts no one.
    await owner.api.jobs.pause({ jobId: forNobody });
    await owner.api.jobs.reopen({ jobId: forNobody });
    await nextBatch();
    expect(await topicsOf(colleague, forNobody)).toEqual([]);
    expect(await newsOf(stranger)).toHaveLength(before + 1);
  });
});
