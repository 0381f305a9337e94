import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let businessId: string;
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, app.scopeOf(nadia))).id;
});
const makeOne = (change: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, app.scopeOf(nadia), businessId, {
    startsAt: '2026-11-23T09:00:00Z',
    endsAt: '2026-11-23T15:00:00Z',
    ...change,
  });
const api = () => nadia.api.jobTemplates;
const when = { startsAt: '2026-12-07T09:00:00Z', endsAt: '2026-12-07T15:00:00Z', headCount: 2 };
async function memberOf(role: 'recruiter' | 'finance', branchIds?: string[]) {
  const person = await app.person();
  await makeMember(app.db, app.clock, businessId, person.accountId, role, branchIds);
  return person.api.jobTemplates;
}

describe('jobTemplates.save', () => {
  it('saves a shift without its date but with its usual number of workers', async () => {
    const job = await makeOne({
      title: 'Morning bar',
      description: 'Espresso and a smile.',
      headCount: 4,
      breakMinutes: 30,
      breakPaid: true,
      requirements: ['Two years behind a bar'],
      skills: ['barista'],
      questions: [{ prompt: 'Latte art?', kind: 'yes_no', choices: [], required: true }],
    });
    const saved = await api().save({ jobId: job.id, name: 'Weekday morning' });
    expect(saved).toMatchObject({
      name: 'Weekday morning',
      title: 'Morning bar',
      payMinor: job.pay.minor,
      breakMinutes: 30,
      breakPaid: true,
      headCount: 4,
      from: '10:00',
      to: '16:00',
      timeZone: 'Europe/Amsterdam',
    });
    expect(await api().list({ businessId })).toEqual([saved]);
    await nadia.api.jobs.close({ jobId: job.id });
    const posted = await api().post({ templateId: saved.id, ...when });
    expect(posted).toMatchObject({
      status: 'open',
      title: 'Morning bar',
      description: 'Espresso and a smile.',
      startsAt: '2026-12-07T09:00:00.000Z',
      headCount: 2,
      breakMinutes: 30,
      requirements: ['Two years behind a bar'],
      skills: ['barista'],
      questions: [{ prompt: 'Latte art?', kind: 'yes_no' }],
      pay: { minor: job.pay.minor },
      place: job.place,
    });
    expect(posted.id).not.toBe(job.id);
  });

  it('keeps names unique and replaces a template only on request', async () => {
    const bar = await makeOne({ title: 'Bar' });
    const kitchen = await makeOne({ title: 'Kitchen' });
    const first = await api().save({ jobId: bar.id, name: 'Evening' });
    expect(await failure(api().save({ jobId: kitchen.id, name: 'EVENING' }))).toMatchObject({
      status: 409,
      code: 'job-template/name-taken',
    });
    expect(await api().save({ jobId: kitchen.id, name: 'Evening', replace: true })).toMatchObject({
      id: first.id,
      title: 'Kitchen',
    });
    expect(await failure(api().save({ jobId: bar.id, name: ' ' }))).toMatchObject({
      code: 'request/invalid',
    });
  });

  it('requires a shift with hourly pay, up to a limit', async () => {
    const task = await makeOne({ kind: 'task' });
    expect(await failure(api().save({ jobId: task.id, name: 'A task' }))).toMatchObject({
      status: 422,
      code: 'job/cannot-repeat',
    });
    const owner = await app.person();
    const scope = app.scopeOf(owner);
    const job = await makeJob(app.db, scope, (await makeBusiness(app.db, scope)).id);
    for (let count = 0; count < hiringLimits.jobTemplatesMax; count += 1)
      await owner.api.jobTemplates.save({ jobId: job.id, name: `Shift ${count}` });
    expect(await failure(owner.api.jobTemplates.save({ jobId: job.id, name: 'One more' }))).toMatchObject({
      code: 'job-template/too-many',
      data: { limit: hiringLimits.jobTemplatesMax },
    });
  });
});

describe('jobTemplates.list', () => {
  it('lists the templates of one business by name for its recruiters', async () => {
    const { id: jobId } = await makeOne();
    for (const name of ['zebra', 'Aardvark']) await api().save({ jobId, name });
    const names = (await api().list({ businessId })).map(({ name }) => name);
    expect([names[0], names.at(-1)]).toEqual(['Aardvark', 'zebra']);
    const finance = await memberOf('finance');
    const stranger = (await app.person()).api.jobTemplates;
    expect(await failure(finance.list({ businessId }))).toMatchObject({ code: 'business/not-allowed' });
    expect(await failure(stranger.list({ businessId }))).toMatchObject({ code: 'business/not-found' });
  });
});

