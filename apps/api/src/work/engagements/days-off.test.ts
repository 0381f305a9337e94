import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { everyChangeIsEmitted } from '../../../test/signal-watch.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { hireFor, makeEngagement } from './engagements.fixtures.ts';

const app = useTestApp();
everyChangeIsEmitted(app);

let owner: Person;
let leila: Person;
let businessId: string;
/** Her shifts on Thursday 26, Friday 27 and Saturday 28 November 2026, 10:00 to 18:00 in Amsterdam. */
let days: Awaited<ReturnType<typeof hireFor>>[];

const planned = { startsAt: '2026-11-26T09:00:00.000Z', endsAt: '2026-11-26T17:00:00.000Z', headCount: 1 };
const sides = () => ({ worker: app.scopeOf(leila), recruiter: app.scopeOf(owner) });

beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  owner = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  const draft = await makeJob(app.db, app.scopeOf(owner), businessId, { status: 'draft', ...planned });
  const { dates } = await owner.api.jobs.publish({ jobId: draft.id, alsoOn: ['2026-11-27', '2026-11-28'] });
  days = [];
  for (const { jobId } of dates) days.push(await hireFor(app.db, sides(), jobId));
});

const friday = () => days[1] as (typeof days)[number];
const get = (engagementId = friday().id, person = leila) => person.api.engagements.get({ engagementId });
async function ask(work = friday(), person = leila) {
  const { version } = await get(work.id, leila);
  return person.api.engagements.askDayOff({ engagementId: work.id, version, reason: 'My sister marries.' });
}
async function answer(choice: 'grant' | 'refuse' | 'withdraw', person: Person, work = friday()) {
  const { id, dayOff } = await get(work.id);
  return person.api.engagements.answerDayOff({
    engagementId: id,
    dayOffId: dayOff?.id ?? '',
    answer: choice,
  });
}
/** An edit of Friday's job that Leila accepts. */
async function changeShift(hours: { startsAt?: string; endsAt: string }) {
  const { jobId, id } = friday();
  const { version } = await owner.api.jobs.get({ jobId });
  await owner.api.jobs.update({ jobId, version, ...hours });
  const changeId = (await get()).change?.id ?? '';
  await leila.api.engagements.answerChange({ engagementId: id, changeId, answer: 'accept' });
}
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items
    .filter(({ topic }) => topic.startsWith('day-off'))
    .map(({ topic, data }) => [topic, data.variant ?? data.reason]);
const heldOf = async (engagementId: string) => {
  const { rows } = await sql<{
    status: string;
  }>`select status from holds where engagement_id = ${engagementId}`.execute(app.db);
  return rows.map(({ status }) => status);
};

describe('engagements.askDayOff', () => {
  it('is granted by silence: no mark, no pay, the spot is open, and the other days stay booked', async () => {
    expect((await get()).dayOffAsk).toEqual({
      until: '2026-11-24T09:00:00.000Z',
      answerBy: '2026-11-22T09:00:00.000Z',
    });
    expect(await heldOf(friday().id)).toEqual(['held']);
    const work = await ask();
    expect(work).toMatchObject({
      status: 'booked',
      dayOffAsk: null,
      dayOff: {
        status: 'open',
        reason: 'My sister marries.',
        answerBy: '2026-11-22T09:00:00.000Z',
        answers: ['withdraw'],
      },
    });
    expect(await topicsOf(owner)).toEqual([['day-off-asked', 'My sister marries.']]);
    const { shifts } = await owner.api.roster.week({
      businessId,
      from: (work.terms.startsAt ?? '').slice(0, 10),
    });
    expect(shifts.find(({ jobId }) => jobId === work.jobId)?.people).toMatchObject([{ asksDayOff: true }]);
    expect(await codeOf(ask())).toBe('engagement/wrong-state');
    app.clock.set('2026-11-22T09:00:00Z');
    await app.runDue();
    expect(await get()).toMatchObject({
      status: 'cancelled_by_worker',
      excused: true,
      cancelled: { late: false, compensationMinor: 0, reason: 'My sister marries.' },
      dayOff: { status: 'granted', answers: [] },
    });
    expect(await heldOf(friday().id)).not.toContain('held');
    expect((await owner.api.jobs.get({ jobId: friday().jobId })).status).toBe('open');
    for (const { id } of [days[0], days[2]] as typeof days) expect((await get(id)).status).toBe('booked');
    expect(await topicsOf(leila)).toEqual([['day-off-answered', 'silent']]);
    expect((await topicsOf(owner)).at(0)).toEqual(['day-off-answered', 'silent']);
    const { rows } = await sql<{ late: boolean }>`
      select cancelled_late as late from engagements where id = ${friday().id}`.execute(app.db);
    expect(rows).toEqual([{ late: false }]);
  });

  it('is for a date of a series with other days, three days before at the latest, by its worker', async () => {
    const single = await makeEngagement(app.db, sides(), businessId, {
      startsAt: '2026-12-03T09:00:00.000Z',
      endsAt: '2026-12-03T17:00:00.000Z',
    });
    expect(single.dayOffAsk).toBeNull();
    expect(await codeOf(ask(single))).toBe('engagement/wrong-state');
    expect(await codeOf(ask(friday(), owner))).toBe('engagement/not-allowed');
    expect(await codeOf(ask(friday(), await app.person()))).toBe('engagement/not-found');
    app.clock.set('2026-11-24T09:00:00Z');
    expect((await get()).dayOffAsk).toBeNull();
    expect(await codeOf(ask())).toBe('engagement/too-late');
    const input = { engagementId: friday().id, version: friday().version, reason: ' ' };
    expect(await codeOf(leila.api.engagements.askDayOff(input))).toBe('request/invalid');
  });
});

