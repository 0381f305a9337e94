import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type { DataExport, DataExportState } from '@nearhand/contract/people/data-exports';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { ownAccount } from '../accounts/accounts.service.ts';
import { expireExport, makeExport, sendExport } from './data-exports.queue.ts';
import {
  countSince,
  type ExportRow,
  endExportsOf,
  failStale,
  findLatest,
  findRunning,
  insertExport,
  isOver,
  markExpired,
  markReady,
} from './data-exports.sql.ts';
import { withExportFile } from './export-file.service.ts';
import { exportLink, fileKey } from './export-links.service.ts';

/** An export that has not finished by then never will. */
const staleMs = 60 * minuteMs;

/** The caller's newest export, and how many more they may ask for today. */
export async function exportState(db: Db, scope: Scope): Promise<DataExportState> {
  const now = scope.clock.now();
  const perDay = scope.config.DATA_EXPORTS_PER_DAY;
  const latest = await findLatest(db, scope.actor.accountId);
  const used = await countSince(db, scope.actor.accountId, new Date(now.getTime() - dayMs));
  const { email } = await ownAccount(db, scope);
  return {
    latest: latest ? viewOf(latest, now) : null,
    leftToday: Math.max(0, perDay - used),
    perDay,
    linkHours: scope.config.DATA_EXPORT_HOURS,
    email,
  };
}

function viewOf(row: ExportRow, now: Date): DataExport {
  const stale = row.status === 'running' && row.requested_at.getTime() + staleMs < now.getTime();
  const over = row.expires_at !== null && row.expires_at <= now;
  return {
    id: row.id,
    status: stale ? 'failed' : row.status === 'ready' && over ? 'expired' : row.status,
    requestedAt: row.requested_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    bytes: row.bytes,
  };
}

/**
 * Asks for a copy of the caller's data. A task makes it and mails the link.
 * @throws data-export/running, data-export/daily-limit (data: limit)
 */
export async function requestExport(tx: Tx, scope: Scope): Promise<DataExportState> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const id = newId(now);
  await failStale(tx, new Date(now.getTime() - staleMs), accountId);
  // The row first: of two at once, the second waits here and is refused.
  if (!(await insertExport(tx, { id, accountId, now }))) throw new AppError('data-export/running');
  const limit = scope.config.DATA_EXPORTS_PER_DAY;
  if ((await countSince(tx, accountId, new Date(now.getTime() - dayMs))) > limit)
    throw new AppError('data-export/daily-limit', { limit });
  await enqueue(tx, makeExport, { exportId: id }, { key: `${makeExport.name}/${id}` });
  return exportState(tx, scope);
}

/** For the runner: makes the file, stores it until the link expires and mails the link. A repeat after a crash makes it again. */
export async function runExport(scope: TaskScope, exportId: string): Promise<void> {
  const { db, clock, config, fileStore } = scope;
  const row = await findRunning(db, exportId);
  if (!row) return;
  await withExportFile(scope, { id: row.account_id, email: row.email }, async (file, bytes) => {
    await fileStore.putFile(fileKey(exportId), file, 'application/zip');
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + config.DATA_EXPORT_HOURS * hourMs);
    const kept = await db.transaction().execute(async (tx) => {
      if (!(await markReady(tx, { id: exportId, bytes, now, expiresAt }))) return false;
      await enqueue(tx, expireExport, { exportId }, { runAt: expiresAt, key: expiryKey(exportId) });
      await enqueue(tx, sendExport, {
        to: row.email,
        link: exportLink(scope, exportId),
        hours: config.DATA_EXPORT_HOURS,
        key: `data-export-${exportId}`,
      });
      return true;
    });
    if (!kept) await fileStore.remove(fileKey(exportId));
  });
}

const expiryKey = (exportId: string) => `${expireExport.name}/${exportId}`;

/** For the runner, when a link expires: deletes the file. A repeat is a no-op. */
export async function runExpiry({ db, clock, fileStore }: TaskScope, exportId: string): Promise<void> {
  const now = clock.now();
  if (!(await isOver(db, exportId, now))) return;
  // The bytes first: once the row says expired, nothing looks for them again.
  await fileStore.remove(fileKey(exportId));
  await markExpired(db, exportId, now);
}

/** For an account that is removed: its exports end, and their files are deleted. */
export async function endExports(tx: Tx, accountId: string, now: Date): Promise<void> {
  for (const exportId of await endExportsOf(tx, accountId, now))
    await enqueue(tx, expireExport, { exportId }, { key: expiryKey(exportId) });
}
