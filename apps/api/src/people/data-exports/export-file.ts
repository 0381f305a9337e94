import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { currencyDigits } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import yazl from 'yazl';
import { databaseNames } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { sealingKeys, unseal } from '../../platform/file-store/sealed-files.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { type ExportedTable, exportedTables } from './exported-tables.rules.ts';

type StoredScope = Pick<TaskScope, 'fileStore' | 'log' | 'config' | 'sign'>;

const isCompressed = (mediaType: string) => mediaType !== 'text/plain';

/** Writes a temporary ZIP from one snapshot in batches, so memory stays constant. */
export async function withExportFile(
  scope: Pick<TaskScope, 'db' | 'clock'> & StoredScope,
  account: { id: string; email: string },
  use: (file: string, bytes: number) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nearhand-export-'));
  try {
    const sections = await writeTables(scope, account.id, folder);
    const files = await findExportedFiles(scope.db, account.id);
    const zip = path.join(folder, 'export.zip');
    await writeZip(scope, zip, folder, {
      sections,
      files,
      index: indexPage({
        email: account.email,
        at: scope.clock.now(),
        sections,
        files: files.map((file) => ({ path: pathInExport(file), name: file.name })),
      }),
    });
    await use(zip, (await stat(zip)).size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Section = { table: string; title: string; count: number };

const pathInExport = ({ purpose, id, name }: ExportedFile) => `files/${purpose}/${id.slice(-8)}-${name}`;

async function writeTables(
  { db }: Pick<TaskScope, 'db'>,
  accountId: string,
  folder: string,
): Promise<Section[]> {
  await mkdir(path.join(folder, 'data'));
  await mkdir(path.join(folder, 'pages'));
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await allowLongReads(tx);
      const columns = await findColumns(tx);
      const sections: Section[] = [];
      for (const [table, exported] of Object.entries(exportedTables)) {
        const rows = readRows(tx, table, exported, { accountId, columns });
        sections.push({
          table,
          title: exported.title,
          count: await writeTable(folder, table, exported, rows),
        });
      }
      return sections;
    });
}

async function writeTable(
  folder: string,
  table: string,
  { title }: ExportedTable,
  batches: AsyncIterable<readonly ExportedRow[]>,
): Promise<number> {
  const opened: FileHandle[] = [];
  const begin = async (file: string) => {
    const handle = await open(path.join(folder, file), 'w', 0o600);
    opened.push(handle);
    return handle;
  };
  try {
    const json = await begin(`data/${table}.json`);
    const page = await begin(`pages/${table}.html`);
    let count = 0;
    for await (const rows of batches) {
      const names = Object.keys(rows[0] ?? {});
      if (count === 0)
        await page.write(
          `${pageHead(title)}<p><a href="../index.html">Your data</a></p>\n<h1>${title}</h1>\n${tableHead(names)}`,
        );
      const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
      await json.write(count === 0 ? `[\n${lines}` : `,\n${lines}`);
      await page.write(rows.map((row) => tableRow(names, row)).join(''));
      count += rows.length;
    }
    await json.write(count === 0 ? '[]\n' : '\n]\n');
    if (count > 0) await page.write(`${tableEnd}${pageEnd}`);
    return count;
  } finally {
    for (const handle of opened) await handle.close();
  }
}

/** Opens a file's bytes; encrypted ones are small photos, decrypted in memory. */
async function openStored(scope: StoredScope, file: ExportedFile): Promise<Readable | null> {
  if (file.keyId === null) return scope.fileStore.open(file.id);
  const bytes = await scope.fileStore.get(file.id);
  return bytes && Readable.from([Buffer.from(unseal(sealingKeys(scope), file.id, bytes))]);
}

async function writeZip(
  scope: StoredScope,
  target: string,
  folder: string,
  parts: { sections: readonly Section[]; files: readonly ExportedFile[]; index: string },
): Promise<void> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(parts.index), 'index.html');
  for (const { table } of parts.sections.filter(({ count }) => count > 0)) {
    zip.addFile(path.join(folder, 'pages', `${table}.html`), `pages/${table}.html`);
    zip.addFile(path.join(folder, 'data', `${table}.json`), `data/${table}.json`);
  }
  for (const file of parts.files) {
    const options = { mtime: file.createdAt, compress: !isCompressed(file.mediaType) };
    zip.addReadStreamLazy(pathInExport(file), options, (done) => {
      openStored(scope, file).then(
        (stored) => {
          if (stored === null)
            scope.log.error({ fileId: file.id }, 'the bytes of an exported file are missing');
          done(null, stored ?? Readable.from([]));
        },
        (error) => done(error, Readable.from([])),
      );
    });
  }
  const output = zip.outputStream as PassThrough;
  zip.once('error', (error) => output.destroy(error));
  zip.end();
  await pipeline(output, createWriteStream(target, { mode: 0o600 }));
}

