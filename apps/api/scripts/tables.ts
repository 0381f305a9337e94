import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { camelCase } from '../src/platform/database/column-names.ts';
import { openDatabase } from '../src/platform/database/database-server.ts';
import { migrate } from '../src/platform/database/migrate.ts';

export const tablesFile = path.resolve(import.meta.dirname, '../src/platform/tables.gen.ts');

/** Writes the table types of a migrated database to a file. @returns the generator's output */
export function writeTables(url: string, file: string): string {
  const excluded = '{graphile_worker.*,kysely_*,migration_checksum,public.migration_checksum}';
  const printed = execFileSync(
    'kysely-codegen',
    [
      ...['--dialect', 'postgres', '--url', url, '--out-file', file, '--default-schema', 'public'],
      ...['--exclude-pattern', excluded, '--date-parser', 'string', '--type-mapping', '{"int8":"number"}'],
    ],
    { encoding: 'utf8' },
  );
  const [columns = '', tables = ''] = readFileSync(file, 'utf8').split(/(?=export interface DB )/);
  writeFileSync(
    file,
    columns.replace(/^ {2}(\w+):/gm, (_, name: string) => `  ${camelCase(name)}:`) + tables,
  );
  return printed;
}

if (import.meta.main) {
  const folder = path.join(tmpdir(), `nearhand-tables-${process.pid}`);
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const server = await openDatabase({ dataDir: folder, log });
  try {
    await migrate(server.url, { log });
    process.stdout.write(writeTables(server.url, tablesFile));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