describe('engagements.answerDayOff', () => {
  it('grants it at once, and a later cancellation or answer changes nothing', async () => {
    await ask();
    expect((await get(friday().id, owner)).dayOff?.answers).toEqual(['grant', 'refuse']);
    expect(await answer('grant', owner)).toMatchObject({ status: 'cancelled_by_worker', excused: true });
    expect(await answer('grant', owner)).toMatchObject({ status: 'cancelled_by_worker' });
    expect(await codeOf(answer('refuse', owner))).toBe('engagement/wrong-state');
    expect(await topicsOf(leila)).toEqual([['day-off-answered', 'granted']]);
    expect((await topicsOf(owner)).map(([topic]) => topic)).toEqual(['day-off-asked']);
  });

  it('refuses it once: the worker stays booked and may still cancel on time', async () => {
    await ask();
    expect(await answer('refuse', owner)).toMatchObject({ status: 'booked', dayOff: { status: 'refused' } });
    expect(await topicsOf(leila)).toEqual([['day-off-answered', 'refused']]);
    expect(await codeOf(ask())).toBe('engagement/wrong-state');
    app.clock.set('2026-11-23T09:00:00Z');
    await app.runDue();
    expect(await get()).toMatchObject({ status: 'booked', cancelling: { late: false } });
  });

  it('is withdrawn by its worker, who may ask again, and ends with the booking', async () => {
    await ask();
    for (const person of [owner, await app.person()])
      expect(await codeOf(answer('withdraw', person))).toMatch(/^engagement\/not-/);
    expect(await codeOf(answer('grant', leila))).toBe('engagement/not-allowed');
    expect((await answer('withdraw', leila)).dayOff?.status).toBe('withdrawn');
    expect((await topicsOf(owner)).at(0)).toEqual(['day-off-answered', 'withdrawn']);
    const { version } = await ask();
    await leila.api.engagements.cancel({
      engagementId: friday().id,
      version,
      reason: 'I found another job.',
    });
    expect(await get()).toMatchObject({ excused: false, dayOff: { status: 'withdrawn' } });
    expect(await codeOf(answer('grant', owner))).toBe('engagement/wrong-state');
  });

  it('is due by day, and refuses nothing after that', async () => {
    app.clock.set('2026-11-21T22:00:00Z');
    expect((await ask()).dayOff?.answerBy).toBe('2026-11-23T07:00:00.000Z');
    app.clock.set('2026-11-23T07:00:00Z');
    expect((await get(friday().id, owner)).dayOff?.answers).toEqual(['grant']);
    expect(await codeOf(answer('refuse', owner))).toBe('engagement/wrong-state');
    await app.runDue();
    expect(await get()).toMatchObject({ excused: true, dayOff: { status: 'granted' } });
  });

  it('offers the spot to the waitlist, otherwise invites colleagues', async () => {
    const [waits, noor] = [await app.person(), await app.person()];
    const task = await makeJob(app.db, app.scopeOf(owner), businessId, { kind: 'task' });
    await makeApplication(app.db, app.scopeOf(noor), task.id);
    const pool = await owner.api.pools.create({ businessId, name: 'Regulars' });
    await owner.api.pools.add({ poolId: pool.id, workerIds: [noor.accountId] });
    const draft = await makeJob(app.db, app.scopeOf(owner), businessId, {
      status: 'draft',
      startsAt: '2026-12-03T09:00:00.000Z',
      endsAt: '2026-12-03T17:00:00.000Z',
      headCount: 1,
    });
    const { dates } = await owner.api.jobs.publish({ jobId: draft.id, alsoOn: ['2026-12-04', '2026-12-05'] });
    const application = await makeApplication(app.db, app.scopeOf(waits), dates[0]?.jobId ?? '');
    const works: ReturnType<typeof friday>[] = [];
    for (const { jobId } of dates) works.push(await hireFor(app.db, sides(), jobId));
    await app.runDue();
    app.clock.forward({ hours: 1 });
    await app.runDue();
    await waits.api.waitlist.join({ applicationId: application.id });
    const [waited = friday(), free = friday()] = works;
    for (const work of [waited, free]) {
      await ask(work);
      await answer('grant', owner, work);
    }
    expect(await waits.api.offers.mine({ group: 'live' })).toMatchObject({
      items: [{ jobId: waited.jobId }],
    });
    const invited = await app.db.selectFrom('job_invitations').select(['jobId', 'workerId']).execute();
    expect(invited).toEqual([{ jobId: free.jobId, workerId: noor.accountId }]);
  });
});

describe('an open request', () => {
  it.each(['a confirmation', 'another start'])('ends with %s, and silence cancels nothing', async (how) => {
    await ask();
    if (how === 'a confirmation')
      await leila.api.engagements.confirm({ engagementId: friday().id, version: friday().version });
    else {
      await changeShift({ endsAt: '2026-11-27T18:00:00.000Z' });
      // The same day stays off.
      expect((await get()).dayOff?.status).toBe('open');
      await changeShift({ startsAt: '2026-11-29T09:00:00.000Z', endsAt: '2026-11-29T17:00:00.000Z' });
    }
    expect((await get()).dayOff?.status).toBe('withdrawn');
    expect((await topicsOf(owner)).at(0)).toEqual(['day-off-answered', 'withdrawn']);
    app.clock.set('2026-11-22T09:00:00Z');
    await app.runDue();
    expect(['booked', 'confirmed']).toContain((await get()).status);
  });
});
