import { accountSettingsPath } from '@nearhand/contract/app-paths';
import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { isId } from '@nearhand/contract/ids';
import { type DataExport, type DataExportState, dataExports } from '@nearhand/contract/people/data-exports';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';
import { readSigned, signText } from '../../platform/sign.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { ownAccount } from '../accounts/accounts.ts';
import { withExportFile } from './export-file.ts';

const staleMs = 60 * minuteMs;

/** Returns the caller's latest data export. */
async function exportState(db: Db, scope: Scope): Promise<DataExportState> {
  const now = scope.clock.now();
  const perDay = scope.config.DATA_EXPORTS_PER_DAY;
  const latest = await findLatest(db, scope.actor.accountId);
  const used = await countSince(db, scope.actor.accountId, subtractMs(now, dayMs));
  const { email } = await ownAccount(db, scope);
  return {
    latest: latest ? toDataExport(latest, now) : null,
    leftToday: Math.max(0, perDay - used),
    perDay,
    linkHours: scope.config.DATA_EXPORT_HOURS,
    email,
  };
}

function toDataExport(row: ExportRow, now: Date): DataExport {
  const isStale = row.status === 'running' && row.requestedAt.getTime() + staleMs < now.getTime();
  const isExpired = row.expiresAt !== null && row.expiresAt <= now;
  return {
    id: row.id,
    status: isStale ? 'failed' : row.status === 'ready' && isExpired ? 'expired' : row.status,
    requestedAt: row.requestedAt.toISOString(),
    readyAt: row.readyAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    bytes: row.bytes,
  };
}

/** Queues a copy of the caller's data; a task makes it and mails the link. */
async function requestExport(tx: Tx, scope: Scope): Promise<DataExportState> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const id = newId(now);
  await failStale(tx, subtractMs(now, staleMs), accountId);
  // Inserts the row first: of two concurrent requests, the second waits here and is refused.
  if (!(await insertExport(tx, { id, accountId, now }))) throw new AppError('data-export/running');
  const limit = scope.config.DATA_EXPORTS_PER_DAY;
  if ((await countSince(tx, accountId, subtractMs(now, dayMs))) > limit)
    throw new AppError('data-export/daily-limit', { limit });
  await enqueue(tx, makeExportTask, { exportId: id }, { key: `${makeExportTask.name}/${id}` });
  return exportState(tx, scope);
}

/** Makes and stores the file, then mails the link. Repeated after a crash. */
async function makeExport(scope: TaskScope, exportId: string): Promise<void> {
  const { db, clock, config, fileStore } = scope;
  const row = await findRunning(db, exportId);
  if (!row) return;
  await withExportFile(scope, { id: row.accountId, email: row.email }, async (file, bytes) => {
    await fileStore.putFile(fileKey(exportId), file, 'application/zip');
    const now = clock.now();
    const expiresAt = addMs(now, config.DATA_EXPORT_HOURS * hourMs);
    const exportRow = await db.transaction().execute(async (tx) => {
      if (!(await markReady(tx, { id: exportId, bytes, now, expiresAt }))) return false;
      await enqueue(tx, expireExportTask, { exportId }, { runAt: expiresAt, key: expiryKey(exportId) });
      await enqueue(tx, sendExportTask, {
        to: row.email,
        link: exportLink(scope, exportId),
        hours: config.DATA_EXPORT_HOURS,
        key: `data-export-${exportId}`,
      });
      return true;
    });
    if (!exportRow) await fileStore.remove(fileKey(exportId));
  });
}

const expiryKey = (exportId: string) => `${expireExportTask.name}/${exportId}`;

async function expireExport({ db, clock, fileStore }: TaskScope, exportId: string): Promise<void> {
  const now = clock.now();
  if (!(await isExpired(db, exportId, now))) return;
  // Deletes the bytes first, because nothing looks for them once the row is marked expired.
  await fileStore.remove(fileKey(exportId));
  await markExpired(db, exportId, now);
}

/** Part of account removal: ends exports and queues the deletion of their files. */
export async function endExports(tx: Tx, accountId: string, now: Date): Promise<void> {
  for (const exportId of await endExportsOf(tx, accountId, now))
    await enqueue(tx, expireExportTask, { exportId }, { key: expiryKey(exportId) });
}

const exportRef = z.object({ exportId: z.uuid() });

const makeExportTask = defineTask({
  name: 'data-exports.make',
  payload: exportRef,
  queue: 'housekeeping',
  run: (scope, { exportId }) => makeExport(scope, exportId),
});
const expireExportTask = defineTask({
  name: 'data-exports.expire',
  payload: exportRef,
  queue: 'housekeeping',
  run: (scope, { exportId }) => expireExport(scope, exportId),
});
const sendExportTask = defineTask({
  name: 'data-exports.send',
  payload: z.object({ to: z.string(), link: z.string(), hours: z.number().int(), key: z.string() }),
  queue: 'messages',
  async run({ mailer, log }, { to, link, hours, key }) {
    await sendUnlessRefused({ mailer, log }, dataExportMail(to, link, hours, key));
  },
});

const purpose = 'data export';

const fileKey = (exportId: string): string => `export-${exportId}`;

function exportLink({ config, sign }: Pick<Scope, 'config' | 'sign'>, exportId: string): string {
  return `${config.PUBLIC_URL}${accountSettingsPath(signText(sign, purpose, exportId))}`;
}

type OpenedExport = { name: string; bytes: number; body: NodeJS.ReadableStream };

/**
 * Needs both the mailed ticket and its account.
 * @throws session/required, data-export/link-expired
 */
