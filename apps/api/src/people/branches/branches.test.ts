import { addMs, hourMs } from '@nearhand/contract/durations';
import { branchLimits } from '@nearhand/contract/people/branches.rules';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { branchInput, makeBranch } from './branches.fixtures.ts';

const app = useTestApp();
let owner: Person;
let manager: Person;
let recruiter: Person;
let stranger: Person;
let businessId: string;

beforeEach(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  manager = await app.person({ name: 'Maria Manager' });
  recruiter = await app.person({ name: 'Omar Idrissi' });
  stranger = await app.person({ name: 'Stranger' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  await makeMember(app.db, app.clock, businessId, manager.accountId, 'manager');
  await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
});

const add = (options: Parameters<typeof branchInput>[0] = {}) =>
  makeBranch(app.db, app.scopeOf(owner), businessId, options);

describe('branches.list', () => {
  it('shows every member the branches, open ones first, by name, with possible actions', async () => {
    const closed = await add({ name: 'Airport' });
    await add({ name: 'west' });
    await add({ name: 'Centre' });
    await owner.api.branches.close({ branchId: closed.id });
    const { branches, canCreate } = await manager.api.branches.list({ businessId });
    expect(branches.map(({ name, closed: isClosed, actions }) => [name, isClosed, actions])).toEqual([
      ['Centre', false, ['edit', 'close', 'delete']],
      ['west', false, ['edit', 'close', 'delete']],
      ['Airport', true, ['edit', 'reopen', 'delete']],
    ]);
    expect(canCreate).toBe(true);
    const listed = await recruiter.api.branches.list({ businessId });
    expect([listed.canCreate, listed.branches.flatMap(({ actions }) => actions)]).toEqual([false, []]);
    expect(listed.branches).toHaveLength(3);
    expect(await failure(stranger.api.branches.list({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
  });
});

describe('branches.create', () => {
  it('adds a branch with a unique name among open ones, for managers', async () => {
    const input = branchInput({ name: 'Noord' });
    const branch = await manager.api.branches.create({ businessId, ...input });
    expect(branch).toMatchObject({ ...input, version: 1, closed: false, openJobs: 0 });
    expect(
      await failure(manager.api.branches.create({ businessId, ...branchInput({ name: 'NOORD' }) })),
    ).toMatchObject({ status: 409, code: 'branch/name-taken' });
    await owner.api.branches.close({ branchId: branch.id });
    expect(await manager.api.branches.create({ businessId, ...input })).toMatchObject({ name: 'Noord' });
  });

  it('gets the jobs at its address that have no branch and are not over', async () => {
    const place = {
      address: 'Prinsengracht 12',
      area: 'Jordaan',
      lat: 52.37,
      lng: 4.88,
      privateAddress: false,
    };
    const ids: string[] = [];
    const here = Array.from({ length: 8 }, () => 'Prinsengracht 12');
    for (const address of [...here, 'Damrak 1']) {
      const job = { kind: 'shift', title: 'Waiter', category: 'hospitality' } as const;
      ids.push((await owner.api.jobs.create({ businessId, ...job, place: { ...place, address } })).id);
    }
    const [draft = '', closed = '', pastShift = '', runningShift = '', pastTask = '', dueTask = ''] = ids;
    const [refused = '', expired = ''] = ids.slice(6);
    const ofHour = (hours: number) => addMs(app.clock.now(), hours * hourMs);
    const dayOf = (days: number) =>
      ofHour(24 * days)
        .toISOString()
        .slice(0, 10);
    const filled = { kind: 'task', status: 'filled' } as const;
    for (const [id, values] of [
      [closed, { status: 'closed' }],
      [pastShift, { status: 'filled', startsAt: ofHour(-9), endsAt: ofHour(-1) }],
      [runningShift, { status: 'filled', startsAt: ofHour(-1), endsAt: ofHour(7) }],
      [pastTask, { ...filled, dueOn: dayOf(-2) }],
      [dueTask, { ...filled, dueOn: dayOf(2) }],
      // An operator can still approve it.
      [refused, { status: 'rejected' }],
      // Without a due date it can be reopened.
      [expired, { kind: 'task', status: 'expired' }],
    ] as const)
      await app.db.updateTable('jobs').set(values).where('id', '=', id).execute();
    const sides = { worker: app.scopeOf(stranger), recruiter: app.scopeOf(owner) };
    const undated = { kind: 'task', headCount: 1, place } as const;
    const { jobId: underWay, id } = await makeEngagement(app.db, sides, businessId, undated);
    const { jobId: delivered, id: doneId } = await makeEngagement(app.db, sides, businessId, undated);
    await sql`update engagements set status = case id when ${id} then 'in_progress' else 'completed' end
      where id in (${id}, ${doneId})`.execute(app.db);
    ids.push(underWay, delivered);
    const { id: branchId } = await add({ ...place, address: ' prinsengracht 12', lat: 52.3703 });
    const branchOf = async (jobId: string) => (await owner.api.jobs.get({ jobId })).member?.branch?.id;
    const joined: string[] = [];
    for (const id of ids) if ((await branchOf(id)) === branchId) joined.push(id);
    expect(joined).toEqual([draft, runningShift, dueTask, refused, expired, underWay]);
  });

  it('rejects recruiters, strangers, a closed business and impossible input', async () => {
    const input = { businessId, ...branchInput() };
    expect(await failure(recruiter.api.branches.create(input))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await failure(stranger.api.branches.create(input))).toMatchObject({ code: 'business/not-found' });
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(branchLimits.name + 1) },
      { lat: 91 },
      { contactPhone: 'call me' },
      { openingNotes: 'x'.repeat(branchLimits.openingNotes + 1) },
    ])
      expect(await failure(owner.api.branches.create({ ...input, ...wrong }))).toMatchObject({
        code: 'request/invalid',
      });
    await app.db.updateTable('businesses').set({ status: 'closed' }).where('id', '=', businessId).execute();
    expect(await failure(owner.api.branches.create(input))).toMatchObject({ code: 'business/wrong-state' });
  });

  it('stops at the limit', async () => {
    const { id, ...row } = await app.db
      .selectFrom('branches')
      .selectAll()
      .where('id', '=', (await add()).id)
      .executeTakeFirstOrThrow();
    await app.db
      .insertInto('branches')
      .values(
        Array.from({ length: branchLimits.branches - 1 }, (_, index) => ({
          ...row,
          id: crypto.randomUUID(),
          name: `Branch ${index}`,
        })),
      )
      .execute();
    expect(
      await failure(owner.api.branches.create({ businessId, ...branchInput({ name: 'One more' }) })),
    ).toMatchObject({ code: 'branch/too-many', data: { limit: branchLimits.branches } });
    expect(id).toBeTruthy();
  });
});

describe('branches.update', () => {
  it('changes only the submitted fields and rejects an outdated version', async () => {
    const { id: branchId, version, ...before } = await add();
    const changed = await manager.api.branches.update({ branchId, version, contactPhone: null });
    const expected = { ...before, id: branchId, version: 2, contactPhone: null };
    expect({ ...before, ...changed }).toEqual(expected);
    expect(await failure(owner.api.branches.update({ branchId, version, name: 'Other' }))).toMatchObject({
      code: 'branch/stale',
      data: { version: 2 },
    });
  });

  it("uses the zone of its pin in the business's country until someone picks another", async () => {
    await app.db.updateTable('businesses').set({ countryCode: 'FI' }).where('id', '=', businessId).execute();
    // Across the river, the zone map returns Stockholm.
    const { id: branchId, timeZone } = await add({ name: 'Tornio', lat: 65.8481, lng: 24.1466 });
    expect(timeZone).toBe('Europe/Helsinki');
    const update = (version: number, change: object) =>
      owner.api.branches.update({ branchId, version, ...change });
    expect(await update(1, { timeZone: 'Europe/Stockholm' })).toMatchObject({ timeZone: 'Europe/Stockholm' });
    expect(await update(2, { name: 'Tornio 2' })).toMatchObject({ timeZone: 'Europe/Stockholm' });
    const job = await owner.api.jobs.create({
      businessId,
      branchId,
      kind: 'shift',
      title: 'Waiter',
      category: 'hospitality',
    });
    expect(job.timeZone).toBe('Europe/Stockholm');
    expect(await update(3, { lat: 60.17, lng: 24.94 })).toMatchObject({ timeZone: 'Europe/Helsinki' });
    expect(await failure(update(4, { timeZone: 'Europe/Tornio' }))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'timeZone' }] },
    });
  });

  it('rejects the name of another open branch, recruiters and strangers', async () => {
    const { id: branchId, version } = await add();
    await add({ name: 'West' });
    const rename = { branchId, version, name: ' west ' };
    expect(await failure(owner.api.branches.update(rename))).toMatchObject({ code: 'branch/name-taken' });
    expect(await owner.api.branches.update({ ...rename, name: 'NOORD' })).toMatchObject({ name: 'NOORD' });
    expect(await failure(recruiter.api.branches.update(rename))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await failure(stranger.api.branches.update(rename))).toMatchObject({ code: 'branch/not-found' });
  });
});