describe('jobTemplates.post', () => {
  it('posts on other days too, or leaves a draft', async () => {
    const { id: templateId } = await api().save({ jobId: (await makeOne()).id, name: 'Days' });
    const alsoOn = ['2026-12-08', '2026-12-09'];
    const count = async () => (await nadia.api.jobs.listed({ businessId, status: 'open' })).counts?.open ?? 0;
    const before = await count();
    await api().post({ templateId, ...when, alsoOn });
    expect(await count()).toBe(before + 3);
    expect(await api().post({ templateId, ...when, asDraft: true })).toMatchObject({ status: 'draft' });
    expect(await failure(api().post({ templateId, ...when, alsoOn, asDraft: true }))).toMatchObject({
      code: 'request/invalid',
    });
  });

  it('rejects invalid posts and creates nothing', async () => {
    const { id: templateId } = await api().save({ jobId: (await makeOne()).id, name: 'Bad input' });
    const total = async () =>
      Object.values((await nadia.api.jobs.listed({ businessId })).counts ?? {}).join();
    const before = await total();
    const post = (change: object) => failure(api().post({ templateId, ...when, ...change }));
    expect(await post({ asBlock: true })).toMatchObject({ code: 'request/invalid' });
    expect(await post({ endsAt: '2026-12-07T08:00:00Z' })).toMatchObject({ code: 'request/invalid' });
    expect(await post({ startsAt: '2026-11-01T09:00:00Z', endsAt: '2026-11-01T15:00:00Z' })).toMatchObject({
      code: 'job/starts-in-past',
    });
    expect(await post({ headCount: 0 })).toMatchObject({ code: 'request/invalid' });
    expect(await post({ alsoOn: ['2026-12-07'] })).toMatchObject({ code: 'job/cannot-repeat' });
    expect(await total()).toBe(before);
  });

  it('keeps the branch and reports when it is closed', async () => {
    const scope = app.scopeOf(nadia);
    const branch = await makeBranch(app.db, scope, businessId, { name: 'Noord' });
    const other = await makeBranch(app.db, scope, businessId, { name: 'Zuid' });
    const job = await makeOne({ branchId: branch.id });
    const saved = await api().save({ jobId: job.id, name: 'Noord bar' });
    expect(saved).toMatchObject({ branch: { name: 'Noord' } });
    const north = await memberOf('recruiter', [branch.id]);
    const south = await memberOf('recruiter', [other.id]);
    expect(await north.list({ businessId })).toMatchObject([{ name: 'Noord bar' }]);
    expect(await south.list({ businessId })).toEqual([]);
    expect(await failure(south.post({ templateId: saved.id, ...when }))).toMatchObject({
      status: 404,
      code: 'job-template/not-found',
    });
    expect(await north.post({ templateId: saved.id, ...when })).toMatchObject({ status: 'open' });
    for (const { id } of (await nadia.api.jobs.listed({ businessId, branchId: branch.id })).items)
      await nadia.api.jobs.close({ jobId: id });
    await nadia.api.branches.close({ branchId: branch.id });
    expect(await failure(api().post({ templateId: saved.id, ...when }))).toMatchObject({
      code: 'branch/closed',
    });
  });
});

describe('jobTemplates.delete', () => {
  it('allows only recruiters of the business', async () => {
    const { id: templateId } = await api().save({ jobId: (await makeOne()).id, name: 'Short-lived' });
    const finance = await memberOf('finance');
    const stranger = (await app.person()).api.jobTemplates;
    expect(await failure(finance.delete({ templateId }))).toMatchObject({
      status: 403,
      code: 'job-template/not-allowed',
    });
    expect(await failure(stranger.delete({ templateId }))).toMatchObject({
      status: 404,
      code: 'job-template/not-found',
    });
    expect(await api().delete({ templateId })).toEqual({ deleted: true });
    expect(await failure(api().post({ templateId, ...when }))).toMatchObject({
      code: 'job-template/not-found',
    });
  });
});
