import { addDays } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { everyChangeIsEmitted } from '../../../test/signal-watch.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hoursAhead } from './interviews.fixtures.ts';

const app = useTestApp();
everyChangeIsEmitted(app);

let owner: Person;
let leila: Person;
let jobIds: string[];
/** Applications for Thursday, Friday and Saturday, in this order; a fourth shift has none. */
let applicationIds: string[];

beforeEach(async () => {
  owner = await app.person({ name: 'Nadia Berg' });
  leila = await app.person({ name: 'Leila Haddad' });
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
  const draft = await makeJob(app.db, app.scopeOf(owner), businessId, {
    status: 'draft',
    startsAt: '2026-11-26T09:00:00Z',
    endsAt: '2026-11-26T17:00:00Z',
  });
  const alsoOn = [1, 2, 3].map((days) => addDays('2026-11-26', days));
  const { dates } = await owner.api.jobs.publish({ jobId: draft.id, alsoOn });
  jobIds = dates.map(({ jobId }) => jobId);
  const [first = '', ...others] = jobIds.slice(0, 3);
  await leila.api.applications.submit({ jobId: first, alsoFor: others });
  const { items } = await leila.api.applications.mine({});
  applicationIds = jobIds.slice(0, 3).map((jobId) => items.find(({ job }) => job.id === jobId)?.id ?? '');
});

const propose = (index: number) =>
  owner.api.interviews.propose({
    applicationId: applicationIds[index] ?? '',
    mode: 'phone',
    where: '+31612345678',
    minutes: 30,
    slots: [hoursAhead(app, 24)],
    message: '',
  });
const statuses = async () => {
  const rows = await app.db
    .selectFrom('applications')
    .select(['id', 'status'])
    .where('workerId', '=', leila.accountId)
    .execute();
  return applicationIds.map((id) => rows.find((row) => row.id === id)?.status);
};
const refOf = ({ id, version }: { id: string; version: number }) => ({ interviewId: id, version });

describe('an interview of a series', () => {
  it('covers all shifts that the worker applied for, once', async () => {
    const interview = await propose(1);
    expect(await statuses()).toEqual(['interviewing', 'interviewing', 'interviewing']);
    expect(interview.shifts.map(({ jobId }) => jobId)).toEqual(jobIds.slice(0, 3));
    for (const applicationId of applicationIds) {
      const { items } = await leila.api.interviews.mine({ applicationId });
      expect(items.map(({ id }) => id)).toEqual([interview.id]);
    }
    expect(await failure(propose(0))).toMatchObject({ code: 'interview/already-open' });
    const notices = (await leila.api.notifications.list({})).items;
    expect(notices.filter(({ topic }) => topic === 'interview-proposed')).toHaveLength(1);
    expect((await leila.api.interviews.mine({})).items).toHaveLength(1);
  });

  it("doesn't bar an interview for a shift applied for later, which covers that one only", async () => {
    await propose(1);
    const { id: applicationId } = await leila.api.applications.submit({ jobId: jobIds[3] ?? '' });
    applicationIds.push(applicationId);
    expect((await propose(3)).shifts.map(({ jobId }) => jobId)).toEqual([jobIds[3]]);
  });

  it('returns all of them to the shortlist when it is cancelled', async () => {
    const interview = await propose(0);
    await owner.api.interviews.cancel({ ...refOf(interview), reason: 'Moved' });
    expect(await statuses()).toEqual(['shortlisted', 'shortlisted', 'shortlisted']);
    expect((await propose(2)).shifts).toHaveLength(3);
  });

  it('stays for the shifts that are left, until none is', async () => {
    const { id: interviewId } = await propose(0);
    await leila.api.applications.withdraw({ applicationId: applicationIds[0] ?? '' });
    const moved = await leila.api.interviews.get({ interviewId });
    expect(moved).toMatchObject({ status: 'proposed', jobId: jobIds[1] });
    await owner.api.jobs.close({ jobId: jobIds[1] ?? '' });
    expect(await leila.api.interviews.get({ interviewId })).toMatchObject({
      status: 'proposed',
      jobId: jobIds[2],
    });
    const { version } = await leila.api.interviews.get({ interviewId });
    const picked = await leila.api.interviews.pick({
      interviewId,
      version,
      slotId: moved.slots[0]?.id ?? '',
    });
    expect(picked.status).toBe('scheduled');
    await leila.api.applications.withdraw({ applicationId: applicationIds[2] ?? '' });
    expect((await leila.api.interviews.get({ interviewId })).status).toBe('cancelled');
  });

  it('is proposed once in a race for two of its shifts', async () => {
    const outcomes = await Promise.allSettled([propose(0), propose(1)]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(1);
    expect(await failure(Promise.reject(refused[0]))).toMatchObject({ code: 'interview/already-open' });
    expect((await leila.api.interviews.mine({})).items).toHaveLength(1);
    expect(await statuses()).toEqual(['interviewing', 'interviewing', 'interviewing']);
  });

  it('lapses for all of them', async () => {
    await propose(1);
    app.clock.forward({ hours: 80 });
    await app.runDue();
    expect(await statuses()).toEqual(['shortlisted', 'shortlisted', 'shortlisted']);
  });
});