describe('branches.close', () => {
  it('closes once, even when called twice', async () => {
    const { id: branchId } = await add();
    const closed = await owner.api.branches.close({ branchId });
    expect(closed).toMatchObject({ closed: true, actions: ['edit', 'reopen', 'delete'] });
    expect(await owner.api.branches.close({ branchId })).toEqual(closed);
    expect(await failure(recruiter.api.branches.close({ branchId }))).toMatchObject({
      code: 'business/not-allowed',
    });
  });
});

describe('branches.reopen', () => {
  it('opens a branch again unless its name is in use', async () => {
    const { id: branchId } = await add();
    await owner.api.branches.close({ branchId });
    const other = await add();
    expect(await failure(owner.api.branches.reopen({ branchId }))).toMatchObject({
      code: 'branch/name-taken',
    });
    await owner.api.branches.update({ branchId: other.id, version: 1, name: 'Noord 2' });
    expect(await owner.api.branches.reopen({ branchId })).toMatchObject({ closed: false });
    expect(await owner.api.branches.reopen({ branchId })).toMatchObject({ closed: false });
  });
});

describe('branches.delete', () => {
  it('deletes a branch that was never used', async () => {
    const { id: branchId } = await add();
    expect(await failure(recruiter.api.branches.delete({ branchId }))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await manager.api.branches.delete({ branchId })).toEqual({ deleted: true });
    expect(await failure(manager.api.branches.delete({ branchId }))).toMatchObject({
      code: 'branch/not-found',
    });
    expect((await owner.api.branches.list({ businessId })).branches).toEqual([]);
  });
});
