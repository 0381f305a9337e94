import { addMs, dayIn, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import {
  type JobStanding,
  type JobStatus,
  jobStanding,
  jobStandings,
} from '@nearhand/contract/hiring/jobs.rules';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();

const cases: readonly ['shift' | 'task', JobStatus, number, number, JobStanding][] = [
  ['shift', 'open', 0, -1, 'open'],
  ['shift', 'expired', 0, -1, 'expired'],
  ['shift', 'paused', 0, -1, 'paused'],
  ['shift', 'filled', 1, -1, 'filled'],
  ['shift', 'expired', 0, 0, 'not_filled'],
  ['shift', 'paused', 0, 1, 'not_filled'],
  ['shift', 'expired', 1, 1, 'in_progress'],
  ['shift', 'filled', 1, 7, 'in_progress'],
  ['shift', 'filled', 1, 8, 'finished'],
  ['shift', 'expired', 1, 30, 'finished'],
  ['shift', 'closed', 1, 30, 'closed'],
  ['task', 'expired', 0, -1, 'expired'],
  ['task', 'expired', 0, 0, 'expired'],
  ['task', 'expired', 0, 1, 'not_filled'],
  ['task', 'expired', 1, 1, 'finished'],
  ['task', 'filled', 1, 1, 'filled'],
];

describe('jobs.listed by standing', () => {
  it('shows past shifts as finished or unfilled, in lists and on cards', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const now = app.clock.now();
    const expected: Partial<Record<JobStanding, string[]>> = {};
    for (const [kind, status, hired, since, standing] of cases) {
      const { id } = await makeJob(app.db, app.scopeOf(owner), business.id, {
        kind,
        status: 'draft',
      });
      const startsAt = kind === 'shift' ? subtractMs(now, since * hourMs) : null;
      const set = {
        status,
        hired_count: hired,
        starts_at: startsAt,
        ends_at: startsAt && addMs(startsAt, 8 * hourMs),
        due_on:
          kind === 'task'
            ? subtractMs(now, since * 24 * hourMs)
                .toISOString()
                .slice(0, 10)
            : null,
      };
      await app.db.updateTable('jobs').set(set).where('id', '=', id).execute();
      expected[standing] = [...(expected[standing] ?? []), id];
    }
    const all = await owner.api.jobs.listed({ businessId: business.id, limit: 50 });
    for (const standing of jobStandings) {
      const ids = expected[standing] ?? [];
      expect(all.counts?.[standing] ?? 0, standing).toBe(ids.length);
      const { items } = await owner.api.jobs.listed({ businessId: business.id, status: standing, limit: 50 });
      expect(items.map(({ id }) => id).sort(), standing).toEqual([...ids].sort());
      for (const job of items) expect(jobStanding(job, job.hired, now)).toBe(standing);
    }
  });

  it('omits reopening from a past shift', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    app.clock.set(new Date(Date.parse(job.startsAt ?? '') + hourMs));
    await app.runDue();
    expect(
      (await owner.api.notifications.list({})).items.filter(({ topic }) => topic === 'job-expired'),
    ).toMatchObject([{ data: { variant: 'past' } }]);
  });

  it('ends a paused shift at its start, by its edited hours', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const startsAt = addMs(new Date(job.startsAt ?? ''), hourMs);
    const { version } = await owner.api.jobs.pause({ jobId: job.id });
    await owner.api.jobs.update({ jobId: job.id, version, startsAt: startsAt.toISOString() });
    app.clock.set(subtractMs(startsAt, 1));
    await app.runDue();
    expect((await owner.api.jobs.get({ jobId: job.id })).status).toBe('paused');
    app.clock.set(startsAt);
    await app.runDue();
    const ended = await owner.api.jobs.get({ jobId: job.id });
    expect(jobStanding(ended, 0, startsAt)).toBe('not_filled');
    expect(ended.status).toBe('expired');
    expect(await failure(owner.api.jobs.reopen({ jobId: job.id }))).toMatchObject({
      code: 'job/starts-in-past',
    });
  });

  it('ends a paused task after its last day, however long ago it was published', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const dueOn = dayIn('Europe/Amsterdam', addMs(app.clock.now(), 45 * dayMs));
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, {
      kind: 'task',
      dueOn,
    });
    await owner.api.jobs.pause({ jobId: job.id });
    const statusAfter = async (ms: number) => {
      app.clock.set(addMs(app.clock.now(), ms));
      await app.runDue();
      return (await owner.api.jobs.get({ jobId: job.id })).status;
    };
    expect(await statusAfter(31 * dayMs)).toBe('paused');
    expect(await statusAfter(15 * dayMs)).toBe('expired');
  });

  it('keeps a paused shift of a far day until its start, and then from everyone but applicants', async () => {
    const owner = await app.person();
    const stranger = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const startsAt = addMs(app.clock.now(), 45 * dayMs);
    const job = await makeJob(app.db, app.scopeOf(owner), business.id, {
      startsAt: startsAt.toISOString(),
      endsAt: addMs(startsAt, 4 * hourMs).toISOString(),
    });
    await owner.api.jobs.pause({ jobId: job.id });
    app.clock.set(addMs(app.clock.now(), 31 * dayMs));
    await app.runDue();
    expect((await owner.api.jobs.get({ jobId: job.id })).status).toBe('paused');
    app.clock.set(startsAt);
    await app.runDue();
    expect((await owner.api.jobs.get({ jobId: job.id })).status).toBe('expired');
    expect(await failure(stranger.api.jobs.get({ jobId: job.id }))).toMatchObject({ code: 'job/not-found' });
    const { items } = await owner.api.notifications.list({});
    expect(items.filter(({ topic }) => topic === 'job-expired')).toEqual([]);
  });
});
