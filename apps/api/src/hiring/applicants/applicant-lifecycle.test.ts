import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import type { Applications } from '../../platform/tables.gen.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
let recruiter: Person;
let finance: Person;
let business: Business;
let job: Job;
async function member(role: 'recruiter' | 'finance', name: string) {
  const person = await app.person({ name });
  await makeMember(app.db, app.clock, business.id, person.accountId, role);
  return person;
}
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
  job = await makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task' });
  recruiter = await member('recruiter', 'Omar Idrissi');
  finance = await member('finance', 'Mei Tanaka');
});

async function applicant(name = 'Leila Haddad', of = job) {
  const person = await app.person({ name });
  const { id } = await makeApplication(app.db, app.scopeOf(person), of.id);
  return { person, id };
}
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items.map(({ topic }) => topic);
const setStatus = (id: string, status: Applications['status']) =>
  app.db.updateTable('applications').set({ status }).where('id', '=', id).execute();

function guards(move: (person: { api: Person['api'] }, applicationId: string) => Promise<unknown>) {
  it('allows only recruiters of the business', async () => {
    const { person, id } = await applicant();
    const other = await app.person();
    await makeBusiness(app.db, app.scopeOf(other));
    expect(await failure(move(other, id))).toMatchObject({ status: 404, code: 'application/not-found' });
    for (const someone of [finance, person])
      expect(await failure(move(someone, id))).toMatchObject({
        status: 403,
        code: 'application/not-allowed',
      });
    const unverified = await app.person({ verified: false });
    expect(await failure(move(unverified, id))).toMatchObject({ status: 403 });
    expect(await failure(move({ api: app.apiAs(null) }, id))).toMatchObject({ status: 401 });
    expect(await failure(move(owner, crypto.randomUUID()))).toMatchObject({ status: 404 });
    expect(await failure(move(owner, '😀'))).toMatchObject({ status: 400 });
  });

  it('rejects an application that has ended', async () => {
    const { id } = await applicant();
    for (const status of ['withdrawn', 'no_response', 'job_closed', 'hired'] as const) {
      await setStatus(id, status);
      expect(await failure(move(owner, id))).toMatchObject({
        status: 409,
        code: 'application/wrong-state',
        data: { status },
      });
    }
  });
}

describe('applicants.shortlist', () => {
  it('shortlists once, counts as viewed and notifies the worker', async () => {
    const { person, id } = await applicant();
    const shortlisted = await recruiter.api.applicants.shortlist({ applicationId: id, version: 1 });
    expect(shortlisted).toMatchObject({ status: 'shortlisted', stage: 'shortlisted', version: 2 });
    expect(shortlisted.viewedAt).toBe(app.clock.now().toISOString());
    expect(shortlisted.actions).toEqual(['unshortlist', 'reject', 'propose-interview', 'offer']);
    expect(await owner.api.applicants.shortlist({ applicationId: id, version: 1 })).toEqual(shortlisted);
    expect(await topicsOf(person)).toEqual(['application-shortlisted']);
    expect(
      (await person.api.applications.get({ applicationId: id })).steps.map(({ status }) => status),
    ).toEqual(['submitted', 'shortlisted']);
  });

  it('tells the second of two recruiters what the first one did', async () => {
    const { id } = await applicant();
    await recruiter.api.applicants.reject({ applicationId: id, version: 1, reason: 'distance' });
    const late = owner.api.applicants.shortlist({ applicationId: id, version: 1 });
    expect(await failure(late)).toMatchObject({
      status: 409,
      code: 'application/stale',
      data: { status: 'rejected', by: 'Omar Idrissi' },
    });
  });

  it('succeeds while another recruiter views the applicant', async () => {
    const { id } = await applicant();
    await recruiter.api.applicants.view({ applicationId: id });
    const moved = await owner.api.applicants.shortlist({ applicationId: id, version: 1 });
    expect(moved.status).toBe('shortlisted');
  });

  it('replays the response for the same key', async () => {
    const { id } = await applicant();
    const device = app.apiAs(owner.token, { 'idempotency-key': 'shortlist-1' });
    const first = await device.applicants.shortlist({ applicationId: id });
    await owner.api.applicants.unshortlist({ applicationId: id });
    expect(await device.applicants.shortlist({ applicationId: id })).toEqual(first);
    expect((await owner.api.applicants.get({ applicationId: id })).status).toBe('viewed');
  });

  guards((person, applicationId) => person.api.applicants.shortlist({ applicationId }));
});

describe('applicants.unshortlist', () => {
  it('removes from the shortlist without notifying the worker; a repeat is a no-op', async () => {
    const { person, id } = await applicant();
    await owner.api.applicants.shortlist({ applicationId: id });
    const back = await owner.api.applicants.unshortlist({ applicationId: id });
    expect(back).toMatchObject({ status: 'viewed', stage: 'new', version: 3 });
    expect(await owner.api.applicants.unshortlist({ applicationId: id })).toEqual(back);
    await owner.api.applicants.shortlist({ applicationId: id });
    expect(await topicsOf(person)).toEqual(['application-shortlisted']);
  });

  guards((person, applicationId) => person.api.applicants.unshortlist({ applicationId }));
});

