import type { StoredFile } from '@nearhand/contract/people/files';
import type { Side } from '@nearhand/contract/sides';
import type { DisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { DisputeWhy } from '@nearhand/contract/work/engagements';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Disputes } from '../../platform/tables.gen.ts';

/** Attendance events of an engagement, in order. */
export async function findAttendance(db: Db, engagementId: string) {
  return db
    .selectFrom('attendance_events')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** All claims of an engagement in order. */
export async function findClaims(db: Db, engagementId: string) {
  return db
    .selectFrom('hours_claims')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

export type DeliveredFile = Pick<StoredFile, 'id' | 'purpose' | 'name' | 'bytes'> & { media_type: string };

/** The deliveries of a task with their files, first round first. */
export async function findDeliveries(db: Db, engagementId: string) {
  const { rows } = await sql<{
    id: string;
    round: number;
    note: string;
    at: Date;
    changes_note: string | null;
    changes_at: Date | null;
    files: DeliveredFile[];
  }>`
    select delivery.id, delivery.round, delivery.note, delivery.at, delivery.changes_note, delivery.changes_at,
      coalesce((select json_agg(json_build_object('id', file.id, 'purpose', file.purpose, 'name', file.name, 'media_type', file.media_type,
        'bytes', file.bytes) order by link.position)
        from delivery_files link join files file on file.id = link.file_id where link.delivery_id = delivery.id), '[]') as files
    from deliveries delivery where delivery.engagement_id = ${engagementId} order by delivery.round`.execute(
    db,
  );
  return rows;
}

export type DisputeFacts = Omit<Selectable<Disputes>, 'status' | 'why' | 'filed_by' | 'proposal_by'> & {
  status: DisputeStatus;
  why: DisputeWhy;
  filed_by: Side | 'timer';
  proposal_by: Side | null;
};

export async function findDisputeOf(db: Db, engagementId: string): Promise<DisputeFacts | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .executeTakeFirst();
  return row as DisputeFacts | undefined;
}

/** The files that sides added to the steps of a dispute, in order. */
export async function findDisputeFiles(db: Db, disputeId: string) {
  const { rows } = await sql<DeliveredFile & { step_id: string }>`
    select link.step_id, file.id, file.purpose, file.name, file.media_type, file.bytes
    from dispute_files link join dispute_steps step on step.id = link.step_id join files file on file.id = link.file_id
    where step.dispute_id = ${disputeId} order by link.step_id, link.position`.execute(db);
  return rows;
}

export async function findSteps(db: Db, disputeId: string) {
  return db
    .selectFrom('dispute_steps')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}
