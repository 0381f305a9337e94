import { type MemberRole, recruiterRoles } from '@nearhand/contract/operation';
import type { ChatSide } from '@nearhand/contract/talk/messages';

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