describe('applicants.reject', () => {
  it('rejects with a reason the worker sees, and stops the clock', async () => {
    const { person, id } = await applicant();
    const note = 'Two ferries ⛴️ are too many: sorry.';
    const gone = await owner.api.applicants.reject({ applicationId: id, reason: 'distance', note });
    expect(gone).toMatchObject({ status: 'rejected', stage: 'ended', actions: [] });
    expect((await person.api.applications.get({ applicationId: id })).steps.at(-1)).toMatchObject({
      status: 'rejected',
      rejectReason: 'distance',
      reason: note,
    });
    const { items } = await person.api.notifications.list({});
    expect(items).toMatchObject([
      {
        topic: 'application-rejected',
        path: `/tabs/menu/my-work/${id}`,
        data: { reason: `distance: ${note}`, jobTitle: job.title, businessName: business.name },
      },
    ]);
    const clock = await app.pool.query('select 1 from graphile_worker.jobs where key = $1', [
      `applications.clock/${id}`,
    ]);
    expect(clock.rowCount).toBe(0);
    expect(await owner.api.applicants.reject({ applicationId: id, reason: 'other' })).toEqual(gone);
  });

  it('requires a valid reason but no note', async () => {
    const { person, id } = await applicant();
    for (const input of [
      {},
      { reason: 'age' },
      { reason: 'other', note: 'x'.repeat(501) },
      { reason: 'other', note: '\u0000' },
    ])
      expect(
        await failure(owner.api.applicants.reject({ applicationId: id, ...input } as never)),
      ).toMatchObject({ status: 400 });
    await owner.api.applicants.reject({ applicationId: id, reason: 'others' });
    expect((await person.api.applications.get({ applicationId: id })).steps.at(-1)).toMatchObject({
      rejectReason: 'others',
      reason: null,
    });
  });

  it('rejects an applicant with an offer, which has to be withdrawn instead', async () => {
    const { id } = await applicant();
    await setStatus(id, 'offered');
    expect(await failure(owner.api.applicants.reject({ applicationId: id, reason: 'other' }))).toMatchObject({
      code: 'application/wrong-state',
    });
  });

  guards((person, applicationId) => person.api.applicants.reject({ applicationId, reason: 'other' }));
});

