import type { StoredFile } from '@nearhand/contract/people/files';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { DisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { AttendanceEvent, Delivery, HoursClaim } from '@nearhand/contract/work/engagements';
import type { AttendanceFact } from '@nearhand/contract/work/timesheets.rules';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Disputes } from '../../platform/tables.gen.ts';

/**
 * Attendance events in order.
 * @param mayContest the reader is the worker and may contest a manager's record
 */
export async function attendanceOf(
  db: Db,
  engagementId: string,
  mayContest: boolean,
): Promise<AttendanceEvent[]> {
  const rows = await findAttendance(db, engagementId);
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    flags: row.flags as AttendanceEvent['flags'],
    contested:
      row.contest === null || row.contestedAt === null
        ? null
        : { note: row.contest, at: row.contestedAt.toISOString() },
    mayContest: mayContest && row.how === 'manager' && row.contest === null,
  }));
}

const doubts = ['queued', 'clock_off', 'far'];

/** Check-ins, breaks and check-outs in order, with whether each is contested. */
export async function attendanceFacts(
  db: Db,
  engagementId: string,
): Promise<(AttendanceFact & { contested: boolean })[]> {
  const rows = await findAttendance(db, engagementId);
  return rows.map(({ kind, at, contest, flags }) => ({
    kind,
    at,
    contested: contest !== null,
    sentHome: flags.includes('sent_home'),
    doubtful: doubts.some((doubt) => flags.includes(doubt)),
  }));
}

/** All hours claims in order. Minor units of the terms. */
export async function claimsOf(db: Db, engagementId: string): Promise<HoursClaim[]> {
  const rows = await findClaims(db, engagementId);
  return rows.map((row) => ({
    ...row,
    by: row.bySide,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    at: row.at.toISOString(),
    flags: row.flags as HoursClaim['flags'],
  }));
}

export async function listDeliveries(db: Db, engagementId: string): Promise<Delivery[]> {
  const rows = await findDeliveries(db, engagementId);
  return rows.map((row) => ({
    ...row,
    files: row.files.map(({ mediaType, ...file }) => ({
      ...file,
      mediaType,
      path: fileContentPath(file.id),
    })),
    at: row.at.toISOString(),
    changesAsked:
      row.changesAt === null ? null : { note: row.changesNote ?? '', at: row.changesAt.toISOString() },
  }));
}

async function findAttendance(db: Db, engagementId: string) {
  return db
    .selectFrom('attendance_events')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

async function findClaims(db: Db, engagementId: string) {
  return db
    .selectFrom('hours_claims')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

type DeliveredFile = Pick<StoredFile, 'id' | 'purpose' | 'name' | 'bytes'> & { mediaType: string };

async function findDeliveries(db: Db, engagementId: string) {
  const { rows } = await sql<{
    id: string;
    round: number;
    note: string;
    at: Date;
    changesNote: string | null;
    changesAt: Date | null;
    files: DeliveredFile[];
  }>`
    select delivery.id, delivery.round, delivery.note, delivery.at, delivery.changes_note, delivery.changes_at,
      coalesce((select json_agg(json_build_object('id', file.id, 'purpose', file.purpose, 'name', file.name, 'mediaType', file.media_type,
        'bytes', file.bytes) order by link.position)
        from delivery_files link join files file on file.id = link.file_id where link.delivery_id = delivery.id), '[]') as files
    from deliveries delivery where delivery.engagement_id = ${engagementId} order by delivery.round`.execute(
    db,
  );
  return rows;
}

type DisputeFacts = Selectable<Disputes>;

export async function findDisputeOf(db: Db, engagementId: string): Promise<DisputeFacts | undefined> {
  return db.selectFrom('disputes').selectAll().where('engagementId', '=', engagementId).executeTakeFirst();
}

export async function findDisputeFiles(db: Db, disputeId: string) {
  const { rows } = await sql<DeliveredFile & { stepId: string }>`
    select link.step_id, file.id, file.purpose, file.name, file.media_type, file.bytes
    from dispute_files link join dispute_steps step on step.id = link.step_id join files file on file.id = link.file_id
    where step.dispute_id = ${disputeId} order by link.step_id, link.position`.execute(db);
  return rows;
}

export async function findSteps(db: Db, disputeId: string) {
  return db
    .selectFrom('dispute_steps')
    .selectAll()
    .$narrowType<{ toStatus: DisputeStatus }>()
    .where('disputeId', '=', disputeId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}
