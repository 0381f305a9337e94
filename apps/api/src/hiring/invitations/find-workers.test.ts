import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import { homeCell } from '@nearhand/contract/hiring/home-distance.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { onSphere } from '@nearhand/contract/people/great-circle';
import type { ProfileInput } from '@nearhand/contract/people/profiles';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { contractOperations } from '../../../test/contract-operations.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { fillProfile } from '../../people/profiles/profiles.fixtures.ts';
import { hireFor } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
let jobId: string;
let branchId: string;

const near = { label: 'Tuinstraat 7, Amsterdam', lat: 52.3752, lng: 4.8815 };

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
  branchId = (await makeBranch(app.db, app.scopeOf(owner), business.id, { lat: near.lat, lng: near.lng })).id;
  jobId = (await makeJob(app.db, app.scopeOf(owner), business.id)).id;
});

async function makeWorker(name: string, profile: ProfileInput = {}): Promise<Person> {
  const worker = await app.person({ name });
  await fillProfile(app.db, app.scopeOf(worker), { home: near, ...profile });
  return worker;
}

const find = (filters: Partial<Parameters<Person['api']['invitations']['find']>[0]> = {}, by = owner) =>
  by.api.invitations.find({ businessId: business.id, branchId, ...filters });
const idsOf = (workers: Awaited<ReturnType<typeof find>>) => workers.map(({ workerId }) => workerId);

