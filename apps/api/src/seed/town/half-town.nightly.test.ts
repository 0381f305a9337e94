import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { tasks } from '../../app.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { type Db, openPool } from '../../platform/db.ts';
import { StartRefusedError } from '../../platform/start-refused.ts';
import { seedDemoTown } from '../demo-town.ts';
import { runPast } from '../seed-timers.ts';
import { beginTown, clearHalfTown, finishTown, requireCompleteTown } from './half-town.ts';

const app = useTestApp();
const partsOf = (stopped: AbortSignal) => {
  const { log, sign } = app.scopeOf({ accountId: '' });
  const { config, clock, fileStore, provider, db, pool } = app;
  return { log, sign, config, clock, fileStore, provider, db, pool, stopped };
};
const accounts = async (db: Db) => (await db.selectFrom('accounts').select('id').execute()).length;

describe('a demo town that is interrupted', () => {
  it('stops between two steps, and leaves nothing of its first part', async () => {
    const stop = new AbortController();
    const said: string[] = [];
    const making = seedDemoTown(partsOf(stop.signal), tasks, (line) => {
      said.push(line);
      if (line.startsWith('  people')) stop.abort(new Error('stopped by hand'));
    });
    await expect(making).rejects.toThrow('stopped by hand');
    expect(said.at(-1)).toMatch(/^ {2}people: \d\d of 1\d\d$/);
    expect(await accounts(app.db)).toBe(0);
    await requireCompleteTown(app.db);
  });

  it('stops between two tasks of its past', async () => {
    const parts = partsOf(AbortSignal.abort(new Error('stopped by hand')));
    const now = app.clock.now();
    await expect(runPast(parts, tasks, now, now)).rejects.toThrow('stopped by hand');
  });

  it('is removed at the next start, but only if it is incomplete', async () => {
    const database = await createTestDatabase();
    const ours = { url: database.url, ours: true, log: { info: () => {}, warn: () => {} } };
    const on = async <Result>(work: (db: Db) => Promise<Result>): Promise<Result> => {
      const { db, close } = openPool(database.url, 1, () => {});
      return work(db).finally(close);
    };
    try {
      await on((db) =>
        sql`insert into accounts (id, email, name) values (gen_random_uuid(), 'one@example.org', 'One')`.execute(
          db,
        ),
      );
      expect(await clearHalfTown(ours)).toBe(false);
      await on((db) => db.transaction().execute(beginTown));
      await expect(on(requireCompleteTown)).rejects.toThrow(StartRefusedError);
      // A configured database may contain other data.
      await expect(clearHalfTown({ ...ours, ours: false })).rejects.toThrow(StartRefusedError);
      expect(await on(accounts)).toBe(1);
      expect(await clearHalfTown(ours)).toBe(true);
      await migrate(database.url, { log: { info: () => {}, warn: () => {} } });
      expect(await on(accounts)).toBe(0);
      await on((db) => db.transaction().execute(beginTown));
      await on((db) => db.transaction().execute(finishTown));
      expect(await clearHalfTown(ours)).toBe(false);
    } finally {
      await database.drop();
    }
  });

  it.each([
    ['operator.ts', ['list']],
    ['accounts.ts', ['export', 'all.json']],
    ['import.ts', ['jobs.json', '--owner', 'nadia@example.org', '--report', 'refused.csv']],
  ])('rejects %s', async (command, args) => {
    const database = await createTestDatabase();
    const folder = await mkdtemp(path.join(tmpdir(), 'nearhand-half-town-'));
    try {
      await writeFile(
        path.join(folder, 'jobs.json'),
        '{"@context":"https://schema.org","@type":"JobPosting"}',
      );
      const { db, close } = openPool(database.url, 1, () => {});
      await db.transaction().execute(beginTown).finally(close);
      const said = await new Promise<string>((resolve) => {
        const file = path.resolve(import.meta.dirname, '../../commands', command);
        const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder, INIT_CWD: folder };
        execFile(process.execPath, [file, ...args], { env }, (error, _out, err) =>
          resolve(`${error?.code} ${err}`),
        );
      });
      expect(said).toMatch(/^1 .*The demo town in this database is half made/s);
    } finally {
      await rm(folder, { recursive: true, force: true });
      await database.drop();
    }
  });
});
