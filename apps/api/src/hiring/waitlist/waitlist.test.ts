import { addMs, dayMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { postponeDecideBy } from '../applications/application-transitions.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { fillApplicationsTask } from '../applications/end-applications.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { nextWaiting } from './waitlist.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
const inTx = <T>(work: (tx: Tx) => Promise<T>) => app.db.transaction().execute(work);
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

async function filledJob(applicants: number) {
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task', headCount: 1 });
  const people: { person: Person; id: string }[] = [];
  for (let n = 0; n < applicants; n += 1) {
    const person = await app.person({ name: `Worker ${n}` });
    people.push({ person, id: (await makeApplication(app.db, app.scopeOf(person), job.id)).id });
  }
  await app.db
    .updateTable('jobs')
    .set({ status: 'filled', hiredCount: 1 })
    .where('id', '=', job.id)
    .execute();
  await inTx((tx) => enqueue(tx, fillApplicationsTask, { jobId: job.id }));
  await app.runDue();
  return { job, people };
}
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items.map(({ topic }) => topic);

describe('the fill task', () => {
  it('ends pending applications, notifies the workers once and keeps hires and offers', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task', headCount: 2 });
    const states = [
      'submitted',
      'viewed',
      'shortlisted',
      'interviewing',
      'offered',
      'hired',
      'rejected',
    ] as const;
    const people: { person: Person; id: string; status: string }[] = [];
    for (const status of states) {
      const person = await app.person();
      const { id } = await makeApplication(app.db, app.scopeOf(person), job.id);
      await app.db.updateTable('applications').set({ status }).where('id', '=', id).execute();
      people.push({ person, id, status });
    }
    const run = async () => {
      await inTx((tx) => enqueue(tx, fillApplicationsTask, { jobId: job.id }));
      await app.runDue();
    };
    const statesNow = () =>
      Promise.all(
        people.map(
          async ({ person, id }) => (await person.api.applications.get({ applicationId: id })).status,
        ),
      );
    await run();
    expect(await statesNow()).toEqual(states);
    await app.db.updateTable('jobs').set({ status: 'filled' }).where('id', '=', job.id).execute();
    await run();
    await run();
    const filled = 'position_filled';
    expect(await statesNow()).toEqual([filled, filled, filled, filled, 'offered', 'hired', 'rejected']);
    for (const { person, status } of people)
      expect(
        (await topicsOf(person)).filter((topic) => topic === 'application-position-filled'),
      ).toHaveLength(['offered', 'hired', 'rejected'].includes(status) ? 0 : 1);
  });
});

describe('waitlist.join', () => {
  it('assigns places in order, keeps them on a repeat and notifies both sides', async () => {
    const { job, people } = await filledJob(3);
    const [first, second] = people as [(typeof people)[0], (typeof people)[0]];
    const before = await first.person.api.applications.get({ applicationId: first.id });
    expect(before).toMatchObject({
      status: 'position_filled',
      waitlist: null,
      actions: ['withdraw', 'join-waitlist'],
    });
    const joined = await first.person.api.waitlist.join({ applicationId: first.id });
    expect(joined).toMatchObject({
      status: 'position_filled',
      waitlist: { since: app.clock.now().toISOString(), position: 1 },
      actions: ['withdraw', 'leave-waitlist'],
    });
    app.clock.forward({ minutes: 1 });
    const next = await second.person.api.waitlist.join({ applicationId: second.id });
    expect(next.waitlist?.position).toBe(2);
    expect(await first.person.api.waitlist.join({ applicationId: first.id })).toEqual(joined);
    expect(await topicsOf(first.person)).toContain('waitlist-joined');
    expect(await topicsOf(owner)).toContain('waitlist-joined');
    expect(await inTx((tx) => nextWaiting(tx, app, job.id))).toEqual({
      applicationId: first.id,
      workerId: first.person.accountId,
    });
    await inTx(async (tx) => {
      await nextWaiting(tx, app, job.id);
      expect((await inTx((other) => nextWaiting(other, app, job.id)))?.applicationId).toBe(second.id);
    });
  });

  it('replays the response for the same key', async () => {
    const { people } = await filledJob(1);
    const [{ person, id }] = people as [(typeof people)[0]];
    const device = app.apiAs(person.token, { 'idempotency-key': 'waitlist-1' });
    const first = await device.waitlist.join({ applicationId: id });
    await person.api.waitlist.leave({ applicationId: id });
    expect(await device.waitlist.join({ applicationId: id })).toEqual(first);
    expect((await person.api.applications.get({ applicationId: id })).waitlist).toBeNull();
  });

  it('requires an applicant who missed the last spot of a full job', async () => {
    const { job, people } = await filledJob(1);
    const [{ person, id }] = people as [(typeof people)[0]];
    await app.db
      .updateTable('jobs')
      .set({ status: 'open', hiredCount: 0 })
      .where('id', '=', job.id)
      .execute();
    const join = () => failure(person.api.waitlist.join({ applicationId: id }));
    expect(await join()).toMatchObject({ status: 409, code: 'application/not-waiting' });
    expect((await person.api.applications.get({ applicationId: id })).actions).toEqual(['withdraw']);
    await app.db.updateTable('applications').set({ status: 'rejected' }).where('id', '=', id).execute();
    expect(await join()).toMatchObject({ status: 409, code: 'application/wrong-state' });
  });

  it('allows only the worker', async () => {
    const { people } = await filledJob(1);
    const [{ id }] = people as [(typeof people)[0]];
    const join = (api: Person['api']) => failure(api.waitlist.join({ applicationId: id }));
    expect(await join((await app.person()).api)).toMatchObject({ status: 404 });
    expect(await join(owner.api)).toMatchObject({ status: 403, code: 'application/not-allowed' });
    expect(await join((await app.person({ verified: false })).api)).toMatchObject({ status: 403 });
    expect(await join(app.apiAs(null))).toMatchObject({ status: 401 });
    expect(await failure(owner.api.waitlist.join({ applicationId: '🪑' }))).toMatchObject({
      status: 400,
    });
  });
});

