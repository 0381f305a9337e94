import type { SignalRecord } from '@nearhand/contract/realtime';
import type { Tx } from './db.ts';
import { emit, type Room } from './emit.ts';

/** A record with the two sides that see it; absent or null where a side sees nothing of it. */
export type SeenRecord = {
  id: string;
  workerId?: string | null;
  businessId?: string | null;
  /** The job it hangs on. */
  jobId?: string | null;
};

/**
 * Tells the devices of both sides of a record that it changed. It stands in the function that writes the row and nowhere else, so that no way to a change
 * can forget it (ADR 0099).
 */
export function emitRecord(tx: Tx, record: SignalRecord, seen: SeenRecord): void {
  const rooms: Room[] = [];
  if (seen.workerId) rooms.push(`account:${seen.workerId}`);
  if (seen.businessId) rooms.push(`business:${seen.businessId}`);
  if (rooms.length === 0) return;
  const { id, jobId } = seen;
  emit(tx, rooms, { kind: 'record', record, id, ...(jobId ? { jobId } : {}) });
}

/** The same of a row just written, as the database returns it; nothing where there was none. */
export function emitRow(
  tx: Tx,
  record: SignalRecord,
  row:
    | { id: string; worker_id?: string | null; business_id?: string | null; job_id?: string | null }
    | undefined,
): void {
  if (row)
    emitRecord(tx, record, {
      ...{ id: row.id, workerId: row.worker_id, businessId: row.business_id, jobId: row.job_id },
    });
}

/**
 * The same of many records that changed at once: each worker hears of their own, a business once for each job. A list is asked again as a whole, and 500
 * signals to one room would tell it nothing more (ADR 0099).
 */
export function emitRows(
  tx: Tx,
  record: SignalRecord,
  rows: readonly { id: string; worker_id: string; business_id: string; job_id: string }[],
): void {
  const jobs = new Set<string>();
  for (const { id, worker_id: workerId, business_id: businessId, job_id: jobId } of rows) {
    emitRecord(tx, record, { id, workerId, jobId });
    if (!jobs.has(jobId)) emitRecord(tx, record, { id, businessId, jobId });
    jobs.add(jobId);
  }
}

/** The same of a record that is shown with its business as a whole, such as a card or a charge; nothing where no row changed. */
export function emitOfBusiness(tx: Tx, record: SignalRecord, row: { business_id: string } | undefined): void {
  if (row) emitRecord(tx, record, { id: row.business_id, businessId: row.business_id });
}
