import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Logger, runMigrations } from 'graphile-worker';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { errorCode, errorText, StartRefusedError } from '../start-refused.ts';
import type { StartLog } from './database-server.ts';
import { holdStartLock, startLocks, withSessionSettings } from './start-lock.ts';

type MigrationFile = { name: string; text: string; checksum: string };

export type MigrateOptions = {
  log: StartLog;
  folder?: string;
  servedAt?: string;
};

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations');

/**
 * Runs the queue's migrations, then all new .sql files in one transaction.
 * @throws StartRefusedError
 */
export async function migrate(
  url: string,
  { log, folder = MIGRATIONS, servedAt = url }: MigrateOptions,
): Promise<void> {
  const pool = new pg.Pool({
    // A role may limit its statements to seconds (docs/operations.md), but migrations have no limit.
    connectionString: withSessionSettings(url, {
      statement_timeout: '0',
      idle_in_transaction_session_timeout: '0',
    }),
    max: 3,
    application_name: 'nearhand migrate',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A lost connection fails its query; graphile-worker also requires listeners.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const lock = await pool.connect();
    try {
      // Other processes wait, then find nothing to do.
      await holdStartLock(lock, startLocks.migrations, log, async () => {
        await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) });
        await runFiles(pool, await readFiles(folder), log);
        await grantToServe(lock, roleOf(servedAt));
      });
    } finally {
      lock.release(true);
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StartRefusedError(`The database could not be prepared: ${errorText(error)}.`);
  } finally {
    await pool.end();
  }
}

async function readFiles(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(path.join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function runFiles(pool: pg.Pool, files: MigrationFile[], log: StartLog): Promise<void> {
  // `if not exists` needs a right that a serving role lacks (docs/operations.md, Role that serves).
  const { rows: tables } = await pool.query(`select to_regclass('migration_checksum') as name`);
  if (tables[0]?.name === null)
    await pool.query(
      'create table migration_checksum (name text primary key, sha256 text not null, run_at timestamptz not null default now())',
    );
  const { rows: applied } = await pool.query<{ name: string; sha256: string }>(
    'select name, sha256 from migration_checksum order by name',
  );
  checkHistory(applied, files);
  // The migrator lists every column first, which is the slowest query of a start.
  if (applied.length === files.length) return;
  const migrator = new Migrator({
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    provider: {
      getMigrations: async () => Object.fromEntries(files.map((file) => [file.name, toMigration(file, log)])),
    },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failedFile = files.find(({ name }) =>
    results?.some((r) => r.migrationName === name && r.status === 'Error'),
  );
  if (!failedFile) throw error;
  throw new StartRefusedError(
    `The migration ${failedFile.name} failed${failedLine(error, failedFile.text)}: ${errorText(error)}; the new migrations were rolled back, and the next start tries again.`,
    { cause: error },
  );
}

function toMigration(file: MigrationFile, log: StartLog): Migration {
  return {
    up: async (db) => {
      log.info(`Migrating the database: ${file.name}`);
      await sql.raw(file.text).execute(db);
      await sql`insert into migration_checksum (name, sha256) values (${file.name}, ${file.checksum})`.execute(
        db,
      );
    },
  };
}

function checkHistory(applied: { name: string; sha256: string }[], files: MigrationFile[]): void {
  const afresh = 'in development, delete the data folder to start over';
  for (const [index, { name, sha256 }] of applied.entries()) {
    const file = files.find((candidate) => candidate.name === name);
    if (!file) {
      throw new StartRefusedError(
        `The migration ${name} ran on this database and is not among this version's files: start the version that wrote the data (${afresh}).`,
      );
    }
    if (file.checksum !== sha256) {
      throw new StartRefusedError(
        `The migration ${name} was changed after it ran on this database: undo the change and write a new migration (${afresh}).`,
      );
    }
    if (files[index]?.name !== name) {
      throw new StartRefusedError(
        `The migration ${files[index]?.name} comes before ${name}, which already ran on this database: give it a higher number (${afresh}).`,
      );
    }
  }
}

function failedLine(error: unknown, text: string): string {
  if (!(error instanceof pg.DatabaseError) || !errorCode(error) || !error.position) return '';
  return ` at line ${text.slice(0, Number(error.position) - 1).split('\n').length}`;
}

/** The serving role reads these to see whether a process may start. */
const migrationTables = ['migration_checksum', 'kysely_migration', 'kysely_migration_lock'];

/** Lets a serving role change rows only, never guards or tables. Call as the owner (docs/operations.md). */
async function grantToServe(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>('select current_user as owner');
  if (role === '' || rows[0]?.owner === role) return;
  const name = client.escapeIdentifier(role);
  for (const schema of ['public', 'graphile_worker'])
    await client.query(`
      grant usage on schema ${schema} to ${name};
      grant select, insert, update, delete on all tables in schema ${schema} to ${name};
      grant usage, select on all sequences in schema ${schema} to ${name};
      grant execute on all functions in schema ${schema} to ${name};`);
  await client.query(`revoke insert, update, delete on ${migrationTables.join(', ')} from ${name}`);
  // graphile-worker enables row security without a policy, which hides every row from other roles.
  await client.query(`
    do $$
    declare hidden regclass;
    begin
      for hidden in
        select oid from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
      loop
        execute format('alter table %s disable row level security', hidden);
      end loop;
    end $$`);
}

const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);
