import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase, withTestRole } from '../../test/test-database.ts';
import { postEntry } from '../money/ledger/ledger.ts';
import { makeAccount } from '../people/accounts/accounts.fixtures.ts';
import { systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openPool } from '../platform/db.ts';
import { readKeys } from '../platform/keys/lasting-key.ts';
import { readSecrets } from '../platform/secret.ts';
import { createSign } from '../platform/sign.ts';
import { dumpDatabase, restoreDump } from './dump.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';

let folder = '';
let database: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  database = await createTestDatabase();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('the client programs', () => {
  /** Installs a stand-in for a program, first on the path. */
  const install = async (name: string, script: string) => {
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(folder, name), 0o755);
  };

  it.each([
    ['pg_dump', () => dumpDatabase(database.url, path.join(folder, 'dump'))],
    ['pg_restore', () => restoreDump(database.url, path.join(folder, 'dump'))],
  ])('are refused in one sentence when %s is older than the server, or missing', async (name, use) => {
    await install(name, `echo '${name} (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)'`);
    await expect(use()).rejects.toThrow(
      `This ${name} is version 15, older than the server's 18: install PostgreSQL's client programs of version 18 or newer.`,
    );
    vi.stubEnv('PATH', folder);
    await rm(path.join(folder, name));
    await expect(use()).rejects.toThrow(
      `There is no ${name}: install PostgreSQL's client programs of version 18 or newer.`,
    );
  });

  it('print the version for their address, as Debian picks it', async () => {
    await install('pg_dump', 'test -n "$PGHOST" && echo "pg_dump (PostgreSQL) 19beta1"');
    await install('pg_restore', 'exit 0');
    await expect(dumpDatabase(database.url, path.join(folder, 'dump'))).resolves.toBeUndefined();
  });
});

describe('the server to restore into', () => {
  const restoreInto = async (address: string, postgres: string) => {
    const manifest = { madeAt: '2027-01-31T02:20:00.000Z', database: 'dump', postgres, files: [] };
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'secret'), 'the secret of the backup');
    const config = readConfig({ DATABASE_URL: address, DATA_DIR: path.join(folder, 'data') });
    return restoreBackup({ config, clock: systemClock, say: () => {} }, folder);
  };

  it('is rejected in one sentence, before any change, when it is older than ours or the backup', async () => {
    await expect(restoreInto(database.url, '99.1')).rejects.toThrow(
      /^This backup is of PostgreSQL 99\.1, and that of DATABASE_URL is version 18\.\S+: restore into 99 or newer\.$/,
    );
    const admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query(`create schema older;
      create function older.current_setting(name text) returns text language sql as
      $$ select case name when 'server_version' then '15.18' else pg_catalog.current_setting(name) end $$`);
    await admin.end();
    const old = `${database.url}?options=-c%20search_path%3Dolder,pg_catalog`;
    await expect(restoreInto(old, '15.18')).rejects.toThrow('is version 15.18; Nearhand needs 17 or newer.');
    expect(await readdir(folder)).not.toContain('data');
  });
});

const hasPrograms = (() => {
  try {
    const version = execFileSync('pg_dump', ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, PGHOST: 'x' },
    });
    return Number(/\) (\d+)/.exec(version)?.[1]) >= 18;
  } catch {
    return false;
  }
})();

// Skipped, and listed as skipped, without PostgreSQL 18: npm's package has no pg_dump.
describe.skipIf(!hasPrograms)('a backup of a given database', () => {
  it('is made by the serving role and restored by the owner, with its accounts, money and audit', async () => {
    const served = await withTestRole(database.url);
    const target = await createTestDatabase();
    const emptied = new URL(inject('testServer').superuserUrl);
    emptied.pathname = new URL(target.url).pathname;
    const settings = (address: string, owner: string, name: string) =>
      readConfig({
        DATABASE_URL: address,
        DATABASE_OWNER_URL: owner,
        SECRET: 's'.repeat(40),
        DATA_DIR: path.join(folder, name),
      });
    const config = settings(served, database.url, 'data');
    const quiet = { info: () => {}, warn: () => {} };
    await migrate(database.url, { log: quiet, servedAt: served });
    const made = openPool(served, 2, () => {});
    const sign = createSign(await readKeys(made.db, await readSecrets(config)));
    const { accountId } = await makeAccount(made.db, systemClock, 's'.repeat(40), { name: 'Leila' });
    await made.db.transaction().execute((tx) =>
      postEntry(
        tx,
        { clock: systemClock, sign },
        {
          key: 'top-up/1',
          kind: 'top_up',
          currency: 'EUR',
          about: null,
          lines: [
            { account: { kind: 'provider_clearing' }, amountMinor: -500 },
            { account: { kind: 'business_balance', ownerId: accountId }, amountMinor: 500 },
          ],
        },
      ),
    );
    await made.close();
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const backup = await makeBackup({ config, clock: systemClock, say }, path.join(folder, 'backups'), null);

    const admin = new pg.Client(emptied.href);
    await admin.connect();
    await admin.query(
      `drop schema public cascade; drop schema graphile_worker cascade; create schema public authorization nearhand`,
    );
    await admin.end();
    const there = new URL(served);
    there.pathname = new URL(target.url).pathname;
    const restored = settings(there.href, target.url, 'restored');
    expect(await restoreBackup({ config: restored, clock: systemClock, say }, backup)).toBe(true);
    expect(lines.at(-3)).toBe('ledger: 1 entries, no findings');
    const back = openPool(there.href, 1, () => {});
    expect((await back.pool.query('select name from accounts')).rows).toEqual([{ name: 'Leila' }]);
    await back.close();
    await expect(restoreBackup({ config: restored, clock: systemClock, say }, backup)).rejects.toThrow(
      'has tables already',
    );
    await target.drop();
  });
});
