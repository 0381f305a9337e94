import path from 'node:path';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database/database-server.ts';
import { migrate } from '../platform/database/migrate.ts';
import { type Db, openPool } from '../platform/db.ts';
import { errorText, StartRefusedError } from '../platform/start-refused.ts';
import { requireCompleteTownForTools } from '../seed/town/half-town.ts';

const print = (message: string) => void process.stderr.write(`${message}\n`);

/**
 * Runs the body of a command line and ends the process with its exit code: 1 if the body returns false or throws.
 * A StartRefusedError is printed alone; anything else is a fault, printed as `faultText` puts it, with its stack.
 */
export async function runCommand(
  body: () => Promise<unknown>,
  faultText = (text: string) => `Failed: ${text}.`,
): Promise<void> {
  try {
    if ((await body()) === false) process.exitCode = 1;
  } catch (error) {
    if (error instanceof StartRefusedError) print(error.message);
    else print(`${faultText(errorText(error))}\n${(error as Error)?.stack ?? ''}`);
    process.exit(1);
  }
}

/**
 * Runs `work` on a running server's database, or on one started just for it, after migrating it.
 * @throws StartRefusedError if its demo town is half made
 */
export async function withDatabase<Result>(
  config: Config,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const log = { info: () => {}, warn: print };
  const server = await openDatabase({
    config,
    dataDir: path.resolve(config.DATA_DIR, 'postgres'),
    log,
    join: true,
  });
  try {
    await migrate(config.DATABASE_OWNER_URL ?? server.url, { log, servedAt: server.url });
    const database = openPool(server.url, 2, (error) =>
      print(`A database connection broke: ${errorText(error)}.`),
    );
    try {
      await requireCompleteTownForTools(database.db);
      return await work(database.db);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}
