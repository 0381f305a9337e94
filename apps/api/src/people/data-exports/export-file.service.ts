import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { sealingKeys, unseal } from '../../platform/file-store/sealed-files.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { indexPage, pageEnd, pageHead, tableEnd, tableHead, tableRow } from './export-pages.rules.ts';
import {
  allowLongReads,
  type ExportedFile,
  type ExportedRow,
  findColumns,
  findExportedFiles,
  readRows,
} from './export-rows.sql.ts';
import { type ExportedTable, exportedTables } from './exported-tables.rules.ts';

type StoredScope = Pick<TaskScope, 'fileStore' | 'log' | 'config' | 'sign'>;

/** Files that are compressed already. */
const isCompressed = (mediaType: string) => mediaType !== 'text/plain';

/**
 * Writes the export of an account as a ZIP and passes it on, then removes every trace of it from this machine. Rows are read from one snapshot and go to disk in batches, and
 * stored files are streamed, so memory does not grow with the account.
 */
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
        files: files.map((file) => ({ path: pathOf(file), name: file.name })),
      }),
    });
    await use(zip, (await stat(zip)).size);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Section = { table: string; title: string; count: number };

/** A stored file's place in the ZIP; two files may have the same name. */
const pathOf = ({ purpose, id, name }: ExportedFile) => `files/${purpose}/${id.slice(-8)}-${name}`;

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

/** The bytes of a file; encrypted ones are small photos and are decrypted as a whole. */
async function openStored(scope: StoredScope, file: ExportedFile): Promise<Readable | null> {
  if (file.key_id === null) return scope.fileStore.open(file.id);
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
    const options = { mtime: file.created_at, compress: !isCompressed(file.media_type) };
    zip.addReadStreamLazy(pathOf(file), options, (done) => {
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
  const failed = new Promise<never>((_resolve, reject) => zip.once('error', reject));
  zip.end();
  await Promise.race([pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600 })), failed]);
}