describe('invitations.find', () => {
  it('lists only workers who opted in and names those who allow it', async () => {
    const hidden = await makeWorker('Hidden Hana');
    const named = await makeWorker('Named Nora', { findable: 'named' });
    const unnamed = await makeWorker('Unnamed Uma', { findable: 'unnamed' });
    const workers = await find();
    expect(idsOf(workers)).not.toContain(hidden.accountId);
    const byId = new Map(workers.map((worker) => [worker.workerId, worker]));
    expect(byId.get(named.accountId)).toMatchObject({ name: 'Named Nora', outcome: null, timesWorked: 0 });
    expect(byId.get(unnamed.accountId)?.name).toBeNull();
    await named.api.profiles.save({ findable: 'off' });
    expect(idsOf(await find())).not.toContain(named.accountId);
  });

  it('filters by distance, skill, free days, rating and reliability, nearest first', async () => {
    const options = { findable: 'named' } as const;
    const cook = await makeWorker('Cook', {
      ...options,
      skills: [{ skill: 'cook', level: 'expert', years: 4 }],
      availability: [{ day: 'tue', part: 'morning' }],
    });
    const far = await makeWorker('Far', {
      ...options,
      home: { label: 'Utrecht', lat: 52.0907, lng: 5.1214 },
    });
    expect(idsOf(await find())).not.toContain(far.accountId);
    const wide = await find({ withinKm: 100 });
    expect(idsOf(wide)).toContain(far.accountId);
    const distances = wide.map(({ distanceM }) => distanceM);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(distances.every((metres) => metres % 500 === 0)).toBe(true);
    expect(idsOf(await find({ skill: 'cook' }))).toEqual([cook.accountId]);
    expect(idsOf(await find({ day: 'tue', part: 'morning' }))).toEqual([cook.accountId]);
    expect(await find({ day: 'tue', part: 'evening' })).toEqual([]);
    expect(await find({ ratingTenths: 45 })).toEqual([]);
    expect(await find({ reliabilityPercent: 95 })).toEqual([]);
    await sql`update profiles set review_stars = '{0,0,0,0,4}' where account_id = ${cook.accountId}`.execute(
      app.db,
    );
    expect(idsOf(await find({ ratingTenths: 45 }))).toEqual([cook.accountId]);
  });

  it('sorts by matching skills first, whatever the distance', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, { skills: ['carpenter', 'welder'] });
    const skilled = (name: string, skills: readonly SkillId[], lat: number) =>
      makeWorker(name, {
        findable: 'named',
        home: { ...near, lat },
        skills: skills.map((skill) => ({ skill, level: 'expert', years: 4 })),
      });
    const both = await skilled('Both', ['welder', 'carpenter'], near.lat + 0.06);
    const single = await skilled('Single', ['carpenter'], near.lat + 0.03);
    const neither = await skilled('Neither', ['painter'], near.lat);
    const ids = [both, single, neither].map(({ accountId }) => accountId);
    const ranked = async (filters = {}) => idsOf(await find(filters)).filter((id) => ids.includes(id));
    expect(await ranked()).toEqual(ids.toReversed());
    expect(await ranked({ jobId: job.id })).toEqual(ids);
  });

  it('lists who is usually free at that time first, and not who is being replaced', async () => {
    const startsAt = new Date('2026-12-07T09:00:00Z');
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, {
      startsAt: startsAt.toISOString(),
      endsAt: addMs(startsAt, 2 * hourMs).toISOString(),
    });
    const away = (lat: number, days: ProfileInput['availability']) =>
      makeWorker('Wil', { findable: 'named', home: { ...near, lat }, availability: days });
    const free = await away(near.lat + 0.06, [{ day: 'mon', part: 'morning' }]);
    const unknown = await away(near.lat + 0.03, []);
    const busy = await away(near.lat, [{ day: 'tue', part: 'morning' }]);
    const ids = [free, unknown, busy].map(({ accountId }) => accountId);
    const listed = async () => idsOf(await find({ jobId: job.id })).filter((id) => ids.includes(id));
    expect(await listed()).toEqual(ids);
    const sides = { worker: app.scopeOf(free), recruiter: app.scopeOf(owner) };
    const { id: engagementId } = await hireFor(app.db, sides, jobId);
    await sql`insert into replacements (engagement_id, business_id, job_id, hidden, public_at, public_after_minutes, created_at)
      values (${engagementId}, ${business.id}, ${job.id}, false, now(), 0, now())`.execute(app.db);
    expect(await listed()).toEqual(ids.slice(1));
  });

  it('finds who is free behind everyone nearer who is not', async () => {
    const home = { ...near, lat: 53.2194, lng: 6.5665 };
    const branch = { name: 'Groningen', lat: home.lat, lng: home.lng };
    const { id: branchId } = await makeBranch(app.db, app.scopeOf(owner), business.id, branch);
    const startsAt = new Date('2026-12-07T09:00:00Z');
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, {
      startsAt: startsAt.toISOString(),
      endsAt: addMs(startsAt, 2 * hourMs).toISOString(),
    });
    const away = (lat: number, days: ProfileInput['availability']) =>
      makeWorker('Wil', { findable: 'named', home: { ...home, lat }, availability: days });
    const { accountId: freeId } = await away(home.lat + 0.06, [{ day: 'mon', part: 'morning' }]);
    const { accountId: busyId } = await away(home.lat, [{ day: 'tue', part: 'morning' }]);
    await sql`with copy as (insert into accounts (id, name, email, email_verified)
        select gen_random_uuid(), name, n || email, true from accounts, generate_series(1, 150) n where id = ${busyId} returning id)
      insert into profiles (account_id, home_label, home_lat, home_lng, availability, findable, updated_at)
      select copy.id, home_label, home_lat, home_lng, availability, findable, updated_at from copy, profiles
      where account_id = ${busyId}`.execute(app.db);
    expect(idsOf(await find({ branchId, jobId: job.id }))[0]).toBe(freeId);
  });

  it('returns the same results for two homes in one square at every radius', async () => {
    // Its western edge is more than 2 km from the branch, its eastern edge less.
    const cell = homeCell({ lat: near.lat, lng: near.lng - 0.0236 });
    const workers = await Promise.all(
      [-0.0072, 0.0072].map((shift) =>
        makeWorker('Twin', {
          findable: 'named',
          home: { label: 'Amsterdam', lat: cell.lat, lng: cell.lng + shift },
        }),
      ),
    );
    const listed: number[] = [];
    for (let withinKm = 1; withinKm <= 5; withinKm += 1) {
      const rows = await find({ withinKm });
      const twins = rows.filter(({ workerId }) => workers.some(({ accountId }) => accountId === workerId));
      expect([0, 2], `${withinKm} km`).toContain(twins.length);
      expect(new Set(twins.map(({ distanceM }) => distanceM)).size).toBeLessThanOrEqual(1);
      listed.push(twins.length);
    }
    expect(new Set(listed)).toEqual(new Set([0, 2]));
    // The nearest rows come from the index, which doesn't distinguish them either.
    const { rows: places } = await sql<{
      metres: number;
    }>`select distinct (find_pos <-> ${`(${onSphere(cell).join(',')})`}::cube)::float8 as metres
      from profiles where account_id = any(${workers.map(({ accountId }) => accountId)}::uuid[])`.execute(
      app.db,
    );
    expect(places.length).toBe(1);
    expect(places[0]?.metres).toBeLessThan(0.01);
  });

  it('hides bookings with other businesses until the worker applies', async () => {
    const other = await app.person();
    const rival = await makeBusiness(app.db, app.scopeOf(other));
    const worker = await makeWorker('Busy', { findable: 'named' });
    const theirs = await makeJob(app.db, app.scopeOf(other), rival.id);
    await hireFor(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(other) }, theirs.id);
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const outcome = async () =>
      (await find({ jobId: job.id })).find(({ workerId }) => workerId === worker.accountId)?.outcome;
    expect(await outcome()).toBe('ready');
    const earlier = await makeJob(app.db, app.scopeOf(owner), business.id, {
      startsAt: addMs(app.clock.now(), 20 * dayMs).toISOString(),
      endsAt: addMs(app.clock.now(), 20 * dayMs + 8 * hourMs).toISOString(),
    });
    await makeApplication(app.db, app.scopeOf(worker), earlier.id);
    expect(await outcome()).toBe('booked');
  });

  it('omits members and blocked, suspended and leaving workers', async () => {
    const blocked = await makeWorker('Blocker', { findable: 'named' });
    await makeApplication(app.db, app.scopeOf(blocked), jobId);
    const { id: conversationId } = await blocked.api.conversations.open({ jobId });
    expect(idsOf(await find())).toContain(blocked.accountId);
    await blocked.api.conversations.block({ conversationId, blocked: true });
    const colleague = await makeWorker('Colleague', { findable: 'named' });
    await makeMember(app.db, app.clock, business.id, colleague.accountId, 'finance');
    const homeless = await makeWorker('No home', { findable: 'named', home: null });
    const ids = idsOf(await find());
    for (const person of [blocked, colleague, homeless]) expect(ids).not.toContain(person.accountId);
  });

  it('allows only recruiters of the business, at their branches', async () => {
    const finance = await app.person();
    const limited = await app.person();
    const stranger = await app.person();
    await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
    await makeMember(app.db, app.clock, business.id, limited.accountId, 'recruiter');
    await sql`update business_members set branch_ids = ${`{${branchId}}`} where account_id = ${limited.accountId}`.execute(
      app.db,
    );
    const refused = (by: Person, more = {}) => failure(find(more, by));
    expect(await refused(finance)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await refused(stranger)).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await refused(limited, { branchId: undefined })).toMatchObject({ code: 'business/not-allowed' });
    expect(Array.isArray(await find({}, limited))).toBe(true);
    expect(await refused(owner, { branchId: crypto.randomUUID() })).toMatchObject({
      code: 'branch/not-found',
    });
    expect(await refused(owner, { jobId: crypto.randomUUID() })).toMatchObject({ code: 'job/not-found' });
    for (const bad of [{ skill: 'juggling' }, { withinKm: 0 }, { ratingTenths: 51 }, { day: 'someday' }])
      expect(await refused(owner, bad)).toMatchObject({ status: 400, code: 'request/invalid' });
    const elsewhere = await makeBusiness(app.db, app.scopeOf(stranger));
    const foreignJob = await makeJob(app.db, app.scopeOf(stranger), elsewhere.id);
    expect(await refused(owner, { jobId: foreignJob.id })).toMatchObject({ status: 403 });
  });
});