type ExportedRow = Record<string, unknown>;

type ColumnRow = {
  tableName: string;
  columnName: string;
  namesAccount: boolean;
  placeInKey: number | null;
};

/** Columns of all tables, and those that name an account: by foreign key, or as the actor of a move. */
export async function findColumns(db: Db): Promise<ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    select class.relname as table_name, attribute.attname as column_name,
      attribute.attname = 'actor' or exists (select from pg_constraint key where key.conrelid = class.oid and key.contype = 'f'
        and key.confrelid = 'accounts'::regclass and attribute.attnum = any(key.conkey)) as names_account,
      (select array_position(key.conkey, attribute.attnum) from pg_constraint key
        where key.conrelid = class.oid and key.contype = 'p') as place_in_key
    from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'r' and attribute.attnum > 0 and not attribute.attisdropped
    order by class.relname, attribute.attnum`.execute(db);
  return rows;
}

const labels: Record<string, string> = {
  job_id: '(select title from jobs where id = it.job_id) as job_title',
  business_id: '(select name from businesses where id = it.business_id) as business_name',
  engagement_id: `(select job.title from engagements work join jobs job on job.id = work.job_id where work.id = it.engagement_id) as job_title`,
  application_id: `(select job.title from applications application join jobs job on job.id = application.job_id where application.id = it.application_id) as job_title`,
};

const rowsAtOnce = 500;

/** Reads rows in batches through a cursor, one at a time. Clears columns that name someone else. */
async function* readRows(
  tx: Tx,
  table: string,
  { rows: condition, without = {} }: ExportedTable,
  source: { accountId: string; columns: readonly ColumnRow[] },
): AsyncGenerator<ExportedRow[]> {
  const tableColumns = source.columns.filter((column) => column.tableName === table);
  const columns = tableColumns.filter(({ columnName: name }) => !(name in without));
  const me = `'${source.accountId}'::uuid`;
  const titles = new Set<string>();
  const references = [
    ...columns.map(({ columnName: name, namesAccount: named }) =>
      named ? `case when it.${name}::text = ${me}::text then it.${name} end as ${name}` : `it.${name}`,
    ),
    ...columns.flatMap(({ columnName: name }) => {
      const label = labels[name];
      const title = label?.split(' as ').at(-1) ?? '';
      if (
        label === undefined ||
        titles.has(title) ||
        tableColumns.some((column) => column.columnName === title)
      )
        return [];
      titles.add(title);
      return [label];
    }),
  ];
  const key = tableColumns
    .filter(({ placeInKey: place }) => place !== null)
    .sort((a, b) => (a.placeInKey ?? 0) - (b.placeInKey ?? 0))
    .map(({ columnName: name }) => `it.${name}`);
  await sql
    .raw(
      `declare exported no scroll cursor for select ${references.join(', ')} from ${table} it
       where ${condition.replaceAll('$me', me)} ${key.length > 0 ? `order by ${key.join(', ')}` : ''}`,
    )
    .execute(tx);
  try {
    for (;;) {
      const { rows } = await sql
        .raw<ExportedRow>(`fetch ${rowsAtOnce} from exported`)
        .execute(tx.withPlugin(databaseNames));
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtOnce) return;
    }
  } finally {
    await sql`close exported`.execute(tx);
  }
}

type ExportedFile = {
  id: string;
  name: string;
  purpose: string;
  mediaType: string;
  createdAt: Date;
  keyId: string | null;
};

/** The account's own files, and those it received as a worker in conversations, except withdrawn ones. */
async function findExportedFiles(db: Db, accountId: string): Promise<ExportedFile[]> {
  const { rows } = await sql<ExportedFile>`
    select file.id, file.name, file.purpose, file.media_type, file.created_at, file.key_id from files file
    left join message_files sent on sent.file_id = file.id
    where sent.withdrawn_at is null and (file.account_id = ${accountId}
      or sent.conversation_id in (select id from conversations where worker_id = ${accountId}))
    order by file.id`.execute(db);
  return rows;
}

/** Reading large tables may take longer than the statement timeout. */
const allowLongReads = async (tx: Tx): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx);
};

const momentText = (at: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;

const columnText = (name: string): string => {
  const words = name.replace(/_minor$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function moneyText(minor: number, currency: unknown): string | null {
  const digits = currencyDigits[currency as keyof typeof currencyDigits];
  if (typeof currency !== 'string' || digits === undefined) return null;
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(minor / 10 ** digits);
}

function valueText(name: string, value: unknown, row: Record<string, unknown>): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value instanceof Date) return momentText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && name.endsWith('_minor'))
    return moneyText(value, row.currency) ?? String(value);
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.join(', ') || '–';
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value);
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:24px 16px;max-width:1100px}
h1{font-size:28px;line-height:1.2}h2{font-size:20px;margin-top:32px}a{color:LinkText}.wide{overflow-x:auto;border:1px solid GrayText;border-radius:12px}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:8px 12px;text-align:start;vertical-align:top;border-bottom:1px solid color-mix(in srgb,GrayText 40%,transparent);white-space:pre-wrap;overflow-wrap:anywhere;min-width:90px}
th{white-space:nowrap}li{margin:6px 0}.mute{color:GrayText}`;

