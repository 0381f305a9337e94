import path from 'node:path';
import type { Config } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database-server.ts';
import { migrate } from './platform/database/migrate.ts';
import { type Db, openPool } from './platform/db.ts';
import { errorText } from './platform/start-refused.ts';
import { requireCompleteTownForTools } from './seed/town/half-town.ts';

const print = (message: string) => void process.stderr.write(`${message}\n`);

/** Runs a command on a running server's database, or on one started just for it. */
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
    const database = openPool(server.url, 1, (error) =>
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
