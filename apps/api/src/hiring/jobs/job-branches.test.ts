import type { Branch } from '@nearhand/contract/people/branches';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { type branchInput, makeBranch } from '../../people/branches/branches.fixtures.ts';
import { eraseContacts } from '../../people/branches/branches.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { evidenceAt, makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
let worker: Person;
let businessId: string;
let north: Branch;
let west: Branch;

beforeEach(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  worker = await app.person({ name: 'Leila Haddad' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner), { phone: '+31201111111' })).id;
  north = await branch({ name: 'Noord' });
  west = await branch({ name: 'West', address: 'Jan Evertsenstraat 1', lat: 52.371, contactName: '' });
});

const branch = (options: Parameters<typeof branchInput>[0]) =>
  makeBranch(app.db, app.scopeOf(owner), businessId, options);
const draft = (branchId: string | null) =>
  owner.api.jobs.create({
    businessId,
    branchId,
    kind: 'shift',
    title: 'Barista',
    category: 'hospitality',
  });
const close = (branchId: string) => owner.api.branches.close({ branchId });

describe('jobs.create at a branch', () => {
  it("takes the branch's place unless the request has one", async () => {
    const job = await draft(north.id);
    expect(job.member).toMatchObject({
      address: north.address,
      area: north.area,
      branch: { id: north.id, name: 'Noord', address: north.address, lat: north.lat, lng: north.lng },
    });
    const place = {
      address: 'Museumplein 6',
      area: 'Zuid',
      lat: 52.3584,
      lng: 4.8811,
      privateAddress: false,
    };
    const elsewhere = await owner.api.jobs.create({
      businessId,
      branchId: north.id,
      kind: 'task',
      title: 'Stand',
      category: 'hospitality',
      place,
    });
    expect(elsewhere.member).toMatchObject({ address: 'Museumplein 6', branch: { id: north.id } });
    expect((await draft(null)).member?.branch).toBeNull();
  });

  it("rejects a closed branch and another business's branch", async () => {
    await close(north.id);
    expect(await failure(draft(north.id))).toMatchObject({ status: 409, code: 'branch/closed' });
    const rival = await app.person();
    const otherBusiness = await makeBusiness(app.db, app.scopeOf(rival));
    const theirs = await makeBranch(app.db, app.scopeOf(rival), otherBusiness.id);
    expect(await failure(draft(theirs.id))).toMatchObject({ status: 404, code: 'branch/not-found' });
  });

  it('shows the branch to members only', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { branchId: north.id });
    const publicJob = await worker.api.jobs.get({ jobId: job.id });
    expect(JSON.stringify(publicJob)).not.toContain(north.id);
    expect(publicJob.place.label).toContain(north.area);
  });
});

describe('jobs.update of a branch', () => {
  it('moves a job with its place, keeps a closed branch and removes it', async () => {
    const { id: jobId, version } = await draft(north.id);
    const moved = await owner.api.jobs.update({ jobId, version, branchId: west.id });
    expect(moved.member).toMatchObject({ address: west.address, branch: { id: west.id } });
    await close(west.id);
    const edited = await owner.api.jobs.update({
      jobId,
      version: moved.version,
      branchId: west.id,
      title: 'Barista, mornings',
    });
    expect(edited.member?.branch?.id).toBe(west.id);
    const none = await owner.api.jobs.update({ jobId, version: edited.version, branchId: null });
    expect(none.member).toMatchObject({ address: west.address, branch: null });
    expect(
      await failure(owner.api.jobs.update({ jobId, version: none.version, branchId: west.id })),
    ).toMatchObject({ code: 'branch/closed' });
  });

  it("changes the branch's name for a place after a hire", async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { branchId: north.id });
    await makeApplication(app.db, app.scopeOf(worker), job.id);
    await app.db.updateTable('jobs').set({ hiredCount: 1, headCount: 2 }).where('id', '=', job.id).execute();
    const { version } = await owner.api.jobs.get({ jobId: job.id });
    const to = { jobId: job.id, version, branchId: west.id };
    const { address, area, lat, lng, privateAddress } = north;
    const place = { address, area, lat, lng, privateAddress };
    expect((await owner.api.jobs.update({ ...to, place })).member?.branch?.name).toBe('West');
  });
});

