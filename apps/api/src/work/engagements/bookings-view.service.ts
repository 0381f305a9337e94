import type { Db } from '../../platform/db.ts';
import { findOverlapping } from './engagements.sql.ts';

/** A worker's bookings that overlap a time span, soonest first; empty when they are free. */
export async function isBooked(
  db: Db,
  workerId: string,
  startsAt: Date,
  endsAt: Date,
): Promise<{ id: string; title: string; startsAt: string; endsAt: string }[]> {
  const rows = await findOverlapping(db, workerId, startsAt, endsAt);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
  }));
}
