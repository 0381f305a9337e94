import { dayMs, hourMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { fillProfile } from '../../people/profiles/profiles.fixtures.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { hireFor, makeEngagement, workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000', WRITES_PER_MINUTE: '100000' });
let owner: Person;
let recruiter: Person;
let finance: Person;
let rival: Person;
let business: Business;
let jobId: string;
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;
beforeAll(async () => {
  [owner, recruiter] = [
    await app.person({ name: 'Ingrid Solheim' }),
    await app.person({ name: 'Omar Idrissi' }),
  ];
  [finance, rival] = [await app.person(), await app.person()];
  business = await makeBusiness(app.db, app.scopeOf(owner));
  await makeBusiness(app.db, app.scopeOf(rival));
  await makeMember(app.db, app.clock, business.id, recruiter.accountId, 'recruiter');
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
  jobId = (await makeJob(app.db, app.scopeOf(owner), business.id, { headCount: 100 })).id;
});
let nth = 0;
const poolName = () => {
  nth += 1;
  return `Pool ${nth}`;
};
async function knownWorker(name = 'Leila Haddad') {
  const worker = await app.person({ name });
  const application = await makeApplication(app.db, app.scopeOf(worker), jobId);
  return { worker, workerId: worker.accountId, applicationId: application.id };
}
const newPool = (workerIds: string[] = []) =>
  owner.api.pools.create({ businessId: business.id, name: poolName(), workerIds });
const workersOf = async (poolId: string) =>
  (await owner.api.pools.workers({ businessId: business.id, poolId })).items.map(({ worker }) => worker.name);

describe('pools.create', () => {
  it('creates a pool with its first workers, once per name', async () => {
    const a = await knownWorker('Ada');
    const b = await knownWorker('Ben');
    const pool = await recruiter.api.pools.create({
      businessId: business.id,
      name: 'Baristas I trust',
      workerIds: [a.workerId, b.workerId],
    });
    expect(pool).toMatchObject({ name: 'Baristas I trust', workers: 2 });
    expect(
      await failure(owner.api.pools.create({ businessId: business.id, name: 'BARISTAS I trust' })),
    ).toMatchObject({ status: 409, code: 'pool/name-taken' });
    expect(await codeOf(owner.api.pools.create({ businessId: business.id, name: ' ' }))).toBe(
      'request/invalid',
    );
  });

  it('requires a recruiter and workers with a history at the business', async () => {
    const stranger = await app.person();
    const at = { businessId: business.id, name: poolName() };
    expect(await codeOf(finance.api.pools.create(at))).toBe('business/not-allowed');
    expect(await codeOf(rival.api.pools.create(at))).toBe('business/not-found');
    expect(await failure(owner.api.pools.create({ ...at, workerIds: [stranger.accountId] }))).toMatchObject({
      status: 404,
      code: 'profile/not-found',
    });
    const { pools } = await owner.api.pools.list({ businessId: business.id });
    expect(pools.some(({ name }) => name === at.name)).toBe(false);
  });

  it('stops at the limit and returns it', async () => {
    const person = await app.person();
    const small = await makeBusiness(app.db, app.scopeOf(person));
    await sql`insert into pools (id, business_id, name, created_by, created_at)
      select gen_random_uuid(), ${small.id}, 'n' || n, ${person.accountId}, now() from generate_series(1, ${hiringLimits.poolsMax}::int) n`.execute(
      app.db,
    );
    expect(await failure(person.api.pools.create({ businessId: small.id, name: 'One more' }))).toMatchObject({
      code: 'pool/too-many',
      data: { limit: hiringLimits.poolsMax },
    });
  });
});

