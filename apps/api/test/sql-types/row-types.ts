import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Column } from './described-columns.ts';
import type { Kind } from './recorded.ts';
import { type StatementSource, sourceFiles } from './statement-sources.ts';

/** The driver's conversions (`platform/db.ts` sets two of its parsers). */
const driven: Record<string, { ts: string; kind: Kind }> = {
  ...withValue(
    ['text', 'character varying', 'character', 'uuid', 'name', '"char"', 'date', 'regclass', 'inet', 'void'],
    { ts: 'string', kind: 'string' },
  ),
  ...withValue(['numeric', 'tstzrange', 'record', 'xid8'], { ts: 'string', kind: 'string' }),
  ...withValue(['smallint', 'integer', 'bigint', 'real', 'double precision', 'oid'], {
    ts: 'number',
    kind: 'number',
  }),
  boolean: { ts: 'boolean', kind: 'boolean' },
  ...withValue(['timestamp with time zone', 'timestamp without time zone'], { ts: 'Date', kind: 'date' }),
  bytea: { ts: 'Uint8Array', kind: 'bytes' },
  point: { ts: '{ x: number; y: number }', kind: 'object' },
  ...withValue(['json', 'jsonb'], { ts: 'JsonColumn', kind: 'object' }),
  ...withValue(['text[]', 'uuid[]', 'character varying[]', 'bigint[]', 'name[]'], {
    ts: 'string[]',
    kind: 'array',
  }),
  ...withValue(['integer[]', 'smallint[]', 'double precision[]', 'real[]'], {
    ts: 'number[]',
    kind: 'array',
  }),
  'boolean[]': { ts: 'boolean[]', kind: 'array' },
  'timestamp with time zone[]': { ts: 'Date[]', kind: 'array' },
};

function withValue<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/**
 * A row's type as observed.
 * @throws for a PostgreSQL type missing from the list above, or wrong in it
 */
export function rowType(columns: readonly Column[], kindsByColumn: Record<string, Kind[]>): string {
  const fields = columns.map(({ name, type, mayBeNull }) => {
    const driverType = driven[type];
    if (!driverType) throw new Error(`column ${name} is of type ${type}, which row-types.ts does not know`);
    const kinds = (kindsByColumn[name] ?? []).filter((kind) => kind !== 'null');
    if (driverType.ts !== 'JsonColumn' && kinds.some((kind) => kind !== driverType.kind))
      throw new Error(`column ${name} of type ${type} came as ${kinds.join(', ')}, not ${driverType.kind}`);
    const nullable = mayBeNull || kindsByColumn[name]?.includes('null');
    return `${JSON.stringify(name)}: ${driverType.ts}${nullable ? ' | null' : ''}`;
  });
  return `{ ${fields.join('; ')} }`;
}

/** PostgreSQL knows a union of texts only as text, of rows only the type of each column, and nothing about JSON. */
const comparison = `
interface JsonColumn { readonly json: unique symbol }
type WideValue<V> = unknown extends V ? unknown : V extends null | undefined ? V
  : V extends string ? string : V extends number ? number : V extends boolean ? boolean
  : V extends Date ? Date : V extends Uint8Array ? Uint8Array
  : V extends readonly (infer E)[] ? WideValue<E>[] | JsonColumn
  : V extends object ? V | JsonColumn : never;
type WideRow<Row> =
  & { [Name in Extract<keyof Row, string> as undefined extends Row[Name] ? never : Name]: WideValue<Row[Name]> }
  & { [Name in Extract<keyof Row, string> as undefined extends Row[Name] ? Name : never]?: WideValue<Row[Name]> };
type CheckedValue<Value, Answer extends WideValue<Value>> = Value;
type CheckedRow<Row, Columns extends keyof Row, Answer extends WideRow<Row>> = Row;
`;

export type Answered = { source: StatementSource; columns: readonly Column[]; row: string };

/**
 * Compares declared and observed rows by the compiler, in a copy of the sources bound to their results.
 * @returns the compiler's errors, with file and line of the sources
 */
export async function compareRows(folder: string, answered: readonly Answered[]): Promise<string[]> {
  // Next to the sources, where their packages are found.
  const copy = path.join(folder, '..', '.cache', `rows-${process.pid}`);
  try {
    await mkdir(copy, { recursive: true });
    for (const file of sourceFiles(folder)) {
      const here = answered.filter(({ source }) => source.file === file);
      const target = path.join(copy, 'src', file);
      await mkdir(path.dirname(target), { recursive: true });
      if (here.length === 0) await cp(path.join(folder, file), target);
      else await writeFile(target, bound(await readFile(path.join(folder, file), 'utf8'), here));
    }
    await writeFile(path.join(copy, 'comparison.d.ts'), comparison);
    const config = {
      extends: path.resolve(import.meta.dirname, '../../../../tsconfig.json'),
      include: ['.'],
    };
    await writeFile(path.join(copy, 'tsconfig.json'), JSON.stringify(config));
    return await compile(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Replaces the declared row types in a text without changing its line numbers. */
function bound(text: string, answered: readonly Answered[]): string {
  let result = text;
  const latestFirst = [...answered].sort((a, b) => b.source.declared.start - a.source.declared.start);
  let end: number | undefined;
  let start = 0;
  let declared = '';
  const flush = () => {
    if (end !== undefined) result = result.slice(0, start) + declared + result.slice(end);
  };
  for (const { source, columns, row } of latestFirst) {
    if (source.declared.start !== start || end === undefined) {
      flush();
      ({ start, end, text: declared } = source.declared);
    }
    const names = columns.map(({ name }) => JSON.stringify(name)).join(' | ') || 'never';
    declared =
      source.kind === 'statement'
        ? `CheckedRow<${declared}, ${names}, ${row}>`
        : `CheckedValue<${declared}, ${row}[${names}]>`;
  }
  flush();
  return result;
}

async function compile(folder: string): Promise<string[]> {
  const compiler = path.resolve(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc');
  const output = await promisify(execFile)(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
  // A message continues over indented lines.
  return output === '' ? [] : output.trimEnd().split(/\n(?=\S)/);
}
