import { expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../../test/test-database.ts';
import { openPool } from '../db.ts';
import { createLog, type Log } from '../log.ts';
import { retryAfterOf, toAppError } from './error-mapper.ts';

it('reports an exhausted pool as unavailable, not as a bug', async () => {
  const database = await createTestDatabase();
  const { pool, close } = openPool(database.url, 1, () => {});
  const connection = await pool.connect();
  pool.options.connectionTimeoutMillis = 200;
  try {
    const failure = await pool.query('select 1').then(
      () => null,
      (error: unknown) => error,
    );
    expect(toAppError(failure, createLog({ LOG_LEVEL: 'silent' })).code).toBe('request/unavailable');
  } finally {
    connection.release();
    await close();
    await database.drop();
  }
});

it.each([
  ['23514', 'a check constraint'],
  ['22003', 'a number too large'],
  ['22009', 'an offset from UTC that no zone has'],
])('reports %s, %s, as invalid input and logs a warning', (code) => {
  const log = { warn: vi.fn(), error: vi.fn() };
  const refused = Object.assign(new Error('refused'), { code });
  const mapped = toAppError(refused, log as unknown as Log);
  expect([mapped.code, mapped.status]).toEqual(['request/invalid', 400]);
  expect(log.warn).toHaveBeenCalledOnce();
  expect(log.error).not.toHaveBeenCalled();
});

it.each([
  ['ENOSPC', 'a full disk of stored files'],
  ['EDQUOT', 'a quota that is used up'],
  ['EROFS', 'a disk that takes no writes'],
  ['EACCES', "another user's folder"],
  ['EPERM', 'a folder that was made immutable'],
  ['EIO', 'a disk that fails'],
  ['EMFILE', 'too many open files'],
  ['ENFILE', 'too many open files of the machine'],
  ['53100', 'a full disk of the database'],
  ['53200', 'a database without memory'],
  ['53300', 'a database without connections'],
  ['53400', 'a limit of its settings'],
  ['58030', 'a failing disk of the database'],
])('reports %s, %s, as unavailable and retryable', (code) => {
  const log = { warn: vi.fn(), error: vi.fn() };
  const mapped = toAppError(Object.assign(new Error('refused'), { code }), log as unknown as Log);
  expect([mapped.code, mapped.status, retryAfterOf(mapped)]).toEqual(['request/unavailable', 503, 5]);
  expect(log.error).toHaveBeenCalledOnce();
});

it('reports a call whose connection broke as unavailable and retryable', async () => {
  const database = await createTestDatabase();
  const { pool, close } = openPool(database.url, 2, () => {});
  try {
    const client = await pool.connect();
    const cut = client.query('select pg_terminate_backend(pg_backend_pid())').catch((error) => error);
    const after = await cut.then(() => client.query('select 1').catch((error) => error));
    client.release(true);
    for (const failure of [await cut, after])
      expect(toAppError(failure, createLog({ LOG_LEVEL: 'silent' })).code).toBe('request/unavailable');
  } finally {
    await close();
    await database.drop();
  }
});

it('reports anything unexpected as internal, logged as an error', () => {
  const log = { warn: vi.fn(), error: vi.fn() };
  expect(toAppError(new Error('odd'), log as unknown as Log).status).toBe(500);
  expect(log.error).toHaveBeenCalledOnce();
});