describe('pools.list', () => {
  it('lists pools by name with their size, and the tags in use', async () => {
    const { workerId } = await knownWorker();
    const pool = await newPool([workerId]);
    await owner.api.pools.create({ businessId: business.id, name: 'aardvarks', workerIds: [] });
    await owner.api.pools.setTags({ businessId: business.id, workerId, tags: ['Latte art'] });
    const list = await recruiter.api.pools.list({ businessId: business.id });
    expect(list.pools.find(({ id }) => id === pool.id)).toEqual({ ...pool, workers: 1 });
    const names = list.pools.map(({ name }) => name.toLowerCase());
    expect(names.indexOf('aardvarks')).toBeLessThan(names.indexOf(pool.name.toLowerCase()));
    expect(names).toEqual([...names].sort());
    expect(list.tags).toContainEqual({ tag: 'Latte art', count: 1 });
    expect(await codeOf(finance.api.pools.list({ businessId: business.id }))).toBe('business/not-allowed');
    expect(await codeOf(rival.api.pools.list({ businessId: business.id }))).toBe('business/not-found');
  });
});

describe('pools.rename', () => {
  it("renames, also to another spelling of its own name, but not to another pool's name", async () => {
    const firstPool = await newPool();
    const secondPool = await newPool();
    expect(
      (await owner.api.pools.rename({ poolId: firstPool.id, name: firstPool.name.toUpperCase() })).name,
    ).toBe(firstPool.name.toUpperCase());
    expect(await codeOf(owner.api.pools.rename({ poolId: firstPool.id, name: secondPool.name }))).toBe(
      'pool/name-taken',
    );
    expect(await failure(rival.api.pools.rename({ poolId: firstPool.id, name: 'x' }))).toMatchObject({
      status: 404,
      code: 'pool/not-found',
    });
    expect(await failure(finance.api.pools.rename({ poolId: firstPool.id, name: 'x' }))).toMatchObject({
      status: 403,
      code: 'pool/not-allowed',
    });
  });
});

describe('pools.delete', () => {
  it('deletes the pool; its workers stay in other pools only', async () => {
    const { workerId } = await knownWorker();
    const firstPool = await newPool([workerId]);
    const secondPool = await newPool([workerId]);
    const saved = async () =>
      (await owner.api.pools.ofWorker({ businessId: business.id, workerId })).pools.map(({ id }) => id);
    expect(await saved()).toEqual([firstPool.id, secondPool.id]);
    expect(await codeOf(rival.api.pools.delete({ poolId: firstPool.id }))).toBe('pool/not-found');
    await owner.api.pools.delete({ poolId: firstPool.id });
    expect(await saved()).toEqual([secondPool.id]);
    await owner.api.pools.delete({ poolId: secondPool.id });
    expect(await saved()).toEqual([]);
    const { rows } = await app.pool.query('select from saved_workers where worker_id = $1', [workerId]);
    expect(rows).toEqual([]);
    expect(await codeOf(owner.api.pools.delete({ poolId: secondPool.id }))).toBe('pool/not-found');
  });
});

