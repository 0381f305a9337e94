import type { Db } from '../../platform/db.ts';
import { findOverlapping, findOverlappingJob } from './engagements.sql.ts';

type Booking = { id: string; title: string; startsAt: string; endsAt: string };

/** A worker's bookings that overlap a time span, soonest first; empty when they are free. */
export async function isBooked(db: Db, workerId: string, startsAt: Date, endsAt: Date): Promise<Booking[]> {
  return (await findOverlapping(db, workerId, startsAt, endsAt)).map(toBooking);
}

/** A worker's bookings during a job's hours, soonest first; empty when they are free. */
export async function bookingsDuringJob(db: Db, workerId: string, jobId: string): Promise<Booking[]> {
  return (await findOverlappingJob(db, workerId, jobId)).map(toBooking);
}

const toBooking = (row: Awaited<ReturnType<typeof findOverlapping>>[number]): Booking => ({
  id: row.id,
  title: row.title,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
});