describe('invitations.sendAll', () => {
  it('invites each worker once and returns a reason for everyone skipped', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const named = await makeWorker('Willa', { findable: 'named' });
    const hidden = await makeWorker('Hidden');
    const applied = await makeWorker('Applied', { findable: 'named' });
    await makeApplication(app.db, app.scopeOf(applied), job.id);
    const workerIds = [named.accountId, named.accountId, hidden.accountId, applied.accountId];
    const send = () => owner.api.invitations.sendAll({ jobId: job.id, workerIds, message: 'Join us' });
    expect((await send()).results).toEqual([
      { workerId: named.accountId, sent: true, outcome: 'ready' },
      { workerId: hidden.accountId, sent: false, outcome: 'gone' },
      { workerId: applied.accountId, sent: false, outcome: 'applied' },
    ]);
    expect((await send()).results[0]).toMatchObject({ sent: false, outcome: 'invited' });
    expect(
      (await find({ jobId: job.id })).find(({ workerId }) => workerId === named.accountId)?.outcome,
    ).toBe('invited');
    expect((await named.api.invitations.mine({})).items).toMatchObject([
      { message: 'Join us', status: 'sent' },
    ]);
    expect((await named.api.notifications.list({})).items).toHaveLength(1);
  });

  it('allows only recruiters of an open job', async () => {
    const worker = await makeWorker('Wen', { findable: 'named' });
    const send = (by: Person, to = jobId) =>
      failure(by.api.invitations.sendAll({ jobId: to, workerIds: [worker.accountId] }));
    expect(await send(worker)).toMatchObject({ status: 403, code: 'job/not-allowed' });
    const closed = await makeJob(app.db, app.scopeOf(owner), business.id);
    await owner.api.jobs.close({ jobId: closed.id });
    expect(await send(owner, closed.id)).toMatchObject({ status: 409, code: 'job/not-open' });
  });
});