async function openExport(db: Db, scope: Scope<Actor | null>, ticket: unknown): Promise<OpenedExport> {
  if (!scope.actor) throw new AppError('session/required');
  const exportId = readSigned(scope.sign, purpose, ticket);
  const row = isId(exportId)
    ? await findReady(db, exportId, scope.actor.accountId, scope.clock.now())
    : undefined;
  const body = row ? await scope.fileStore.open(fileKey(row.id)) : null;
  if (!row || body === null) throw new AppError('data-export/link-expired');
  const day = (row.readyAt ?? row.requestedAt).toISOString().slice(0, 10);
  return { name: `nearhand-data-${day}.zip`, bytes: row.bytes ?? 0, body };
}

/** The link works only while signed in to the account. */
const dataExportMail = (to: string, link: string, hours: number, key: string): Mail =>
  composeMail(to, key, {
    subject: phrase('Your data is ready to download'),
    heading: phrase('Your data is ready to download'),
    paragraphs: [
      phrase(
        "The copy of your data you asked for is ready. The link works for {hours} hours, and only while you're logged in to your account.",
        { hours },
      ),
      phrase('The file is a ZIP. Unpack it and open index.html to read everything in your browser.'),
    ],
    action: { label: phrase('Download your data'), url: link },
    footnote: phrase(
      "You're receiving this because someone signed in to this account asked for a copy of its data. If that wasn't you, change your password.",
    ),
  });

type ExportRow = {
  id: string;
  accountId: string;
  status: 'running' | 'ready' | 'failed' | 'expired';
  bytes: number | null;
  requestedAt: Date;
  readyAt: Date | null;
  expiresAt: Date | null;
};

const columns = ['id', 'accountId', 'status', 'bytes', 'requestedAt', 'readyAt', 'expiresAt'] as const;

async function findLatest(db: Db, accountId: string): Promise<ExportRow | undefined> {
  return db
    .selectFrom('data_exports')
    .select(columns)
    .where('accountId', '=', accountId)
    .orderBy('requestedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function countSince(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('data_exports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('requestedAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** @returns false if an export is running */
async function insertExport(tx: Tx, row: { id: string; accountId: string; now: Date }): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('data_exports')
    .values({ id: row.id, accountId: row.accountId, status: 'running', requestedAt: row.now })
    .onConflict((conflict) =>
      conflict.column('accountId').where('status', '=', sql.lit('running')).doNothing(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Fails exports that were requested before this time and never finished. */
async function failStale(db: Db, before: Date, accountId?: string): Promise<void> {
  let query = db
    .updateTable('data_exports')
    .set({ status: 'failed' })
    .where('status', '=', 'running')
    .where('requestedAt', '<', before);
  if (accountId !== undefined) query = query.where('accountId', '=', accountId);
  await query.execute();
}

async function findRunning(db: Db, exportId: string) {
  return db
    .selectFrom('data_exports')
    .innerJoin('accounts', 'accounts.id', 'data_exports.accountId')
    .select(['data_exports.id', 'accountId', 'accounts.email'])
    .where('data_exports.id', '=', exportId)
    .where('status', '=', 'running')
    .where('accounts.disabledAt', 'is', null)
    .executeTakeFirst();
}

/** @returns false if the export was given up in the meantime */
async function markReady(
  tx: Tx,
  row: { id: string; bytes: number; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('data_exports')
    .set({ status: 'ready', bytes: row.bytes, readyAt: row.now, expiresAt: row.expiresAt })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function findReady(
  db: Db,
  exportId: string,
  accountId: string,
  now: Date,
): Promise<ExportRow | undefined> {
  return db
    .selectFrom('data_exports')
    .select(columns)
    .where('id', '=', exportId)
    .where('accountId', '=', accountId)
    .where('status', '=', 'ready')
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

async function isExpired(db: Db, exportId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('data_exports')
    .select('id')
    .where('id', '=', exportId)
    .where('status', '=', 'ready')
    .where('expiresAt', '<=', now)
    .executeTakeFirst();
  return row !== undefined;
}

async function markExpired(db: Db, exportId: string, now: Date): Promise<void> {
  await db
    .updateTable('data_exports')
    .set({ status: 'expired' })
    .where('id', '=', exportId)
    .where('status', '=', 'ready')
    .where('expiresAt', '<=', now)
    .execute();
}

/**
 * Ends the exports of a removed account.
 * @returns those with a file
 */
async function endExportsOf(tx: Tx, accountId: string, now: Date): Promise<string[]> {
  await tx
    .updateTable('data_exports')
    .set({ status: 'failed' })
    .where('accountId', '=', accountId)
    .where('status', '=', 'running')
    .execute();
  const endedExports = await tx
    .updateTable('data_exports')
    .set({ expiresAt: now })
    .where('accountId', '=', accountId)
    .where('status', '=', 'ready')
    .returning('id')
    .execute();
  return endedExports.map(({ id }) => id);
}

/** Serves the ZIP to its signed-in owner. Outside the contract because it is not JSON. */
export const registerDataExports: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Querystring: { ticket?: unknown } }>(
    '/data-exports/file',
    { onRequest: limitReads },
    async (request, reply) => {
      const file = await openExport(db, scopeOf(request), request.query.ticket);
      return reply
        .header('content-type', 'application/zip')
        .header('content-length', file.bytes)
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .send(file.body);
    },
  );
};

export const dataExportsTasks = [makeExportTask, expireExportTask, sendExportTask];

export const dataExportsRoutes = {
  get: read(dataExports.get, exportState),
  request: write(dataExports.request, requestExport),
};
