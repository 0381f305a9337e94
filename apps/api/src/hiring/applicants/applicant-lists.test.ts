import { sumOf } from '@nearhand/contract/arithmetic';
import { applicantSorts, type Stage } from '@nearhand/contract/hiring/applicants';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
let finance: Person;
let stranger: Person;
let business: Business;
let job: Job;
const people: { person: Person; id: string; score: number }[] = [];

beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  finance = await app.person();
  stranger = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner));
  job = await makeJob(app.db, app.scopeOf(owner), business.id, {
    kind: 'task',
    skills: ['barista'],
    headCount: 3,
  });
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
  for (let n = 0; n < 12; n += 1) {
    const person = await app.person({ name: `Zoë Ńowak ${'ABCDEFGHIJKL'[n]}` });
    const skill = n < 3 ? 'barista' : 'nurse';
    await person.api.profiles.save({
      home: { label: 'Somewhere', lat: job.place.lat + n * 0.02, lng: job.place.lng },
      skills: [{ skill, level: 'expert', years: 3 }],
    });
    const { id } = await makeApplication(app.db, app.scopeOf(person), job.id);
    const { matchScore } = await owner.api.applicants.get({ applicationId: id });
    people.push({ person, id, score: matchScore });
    if (n % 3 === 0) app.clock.forward({ seconds: 1 });
  }
});
const at = (n: number) => people[n] as (typeof people)[0];
type Changes = Omit<Parameters<Person['api']['applicants']['ofJob']>[0], 'jobId'>;
const list = async (options: Changes = {}) =>
  (await owner.api.applicants.ofJob({ jobId: job.id, ...options })).items;
async function pages(options: Changes) {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await owner.api.applicants.ofJob({ jobId: job.id, ...options, cursor });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}

describe('sorting applicants', () => {
  it('lists the best match first, with the reasons for its score', async () => {
    const items = await list();
    const scores = items.map(({ matchScore }) => matchScore);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(
      items
        .slice(0, 3)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([at(0).id, at(1).id, at(2).id].sort());
    for (const { matchScore, match } of items) expect(sumOf(match, ({ points }) => points)).toBe(matchScore);
    expect(items[0]?.match.map(({ kind }) => kind)).toEqual([
      'skills',
      'distance',
      'availability',
      'reliability',
      'history',
      'rating',
    ]);
  });

  it('pages without gaps or repeats in any order, in one lane or over all', async () => {
    const all = people.map(({ id }) => id).sort();
    for (const sort of applicantSorts)
      for (const more of [{}, { group: 'live' as const }, { stage: 'new' as const }]) {
        const page = await pages({ sort, limit: 5, ...more });
        expect([...page].sort()).toEqual(all);
      }
    const newest = await list({ sort: 'newest' });
    const times = newest.map(({ submittedAt }) => submittedAt);
    expect(times).toEqual([...times].sort().reverse());
    const due = (await list({ sort: 'deadline' })).map(({ decideBy }) => decideBy);
    expect(due).toEqual([...due].sort());
  });

  it('rejects a cursor of the other order and forged cursors', async () => {
    const { nextCursor } = await owner.api.applicants.ofJob({ jobId: job.id, limit: 2 });
    const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const [sort, cursor] of [
      ['newest', nextCursor],
      ['match', cursorOf([1e9, crypto.randomUUID()])],
      ['match', cursorOf([50, 'x'])],
      ['match', cursorOf([1.5, crypto.randomUUID()])],
      ['match', '😀'],
    ] as const)
      expect(
        await failure(owner.api.applicants.ofJob({ jobId: job.id, sort, cursor: cursor ?? '' })),
      ).toMatchObject({ status: 400, code: 'request/bad-cursor' });
  });
});

