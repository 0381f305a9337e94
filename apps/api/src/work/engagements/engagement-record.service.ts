import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { AttendanceEvent, Delivery, HoursClaim } from '@nearhand/contract/work/engagements';
import type { AttendanceFact } from '@nearhand/contract/work/timesheets.rules';
import type { Db } from '../../platform/db.ts';
import { findAttendance, findClaims, findDeliveries } from './engagement-record.sql.ts';

/** Attendance events in order. @param mayContest the reader is the worker and may object to what a manager recorded */
export async function attendanceOf(
  db: Db,
  engagementId: string,
  mayContest: boolean,
): Promise<AttendanceEvent[]> {
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
    reason: row.reason,
    contested:
      row.contest === null || row.contested_at === null
        ? null
        : { note: row.contest, at: row.contested_at.toISOString() },
    mayContest: mayContest && row.how === 'manager' && row.contest === null,
  }));
}

/** The same as plain facts for calculating hours. */
export async function attendanceFacts(
  db: Db,
  engagementId: string,
): Promise<(AttendanceFact & { contested: boolean })[]> {
  const rows = await findAttendance(db, engagementId);
  return rows.map(({ kind, at, contest }) => ({
    kind: kind as AttendanceFact['kind'],
    at,
    contested: contest !== null,
  }));
}

/** All hours claims in order. Amounts in minor units of the terms. */
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

/** The deliveries of a task, first round first. */
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

/** For an account that is leaving, and one that is removed (ADR 160). */
export { countUnsettled, forgetEngagements } from './engagements.sql.ts';
