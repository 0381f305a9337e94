import pg from 'pg';
import { z } from 'zod';
import { systemClock } from '../src/platform/clock.ts';
import { openPool } from '../src/platform/db.ts';
import { createLog } from '../src/platform/log.ts';
import { startRunner } from '../src/platform/tasks/task-runner.ts';
import { defineTask, type TaskScope } from '../src/platform/tasks/tasks.ts';

/**
 * Runs tasks for `task-leases.nightly.test.ts`. Arguments: database URL, task duration
 * and lease times in ms, mode, pooler URL. Prints "ready" and records runs in `runs`.
 * Controls: `unleased` leases for another owner, `pooled` uses the pooler for leases.
 */
const [url = '', lastsMs, lookMs, graceMs, mode, pooledUrl] = process.argv.slice(2);
if (mode === 'unleased') {
  type Query = (text: unknown, ...rest: unknown[]) => unknown;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (text, ...rest) {
    const isLease = String(text).includes('pg_advisory_lock_shared');
    return isLease
      ? query.call(this, "select pg_advisory_lock_shared(7301, hashtext('worker-1'))")
      : query.call(this, text, ...rest);
  };
}
const { db, pool } = openPool(url, 6, () => {}, undefined, { pooled: mode === 'pooled' });
const work = pooledUrl ? openPool(pooledUrl, 2, () => {}, undefined, { pooled: true }).pool : pool;
const long = defineTask({
  name: 'leases-test.long',
  payload: z.object({}),
  async run() {
    await work.query('insert into runs (pid) values ($1)', [process.pid]);
    await new Promise((resolve) => setTimeout(resolve, Number(lastsMs)));
    await work.query('update runs set ended_at = now() where pid = $1', [process.pid]);
  },
});
const scope = { db, clock: systemClock, log: createLog({ LOG_LEVEL: 'silent' }) } as unknown as TaskScope;
await startRunner(pool, [long], scope, { lookMs: Number(lookMs), graceMs: Number(graceMs) });
process.stdout.write('ready\n');