describe('pools.add', () => {
  it('adds each worker once, all or none', async () => {
    const pool = await newPool();
    const a = await knownWorker('Ada');
    const b = await knownWorker('Ben');
    const stranger = await app.person();
    expect(await owner.api.pools.add({ poolId: pool.id, workerIds: [a.workerId] })).toMatchObject({
      workers: 1,
    });
    expect(
      await owner.api.pools.add({ poolId: pool.id, workerIds: [a.workerId, b.workerId, b.workerId] }),
    ).toMatchObject({ workers: 2 });
    expect(
      await codeOf(owner.api.pools.add({ poolId: pool.id, workerIds: [a.workerId, stranger.accountId] })),
    ).toBe('profile/not-found');
    expect(await codeOf(owner.api.pools.add({ poolId: pool.id, workerIds: [owner.accountId] }))).toBe(
      'profile/not-found',
    );
    expect(await codeOf(rival.api.pools.add({ poolId: pool.id, workerIds: [a.workerId] }))).toBe(
      'pool/not-found',
    );
    expect((await workersOf(pool.id)).toSorted()).toEqual(['Ada', 'Ben']);
  });

  it('rejects everyone when the pool is full', async () => {
    const pool = await newPool();
    const { rows } = await sql<{ id: string }>`
      insert into accounts (id, name, email, email_verified)
      select gen_random_uuid(), 'Many ' || n, 'many' || n || '@pools.example', true from generate_series(1, ${hiringLimits.poolWorkersMax}::int) n
      returning id`.execute(app.db);
    const ids = rows.map(({ id }) => id);
    await sql`insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
      select gen_random_uuid(), ${jobId}, ${business.id}, id, 'viewed', now(), now(), now() from unnest(${ids}::uuid[]) id`.execute(
      app.db,
    );
    await owner.api.pools.add({ poolId: pool.id, workerIds: ids.slice(0, 100) });
    expect(await owner.api.pools.add({ poolId: pool.id, workerIds: ids.slice(100) })).toMatchObject({
      workers: hiringLimits.poolWorkersMax,
    });
    const { workerId } = await knownWorker();
    expect(await failure(owner.api.pools.add({ poolId: pool.id, workerIds: [workerId] }))).toMatchObject({
      code: 'pool/full',
      data: { limit: hiringLimits.poolWorkersMax },
    });
    expect((await owner.api.pools.ofWorker({ businessId: business.id, workerId })).pools).toEqual([]);
  });
});

describe('pools.remove', () => {
  it('removes a worker, and restores tags and notes when they are added again', async () => {
    const { workerId } = await knownWorker();
    const pool = await newPool([workerId]);
    const of = { businessId: business.id, workerId };
    await owner.api.pools.setTags({ ...of, tags: ['Early bird'] });
    await owner.api.pools.addNote({ ...of, text: 'Has her own keys' });
    for (const _time of [1, 2])
      expect(await owner.api.pools.remove({ poolId: pool.id, workerId })).toMatchObject({ workers: 0 });
    expect(await workersOf(pool.id)).toEqual([]);
    await owner.api.pools.add({ poolId: pool.id, workerIds: [workerId] });
    expect(await owner.api.pools.ofWorker(of)).toMatchObject({ tags: ['Early bird'], notes: 1 });
    expect(await codeOf(rival.api.pools.remove({ poolId: pool.id, workerId }))).toBe('pool/not-found');
  });
});

