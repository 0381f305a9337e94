import type { SignalRecord } from '@nearhand/contract/realtime';
import type { Tx } from '../db.ts';
import { emit, type RealtimeRoom } from './publish.ts';

/** Absent or null sides do not see the record. */
export type SeenRecord = {
  id: string;
  workerId?: string | null;
  businessId?: string | null;
  jobId?: string | null;
};

/** Called only in the function that writes the row, so no change can miss it (ADR 89). A no-op if there is no row. */
export function emitRecord(tx: Tx, record: SignalRecord, before: SeenRecord | undefined): void {
  if (!before) return;
  const rooms: RealtimeRoom[] = [];
  if (before.workerId) rooms.push(`account:${before.workerId}`);
  if (before.businessId) rooms.push(`business:${before.businessId}`);
  if (rooms.length === 0) return;
  const { id, jobId } = before;
  emit(tx, rooms, { kind: 'record', record, id, jobId: jobId || undefined });
}

/** A changed row of a job, as `returning` gives it. */
export type ChangedRow = { id: string; workerId: string; businessId: string; jobId: string };

/** Emits one signal per job for a business, which refetches whole lists (ADR 89). */
export function emitRows(tx: Tx, record: SignalRecord, rows: readonly ChangedRow[]): void {
  const jobs = new Set<string>();
  for (const { id, workerId, businessId, jobId } of rows) {
    emitRecord(tx, record, { id, workerId, jobId });
    if (!jobs.has(jobId)) emitRecord(tx, record, { id, businessId, jobId });
    jobs.add(jobId);
  }
}

/** Emits a record shown to its whole business, such as a card; a no-op if there is no business. */
export function emitOfBusiness(tx: Tx, record: SignalRecord, row: { businessId: string } | undefined): void {
  if (row) emitRecord(tx, record, { id: row.businessId, businessId: row.businessId });
}

/** Notifies an account's devices that it changed. */
export const emitAccount = (tx: Tx, accountId: string): void =>
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });
