import '../register-hooks.ts';
import path from 'node:path';
import { makeBackup } from '../backup/make-backup.ts';
import { auditAll, restoreBackup } from '../backup/restore-backup.ts';
import { systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database/database-server.ts';
import { openPool } from '../platform/db.ts';
import { readKeys } from '../platform/keys/lasting-key.ts';
import { readSecrets } from '../platform/secret.ts';
import { createSign } from '../platform/sign.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import { runCommand } from './run-command.ts';

const usage = `Backups of the database and the stored files (docs/operations.md).

  npm run backup -- FOLDER             makes a backup in a new folder in FOLDER, next to a running server or without one
  npm run backup -- FOLDER --keep 14   and removes all but the newest 14
  npm run restore -- FOLDER/TIME       restores one into an empty DATA_DIR, or an empty database of DATABASE_URL
  npm run audit                        checks the ledger, the statements and the operators' log
`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function runBackup(): Promise<boolean> {
  const [command, ...options] = process.argv.slice(2);
  const [folder, option, count, ...rest] = options;
  const keep = option === '--keep' && /^[1-9]\d{0,3}$/.test(count ?? '') ? Number(count) : null;
  const isBackup = command === 'backup' && folder && (option === undefined || keep !== null);
  const isRestore = command === 'restore' && folder && option === undefined;
  const isAudit = command === 'audit' && folder === undefined;
  if (rest.length > 0 || !(isBackup || isRestore || isAudit)) throw new StartRefusedError(usage);
  const config = readConfig(process.env);
  const parts = { config, clock: systemClock, say: print };
  const place = path.resolve(process.env.INIT_CWD ?? process.cwd(), folder ?? '');
  if (isBackup) return (await makeBackup(parts, place, keep)) !== '';
  if (isRestore) return restoreBackup(parts, place);
  const server = await openDatabase({
    config,
    dataDir: path.resolve(config.DATA_DIR, 'postgres'),
    log: { info: () => {}, warn: print },
    join: true,
  });
  const { db, close } = openPool(server.url, 2, () => {});
  try {
    return await auditAll(
      db,
      { clock: systemClock, sign: createSign(await readKeys(db, await readSecrets(config))) },
      print,
    );
  } finally {
    await close();
    await server.stop();
  }
}

await runCommand(runBackup);