describe('pools.workers', () => {
  it('pages through saved workers, last saved first, by name and tag', async () => {
    const pool = await newPool();
    for (const name of ['Zoë Visser', 'Zoltan Nagy', 'Mia Berg']) {
      const { workerId } = await knownWorker(name);
      await owner.api.pools.add({ poolId: pool.id, workerIds: [workerId] });
      if (name !== 'Mia Berg')
        await owner.api.pools.setTags({ businessId: business.id, workerId, tags: ['Z'] });
      app.clock.forward({ seconds: 1 });
    }
    const at = { businessId: business.id, poolId: pool.id };
    const first = await owner.api.pools.workers({ ...at, limit: 2 });
    expect(first.items.map(({ worker }) => worker.name)).toEqual(['Mia Berg', 'Zoltan Nagy']);
    const second = await owner.api.pools.workers({ ...at, limit: 2, cursor: first.nextCursor ?? '' });
    expect([second.items.map(({ worker }) => worker.name), second.nextCursor]).toEqual([
      ['Zoë Visser'],
      null,
    ]);
    const names = async (filter: { q?: string; tag?: string }) =>
      (await owner.api.pools.workers({ ...at, ...filter })).items.map(({ worker }) => worker.name);
    expect(await names({ q: 'zoe' })).toEqual(['Zoë Visser']);
    expect(await names({ tag: 'z' })).toEqual(['Zoltan Nagy', 'Zoë Visser']);
    expect(await names({ q: '%' })).toEqual([]);
    expect(await codeOf(owner.api.pools.workers({ ...at, cursor: 'nonsense' }))).toBe('request/bad-cursor');
    const foreign = await makeBusiness(app.db, app.scopeOf(owner));
    expect(await codeOf(owner.api.pools.workers({ ...at, businessId: foreign.id }))).toBe('pool/not-found');
    expect(await codeOf(rival.api.pools.workers({ businessId: business.id }))).toBe('business/not-found');
  });

  it('shows how often and when they last worked here, and their reliability', async () => {
    const worker = await app.person({ name: 'Leila Haddad' });
    const both = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const work = await makeEngagement(app.db, both, business.id);
    const at = (side: 'worker' | 'recruiter', moment: Date) => ({
      ...both[side],
      clock: { now: () => moment },
    });
    await workThrough(app.db, at, work, 'completed');
    const pool = await newPool([worker.accountId]);
    expect((await owner.api.pools.workers({ businessId: business.id, poolId: pool.id })).items).toMatchObject(
      [{ timesWorked: 1, lastWorkedAt: work.terms.endsAt, reliability: { kept: 1 } }],
    );
  });

  it('shows an approximate distance from the business, and none without a home', async () => {
    const near = await knownWorker('Near');
    const unknown = await knownWorker('Unknown');
    await fillProfile(app.db, app.scopeOf(near.worker));
    const pool = await newPool([near.workerId, unknown.workerId]);
    const { items } = await owner.api.pools.workers({ businessId: business.id, poolId: pool.id });
    const distances = new Map(items.map((item) => [item.workerId, item.distanceM]));
    expect(distances.get(unknown.workerId)).toBeNull();
    const metres = distances.get(near.workerId) ?? Number.NaN;
    expect(metres % 500).toBe(0);
    expect(metres).toBeLessThan(5_000);
  });

  it('omits workers who blocked the business, withdrew everything or are disabled', async () => {
    const blocker = await knownWorker();
    const leaver = await knownWorker();
    const disabled = await knownWorker();
    const stays = await knownWorker('Sam');
    const all = [blocker, leaver, disabled, stays];
    const pool = await newPool(all.map(({ workerId }) => workerId));
    const { id } = await makeConversation(app.db, app.scopeOf(blocker.worker), jobId);
    await blocker.worker.api.conversations.block({ conversationId: id, blocked: true });
    await leaver.worker.api.applications.withdraw({ applicationId: leaver.applicationId });
    await app.db
      .updateTable('accounts')
      .set({ disabledAt: app.clock.now() })
      .where('id', '=', disabled.workerId)
      .execute();
    expect(await workersOf(pool.id)).toEqual(['Sam']);
    const { pools } = await owner.api.pools.list({ businessId: business.id });
    expect(pools.find((listed) => listed.id === pool.id)?.workers).toBe(1);
    for (const { workerId } of [blocker, leaver, disabled])
      expect(await codeOf(owner.api.pools.ofWorker({ businessId: business.id, workerId }))).toBe(
        'profile/not-found',
      );
  });
});

