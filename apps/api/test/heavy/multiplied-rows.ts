import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hourMs } from '@nearhand/contract/durations';
import type pg from 'pg';

type Table = { name: string; columns: { name: string; type: string }[] };

type Rows = { table: Table; rows: (string | null)[][] };

/** Columns that must differ between copies although they hold no id. Texts get a prefix, numbers grow. */
const distinct: Record<string, readonly string[]> = {
  accounts: ['email', 'referral_code'],
  bank_payments: ['bank_ref'],
  charges: ['provider_ref'],
  invoices: ['number'],
  pay_receipts: ['number'],
  worker_invoices: ['number'],
  seller_reports: ['year'],
};

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Copies and their ids differ in age, so that keysets have something to sort by. */
const apartMs = 8 * hourMs;

export async function readRows(client: pg.Client, without: readonly string[]): Promise<Rows[]> {
  const { rows: tables } = await client.query<Table>(
    `select rel.relname as name,
       (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum) from pg_attribute
         where attrelid = rel.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '') as columns
     from pg_class rel where relnamespace = 'public'::regnamespace and relkind = 'r' and not relname = any($1::text[]) order by 1`,
    [without],
  );
  const multiplied: Rows[] = [];
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => `"${name}"::text`).join(', ');
    const { rows } = await client.query<(string | null)[]>({
      text: `select ${columns} from "${table.name}"`,
      rowMode: 'array',
    });
    if (rows.length > 0) multiplied.push({ table, rows });
  }
  return multiplied;
}

/** Building an index once is cheaper than growing it. Indexes of constraints stay. */
export async function withoutIndexes(client: pg.Client, write: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     join pg_class rel on rel.oid = indrelid
     where relnamespace = 'public'::regnamespace and not indisunique and not indisexclusion`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await write();
  await client.query(`set maintenance_work_mem = '256MB'`);
  for (const { definition } of rows) await client.query(definition);
}

export type Pass = { no: number; copies: number; keeps: (id: string) => boolean };

export async function copyRows(client: pg.Client, all: readonly Rows[], pass: Pass): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  await chmod(folder, 0o755);
  await client.query('set session_replication_role = replica');
  for (const { table, rows } of all) {
    const copied = rows.map((row) => writerOf(table, row, pass));
    const file = path.join(folder, table.name);
    const out = createWriteStream(file, { mode: 0o644 });
    for (let copy = 1; copy <= pass.copies; copy += 1) {
      const lines = copied.map((write) => write(copy)).join('');
      if (!out.write(lines)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'close');
    const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
    // A constraint drops duplicates and overlapping shifts.
    await client.query(`create temp table copied as select ${columns} from "${table.name}" limit 0`);
    await client.query(`copy copied from '${file}'`);
    await client.query(
      `insert into "${table.name}" (${columns}) select * from copied on conflict do nothing`,
    );
    await client.query('drop table copied');
    await rm(file);
  }
  await client.query('set session_replication_role = origin');
  await rm(folder, { recursive: true });
}

function writerOf(table: Table, row: (string | null)[], { no, keeps }: Pass): (copy: number) => string {
  const fields = table.columns.map(({ name, type }, index) => fieldOf(table, name, type, row[index] ?? null));
  return (copy) => `${fields.map((write) => write(copy)).join('\t')}\n`;

  function fieldOf(of: Table, name: string, type: string, value: string | null): (copy: number) => string {
    if (value === null) return () => '\\N';
    if (type === 'timestamp with time zone') {
      const at = new Date(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).getTime();
      return (copy) => new Date(at - copy * apartMs).toISOString();
    }
    // Copies are spread out, since no business has all its jobs at one address.
    if (/^(public_)?(lat|lng)$/.test(name))
      return (copy) => String(Number(value) + (((copy * 7_919) % 2_001) - 1_000) / 5_000);
    const escaped = value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign);
    const prefixed = isDistinct(of, name);
    if (prefixed && type === 'integer') return (copy) => String(Number(value) + no * 1_000_000 + copy);
    const moved = [...new Set(escaped.match(ids))].filter((id) => !keeps(id));
    if (moved.length === 0) return prefixed ? (copy) => `${no}-${copy}-${escaped}` : () => escaped;
    const parts = escaped.split(new RegExp(`(${moved.join('|')})`));
    return (copy) => parts.map((part, at) => (at % 2 === 1 ? idOf(part, no, copy) : part)).join('');
  }
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const isDistinct = (table: Table, column: string) => distinct[table.name]?.includes(column) ?? false;

/** The copy's id is older by the same time as its record, and differs in its last digits. */
function idOf(id: string, pass: number, copy: number): string {
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const older = (((time - copy * apartMs) % 2 ** 48) + 2 ** 48) % 2 ** 48;
  const last = (Number.parseInt(id.slice(24), 16) + copy + pass * 2 ** 24) % 2 ** 48;
  const hex = older.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${id.slice(14, 23)}-${last.toString(16).padStart(12, '0')}`;
}
