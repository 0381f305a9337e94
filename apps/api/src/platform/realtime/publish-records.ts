import type { SignalRecord } from '@nearhand/contract/realtime';
import type { Tx } from '../db.ts';
import { emit, type Room } from './publish.ts';

/** A record with the two sides that see it; absent or null where a side does not. */
export type SeenRecord = {
  id: string;
  workerId?: string | null;
  businessId?: string | null;
  jobId?: string | null;
};

/** Notifies both sides' devices that a record changed. Called only in the function that writes the row, so that no change can miss it (ADR 89). */
export function emitRecord(tx: Tx, record: SignalRecord, seen: SeenRecord): void {
  const rooms: Room[] = [];
  if (seen.workerId) rooms.push(`account:${seen.workerId}`);
  if (seen.businessId) rooms.push(`business:${seen.businessId}`);
  if (rooms.length === 0) return;
  const { id, jobId } = seen;
  emit(tx, rooms, { kind: 'record', record, id, ...(jobId ? { jobId } : {}) });
}

/** The same for a row just written, as the database returned it; a no-op without one. */
export function emitRow(
  tx: Tx,
  record: SignalRecord,
  row:
    | { id: string; workerId?: string | null; businessId?: string | null; jobId?: string | null }
    | undefined,
): void {
  if (row)
    emitRecord(tx, record, {
      id: row.id,
      workerId: row.workerId,
      businessId: row.businessId,
      jobId: row.jobId,
    });
}

/**
 * The same for many records that changed at once: each worker is notified of their own, a business once per job. Lists are refetched as a
 * whole, so more signals would add nothing (ADR 89).
 */
export function emitRows(
  tx: Tx,
  record: SignalRecord,
  rows: readonly { id: string; workerId: string; businessId: string; jobId: string }[],
): void {
  const jobs = new Set<string>();
  for (const { id, workerId, businessId, jobId } of rows) {
    emitRecord(tx, record, { id, workerId, jobId });
    if (!jobs.has(jobId)) emitRecord(tx, record, { id, businessId, jobId });
    jobs.add(jobId);
  }
}

/** The same for a record shown with its whole business, such as a card or a charge; a no-op without one. */
export function emitOfBusiness(tx: Tx, record: SignalRecord, row: { businessId: string } | undefined): void {
  if (row) emitRecord(tx, record, { id: row.businessId, businessId: row.businessId });
}
