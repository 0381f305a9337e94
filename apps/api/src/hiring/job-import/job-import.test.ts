import { dayMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { importJobs } from './job-import.ts';
import type { ImportRow } from './posting.rules.ts';

const app = useTestApp();

const posting: ImportRow = {
  sourceId: '1',
  businessName: 'Ecole Noord',
  kind: 'shift',
  title: 'Deck hand',
  category: 'logistics',
  description: 'Ropes and locks.',
  payMinor: 1_600,
  payMaxMinor: null,
  payUnit: 'hour',
  currency: 'EUR',
  headCount: 2,
  hoursNote: '07:00 to 15:00',
  place: { address: 'Pier 1', area: 'Noord', countryCode: 'NL', lat: 52.4012, lng: 4.8909 },
  until: '2026-12-01',
  sourceUrl: null,
};
const endOf1December = new Date('2026-12-01T23:00:00Z');

async function owner() {
  const person = await app.person();
  const take = (...rows: Partial<ImportRow>[]) =>
    app.db.transaction().execute((tx) =>
      importJobs(tx, app.scopeOf(person), {
        source: 'harbour-board',
        operator: 'operator:import',
        rows: rows.map((row) => ({ ...posting, ...row })),
      }),
    );
  const importedJobs = () =>
    app.db
      .selectFrom('jobs')
      .innerJoin('business_members', 'business_members.businessId', 'jobs.businessId')
      .selectAll('jobs')
      .where('business_members.accountId', '=', person.accountId)
      .executeTakeFirstOrThrow();
  return { ...person, take, stored: importedJobs };
}

async function dueAt(jobId: string): Promise<Date> {
  const { rows } = await app.pool.query('select run_at from graphile_worker.jobs where key = $1', [
    `job-expiry:${jobId}`,
  ]);
  return rows[0].run_at;
}

describe('an imported job whose posting changed', () => {
  it("expires on its source's new last day, whether later, earlier or missing", async () => {
    const { take, stored } = await owner();
    await take({});
    const { id, publishedAt } = await stored();
    expect(await dueAt(id)).toEqual(endOf1December);
    const fullLife = new Date((publishedAt?.getTime() ?? 0) + app.config.JOB_LIFE_DAYS * dayMs);
    for (const [until, end] of [
      ['2026-12-10', new Date('2026-12-10T23:00:00Z')],
      ['2026-11-25', new Date('2026-11-25T23:00:00Z')],
      [null, fullLife],
      ['2027-06-01', fullLife],
    ] as const) {
      expect(await take({ until })).toEqual(['updated']);
      expect((await stored()).expiresAt).toEqual(end);
      expect(await dueAt(id)).toEqual(end);
    }
  });

  it('moves the end of a paused job, which its reopening keeps', async () => {
    const { api, take, stored } = await owner();
    await take({});
    const { id } = await stored();
    await api.jobs.pause({ jobId: id });
    await take({ until: '2026-11-25' });
    expect((await stored()).expiresAt).toEqual(new Date('2026-11-25T23:00:00Z'));
    expect(await dueAt(id)).toEqual(new Date('2026-11-25T23:00:00Z'));
    await api.jobs.reopen({ jobId: id });
    expect(await dueAt(id)).toEqual(new Date('2026-11-25T23:00:00Z'));
  });

  it("takes the kind from its source, without the other kind's hours", async () => {
    const { api, take, stored } = await owner();
    await take({});
    const job = await stored();
    const hours = { startsAt: '2026-11-27T08:00:00Z', endsAt: '2026-11-27T16:00:00Z', breakMinutes: 30 };
    await api.jobs.update({ jobId: job.id, version: job.version, ...hours });
    expect(await take({ kind: 'task', payUnit: 'fixed', payMinor: 90_000 })).toEqual(['updated']);
    expect(await stored()).toMatchObject({
      kind: 'task',
      payUnit: 'fixed',
      startsAt: null,
      endsAt: null,
      breakMinutes: 0,
      expiresAt: endOf1December,
    });
  });
});

describe('an edit of an imported job', () => {
  it("keeps its source's last day unless the work begins earlier", async () => {
    const { api, take, stored } = await owner();
    await take({});
    const job = await stored();
    const late = { startsAt: '2026-12-15T08:00:00Z', endsAt: '2026-12-15T16:00:00Z' };
    await api.jobs.update({ jobId: job.id, version: 1, ...late });
    expect((await stored()).expiresAt).toEqual(endOf1December);
    const early = { startsAt: '2026-11-27T08:00:00Z', endsAt: '2026-11-27T16:00:00Z' };
    await api.jobs.update({ jobId: job.id, version: 2, ...early });
    expect((await stored()).expiresAt).toEqual(new Date(early.startsAt));
    expect(await dueAt(job.id)).toEqual(new Date(early.startsAt));
  });
});

describe('the businesses of an import', () => {
  it('match the same way every time, in any script and case', async () => {
    const { api, take } = await owner();
    await take({ businessName: 'ÉCOLE İzmir', sourceId: '1' }, { businessName: 'ΟΔΟΣ', sourceId: '2' });
    const again = await take(
      { businessName: 'école i̇zmir', sourceId: '1' },
      { businessName: 'ΟΔΟΣ', sourceId: '3' },
    );
    expect(again).toEqual(['updated', 'imported']);
    expect(await api.businesses.mine()).toHaveLength(2);
  });

  it('are verified without a notification each', async () => {
    const { api, accountId, take } = await owner();
    await take({}, { businessName: 'Galley', sourceId: '2' });
    expect((await api.businesses.mine()).map(({ status }) => status)).toEqual(['verified', 'verified']);
    const notices = await app.db
      .selectFrom('notifications')
      .select('topic')
      .where('accountId', '=', accountId)
      .execute();
    expect(notices).toEqual([]);
  });
});
