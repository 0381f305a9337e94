import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { migrate } from './migrate.ts';

const received: string[] = [];
const log = {
  info: (message: string) => received.push(message),
  warn: (message: string) => received.push(message),
};
let database: TestDatabase;
let client: pg.Client;
let folder = '';

beforeEach(async () => {
  received.length = 0;
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  // The real migrations in the template are not the subject of this test.
  await client.query('drop table if exists kysely_migration, kysely_migration_lock, migration_checksum');
  folder = await mkdtemp(path.join(tmpdir(), 'nearhand-migrations-'));
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const run = () => migrate(database.url, { log, folder });
const exists = async (table: string) =>
  (await client.query('select to_regclass($1) is not null as found', [table])).rows[0].found;

describe('migrate', () => {
  it('runs each file once, in order, with several statements in one', async () => {
    await write(
      '0002_towns.sql',
      `alter table test_town add column size int;\ninsert into test_town values ('Ede', 1);`,
    );
    await write('0001_towns.sql', 'create table test_town (name text);');
    await run();
    await run();
    expect((await client.query('select * from test_town')).rows).toEqual([{ name: 'Ede', size: 1 }]);
    expect(received).toEqual([
      'Migrating the database: 0001_towns.sql',
      'Migrating the database: 0002_towns.sql',
    ]);
    expect(await exists('graphile_worker._private_jobs')).toBe(true);
  });

  it('rolls back a failed file, reports its name and line, and succeeds once it is fixed', async () => {
    await write('0001_towns.sql', 'create table test_town (name text);');
    await write(
      '0002_people.sql',
      'create table test_person (name text);\n\ninsert into test_persn values (1);',
    );
    await expect(run()).rejects.toThrow(
      'The migration 0002_people.sql failed at line 3: relation "test_persn" does not exist; the new migrations were rolled back, and the next start tries again.',
    );
    expect([await exists('test_town'), await exists('test_person')]).toEqual([false, false]);

    await write('0002_people.sql', 'create table test_person (name text);');
    await run();
    expect([await exists('test_town'), await exists('test_person')]).toEqual([true, true]);
  });

  it('rejects a file that was changed after it ran', async () => {
    await write('0001_towns.sql', 'create table test_town (name text);');
    await run();
    await write('0001_towns.sql', 'create table test_town (name text, size int);');
    await expect(run()).rejects.toThrow(/0001_towns\.sql was changed after it ran .+ delete the data folder/);
  });

  it('rejects a missing file and one out of order', async () => {
    await write('0002_towns.sql', 'create table test_town (name text);');
    await run();
    await write('0001_people.sql', 'create table test_person (name text);');
    await expect(run()).rejects.toThrow(/0001_people\.sql comes before 0002_towns\.sql, which already ran/);
    await rm(path.join(folder, '0002_towns.sql'));
    await expect(run()).rejects.toThrow(
      /0002_towns\.sql ran on this database and is not among this version's files/,
    );
  });

  it('applies each file once when four processes start concurrently', async () => {
    await client.query('drop schema graphile_worker cascade');
    await write('0001_towns.sql', `create table test_town (name text);\nselect pg_sleep(0.2);`);
    await write('0002_towns.sql', `insert into test_town values ('Ede');`);
    const module = path.join(import.meta.dirname, 'migrate.ts');
    const program = `
      import { migrate } from ${JSON.stringify(module)};
      const log = { info() {}, warn() {} };
      await migrate(${JSON.stringify(database.url)}, { log, folder: ${JSON.stringify(folder)} });`;
    const ends = await Promise.all(
      [1, 2, 3, 4].map(() => {
        const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
          stdio: 'inherit',
        });
        return once(child, 'exit');
      }),
    );
    expect(ends).toEqual([
      [0, null],
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect((await client.query('select * from test_town')).rows).toEqual([{ name: 'Ede' }]);
  });
});
