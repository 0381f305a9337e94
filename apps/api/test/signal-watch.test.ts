import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeApplication } from '../src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '../src/hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { newId } from '../src/platform/ids.ts';
import { emittedIn, packSignals } from '../src/platform/realtime/publish.ts';
import { emitRows } from '../src/platform/realtime/publish-records.ts';
import { useTestApp } from './harness.ts';
import { ofOtherSignals, unpublishedChanges, unwatched, watched } from './signal-watch.ts';

const app = useTestApp();

describe('the signals behind screens', () => {
  it('are decided for every table: emitted to someone, or a reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(app.db);
    const names = rows
      .map(({ name }) => name)
      .filter((name) => !/^(test_|sandbox_|kysely_|migration_)/.test(name) && !ofOtherSignals.test(name));
    expect(names.filter((name) => !(name in watched) && !(name in unwatched))).toEqual([]);
    expect(
      [...Object.keys(watched), ...Object.keys(unwatched)].filter((name) => !names.includes(name)),
    ).toEqual([]);
    expect(names.filter((name) => name.endsWith('_moves') && !(name in watched))).toEqual([]);
  });
});

describe('the signal watch', () => {
  it("detects a move without a signal, and one that a side didn't receive", async () => {
    const owner = await app.person();
    const worker = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    expect(await unpublishedChanges(app.db)).toEqual([]);
    const now = app.clock.now();
    // Simulates a service that bypasses the emitting functions.
    await app.db.transaction().execute(async (tx) => {
      await sql`insert into application_moves (id, application_id, actor, action, from_status, to_status, at)
        values (${newId(now)}, ${id}, 'timer', 'view', 'submitted', 'viewed', ${now})`.execute(tx);
    });
    expect(await unpublishedChanges(app.db)).toEqual([
      'application_moves: worker (1)',
      'application_moves: business (1)',
    ]);
    await sql`delete from test_facts`.execute(app.db);
    // A test's own write, outside a server transaction, is not checked.
    await app.db.updateTable('applications').set({ status: 'viewed' }).where('id', '=', id).execute();
    expect(await unpublishedChanges(app.db)).toEqual([]);
  });
});

describe('emitRows', () => {
  it('emits to each worker their own record and to a business once per job, in packs that fit', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({
      id: `a${n}`,
      workerId: `w${n}`,
      businessId: 'b',
      jobId: n < 400 ? 'j1' : 'j2',
    }));
    const notified = await app.db.transaction().execute(async (tx) => {
      emitRows(tx, 'application', rows);
      return emittedIn(tx);
    });
    expect(notified.filter(({ rooms }) => rooms.includes('business:b')).map(({ signal }) => signal)).toEqual([
      { kind: 'record', record: 'application', id: 'a0', jobId: 'j1' },
      { kind: 'record', record: 'application', id: 'a400', jobId: 'j2' },
    ]);
    expect(notified.filter(({ rooms }) => rooms[0]?.startsWith('account:'))).toHaveLength(500);
    for (const pack of packSignals(notified)) expect(Buffer.byteLength(pack)).toBeLessThan(8_000);
  });
});
