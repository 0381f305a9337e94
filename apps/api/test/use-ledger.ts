import { afterAll, beforeAll } from 'vitest';
import { type Database, openPool } from '../src/platform/db.ts';
import { createSign } from '../src/platform/sign.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export function useLedger() {
  let testDatabase: TestDatabase;
  let database: Database;
  let now = new Date('2026-11-21T09:00:00Z').getTime();
  const scope = {
    clock: { now: () => new Date(now) },
    sign: createSign('a secret of the tests, thirty-two and more'),
  };
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = openPool(testDatabase.url, 8, () => {});
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });
  return {
    scope,
    forward: (milliseconds: number) => {
      now += milliseconds;
    },
    get db() {
      return database.db;
    },
    get pool() {
      return database.pool;
    },
  };
}