describe('pools.ofWorker', () => {
  it('returns the state of a worker, saved or not', async () => {
    const { workerId, worker } = await knownWorker();
    const of = { businessId: business.id, workerId };
    expect(await recruiter.api.pools.ofWorker(of)).toEqual({ workerId, pools: [], tags: [], notes: 0 });
    for (const person of [finance, rival, worker])
      expect((await failure(person.api.pools.ofWorker(of))).code).toMatch(/^business\//);
  });
});

describe('pools.setTags', () => {
  it('replaces the tags, ignoring case', async () => {
    const { workerId } = await knownWorker();
    const of = { businessId: business.id, workerId };
    expect((await owner.api.pools.setTags({ ...of, tags: ['Bar', 'bar', 'Floor'] })).tags).toEqual([
      'Bar',
      'Floor',
    ]);
    expect((await recruiter.api.pools.setTags({ ...of, tags: ['Floor'] })).tags).toEqual(['Floor']);
    expect(await codeOf(rival.api.pools.setTags({ ...of, tags: [] }))).toBe('business/not-found');
  });
});

describe('pools.addNote', () => {
  it('adds a note with its author, visible to the team only', async () => {
    const { workerId, worker } = await knownWorker();
    const of = { businessId: business.id, workerId };
    expect(await recruiter.api.pools.addNote({ ...of, text: 'Great with guests' })).toMatchObject({
      author: { name: 'Omar Idrissi' },
      own: true,
    });
    expect(await codeOf(worker.api.pools.addNote({ ...of, text: 'x' }))).toBe('business/not-found');
    expect(await codeOf(owner.api.pools.addNote({ ...of, text: '' }))).toBe('request/invalid');
  });
});

describe('pools.notes', () => {
  it('pages notes newest first', async () => {
    const { workerId } = await knownWorker();
    const of = { businessId: business.id, workerId };
    for (const text of ['first', 'second']) {
      await recruiter.api.pools.addNote({ ...of, text });
      app.clock.forward({ seconds: 1 });
    }
    const page = await owner.api.pools.notes({ ...of, limit: 1 });
    expect(page.items).toMatchObject([{ text: 'second', own: false, author: { name: 'Omar Idrissi' } }]);
    expect((await owner.api.pools.notes({ ...of, cursor: page.nextCursor ?? '' })).items).toMatchObject([
      { text: 'first' },
    ]);
    expect(await codeOf(finance.api.pools.notes(of))).toBe('business/not-allowed');
  });
});

describe('pools.deleteNote', () => {
  it("deletes only the caller's own note", async () => {
    const { workerId } = await knownWorker();
    const of = { businessId: business.id, workerId };
    const note = await recruiter.api.pools.addNote({ ...of, text: 'Mine' });
    for (const person of [owner, rival])
      expect(await codeOf(person.api.pools.deleteNote({ noteId: note.id }))).toBe('note/not-found');
    expect(await recruiter.api.pools.deleteNote({ noteId: note.id })).toEqual({ deleted: true });
    expect((await owner.api.pools.notes(of)).items).toEqual([]);
  });
});

async function invitees() {
  const day = app.clock.now().getTime() + 20 * dayMs;
  const times = { startsAt: new Date(day).toISOString(), endsAt: new Date(day + 4 * hourMs).toISOString() };
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { ...times, headCount: 5 });
  const all = {
    ready: await knownWorker('Ready'),
    applied: await knownWorker('Applied'),
    invited: await knownWorker('Invited'),
    declined: await knownWorker('Declined'),
    blocked: await knownWorker('Blocked'),
    booked: await knownWorker('Booked'),
    limit: await knownWorker('Limit'),
  };
  await makeApplication(app.db, app.scopeOf(all.applied.worker), job.id);
  await owner.api.invitations.send({ jobId: job.id, workerId: all.invited.workerId });
  const { id: invitationId } = await owner.api.invitations.send({
    jobId: job.id,
    workerId: all.declined.workerId,
  });
  await all.declined.worker.api.invitations.decline({ invitationId });
  const { id: conversationId } = await makeConversation(app.db, app.scopeOf(all.blocked.worker), jobId);
  await owner.api.conversations.block({ conversationId, blocked: true });
  const busy = await makeJob(app.db, app.scopeOf(owner), business.id, times);
  await hireFor(app.db, { worker: app.scopeOf(all.booked.worker), recruiter: app.scopeOf(owner) }, busy.id);
  for (let count = 0; count < hiringLimits.invitationsPerWorkerDay; count += 1) {
    const otherJob = await makeJob(app.db, app.scopeOf(owner), business.id);
    await owner.api.invitations.send({ jobId: otherJob.id, workerId: all.limit.workerId });
  }
  const pool = await newPool(Object.values(all).map(({ workerId }) => workerId));
  return { job, pool, all, poolAndJob: { poolId: pool.id, jobId: job.id } };
}

