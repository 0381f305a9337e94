import type { ChatSide } from '@nearhand/contract/chat';
import { type MemberRole, recruiterRoles } from '@nearhand/contract/operation';

/** Finance has nothing to do with what applicants and recruiters say (product.md, Words: business). */
const recruiters: readonly MemberRole[] = recruiterRoles;

/**
 * Whose part an account takes in a conversation; null for who has none, to whom it does not exist. The worker's part comes first: whoever became a recruiter of the
 * business later goes on as the worker there, so that nobody talks to themselves.
 */
export function partOf(
  accountId: string,
  conversation: { workerId: string; role: MemberRole | null },
): ChatSide | null {
  if (accountId === conversation.workerId) return 'worker';
  return conversation.role !== null && recruiters.includes(conversation.role) ? 'business' : null;
}

/** Whether a message can be changed or taken back by an account: what it wrote itself, and nobody else's. */
export const isTheirs = (accountId: string, message: { authorId: string | null }): boolean =>
  message.authorId === accountId;

/** Whether an operator decides about a conversation: never one that they, or a business of theirs, have a part in, nor their own report. */
export const maySettle = (
  accountId: string,
  about: { workerId: string; reporterId: string; isMember: boolean },
): boolean => accountId !== about.workerId && accountId !== about.reporterId && !about.isMember;