describe('applicants.bulk', () => {
  it('moves what it can and returns why the rest stayed', async () => {
    const ana = await applicant('Ana');
    const bo = await applicant('Bo');
    const chi = await applicant('Chi');
    const dov = await applicant('Dov');
    await setStatus(dov.id, 'withdrawn');
    await owner.api.applicants.shortlist({ applicationId: chi.id });
    const hirer = await app.person();
    const cafe = await makeBusiness(app.db, app.scopeOf(hirer));
    const foreign = await applicant('Eve', await makeJob(app.db, app.scopeOf(hirer), cafe.id));
    const unknown = crypto.randomUUID();
    const applicationIds = [bo.id, foreign.id, dov.id, ana.id, unknown, chi.id];
    const { results } = await recruiter.api.applicants.bulk({
      businessId: business.id,
      action: 'shortlist',
      items: applicationIds.map((applicationId) => ({ applicationId })),
    });
    const moved = { ok: true, code: null, status: null, by: null };
    const unseen = { ok: false, code: 'application/not-found', status: null, by: null };
    expect(results).toEqual([
      { applicationId: bo.id, ...moved },
      { applicationId: foreign.id, ...unseen },
      { applicationId: dov.id, ok: false, code: 'application/wrong-state', status: 'withdrawn', by: null },
      { applicationId: ana.id, ...moved },
      { applicationId: unknown, ...unseen },
      { applicationId: chi.id, ...moved },
    ]);
    const stateOf = async (id: string) => (await owner.api.applicants.get({ applicationId: id })).status;
    expect([await stateOf(ana.id), await stateOf(bo.id)]).toEqual(['shortlisted', 'shortlisted']);
    expect((await foreign.person.api.applications.get({ applicationId: foreign.id })).status).toBe(
      'submitted',
    );
    for (const { person } of [ana, bo, chi])
      expect(await topicsOf(person)).toEqual(['application-shortlisted']);
  });

  it('skips applicants that someone else changed, names them and moves the others', async () => {
    const fresh = await applicant('Ana');
    const changed = await applicant('Bo');
    const there = await applicant('Chi');
    const back = await applicant('Dov');
    const all = [fresh, changed, there, back];
    const versions = new Map(
      await Promise.all(
        all.map(
          async ({ id }) => [id, (await owner.api.applicants.get({ applicationId: id })).version] as const,
        ),
      ),
    );
    await recruiter.api.applicants.reject({ applicationId: changed.id, reason: 'other' });
    await recruiter.api.applicants.shortlist({ applicationId: there.id });
    await back.person.api.applications.withdraw({ applicationId: back.id });
    const { results } = await owner.api.applicants.bulk({
      businessId: business.id,
      action: 'shortlist',
      items: all.map(({ id }) => ({ applicationId: id, version: versions.get(id) })),
    });
    const { name } = await recruiter.api.accounts.me();
    const moved = { ok: true, code: null, status: null, by: null };
    const late = { ok: false, code: 'application/stale' };
    expect(results).toEqual([
      { applicationId: fresh.id, ...moved },
      { applicationId: changed.id, ...late, status: 'rejected', by: name },
      { applicationId: there.id, ...moved },
      { applicationId: back.id, ...late, status: 'withdrawn', by: 'Dov' },
    ]);
  });

  it('rejects several with one reason and notifies each', async () => {
    const people = [await applicant('Ana'), await applicant('Bo')];
    const answer = await owner.api.applicants.bulk({
      businessId: business.id,
      action: 'reject',
      items: people.map(({ id }) => ({ applicationId: id })),
      reason: 'availability',
      note: 'We need mornings.',
    });
    expect(answer.results.every(({ ok }) => ok)).toBe(true);
    for (const { person, id } of people) {
      expect((await person.api.applications.get({ applicationId: id })).steps.at(-1)).toMatchObject({
        status: 'rejected',
        rejectReason: 'availability',
        reason: 'We need mornings.',
      });
      expect(await topicsOf(person)).toEqual(['application-rejected']);
    }
  });

  it('handles two recruiters concurrently without a deadlock, and replays its response', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => applicant(`Worker ${n}`)));
    const ids = people.map(({ id }) => id);
    const items = ids.map((applicationId) => ({ applicationId }));
    const send = (person: Person, some: typeof items) =>
      person.api.applicants.bulk({ businessId: business.id, action: 'shortlist', items: some });
    const both = await Promise.all([send(owner, items), send(recruiter, [...items].reverse())]);
    expect(both.flatMap(({ results }) => results).every(({ ok }) => ok)).toBe(true);
    const moves = await app.pool.query(
      `select 1 from application_moves where action = 'shortlist' and application_id = any($1::uuid[])`,
      [ids],
    );
    expect(moves.rowCount).toBe(12);
    const device = app.apiAs(owner.token, { 'idempotency-key': 'bulk-again-1' });
    const input = { businessId: business.id, action: 'unshortlist' as const, items };
    const first = await device.applicants.bulk(input);
    await send(owner, items);
    expect(await device.applicants.bulk(input)).toEqual(first);
  });

  it('keeps the history in order, even for moves in the same instant', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, (_, n) => applicant(`Worker ${n}`)));
    await owner.api.applicants.bulk({
      businessId: business.id,
      action: 'shortlist',
      items: people.map(({ id }) => ({ applicationId: id })),
    });
    for (const { person, id } of people) {
      await owner.api.applicants.unshortlist({ applicationId: id });
      const { steps } = await person.api.applications.get({ applicationId: id });
      expect(steps.map(({ status }) => status)).toEqual(['submitted', 'shortlisted', 'viewed']);
    }
  });

  it('accepts 1 to 100 existing ids', async () => {
    const send = (items: unknown, more: object = { action: 'shortlist' }) =>
      failure(owner.api.applicants.bulk({ businessId: business.id, items, ...more } as never));
    const many = Array.from({ length: 500 }, () => ({ applicationId: crypto.randomUUID() }));
    const odd = ['😀', 'x', null, 1].map((applicationId) => [{ applicationId }]);
    const versions = [0, -1, 1.5, '1'].map((version) => [{ ...many[0], version }]);
    for (const items of [[], many, 'all', [null], ['x'], ...odd, ...versions])
      expect(await send(items)).toMatchObject({ status: 400 });
    const [id] = many;
    for (const more of [{ action: 'hire' }, { action: 'reject' }, { action: 'reject', reason: '🤷' }])
      expect(await send([id], more)).toMatchObject({ status: 400 });
  });

  it('allows only recruiters of the business', async () => {
    const { id } = await applicant();
    const input = { businessId: business.id, action: 'shortlist' as const, items: [{ applicationId: id }] };
    const stranger = await app.person();
    expect(await failure(stranger.api.applicants.bulk(input))).toMatchObject({
      status: 404,
      code: 'business/not-found',
    });
    expect(await failure(finance.api.applicants.bulk(input))).toMatchObject({ status: 403 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.applicants.bulk(input))).toMatchObject({ status: 403 });
    expect(await failure(app.apiAs(null).applicants.bulk(input))).toMatchObject({ status: 401 });
  });
});
