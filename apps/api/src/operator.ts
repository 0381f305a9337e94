import './wire-outcomes.ts';
import { userInfo } from 'node:os';
import path from 'node:path';
import { systemClock } from './platform/clock.ts';
import { ConfigError, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database-server.ts';
import { migrate } from './platform/database/migrate.ts';
import { type Db, openPool } from './platform/db.ts';
import { errorText, StartRefused } from './platform/start-refused.ts';
import { requireWholeTown } from './seed/town/half-town.ts';
import {
  type AppointProblem,
  appointOperator,
  listOperators,
  removeOperator,
} from './trust/operators/operators.service.ts';

const usage = `Operators decide disputes that were not settled in time, and contested no-shows (docs/operations.md).

  npm run operator -- add EMAIL      an existing, verified account
  npm run operator -- remove EMAIL   it holds within seconds, for open sessions too
  npm run operator -- list
`;

const say = (message: string) => void process.stderr.write(`${message}\n`);

/** `npm run operator`, with or without a running server. Nobody can become an operator over the API (ADR 0086). */
async function main(): Promise<void> {
  const [command, email, ...others] = process.argv.slice(2);
  const named = command === 'add' || command === 'remove';
  if ((!named && command !== 'list') || others.length > 0 || named !== (email !== undefined))
    throw new StartRefused(usage);
  await withDatabase(async (db) => {
    if (command === 'list') return list(db);
    const change = command === 'add' ? appointOperator : removeOperator;
    const problem = await change(db, { clock: systemClock }, { email: email ?? '', by: userInfo().username });
    if (problem) throw new StartRefused(words(problem, email ?? ''));
    process.stdout.write(
      command === 'add' ? `${email} is an operator.\n` : `${email} is no longer an operator.\n`,
    );
  });
}

async function list(db: Db): Promise<void> {
  const rows = await listOperators(db);
  for (const row of rows)
    process.stdout.write(
      `${row.email}  ${row.name}  added ${row.added_at.toISOString()} by ${row.added_by}\n`,
    );
  if (rows.length === 0) process.stdout.write('There are no operators.\n');
}

function words(problem: AppointProblem, email: string): string {
  switch (problem) {
    case 'no-account':
      return `No account has the address ${email}. Ask them to sign up and verify it first.`;
    case 'not-verified':
      return `The account ${email} is not verified yet.`;
    case 'disabled':
      return `The account ${email} is disabled.`;
    case 'is-one':
      return `${email} is already an operator.`;
    case 'is-none':
      return `${email} is not an operator.`;
  }
}

async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const log = { info: () => {}, warn: say };
  const dataDir = path.resolve(config.DATA_DIR, 'postgres');
  const server = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir, log, join: true });
  try {
    await migrate(server.url, { log });
    const database = openPool(server.url, 1, (error) =>
      say(`A database connection broke: ${errorText(error)}.`),
    );
    try {
      await requireWholeTown(database.db);
      await work(database.db);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

main().catch((error: unknown) => {
  const known = error instanceof StartRefused || error instanceof ConfigError;
  say(known ? error.message : `Failed: ${errorText(error)}.\n${(error as Error)?.stack ?? ''}`);
  process.exit(1);
});
