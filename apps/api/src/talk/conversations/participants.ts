import type { ChatSide } from '@nearhand/contract/talk/messages';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Room } from '../../platform/realtime/publish.ts';
import {
  findForSending,
  findPart,
  type PartRow,
  partOf,
  type SendingRow,
  waitForTwin,
} from './chat-settings.ts';
import { stateOf, writingRefused } from './conversations.rules.ts';

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

/** Who is notified of a conversation: every device of the worker, and of everyone in the business. */
export const roomsOf = (part: { workerId: string; businessId: string }): Room[] => [
  `account:${part.workerId}`,
  `business:${part.businessId}`,
];

/** Groups the notifications of one conversation. */
export const noticeGroup = (conversationId: string): string => `chat:${conversationId}`;

/** What a message is checked against before it is stored. */
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
