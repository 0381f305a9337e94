import type { AttendanceEvent } from '@nearhand/contract/engagements';
import type { Db } from '../../platform/db.ts';
import { findAttendance } from './attendance.sql.ts';

/** For the engagement's view and for timesheets: what was recorded, in the order in which it happened. */
export async function attendanceOf(db: Db, engagementId: string): Promise<AttendanceEvent[]> {
  const rows = await findAttendance(db, engagementId);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as AttendanceEvent['kind'],
    at: row.at.toISOString(),
    receivedAt: row.received_at.toISOString(),
    how: row.how as AttendanceEvent['how'],
    distanceM: row.distance_m,
    accuracyM: row.accuracy_m,
    flags: row.flags as AttendanceEvent['flags'],
  }));
}