describe('pools.invitees', () => {
  it('returns whom it would invite and why it skips the others', async () => {
    const { all, poolAndJob } = await invitees();
    const rows = await recruiter.api.pools.invitees(poolAndJob);
    expect(
      Object.fromEntries(rows.map(({ worker, outcome }) => [worker.name.toLowerCase(), outcome])),
    ).toEqual(Object.fromEntries(Object.keys(all).map((outcome) => [outcome, outcome])));
    expect(rows.find(({ outcome }) => outcome === 'booked')?.free).toBe(false);
    expect(rows.find(({ outcome }) => outcome === 'ready')?.free).toBe(true);
    const foreign = await makeBusiness(app.db, app.scopeOf(owner));
    const theirs = await makeJob(app.db, app.scopeOf(owner), foreign.id);
    expect(await codeOf(owner.api.pools.invitees({ ...poolAndJob, jobId: theirs.id }))).toBe('job/not-found');
    expect(await codeOf(rival.api.pools.invitees(poolAndJob))).toBe('pool/not-found');
    expect(await codeOf(finance.api.pools.invitees(poolAndJob))).toBe('pool/not-allowed');
    await owner.api.jobs.pause({ jobId: poolAndJob.jobId });
    expect(await codeOf(owner.api.pools.invitees(poolAndJob))).toBe('job/not-open');
  });
});

describe('pools.invite', () => {
  it('invites everyone it can, once, with a result for each', async () => {
    const { all, poolAndJob } = await invitees();
    const outside = await knownWorker('Outside');
    const workerIds = [...Object.values(all), outside].map(({ workerId }) => workerId);
    const { results } = await owner.api.pools.invite({
      ...poolAndJob,
      workerIds,
      message: 'We are short on Sunday',
    });
    expect(results.filter(({ sent }) => sent).map(({ workerId }) => workerId)).toEqual([all.ready.workerId]);
    expect(results.find(({ workerId }) => workerId === outside.workerId)?.outcome).toBe('gone');
    expect(results).toHaveLength(workerIds.length);
    const again = await owner.api.pools.invite({ ...poolAndJob, workerIds });
    expect(again.results.some(({ sent }) => sent)).toBe(false);
    expect(again.results.find(({ workerId }) => workerId === all.ready.workerId)?.outcome).toBe('invited');
    const { items } = await all.ready.worker.api.notifications.list({ limit: 100 });
    expect(items.filter(({ topic }) => topic === 'application-invited')).toHaveLength(1);
    expect((await all.ready.worker.api.invitations.mine({})).items).toMatchObject([
      { status: 'sent', message: 'We are short on Sunday' },
    ]);
    expect(await codeOf(rival.api.pools.invite({ ...poolAndJob, workerIds }))).toBe('pool/not-found');
  });

  it('sends once when two recruiters send concurrently', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const people = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => knownWorker(name)));
    const workerIds = people.map(({ workerId }) => workerId);
    const pool = await newPool(workerIds);
    const poolAndJob = { poolId: pool.id, jobId: job.id };
    const both = await Promise.all([
      owner.api.pools.invite({ ...poolAndJob, workerIds }),
      recruiter.api.pools.invite({ ...poolAndJob, workerIds: workerIds.toReversed() }),
    ]);
    expect(both.flatMap(({ results }) => results).filter(({ sent }) => sent)).toHaveLength(3);
    const { rows } = await app.pool.query('select from job_invitations where job_id = $1', [job.id]);
    expect(rows).toHaveLength(3);
  });
});

describe('invitations.send', () => {
  it('rejects a worker blocked by either side, and too many in a day', async () => {
    const { all } = await invitees();
    const otherJob = await makeJob(app.db, app.scopeOf(owner), business.id);
    const send = (workerId: string) => owner.api.invitations.send({ jobId: otherJob.id, workerId });
    expect(await codeOf(send(all.blocked.workerId))).toBe('worker/unreachable');
    expect(await failure(send(all.limit.workerId))).toMatchObject({
      code: 'invitation/limit',
      data: { limit: hiringLimits.invitationsPerWorkerDay },
    });
  });
});
