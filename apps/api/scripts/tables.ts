import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { camelCase } from '../src/platform/database/column-names.ts';
import { openDatabase } from '../src/platform/database/database-server.ts';
import { migrate } from '../src/platform/database/migrate.ts';

export const tablesFile = path.resolve(import.meta.dirname, '../src/platform/tables.gen.ts');

/** The values that a check allows for one text column, and nothing else. */
const allowedValues = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]+)\]\)\)\)$/;

/** Text columns with a list of allowed values, as unions of literals, by `table.column`. */
async function readUnions(url: string): Promise<Map<string, string>> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ table: string; check: string }>(
    `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as "check"
      from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace and conrelid <> 0`,
  );
  await client.end();
  const unions = new Map<string, string>();
  for (const { table, check } of rows) {
    const [, column, list] = allowedValues.exec(check) ?? [];
    const values = list?.split(', ').map((value) => /^'([^']*)'::text$/.exec(value)?.[1]);
    if (!values?.every((value) => value !== undefined)) continue;
    const union = values
      .toSorted()
      .map((value) => `'${value}'`)
      .join(' | ');
    unions.set(`${camelCase(table)}.${camelCase(column ?? '')}`, union);
  }
  return unions;
}

/**
 * Writes the table types of a migrated database to a file. A text column whose check lists its values has them as its type.
 * @returns the generator's output
 */
export async function writeTables(url: string, file: string): Promise<string> {
  const excluded = '{graphile_worker.*,kysely_*,migration_checksum,public.migration_checksum}';
  const printed = execFileSync(
    'kysely-codegen',
    [
      '--dialect',
      'postgres',
      '--url',
      url,
      '--out-file',
      file,
      '--default-schema',
      'public',
      '--exclude-pattern',
      excluded,
      '--date-parser',
      'string',
      '--type-mapping',
      '{"int8":"number"}',
    ],
    { encoding: 'utf8' },
  );
  const unions = await readUnions(url);
  const [columns = '', tables = ''] = readFileSync(file, 'utf8').split(/(?=export interface DB )/);
  let table = '';
  const withEnums = columns.replace(
    /^export interface (\w+)|^ {2}(\w+): (.*)/gm,
    (line: string, name?: string, column = '', type = '') => {
      if (name !== undefined) {
        table = name[0]?.toLowerCase() + name.slice(1);
        return line;
      }
      const union = unions.get(`${table}.${camelCase(column)}`);
      const literalType = /(^|_)currency$/.test(column) ? 'Currency' : union;
      return `  ${camelCase(column)}: ${literalType ? type.replace('string', literalType) : type}`;
    },
  );
  const head = /^import type .* from "kysely";$/m;
  const imported = "import type { Currency } from '@nearhand/contract/currencies';";
  writeFileSync(file, withEnums.replace(head, `${imported}\n$&`) + tables);
  return printed;
}

if (import.meta.main) {
  const folder = path.join(tmpdir(), `nearhand-tables-${process.pid}`);
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const server = await openDatabase({ dataDir: folder, log });
  try {
    await migrate(server.url, { log });
    process.stdout.write(await writeTables(server.url, tablesFile));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
