import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { checkRows, type Faults, recordedIn } from './declared-rows.ts';
import { recordings } from './recorded.ts';

const api = path.resolve(import.meta.dirname, '../..');

const notRun: Record<string, string> = {
  'platform/anonymise.ts Value': 'only assigned in updates, which return no rows',
  'people/verification/worker-checks.columns.ts WorkerChecks':
    'a column of other statements, checked with them',
};

/** Each test file leaves one recording. After a partial run, missing statements prove nothing. */
const allRan = (folder: string): boolean => {
  const tests = ['src', 'test', 'scripts', '../lab/test'].flatMap((part) =>
    readdirSync(path.join(api, part), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.test.ts'),
    ),
  );
  return readdirSync(folder).length >= tests.length;
};

function recordedFolder(): string {
  if (recordings) return recordings;
  throw new Error('Nothing was recorded: run this project together with the project api.');
}

describe('rows of raw statements', () => {
  const folder = recordedFolder();
  let database: TestDatabase;
  let client: pg.Client;
  let faults: Faults;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.url);
    await client.connect();
    faults = await checkRows(client, path.join(api, 'src'), recordedIn(folder));
  }, 1_800_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('are declared as PostgreSQL returns them', () => {
    expect(faults.wrong.join('\n')).toBe('');
  });

  it.runIf(allRan(folder))('belong to statements that a test runs', () => {
    const unknown = faults.unseen.filter(({ file, declared }) => !(`${file} ${declared.text}` in notRun));
    expect(unknown.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });
});