describe('waitlist.leave', () => {
  it('gives up the place, also on withdrawal; a repeat is a no-op', async () => {
    const { job, people } = await filledJob(2);
    const [one, two] = people as [(typeof people)[0], (typeof people)[0]];
    for (const { person, id } of people) await person.api.waitlist.join({ applicationId: id });
    const left = await one.person.api.waitlist.leave({ applicationId: one.id });
    expect(left).toMatchObject({ waitlist: null, actions: ['withdraw', 'join-waitlist'] });
    expect(await one.person.api.waitlist.leave({ applicationId: one.id })).toEqual(left);
    expect((await two.person.api.applications.get({ applicationId: two.id })).waitlist?.position).toBe(1);
    await two.person.api.applications.withdraw({ applicationId: two.id });
    expect(await inTx((tx) => nextWaiting(tx, app, job.id))).toBeUndefined();
  });

  it('allows only the worker', async () => {
    const { people } = await filledJob(1);
    const [{ person, id }] = people as [(typeof people)[0]];
    const leave = (api: Person['api']) => failure(api.waitlist.leave({ applicationId: id }));
    expect(await leave((await app.person()).api)).toMatchObject({ status: 404 });
    expect(await leave(owner.api)).toMatchObject({ status: 403 });
    expect(await leave((await app.person({ verified: false })).api)).toMatchObject({ status: 403 });
    expect(await leave(app.apiAs(null))).toMatchObject({ status: 401 });
    await app.db.updateTable('applications').set({ status: 'rejected' }).where('id', '=', id).execute();
    expect(await leave(person.api)).toMatchObject({ status: 409, code: 'application/wrong-state' });
  });
});

describe('closing a filled job', () => {
  it('clears the waitlist', async () => {
    const { job, people } = await filledJob(1);
    const [{ person, id }] = people as [(typeof people)[0]];
    await person.api.waitlist.join({ applicationId: id });
    await owner.api.jobs.close({ jobId: job.id });
    const after = await person.api.applications.get({ applicationId: id });
    expect(after).toMatchObject({ status: 'position_filled', waitlist: null, actions: ['withdraw'] });
  });
});

describe('postponeDecideBy', () => {
  it('never passes the start of the work', async () => {
    const shift = await makeJob(app.db, app.scopeOf(owner), business.id);
    const person = await app.person();
    const { id } = await makeApplication(app.db, app.scopeOf(person), shift.id);
    const start = new Date(shift.startsAt ?? '');
    await inTx((tx) => postponeDecideBy(tx, app.scopeOf(owner), id, addMs(start, 2 * dayMs)));
    const { decideBy } = await person.api.applications.get({ applicationId: id });
    expect(decideBy).toBe(start.toISOString());
  });

  it('extends, never shortens, and resets the clock', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task' });
    const person = await app.person();
    const { id, decideBy } = await makeApplication(app.db, app.scopeOf(person), job.id);
    const after = (days: number) => addMs(new Date(decideBy), days * dayMs);
    const decideByNow = async () => (await person.api.applications.get({ applicationId: id })).decideBy;
    await inTx((tx) => postponeDecideBy(tx, app.scopeOf(owner), id, after(-2)));
    expect(await decideByNow()).toBe(decideBy);
    await inTx((tx) => postponeDecideBy(tx, app.scopeOf(owner), id, after(5)));
    expect(await decideByNow()).toBe(after(5).toISOString());
    app.clock.forward({ days: 15 });
    await app.runDue();
    const status = async () =>
      (
        await app.db
          .selectFrom('applications')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).status;
    expect(await status()).toBe('submitted');
    app.clock.forward({ days: 5 });
    await app.runDue();
    expect(await status()).toBe('no_response');
  });
});
