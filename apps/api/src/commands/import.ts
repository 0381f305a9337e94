import '../register-hooks.ts';
import path from 'node:path';
import { readArguments, usage } from '../import/import-arguments.ts';
import { openPostingFile } from '../import/posting-file.ts';
import type { PostingSource } from '../import/posting-source.ts';
import { openReport, type RefusedReport } from '../import/refused-report.ts';
import { type ImportRun, type ImportSummary, runImport } from '../import/run-import.ts';
import { createSandbox } from '../money/sandbox/sandbox.ts';
import { findAccountByEmail } from '../people/sign-in/sign-in.sql.ts';
import { systemClock } from '../platform/clock.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import type { Db } from '../platform/db.ts';
import { createFileStore } from '../platform/file-store/file-store.ts';
import { createLog } from '../platform/log.ts';
import { createSign } from '../platform/sign.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import { runCommand, withDatabase } from './run-command.ts';

const clock = systemClock;
const print = (message: string) => void process.stderr.write(`${message}\n`);

async function importPostings(): Promise<void> {
  const args = readArguments(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  if (args === 'help') {
    process.stdout.write(usage);
    return;
  }
  const config = readConfig(process.env);
  const started = performance.now();
  print(`Reading ${args.file}.`);
  const source = await openPostingFile(args);
  print(`Rows found: ${count(source.count)}.`);
  const report = await openReport(
    args.report ?? path.resolve(config.DATA_DIR, 'imports', `${path.parse(args.file).name}-refused.csv`),
  );
  const run: Omit<ImportRun, 'target'> = {
    source,
    today: clock.now().toISOString().slice(0, 10),
    onRefused: report.add,
    onProgress: progress(source),
  };
  const summary = args.dryRun
    ? await runImport({ ...run, target: null })
    : await withDatabase(config, async (db) =>
        runImport({ ...run, target: await targetOf(db, config, args.owner ?? '') }),
      );
  await report.close();
  printSummary(summary, report, performance.now() - started);
}

async function targetOf(
  db: Db,
  config: Config,
  ownerEmail: string,
): Promise<NonNullable<ImportRun['target']>> {
  const accountId = await requireOwner(db, ownerEmail);
  const log = createLog(config);
  const scope = {
    actor: { accountId, sessionId: accountId, emailVerified: true },
    clock,
    config,
    fileStore: createFileStore(config),
    log,
    provider: createSandbox({ db, clock, secret: 'import', config, log }),
    sign: createSign('import'),
    requestId: 'import',
  };
  return { db, scope };
}

/** @throws StartRefusedError if the account is missing, disabled or not verified */
async function requireOwner(db: Db, email: string): Promise<string> {
  const account = await findAccountByEmail(db, email);
  if (!account)
    throw new StartRefusedError(
      `No account has the address ${email}. Sign up with it in the app, verify it, and run the import again.`,
    );
  if (account.disabledAt) throw new StartRefusedError(`The account ${email} is disabled.`);
  if (!account.emailVerified)
    throw new StartRefusedError(
      `The account ${email} is not verified yet. Open the link in its mail, and run the import again.`,
    );
  return account.id;
}

const count = (number: number) => number.toLocaleString('en');

function progress(source: PostingSource): ImportRun['onProgress'] {
  const isTerminal = process.stderr.isTTY === true;
  let reportedAt = performance.now();
  return ({ read, imported, updated, same }) => {
    if (performance.now() - reportedAt < (isTerminal ? 200 : 1_000)) return;
    reportedAt = performance.now();
    const line = `${count(read)} of ${count(source.count)} rows; ${count(imported)} imported, ${count(updated)} updated, ${count(same)} unchanged`;
    process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
  };
}

function printSummary(summary: ImportSummary, report: RefusedReport, elapsedMs: number): void {
  const refused = Object.entries(summary.refused).sort((a, b) => b[1] - a[1]);
  const total = refused.reduce((sum, [, number]) => sum + number, 0);
  const fixed = Object.entries(summary.fixed);
  const lines: [string, number][] = [
    ['rows read', summary.read],
    ...(summary.good > 0 ? [['valid, nothing written (dry run)', summary.good] as [string, number]] : []),
    ['imported', summary.imported],
    ['updated', summary.updated],
    ['unchanged', summary.same],
    ...(summary.left > 0 ? [['changed, but closed here: left alone', summary.left] as [string, number]] : []),
    ['refused', total],
    ...refused.map(([code, number]) => [`  ${code}`, number] as [string, number]),
    ...fixed.map(([kind, number]) => [`imported with ${kind}`, number] as [string, number]),
  ];
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  process.stdout.write(
    `${lines.map(([words, number]) => `${count(number).padStart(9)}  ${words}`).join('\n')}\n`,
  );
  if (total > 0) process.stdout.write(`Each refused row with its reason: ${report.file}\n`);
  process.stdout.write(`Done in ${(elapsedMs / 1_000).toFixed(1)} s.\n`);
}

await runCommand(
  importPostings,
  (text) => `The import stopped: ${text}. Rows imported so far are kept; you can safely run it again.`,
);
