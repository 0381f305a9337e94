import type { MemberRole } from '@nearhand/contract/operation';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emit, type Room } from '../../platform/realtime/publish.ts';
import {
  findForSending,
  findPart,
  type PartRow,
  partOf,
  type SendingRow,
  waitForTwin,
} from './chat-settings.ts';
import { stateOf, writingRefused } from './conversations.rules.ts';

/** A conversation's subject: a job and one worker. */
export type Subject = { jobId: string; workerId: string };

/** For messages: locks a conversation, so that its next change gets the next revision. */
export const lockConversation = (tx: Tx, conversationId: string): Promise<void> =>
  lockRow(tx, conversationId);

/** For messages: reserves revisions for this many changes in a locked conversation. @returns the last of them */
export const nextRevisions = (tx: Tx, conversationId: string, count: number): Promise<number> =>
  takeRevisions(tx, conversationId, count);

type Frozen = { id: string; workerId: string; businessId: string };

/** For operators: stops writing; reading stays possible. */
export async function freezeConversation(tx: Tx, scope: Pick<Scope, 'clock'>, of: Frozen): Promise<void> {
  await setFrozenAt(tx, of.id, scope.clock.now());
  emit(tx, roomsOf(of), { kind: 'conversation', conversationId: of.id });
}

/** For operators: both sides can write again. */
export async function unfreezeConversation(tx: Tx, of: Frozen): Promise<void> {
  await setFrozenAt(tx, of.id, null);
  emit(tx, roomsOf(of), { kind: 'conversation', conversationId: of.id });
}

/** Inserts the conversation of a job and a worker, or finds the existing one; returns its id. */
export async function insertConversation(
  tx: Tx,
  row: { id: string; jobId: string; workerId: string; businessId: string },
  now: Date,
): Promise<string> {
  // Select first: it nearly always exists, and a conflict would waste a row each time.
  const { rows } = await sql<{ id: string }>`
    with found as (select id from conversations where job_id = ${row.jobId} and worker_id = ${row.workerId}),
    made as (
      insert into conversations (id, job_id, worker_id, business_id, created_at, last_at)
      select ${row.id}, ${row.jobId}, ${row.workerId}, ${row.businessId}, ${now}, ${now} where not exists (select from found)
      on conflict (job_id, worker_id) do nothing returning id)
    select id from found union all select id from made`.execute(tx);
  if (rows[0]) return rows[0].id;
  const { id } = await tx
    .selectFrom('conversations')
    .select('id')
    .where('jobId', '=', row.jobId)
    .where('workerId', '=', row.workerId)
    .executeTakeFirstOrThrow();
  return id;
}

/** What opening a conversation needs about a job and a worker: whether the caller recruits there, and whether the two are connected. */
export async function findConnection(db: Db, accountId: string, about: { jobId: string; workerId: string }) {
  const { rows } = await sql<{
    businessId: string;
    status: string;
    role: MemberRole | null;
    connected: boolean;
  }>`select job.business_id, job.status,
      (select role from job_members member where member.job_id = job.id and member.account_id = ${accountId}) as role,
      exists (select from applications where job_id = job.id and worker_id = ${about.workerId})
        or exists (select from job_invitations where job_id = job.id and worker_id = ${about.workerId}) as connected
    from jobs job where job.id = ${about.jobId}`.execute(db);
  return rows[0];
}

async function setFrozenAt(tx: Tx, conversationId: string, frozenAt: Date | null): Promise<void> {
  await tx
    .updateTable('conversations')
    .set({ frozenAt })
    .where('id', '=', conversationId)
    .$if(frozenAt !== null, (query) => query.where('frozenAt', 'is', null))
    .execute();
}

/** Reserves the next revisions of a locked conversation. @returns the last of them */
async function takeRevisions(tx: Tx, conversationId: string, count: number): Promise<number> {
  const { rev } = await tx
    .updateTable('conversations')
    .set((eb) => ({ rev: eb('rev', '+', count) }))
    .where('id', '=', conversationId)
    .returning('rev')
    .executeTakeFirstOrThrow();
  return rev;
}

/** Locks a conversation, so that its next change gets the next revision. */
async function lockRow(tx: Tx, conversationId: string): Promise<void> {
  await tx
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', conversationId)
    .forNoKeyUpdate()
    .execute();
}

/** A conversation and the caller's side in it. */
export type Part = {
  id: string;
  side: ChatSide;
  jobId: string;
  workerId: string;
  businessId: string;
  lastSeq: number;
  rev: number;
  frozen: boolean;
  blockedBy: readonly ChatSide[];
  applicationId: string | null;
  engagementId: string | null;
  endedAt: Date | null;
};

/** The caller's part in a conversation already read. @throws chat/not-found for everyone without one */
export function partIn(accountId: string, row: PartRow | undefined): Part {
  const side = row && partOf(accountId, { workerId: row.workerId, role: row.role });
  if (!row || !side) throw new AppError('chat/not-found');
  return {
    id: row.id,
    side,
    jobId: row.jobId,
    workerId: row.workerId,
    businessId: row.businessId,
    lastSeq: row.lastSeq,
    rev: row.rev,
    frozen: row.frozen,
    blockedBy: row.blockedBy,
    applicationId: row.applicationId,
    engagementId: row.engagementId,
    endedAt: row.endedAt,
  };
}

/** @throws chat/not-found */
export const requirePart = async (db: Db, accountId: string, conversationId: string): Promise<Part> =>
  partIn(accountId, await findPart(db, accountId, conversationId));

/** Requires the conversation to be writable. @throws chat/read-only, chat/blocked, chat/frozen */
export function requireActive(part: Part, now: Date): void {
  const refused = writingRefused[stateOf(part, now)];
  if (refused) throw new AppError(refused);
}

/** The rooms of a conversation: every device of the worker, and of everyone in the business. */
export const roomsOf = (part: { workerId: string; businessId: string }): Room[] => [
  `account:${part.workerId}`,
  `business:${part.businessId}`,
];

/** Groups the notifications of one conversation. */
export const noticeGroup = (conversationId: string): string => `chat:${conversationId}`;

/** The facts that a message is checked against before it is stored. */
export type Sending = Omit<SendingRow, keyof PartRow | 'alone'>;

/**
 * Reads everything sending needs in one statement. Of two requests with one client id, the second waits until the first is stored.
 * @throws chat/not-found
 */
export async function readForSending(
  tx: Tx,
  accountId: string,
  message: { conversationId: string; clientId: string; replyTo: number | null },
  pace: { burst: number; perMinute: number },
  now: Date,
): Promise<{ part: Part; sending: Sending }> {
  let row = await findForSending(tx, accountId, message, pace, now);
  const part = partIn(accountId, row);
  if (row && !row.alone) {
    await waitForTwin(tx, accountId, message.clientId);
    row = await findForSending(tx, accountId, message, pace, now);
  }
  if (!row) throw new AppError('chat/not-found');
  return { part, sending: row };
}