describe('filtering applicants', () => {
  it('finds by words of the name ignoring accents, by skill, distance and tag', async () => {
    expect((await list({ q: 'nowak c' })).map(({ id }) => id)).toEqual([at(2).id]);
    expect(await list({ q: 'ZOE' })).toHaveLength(12);
    for (const q of ['100% _ \\ 👩🏽‍🍳', '%', '_', '\\', 'nowak\\', 'n%k', '％', '＿', '＼', 'n％k'])
      expect(await list({ q })).toEqual([]);
    expect((await list({ skill: 'barista' })).map(({ id }) => id).sort()).toEqual(
      [at(0).id, at(1).id, at(2).id].sort(),
    );
    const near = await list({ withinM: 7_000 });
    expect(near.every(({ distanceM }) => (distanceM ?? 1e9) <= 7_000)).toBe(true);
    expect(near.length).toBeGreaterThan(1);
    expect(near.length).toBeLessThan(12);
    await owner.api.pipeline.setTags({ applicationId: at(4).id, tags: ['Trial day'] });
    expect(await list({ tag: 'trial DAY' })).toMatchObject([{ id: at(4).id, tags: ['Trial day'] }]);
    expect(await list({ tag: 'ليلى' })).toEqual([]);
    expect(await list({ rehire: 'true' })).toEqual([]);
    expect(await list({ rehire: 'false' })).toHaveLength(12);
  });

  it('rejects invalid filters', async () => {
    for (const options of [
      { stage: 'best' },
      { sort: 'name' },
      { skill: 'flying' },
      { withinM: -5 },
      { withinM: 1e12 },
      { q: 'x'.repeat(101) },
      { q: 'a\u0000b' },
      { tag: 'x'.repeat(31) },
      { rehire: 'maybe' },
      { limit: 101 },
    ])
      expect(await failure(owner.api.applicants.ofJob({ jobId: job.id, ...options } as never))).toMatchObject(
        {
          status: 400,
          code: 'request/invalid',
        },
      );
  });

  it('searches names through the index under any search path, as while a dump loads', async () => {
    const client = await app.pool.connect();
    try {
      await client.query(`set enable_seqscan = off; set search_path = ''`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select from public.accounts where public.folded_name(name) like '%' || public.folded_name('NÓWAK') || '%'`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join(' ');
      expect(plan).toMatch(/accounts_name.*%nowak%/);
    } finally {
      client.release(true);
    }
  });

  it('shows only the name of a withdrawn applicant', async () => {
    const leila = await app.person({ name: 'Leila Haddad' });
    await leila.api.profiles.save({ skills: [{ skill: 'barista', level: 'expert', years: 9 }] });
    const { id } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    await leila.api.applications.withdraw({ applicationId: id });
    expect(await list({ q: 'leila' })).toMatchObject([{ id, matchScore: 0, match: [], distanceM: null }]);
    expect((await list({ skill: 'barista' })).map((applicant) => applicant.id)).not.toContain(id);
    expect(await list({ stage: 'ended' })).toMatchObject([{ id }]);
    expect(await list({ stage: 'ended', group: 'live' })).toEqual([]);
  });
});

describe('pipeline.board', () => {
  it('counts the lanes and spots, and shows who has waited longest', async () => {
    await owner.api.applicants.shortlist({ applicationId: at(0).id });
    await owner.api.applicants.reject({ applicationId: at(11).id, reason: 'distance' });
    const board = await owner.api.pipeline.board({ jobId: job.id });
    expect(board.stages).toEqual({
      new: 10,
      shortlisted: 1,
      interviewing: 0,
      offered: 0,
      hired: 0,
      done: 0,
      ended: 2,
    });
    expect(board.job).toMatchObject({ id: job.id, status: 'open', headCount: 3, hired: 0, offered: 0 });
    const decideBys = (await list({ group: 'live' })).map(({ decideBy }) => decideBy).sort();
    expect(board.waiting).toEqual({ count: 11, unopened: expect.any(Number), firstDecideBy: decideBys[0] });
    for (const stage of Object.keys(board.stages) as Stage[])
      expect(await list({ stage })).toHaveLength(board.stages[stage]);
    const empty = await makeJob(app.db, app.scopeOf(owner), business.id);
    expect(await owner.api.pipeline.board({ jobId: empty.id })).toMatchObject({
      stages: { new: 0, ended: 0 },
      waiting: { count: 0, unopened: 0, firstDecideBy: null },
    });
  });

  it('allows only recruiters of the business', async () => {
    const open = (api: Person['api'], jobId = job.id) => failure(api.pipeline.board({ jobId }));
    for (const person of [finance, stranger])
      expect(await open(person.api)).toMatchObject({ status: 403, code: 'job/not-allowed' });
    const draft = await makeJob(app.db, app.scopeOf(owner), business.id, { status: 'draft' });
    for (const jobId of [draft.id, crypto.randomUUID()])
      expect(await open(stranger.api, jobId)).toMatchObject({ status: 404, code: 'job/not-found' });
    expect(await open((await app.person({ verified: false })).api)).toMatchObject({ status: 403 });
    expect(await open(app.apiAs(null))).toMatchObject({ status: 401 });
    expect(await open(owner.api, 'x')).toMatchObject({ status: 400 });
  });
});

describe('pipeline.boardOfBusiness', () => {
  it('counts across all jobs', async () => {
    const otherJob = await makeJob(app.db, app.scopeOf(owner), business.id);
    await makeApplication(app.db, app.scopeOf(await app.person()), otherJob.id);
    const board = await owner.api.pipeline.board({ jobId: job.id });
    const all = await owner.api.pipeline.boardOfBusiness({ businessId: business.id });
    expect(all.job).toBeNull();
    expect(all.stages).toEqual({ ...board.stages, new: board.stages.new + 1 });
    expect(all.waiting).toEqual({
      count: board.waiting.count + 1,
      unopened: board.waiting.unopened + 1,
      // The evening before work that starts at nine.
      firstDecideBy: '2026-11-22T21:00:00.000Z',
    });
  });

  it('allows only recruiters of the business', async () => {
    const open = (api: Person['api']) => failure(api.pipeline.boardOfBusiness({ businessId: business.id }));
    expect(await open(finance.api)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await open(stranger.api)).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await open(app.apiAs(null))).toMatchObject({ status: 401 });
  });
});

describe('applicants.get', () => {
  it('returns an applicant to recruiters of the business', async () => {
    const { id, person } = at(1);
    const [listed] = (await list({ q: 'nowak b' })).filter((applicant) => applicant.id === id);
    expect(await owner.api.applicants.get({ applicationId: id })).toEqual(listed);
    const open = (api: Person['api']) => failure(api.applicants.get({ applicationId: id }));
    expect(await open(stranger.api)).toMatchObject({ status: 404, code: 'application/not-found' });
    for (const someone of [finance, person])
      expect(await open(someone.api)).toMatchObject({ status: 403, code: 'application/not-allowed' });
    expect(await open(app.apiAs(null))).toMatchObject({ status: 401 });
  });
});

describe('the ranking', () => {
  it('updates after a profile or job changes, once the tasks have run', async () => {
    const person = await app.person();
    const otherJob = await makeJob(app.db, app.scopeOf(owner), business.id, { skills: ['nurse'] });
    const { id } = await makeApplication(app.db, app.scopeOf(person), otherJob.id);
    const scoreNow = async () => {
      await app.runDue();
      return owner.api.applicants.get({ applicationId: id });
    };
    const before = await scoreNow();
    await person.api.profiles.save({
      skills: [{ skill: 'nurse', level: 'expert', years: 8 }],
      home: { label: 'Next door', lat: otherJob.place.lat, lng: otherJob.place.lng },
    });
    const skilled = await scoreNow();
    expect(skilled.matchScore).toBe(before.matchScore + 35 + 10);
    expect(skilled.version).toBe(before.version);
    await owner.api.jobs.update({ jobId: otherJob.id, version: otherJob.version, skills: ['barista'] });
    const rescored = await scoreNow();
    expect(rescored.match[0]).toMatchObject({ kind: 'skills', points: 0, data: { asked: ['barista'] } });
  });
});
