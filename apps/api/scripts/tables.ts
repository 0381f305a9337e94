import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../src/platform/database-server.ts';
import { migrate } from '../src/platform/migrate.ts';

/** Makes `src/platform/tables.gen.ts`: the tables' types, read from a database that has just been migrated. */
const folder = path.join(tmpdir(), `nearhand-tables-${process.pid}`);
const log = { info: () => {}, warn: (message: string) => console.warn(message) };
const server = await openDatabase({ dataDir: folder, log });
try {
  await migrate(server.url, { log });
  const target = path.resolve(import.meta.dirname, '../src/platform/tables.gen.ts');
  const excluded = '{graphile_worker.*,kysely_*,migration_checksum,public.migration_checksum}';
  execFileSync(
    'kysely-codegen',
    [
      ...['--dialect', 'postgres', '--url', server.url, '--out-file', target, '--default-schema', 'public'],
      ...['--exclude-pattern', excluded, '--date-parser', 'string', '--type-mapping', '{"int8":"number"}'],
    ],
    { stdio: 'inherit' },
  );
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