describe('an unnamed worker', () => {
  const secret = { name: 'Quintessa Vanterpool', phone: '+31612349876', home: 'Geheimstraat 99' };
  async function invite() {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const worker = await makeWorker(secret.name, {
      findable: 'unnamed',
      phone: secret.phone,
      bio: `I am ${secret.name}`,
      home: { ...near, label: `${secret.home}, Amsterdam` },
    });
    const { results } = await owner.api.invitations.sendAll({ jobId: job.id, workerIds: [worker.accountId] });
    expect(results).toMatchObject([{ sent: true }]);
    return { job, worker };
  }

  /** Calls every read of the contract with the ids that a recruiter has. */
  async function readEverything(ids: Record<string, string>): Promise<string[]> {
    const reads = contractOperations.filter(
      ({ method, meta }) => method === 'GET' && meta.access !== 'operator',
    );
    const bodies: string[] = [];
    for (const { path } of reads) {
      const url = path.replace(/\{(\w+)\}/g, (_, key: string) => ids[key] ?? crypto.randomUUID());
      const query = new URLSearchParams(ids);
      for (const tail of ['', `?${query}`]) {
        const { statusCode, body } = await app.raw({
          method: 'GET',
          url: `/api${url}${tail}`,
          headers: { authorization: `Bearer ${owner.token}` },
        });
        if (statusCode < 300) bodies.push(`${path} ${body}`);
      }
    }
    return bodies;
  }

  it('hides their identity from the business before and after an invitation and a decline', async () => {
    const { job, worker } = await invite();
    const ids = { businessId: business.id, jobId: job.id, workerId: worker.accountId };
    const leaks = async () => {
      const bodies = await readEverything(ids);
      expect(bodies.length).toBeGreaterThan(30);
      return bodies.filter((body) => Object.values(secret).some((text) => body.includes(text)));
    };
    expect(await leaks()).toEqual([]);
    expect(await failure(owner.api.conversations.open(ids))).toMatchObject({
      code: 'chat/not-connected',
    });
    const [invitation] = (await worker.api.invitations.mine({})).items;
    await worker.api.invitations.decline({ invitationId: invitation?.id ?? '' });
    await app.runDue();
    expect(await leaks()).toEqual([]);
    expect(
      (await find({ jobId: job.id })).find(({ workerId }) => workerId === worker.accountId)?.outcome,
    ).toBe('declined');
  });

  it('is named once they apply', async () => {
    const { job, worker } = await invite();
    await makeApplication(app.db, app.scopeOf(worker), job.id);
    const applicant = (await find()).find(({ workerId }) => workerId === worker.accountId);
    expect(applicant?.name).toBe(secret.name);
  });
});
