import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { withoutTimeLimits } from '../db.ts';
import { createLog } from '../log.ts';
import { queuePool } from '../tasks/task-runner.ts';
import { toAppError } from './error-mapper.ts';

const app = useTestApp();
let owner: Person;
let jobId: string;
beforeAll(async () => {
  owner = await app.person();
  const scope = app.scopeOf(owner);
  const business = await makeBusiness(app.db, scope);
  jobId = (await makeJob(app.db, scope, business.id)).id;
});

const setting = async (db = app.db) =>
  (await sql<{ statementTimeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statementTimeout;

/** Applies to every connection of the pool, because settings outlive a test. */
async function setAll(text: string): Promise<void> {
  const clients = await Promise.all(
    Array.from({ length: app.pool.options.max ?? 8 }, () => app.pool.connect()),
  );
  for (const client of clients) await client.query(text);
  for (const client of clients) client.release();
}

describe('a statement that takes too long', () => {
  it('is cancelled after half a minute, except in maintenance', async () => {
    expect(await setting()).toBe('30s');
    expect(await withoutTimeLimits(app.db, setting)).toBe('0');
    await expect(withoutTimeLimits(app.db, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await setting()).toBe('30s');
  });

  it('ends its call with 503 and no effect; a repeat under the same key runs it once', async () => {
    await setAll(`set statement_timeout = '250ms'`);
    const pause = () =>
      app.raw({
        method: 'POST',
        url: `/api/jobs/${jobId}/pause`,
        headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'a-patient-key' },
        payload: {},
      });
    const holder = new pg.Client(app.pool.options.connectionString);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from jobs where id = $1 for update', [jobId]);
      const cut = await pause();
      expect([cut.statusCode, cut.json().code, cut.headers['retry-after']]).toEqual([
        503,
        'request/unavailable',
        '5',
      ]);
    } finally {
      await holder.end();
    }
    const readJob = () => app.pool.query('select status from jobs where id = $1', [jobId]);
    expect((await readJob()).rows).toEqual([{ status: 'open' }]);
    const storedKey = await app.pool.query(`select from idempotency_keys where key = 'a-patient-key'`);
    expect(storedKey.rowCount).toBe(0);
    expect((await pause()).statusCode).toBe(200);
    expect((await readJob()).rows).toEqual([{ status: 'paused' }]);
    await setAll('reset statement_timeout');
  });

  it('is reported to the queue as retryable', async () => {
    const client = await queuePool(app.pool).connect();
    try {
      await client.query(`set statement_timeout = '50ms'`);
      await expect(client.query('select pg_sleep(1)')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    } finally {
      client.release(true);
    }
  });
});

describe('a transaction that is left open', () => {
  it('ends after a minute; its call gets a retryable error', async () => {
    const { rows } = await app.pool.query('show idle_in_transaction_session_timeout');
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
    const left = app.db.transaction().execute(async (tx) => {
      await sql`set idle_in_transaction_session_timeout = '50ms'`.execute(tx);
      await sql`update jobs set title = 'Half done' where id = ${jobId}`.execute(tx);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await sql`select 1`.execute(tx);
    });
    const failure = await left.catch((error: unknown) => error);
    expect(toAppError(failure, createLog({ LOG_LEVEL: 'silent' })).code).toBe('request/unavailable');
    const half = await app.pool.query(`select from jobs where title = 'Half done'`);
    expect(half.rowCount).toBe(0);
  });
});
