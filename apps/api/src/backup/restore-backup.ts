import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { auditLedger } from '../money/ledger/ledger.ts';
import { findCarryingFaults } from '../money/statements/balance-rollup.ts';
import type { Clock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database/database-server.ts';
import { migrate } from '../platform/database/migrate.ts';
import { type Db, openPool, withoutTimeLimits } from '../platform/db.ts';
import { createFileStore } from '../platform/file-store/file-store.ts';
import { readKeys } from '../platform/keys/lasting-key.ts';
import { readSecrets } from '../platform/secret.ts';
import { createSign, type Sign } from '../platform/sign.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import { verifyLog } from '../trust/operator-log/operator-log.ts';
import { requireAsNew, restoreDump } from './dump.ts';
import { placeCluster } from './embedded-copy.ts';
import { type BackupParts, readManifest } from './make-backup.ts';
import { restoreFiles } from './stored-files.ts';

/**
 * Restores a backup, then checks ledger and logs.
 * @returns false if a check failed or a file is missing
 */
export async function restoreBackup({ config, clock, say }: BackupParts, folder: string): Promise<boolean> {
  const manifest = await readManifest(folder);
  const databaseUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if ((manifest.database === 'dump') !== (databaseUrl !== undefined))
    throw new StartRefusedError(
      databaseUrl
        ? 'This is a backup of the embedded database: unset DATABASE_URL to restore it.'
        : 'This is a backup of a database of your own: set DATABASE_URL to an empty database.',
    );
  const data = path.resolve(config.DATA_DIR, 'postgres');
  const options = { config, dataDir: data, log: { info: () => {}, warn: say } };
  if (databaseUrl) {
    // Rejects an incompatible server before anything is restored.
    await openDatabase(options);
    await requireAsNew(databaseUrl, manifest.postgres);
  }
  await placeSecret(config, folder);
  if (databaseUrl)
    await restoreDump(config.DATABASE_OWNER_URL ?? databaseUrl, path.join(folder, 'database.dump'));
  else await placeCluster(path.join(folder, 'postgres'), data);
  say(`The database of ${manifest.madeAt} is restored.`);
  const server = await openDatabase(options);
  try {
    await migrate(config.DATABASE_OWNER_URL ?? server.url, { log: options.log, servedAt: server.url });
    const { db, close } = openPool(server.url, 2, () => {});
    try {
      const files = await restoreFiles(db, createFileStore(config), path.join(path.dirname(folder), 'files'));
      say(`${files.restored} files restored.`);
      for (const id of files.missing) say(`The file ${id} is not in the backup.`);
      const sign = createSign(await readKeys(db, await readSecrets(config)));
      return (await auditAll(db, { clock, sign }, say)) && files.missing.length === 0;
    } finally {
      await close();
    }
  } finally {
    await server.stop();
  }
}

/** Restores the generated secret, which verifies ledger signatures; never overwrites a different one. */
async function placeSecret(config: BackupParts['config'], folder: string): Promise<void> {
  const savedSecret = await readFile(path.join(folder, 'secret'), 'utf8').catch(() => null);
  if (config.SECRET || savedSecret === null) return;
  const target = path.join(config.DATA_DIR, 'secret');
  const there = await readFile(target, 'utf8').catch(() => null);
  if (there !== null && there !== savedSecret)
    throw new StartRefusedError(
      `${target} differs from the backup's secret; nothing was changed: move it away to restore the backup's.`,
    );
  await mkdir(config.DATA_DIR, { recursive: true });
  await copyFile(path.join(folder, 'secret'), target);
}

export async function hasDigests(db: Db): Promise<boolean> {
  const entry = await db.selectFrom('ledger_entries').select('id').limit(1).executeTakeFirst();
  const call = await db.selectFrom('operator_log').select('no').limit(1).executeTakeFirst();
  return entry !== undefined || call !== undefined;
}

const printed = 20;

/**
 * Runs the daily checks read-only: ledger, statement lines and operator log.
 * @returns whether all passed
 */
export async function auditAll(
  db: Db,
  scope: { clock: Clock; sign: Sign },
  say: (line: string) => void,
): Promise<boolean> {
  const { entries, findings } = await withoutTimeLimits(db, (snapshot) => auditLedger(snapshot, scope));
  const faults = await withoutTimeLimits(db, (snapshot) => findCarryingFaults(snapshot, printed));
  const log = await withoutTimeLimits(db, (snapshot) => verifyLog(snapshot, scope));
  const checks: [what: string, found: string[]][] = [
    [`ledger: ${entries} entries`, findings.map(({ kind, id, detail }) => `${kind} ${id} ${detail}`)],
    ['statements', faults.map(({ holder }) => `a line of ${holder} differs from the ledger`)],
    [`operators' log: ${log.rows} rows`, log.findings.map(({ kind, no }) => `${kind} ${no}`)],
  ];
  for (const [what, lines] of checks) {
    say(`${what}, ${lines.length === 0 ? 'no findings' : `${lines.length} FINDINGS`}`);
    for (const line of lines.slice(0, printed)) say(`  ${line.trim()}`);
  }
  return checks.every(([, lines]) => lines.length === 0);
}
