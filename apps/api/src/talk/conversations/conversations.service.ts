import type { Tx } from '../../platform/db.ts';
import { emit } from '../../platform/emit.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { lockRow, setFrozenAt, takeRevisions } from './conversations.sql.ts';
import { roomsOf } from './parts.service.ts';

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
