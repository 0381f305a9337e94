import { sql } from 'kysely';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { describeTwoProcesses } from '../../../test/two-processes.ts';
import { warnOfMissingLimits } from '../db.ts';
import type { Log } from '../log.ts';
import { createPgbouncer, hasPgbouncer } from '../test-services/pgbouncer.fixtures.ts';

/** The oldest version that a distribution ships: 1.18 doesn't support prepared statements. */
describe.skipIf(!hasPgbouncer)('through PgBouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof createPgbouncer>>;
  // Registered first, so it runs last.
  afterAll(() => pooler.close());
  const app = useTestApp(async () => {
    const { hostname, port, password } = new URL(inject('testServer').superuserUrl);
    const login = { user: inject('testServer').owner, password: decodeURIComponent(password) };
    pooler = await createPgbouncer({ host: hostname, port: Number(port), ...login });
    return { DATABASE_URL: `postgres://127.0.0.1:${pooler.port}/any` };
  });
  describeTwoProcesses(app);

  it('runs tasks, and leaves neither locks nor prepared statements on its connections', async () => {
    const person = await app.person();
    await app.db.transaction().execute((tx) => sql`select pg_advisory_xact_lock(7)`.execute(tx));
    await person.api.accounts.me({});
    await app.runDue();
    const { rows } = await sql<{ locks: number; plans: number }>`select
      (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
      (select count(*) from pg_prepared_statements) as plans`.execute(app.db);
    expect(rows).toEqual([{ locks: 0, plans: 0 }]);
  });

  it('warns of statements without a time limit', async () => {
    const warn = vi.fn();
    await warnOfMissingLimits(app.db, { warn } as unknown as Log);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('no time limit'));
  });
});