describe('jobs.duplicate of a branch', () => {
  it('keeps the branch', async () => {
    const { id: jobId } = await draft(north.id);
    expect((await owner.api.jobs.duplicate({ jobId })).member?.branch?.id).toBe(north.id);
  });
});

describe('jobs.listed by branch', () => {
  it('lists and counts the jobs of a branch', async () => {
    const here = await draft(north.id);
    await draft(west.id);
    await draft(null);
    const { items, counts } = await owner.api.jobs.listed({ businessId, branchId: north.id });
    expect(items.map(({ id, branch: of }) => [id, of])).toEqual([[here.id, { id: north.id, name: 'Noord' }]]);
    expect(counts).toEqual({ draft: 1 });
    expect((await owner.api.jobs.listed({ businessId })).counts).toEqual({ draft: 3 });
    const of = (await owner.api.branches.list({ businessId })).branches;
    expect(of.map(({ name, openJobs, actions }) => [name, openJobs, actions.includes('delete')])).toEqual([
      ['Noord', 0, false],
      ['West', 0, false],
    ]);
  });
});

describe('a branch with jobs', () => {
  it('is closed, not deleted', async () => {
    await draft(north.id);
    expect(await failure(owner.api.branches.delete({ branchId: north.id }))).toMatchObject({
      status: 409,
      code: 'branch/in-use',
    });
    expect(await close(north.id)).toMatchObject({ closed: true });
  });

  it('is either deleted or gets the job when both happen concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await branch({ name: `Round ${round}` });
      const outcome = (call: Promise<unknown>) =>
        call.then(
          () => 'done',
          async () => (await failure(call)).code,
        );
      const codes = await Promise.all([
        outcome(draft(id)),
        outcome(owner.api.branches.delete({ branchId: id })),
      ]);
      expect([
        ['done', 'branch/in-use'],
        ['branch/not-found', 'done'],
      ]).toContainEqual(codes);
    }
  });

  it('shows hired workers the contact and how to get in', async () => {
    const both = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const work = await makeEngagement(app.db, both, businessId, { branchId: north.id });
    const contact = async (person: Person) =>
      (await person.api.engagements.get({ engagementId: work.id })).contact;
    expect(await contact(worker)).toEqual({
      name: 'Joris Bakker',
      phone: '+31201234567',
      notes: 'Use the side door before nine.',
    });
    expect((await contact(owner))?.notes).toBeNull();
    await owner.api.branches.update({
      branchId: north.id,
      version: 1,
      contactName: '',
      contactPhone: null,
      openingNotes: '',
    });
    expect(await contact(worker)).toEqual({ name: 'Ingrid Solheim', phone: '+31201111111', notes: null });
  });

  it('shares one check-in code across its jobs', async () => {
    const both = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const work = await makeEngagement(app.db, both, businessId, { branchId: north.id });
    const codeOf = async (jobId: string) => (await owner.api.attendance.siteCode({ jobId })).code;
    const code = await codeOf((await draft(north.id)).id);
    expect(await codeOf(work.jobId)).toBe(code);
    expect(await codeOf((await draft(west.id)).id)).not.toBe(code);
    app.clock.set(work.terms.startsAt ?? '');
    const northCode = await codeOf((await draft(north.id)).id);
    const evidence = evidenceAt(work, app.clock.now(), { position: null, code: northCode });
    expect(await worker.api.attendance.checkIn(evidence)).toMatchObject({ attendance: [{ how: 'code' }] });
  });
});

describe('a removed account', () => {
  it('stops being the contact of a branch', async () => {
    await owner.api.profiles.save({ phone: '+31687654321' });
    const named = await branch({
      name: 'Oost',
      contactName: 'Ingrid Solheim',
      contactPhone: '+31687654321',
      openingNotes: 'Call Ingrid Solheim.',
    });
    const words = ['Ingrid Solheim', '+31687654321'];
    await app.db.transaction().execute((tx) => eraseContacts(tx, { accountId: owner.accountId, words }));
    const { branches } = await owner.api.branches.list({ businessId });
    expect(branches.find(({ id }) => id === named.id)).toMatchObject({
      contactName: 'Former member',
      contactPhone: null,
      openingNotes: 'Call Former member.',
    });
    expect(branches.find(({ id }) => id === north.id)).toMatchObject({ contactName: 'Joris Bakker' });
  });
});
