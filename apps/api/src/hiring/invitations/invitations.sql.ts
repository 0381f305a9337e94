import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRow, emitRows } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';

export type InvitationRow = {
  id: string;
  job_id: string;
  worker_id: string;
  status: 'sent' | 'applied' | 'declined';
  message: string;
  at: Date;
};

/** Who was invited. Published with the applications' signals. */
type Invited = { id: string; worker_id: string; job_id: string; business_id: string };

/** Stores the worker's answer to a pending invitation. */
export async function answerInvitation(
  tx: Tx,
  of: { jobId: string; workerId: string },
  status: 'applied' | 'declined',
  at: Date,
): Promise<void> {
  const { rows } = await sql<Invited>`update job_invitations set status = ${status}, answered_at = ${at}
    where job_id = ${of.jobId} and worker_id = ${of.workerId} and status = 'sent'
    returning id, worker_id, job_id, (select business_id from jobs where id = job_id) as business_id`.execute(
    tx,
  );
  emitRow(tx, 'application', rows[0]);
}

/** Writes invitations to one job, except for workers already invited to it. Returns those written. */
export async function insertInvitations(
  tx: Tx,
  rows: readonly { id: string; workerId: string }[],
  of: { jobId: string; by: string; message: string; at: Date },
): Promise<{ id: string; workerId: string }[]> {
  const { rows: made } = await sql<Invited>`
    insert into job_invitations (id, job_id, worker_id, invited_by, message, status, at)
    select given.id, ${of.jobId}::uuid, given."workerId", ${of.by}::uuid, ${of.message}, 'sent', ${of.at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id uuid, "workerId" uuid)
    order by given."workerId"
    on conflict (job_id, worker_id) do nothing
    returning id, worker_id, job_id, (select business_id from jobs where id = job_id) as business_id`.execute(
    tx,
  );
  emitRows(tx, 'application', made);
  return made.map((row) => ({ id: row.id, workerId: row.worker_id }));
}

export async function findInvitationOf(
  db: Db,
  jobId: string,
  workerId: string,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select id, job_id, worker_id, status, message, at from job_invitations
    where job_id = ${jobId} and worker_id = ${workerId}`.execute(db);
  return rows[0];
}

/** An invitation of this worker, locked. */
export async function lockInvitation(
  tx: Tx,
  invitationId: string,
  workerId: string,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select id, job_id, worker_id, status, message, at from job_invitations
    where id = ${invitationId} and worker_id = ${workerId} for update`.execute(tx);
  return rows[0];
}

/** The invitations of a worker, newest first. */
export async function findInvitations(
  db: Db,
  workerId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select id, job_id, worker_id, status, message, at from job_invitations
    where worker_id = ${workerId} ${after ? sql`and (at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** For a removed account: messages to and from it lose its name. */
export async function forgetInvitations(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update job_invitations set message = ${withoutWords('message', member)}
    where message <> '' and (worker_id = ${member.accountId} or invited_by = ${member.accountId})`.execute(
    tx,
  );
}
