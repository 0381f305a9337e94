import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postEntry } from '../money/ledger/ledger.ts';
import { makeAccount } from '../people/accounts/accounts.fixtures.ts';
import { systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { type DatabaseServer, openDatabase } from '../platform/database/database-server.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openPool } from '../platform/db.ts';
import { createFileStore } from '../platform/file-store/file-store.ts';
import { newId } from '../platform/ids.ts';
import { readSecret } from '../platform/secret.ts';
import { createSign } from '../platform/sign.ts';
import { makeBackup, readManifest } from './make-backup.ts';
import { auditAll, restoreBackup } from './restore-backup.ts';

const quiet = { info: () => {}, warn: () => {} };
const lines: string[] = [];
const say = (line: string) => void lines.push(line);
let root = '';
let server: DatabaseServer;
let url = '';

const partsIn = (name: string, settings: Record<string, string> = {}) => ({
  config: readConfig({ DATA_DIR: path.join(root, name), ...settings }),
  clock: systemClock,
  say,
});
const withPool = async <Result>(
  address: string,
  work: (pool: ReturnType<typeof openPool>) => Promise<Result>,
): Promise<Result> => {
  const pool = openPool(address, 2, () => {});
  try {
    return await work(pool);
  } finally {
    await pool.close();
  }
};

/** A server's data with an account, two stored files and an entry of the ledger. */
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  await chmod(root, 0o711);
  const { config } = partsIn('data');
  server = await openDatabase({ dataDir: path.join(root, 'data/postgres'), log: quiet });
  url = server.url;
  await migrate(url, { log: quiet });
  const secret = await readSecret(config);
  await withPool(url, async ({ db, pool }) => {
    const { accountId } = await makeAccount(db, systemClock, secret, { name: 'Leila' });
    for (const [text, purpose, keyId] of [
      ['a photo', 'photo', null],
      ['a sealed photo', 'identity', '2027'],
    ] as const) {
      const id = newId(systemClock.now());
      await pool.query(
        `insert into files (id, account_id, purpose, name, media_type, bytes, key_id, created_at)
         values ($1, $2, $3, 'a', 'image/webp', $4, $5, now())`,
        [id, accountId, purpose, text.length, keyId],
      );
      await createFileStore(config).put(id, Buffer.from(text), 'image/webp');
    }
    await db.transaction().execute((tx) =>
      postEntry(
        tx,
        { clock: systemClock, sign: createSign(secret) },
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
  });
});
afterAll(async () => {
  await server?.stop();
  await rm(root, { recursive: true, force: true });
});

const place = () => path.join(root, 'backups');

describe('a backup of the embedded database', () => {
  let made = '';

  it('runs next to a server, and restores with its files, secret and audit', async () => {
    made = await makeBackup(partsIn('data'), place(), null);
    await withPool(url, ({ pool }) => pool.query(`update accounts set name = 'Changed later'`));
    expect(await restoreBackup(partsIn('back'), made)).toBe(true);
    expect(lines.slice(-4)).toEqual([
      '2 files restored.',
      'ledger: 1 entries, no findings',
      'statements, no findings',
      "operators' log: 0 rows, no findings",
    ]);
    const restored = await openDatabase({ dataDir: path.join(root, 'back/postgres'), log: quiet });
    try {
      await withPool(restored.url, async ({ pool }) => {
        const { rows } = await pool.query(
          'select name, (select max(id::text) from files) as file from accounts',
        );
        expect(rows).toMatchObject([{ name: 'Leila' }]);
        const store = createFileStore(partsIn('back').config);
        expect(Buffer.from((await store.get(rows[0].file)) ?? []).toString()).toBe('a sealed photo');
        // The negative control: the restored data is really audited.
        const admin = new pg.Client(restored.url.replace('//nearhand:', '//postgres:'));
        await admin.connect();
        await admin.query('set session_replication_role = replica');
        await admin.query('update ledger_postings set amount = amount + 1 where amount > 0');
        await admin.end();
      });
      const scope = { clock: systemClock, sign: createSign(await readSecret(partsIn('back').config)) };
      expect(await withPool(restored.url, ({ db }) => auditAll(db, scope, say))).toBe(false);
    } finally {
      await restored.stop();
    }
  });

  it('refuses to overwrite data or another secret, and rejects invalid backups', async () => {
    await expect(restoreBackup(partsIn('data'), made)).rejects.toThrow('has data already');
    await mkdir(path.join(root, 'other'));
    await writeFile(path.join(root, 'other/secret'), 'another');
    await expect(restoreBackup(partsIn('other'), made)).rejects.toThrow("differs from the backup's secret");
    await expect(restoreBackup(partsIn('new'), place())).rejects.toThrow('is no backup');
    const parts = partsIn('new', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    await expect(restoreBackup(parts, made)).rejects.toThrow('of the embedded database');
  });

  it('backs up files from a bucket and restores them into another', async () => {
    const bucket = new S3rver({
      port: 0,
      address: '127.0.0.1',
      silent: true,
      directory: path.join(root, 'buckets'),
      configureBuckets: ['from', 'to'].map((name) => ({ name, configs: [] })),
    });
    const { port } = await bucket.run();
    const kept = (name: string) => ({
      FILES_S3_URL: `http://127.0.0.1:${port}/${name}`,
      FILES_S3_KEY: 'S3RVER',
      FILES_S3_SECRET: 'S3RVER',
    });
    try {
      const ids = await withPool(url, async ({ pool }) => {
        const { rows } = await pool.query<{ id: string }>('select id from files order by id');
        return rows.map(({ id }) => id);
      });
      expect(ids).toHaveLength(2);
      const from = partsIn('data', kept('from'));
      for (const id of ids)
        await createFileStore(from.config).put(id, Buffer.from(`in the bucket ${id}`), 'image/webp');
      const backup = await makeBackup(from, path.join(root, 'bucket-backups'), null);
      const to = partsIn('from-bucket', kept('to'));
      expect(await restoreBackup(to, backup)).toBe(true);
      for (const id of ids)
        expect(Buffer.from((await createFileStore(to.config).get(id)) ?? []).toString()).toBe(
          `in the bucket ${id}`,
        );
      expect(await readdir(path.join(root, 'from-bucket'))).not.toContain('files');
    } finally {
      await bucket.close();
    }
  });

  it('keeps the configured number, and only files in one of them', async () => {
    const first = await readManifest(made);
    await withPool(url, ({ pool }) => pool.query(`delete from files where key_id is null`));
    const later = { ...partsIn('data'), clock: { now: () => new Date(Date.now() + 60_000) } };
    const second = await makeBackup(later, place(), 1);
    const files = (await readManifest(second)).files;
    expect([first.files.length, files.length]).toEqual([2, 1]);
    expect((await readdir(place())).sort()).toEqual([path.basename(second), 'files']);
    const folders = await readdir(path.join(place(), 'files'), { recursive: true, withFileTypes: true });
    expect(folders.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(files);
    expect(files[0]).toMatch(/@2027$/);
    expect(await readFile(path.join(second, 'secret'), 'utf8')).toBe(
      await readSecret(partsIn('data').config),
    );
  });
});
