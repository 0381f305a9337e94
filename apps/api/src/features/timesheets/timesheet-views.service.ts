import type { Delivery, HoursClaim } from '@nearhand/contract/engagements';
import { fileContentPath } from '@nearhand/contract/files';
import type { Db } from '../../platform/db.ts';
import { findClaims, findDeliveries } from './timesheets.sql.ts';

/** For the engagement's view: the hours that were put forward, in the order put. Amounts in minor units of the terms. */
export async function claimsOf(db: Db, engagementId: string): Promise<HoursClaim[]> {
  const rows = await findClaims(db, engagementId);
  return rows.map((row) => ({
    id: row.id,
    round: row.round,
    by: row.by_side as HoursClaim['by'],
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    breakMinutes: row.break_minutes,
    paidMinutes: row.paid_minutes,
    amountMinor: row.amount_minor,
    note: row.note,
    at: row.at.toISOString(),
    flags: row.flags as HoursClaim['flags'],
  }));
}

/** For the engagement's view: what was delivered of a task, first round first. */
export async function deliveriesOf(db: Db, engagementId: string): Promise<Delivery[]> {
  const rows = await findDeliveries(db, engagementId);
  return rows.map((row) => ({
    id: row.id,
    round: row.round,
    note: row.note,
    files: row.files.map(({ media_type, ...file }) => ({
      ...file,
      mediaType: media_type,
      path: fileContentPath(file.id),
    })),
    at: row.at.toISOString(),
    changesAsked:
      row.changes_at === null ? null : { note: row.changes_note ?? '', at: row.changes_at.toISOString() },
  }));
}
