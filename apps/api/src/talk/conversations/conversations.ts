import type { MemberRole } from '@nearhand/contract/member-roles';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { emit, type RealtimeRoom } from '../../platform/realtime/publish.ts';
import { stateOf, writingRefused } from './conversations.rules.ts';
import {
  findForSending,
  findPart,
  type PartRow,
  type SendingRow,
  sideOf,
  waitForTwin,
} from './conversations.sql.ts';

export type ConversationSubject = { jobId: string; workerId: string };

type Frozen = { id: string; workerId: string; businessId: string };

/** Stops writing; reading stays possible. The caller checks access. */
export async function freezeConversation(tx: Tx, scope: ClockScope, frozen: Frozen): Promise<void> {
  await setFrozenAt(tx, frozen.id, scope.clock.now());
  emit(tx, roomsOf(frozen), { kind: 'conversation', conversationId: frozen.id });
}

/** Reopens a conversation that an operator froze, and publishes it to both sides. */
export async function unfreezeConversation(tx: Tx, frozen: Frozen): Promise<void> {
  await setFrozenAt(tx, frozen.id, null);
  emit(tx, roomsOf(frozen), { kind: 'conversation', conversationId: frozen.id });
}

export async function insertConversation(
  tx: Tx,
  row: { id: string; jobId: string; workerId: string; businessId: string },
  now: Date,
): Promise<string> {
  // Selects first: the row nearly always exists, and each conflict would waste a row.
  const { rows } = await sql<{ id: string }>`
    with own as (select id from conversations where job_id = ${row.jobId} and worker_id = ${row.workerId}),
    found as (select id from own union all
      select id from (select series_conversation(${row.jobId}, ${row.workerId}) as id) other
      where id is not null and not exists (select from own)),
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

/** The caller's role for the job, and whether job and worker are connected. */
export async function findConnection(
  db: Db,
  accountId: string,
  subject: { jobId: string; workerId: string },
) {
  const { rows } = await sql<{
    businessId: string;
    status: string;
    role: MemberRole | null;
    connected: boolean;
  }>`select job.business_id, job.status,
      (select role from job_members member where member.job_id = job.id and member.account_id = ${accountId}) as role,
      exists (select from applications where job_id = job.id and worker_id = ${subject.workerId})
        or exists (select from job_invitations where job_id = job.id and worker_id = ${subject.workerId}
          and (not unnamed or worker_id = ${accountId})) as connected
    from jobs job where job.id = ${subject.jobId}`.execute(db);
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

/**
 * Reserves revisions for this many changes in a locked conversation.
 * @returns the last of them
 */
export async function nextRevisions(tx: Tx, conversationId: string, count: number): Promise<number> {
  const { rev } = await tx
    .updateTable('conversations')
    .set((eb) => ({ rev: eb('rev', '+', count) }))
    .where('id', '=', conversationId)
    .returning('rev')
    .executeTakeFirstOrThrow();
  return rev;
}

/** Locks a conversation, so that its next change gets the next revision. */
export async function lockConversation(tx: Tx, conversationId: string): Promise<void> {
  await tx
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', conversationId)
    .forNoKeyUpdate()
    .execute();
}

export type ConversationAccess = {
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

/**
 * The caller's side of a conversation.
 * @throws chat/not-found if they are on neither
 */
export function accessIn(accountId: string, row: PartRow | undefined): ConversationAccess {
  const side = row && sideOf(accountId, { workerId: row.workerId, role: row.role });
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
export const requireConversation = async (
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<ConversationAccess> => accessIn(accountId, await findPart(db, accountId, conversationId));

/**
 * Requires the conversation to be writable.
 * @throws chat/read-only, chat/blocked, chat/frozen
 */
export function requireActive(access: ConversationAccess, now: Date): void {
  const refused = writingRefused[stateOf(access, now)];
  if (refused) throw new AppError(refused);
}

/** Every device of the worker and of everyone in the business. */
export const roomsOf = (part: { workerId: string; businessId: string }): RealtimeRoom[] => [
  `account:${part.workerId}`,
  `business:${part.businessId}`,
];

/** Notifications of one conversation replace each other on the device. */
export const noticeGroup = (conversationId: string): string => `chat:${conversationId}`;

export type SendingFacts = Omit<SendingRow, keyof PartRow | 'alone'>;

/**
 * One statement; a concurrent request with the same client id waits.
 * @throws chat/not-found
 */
export async function readForSending(
  tx: Tx,
  accountId: string,
  message: { conversationId: string; clientId: string; replyTo: number | null },
  pace: { burst: number; perMinute: number },
  now: Date,
): Promise<{ part: ConversationAccess; sending: SendingFacts }> {
  let row = await findForSending(tx, accountId, message, pace, now);
  const access = accessIn(accountId, row);
  if (row && !row.alone) {
    await waitForTwin(tx, accountId, message.clientId);
    row = await findForSending(tx, accountId, message, pace, now);
  }
  if (!row) throw new AppError('chat/not-found');
  return { part: access, sending: row };
}
