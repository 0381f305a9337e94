import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { insertConversation } from './conversations.sql.ts';

/** What a conversation is about: a job and one worker. */
export type Subject = { jobId: string; workerId: string };

/**
 * For other slices, when a worker applies or is invited: there is a conversation from now on. Called again, also after a withdrawal and a new application, it
 * is the same one (product.md, Conversation). Whoever calls has decided that the two have to do with each other.
 * @returns its id
 */
export function openConversation(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  about: Subject & { businessId: string },
): Promise<string> {
  const now = scope.clock.now();
  return insertConversation(tx, { id: newId(now), ...about }, now);
}
