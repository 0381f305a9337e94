import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { StartRefusedError } from '../start-refused.ts';
import type { StartLog } from './database-server.ts';

/** The numbers are 'migr' and 'demo' in ASCII. */
export const startLocks = {
  migrations: { id: 0x6d696772, purpose: 'migrate the database' },
  demoTown: { id: 0x64656d6f, purpose: 'create or remove the demo town' },
} as const;

type StartLockTimes = { tryAgainMs: number; warnMs: number; giveUpMs: number };
const usualTimes: StartLockTimes = { tryAgainMs: 100, warnMs: 10_000, giveUpMs: 600_000 };

/**
 * Takes a transaction lock, since a pooler would keep a session lock.
 * @throws StartRefusedError
 */
export async function holdStartLock<Result>(
  client: pg.ClientBase,
  lock: (typeof startLocks)[keyof typeof startLocks],
  log: StartLog,
  work: () => Promise<Result>,
  times: StartLockTimes = usualTimes,
): Promise<Result> {
  await client.query('begin');
  try {
    // A role may have both limits, and this transaction is idle in the meantime (docs/operations.md).
    await client.query('set local statement_timeout = 0');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const started = performance.now();
    let warnAfterMs = times.warnMs;
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        'select pg_try_advisory_xact_lock($1::bigint) as locked',
        [lock.id],
      );
      if (rows[0]?.locked) break;
      const waitedMs = performance.now() - started;
      if (waitedMs >= times.giveUpMs)
        throw new StartRefusedError(
          `Another session has been holding the lock to ${lock.purpose} for ${Math.round(waitedMs / 1_000)} s: ${await describeHolder(client, lock.id)}; stop that program, or end its session with pg_terminate_backend, and start again.`,
        );
      if (waitedMs >= warnAfterMs) {
        warnAfterMs = waitedMs + times.warnMs;
        log.warn(
          `Waiting for the lock to ${lock.purpose}, held by ${await describeHolder(client, lock.id)}.`,
        );
      }
      await wait(times.tryAgainMs);
    }
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Address and times are visible only to the same role and `pg_read_all_stats`. */
async function describeHolder(client: pg.ClientBase, id: number): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string; since: Date | null }>(
    `select pid, application_name as name, coalesce(host(client_addr), 'a local socket') as address,
        coalesce(xact_start, state_change) as since
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and granted
        and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [id],
  );
  const holder = rows[0];
  if (!holder) return 'a session that has just ended';
  return `PostgreSQL session ${holder.pid} of '${holder.name || 'no name'}' from ${holder.address}, since ${holder.since?.toISOString() ?? 'an unknown time'}`;
}

/** Sets settings at connection start, which a pooler refuses, unlike `set`, instead of keeping them. */
export function withSessionSettings(url: string, settings: Record<string, string>): string {
  const address = new URL(url);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set(
    'options',
    [address.searchParams.get('options') ?? '', ...options].join(' ').trim(),
  );
  return address.href;
}
