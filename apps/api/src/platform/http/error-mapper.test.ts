import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/test-database.ts';
import { openPool } from '../db.ts';
import { createLog } from '../log.ts';
import { toAppError } from './error-mapper.ts';

it('tells a pool without a free connection as unavailable, not as a defect', async () => {
  const database = await createTestDatabase();
  const { pool, close } = openPool(database.url, 1, () => {});
  const held = await pool.connect();
  try {
    const failure = await pool.query('select 1').then(
      () => null,
      (error: unknown) => error,
    );
    expect(toAppError(failure, createLog({ LOG_LEVEL: 'silent' })).code).toBe('request/unavailable');
  } finally {
    held.release();
    await close();
    await database.drop();
  }
}, 15_000);
