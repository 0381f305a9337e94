import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { openTheirConversation } from '../conversations/opening.ts';
import { type SendInput, sendMessage } from './messages.ts';

/** Opens a conversation as `scope.actor`: the worker or, with `workerId`, a recruiter. */
export const makeConversation = (
  db: Db,
  scope: Scope,
  jobId: string,
  workerId?: string,
): Promise<Conversation> => inTransaction(db, (tx) => openTheirConversation(tx, scope, { jobId, workerId }));

export const makeMessage = (
  db: Db,
  scope: Scope,
  conversationId: string,
  body: string,
  options: Partial<SendInput> = {},
): Promise<Message> =>
  inTransaction(db, (tx) =>
    sendMessage(tx, scope, {
      conversationId,
      body,
      clientId: newId(scope.clock.now()),
      fileIds: [],
      ...options,
    }),
  );

/** Inserts more messages than could be sent one by one. */
export async function makeManyMessages(db: Db, conversationId: string, upTo: number): Promise<void> {
  await sql`insert into messages (conversation_id, seq, id, rev, author_id, side, body, worker_nth, business_nth, at)
    select id, n, gen_random_uuid(), rev + n - last_seq, worker_id, 'worker', 'Line ' || n, worker_sent + n - last_seq,
      business_sent, last_at from conversations, generate_series(last_seq + 1, ${upTo}) n where id = ${conversationId}`.execute(
    db,
  );
  await sql`update conversations set last_seq = ${upTo}, rev = rev + ${upTo} - last_seq, worker_sent = worker_sent + ${upTo} - last_seq,
    worker_last_seq = ${upTo} where id = ${conversationId}`.execute(db);
  await sql`analyze messages`.execute(db);
}