/** The page opens offline: no script, font or external picture. */
const pageHead = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} – Nearhand</title><style>${style}</style></head><body>
`;
const pageEnd = '</body></html>\n';

const tableHead = (columns: readonly string[]): string =>
  `<div class="wide" tabindex="0"><table><thead><tr>${columns
    .map((name) => `<th scope="col">${escapeHtml(columnText(name))}</th>`)
    .join('')}</tr></thead><tbody>\n`;
const tableRow = (columns: readonly string[], row: Record<string, unknown>): string =>
  `<tr>${columns.map((name) => `<td>${escapeHtml(valueText(name, row[name], row))}</td>`).join('')}</tr>\n`;
const tableEnd = '</tbody></table></div>\n';

type ExportIndex = {
  email: string;
  at: Date;
  sections: readonly { table: string; title: string; count: number }[];
  files: readonly { path: string; name: string }[];
};

function indexPage({ email, at, sections, files }: ExportIndex): string {
  const link = (path: string, text: string) => `<a href="${escapeHtml(path)}">${escapeHtml(text)}</a>`;
  const full = sections.filter(({ count }) => count > 0);
  const empty = sections.filter(({ count }) => count === 0);
  return `${pageHead('Your data')}<h1>Your Nearhand data</h1>
<p>Everything stored about <strong>${escapeHtml(email)}</strong> as of ${escapeHtml(momentText(at))}. Each page has a JSON file with the same rows in the folder <code>data</code>. Times are in UTC.</p>
<h2>What's here</h2><ul>
${full.map(({ table, title, count }) => `<li>${link(`pages/${table}.html`, title)} <span class="mute">(${count})</span></li>`).join('\n')}
</ul>
<h2>Files</h2>${files.length === 0 ? '<p>None.</p>' : `<ul>\n${files.map(({ path, name }) => `<li>${link(path.split('/').map(encodeURIComponent).join('/'), name)}</li>`).join('\n')}\n</ul>`}
<h2>Nothing stored</h2><p>${escapeHtml(empty.map(({ title }) => title).join(', ') || 'Every section has something in it.')}</p>
<h2>What isn't here</h2><p>Passwords and other secrets, what belongs to a business and not to you, notes that businesses keep for themselves, and anything about other people beyond what they showed you.</p>
${pageEnd}`;
}
