import { type MemberRole, recruiterRoles } from '@nearhand/contract/operation';
import type { ChatSide } from '@nearhand/contract/talk/messages';

/** Finance does not see what applicants and recruiters write (product.md, Words: business). */
const recruiters: readonly MemberRole[] = recruiterRoles;

/**
 * An account's side in a conversation; null for others, to whom it does not exist. The worker's side comes first: a worker who later
 * becomes a recruiter stays the worker there, so that nobody talks to themselves.
 */
export function partOf(
  accountId: string,
  conversation: { workerId: string; role: MemberRole | null },
): ChatSide | null {
  if (accountId === conversation.workerId) return 'worker';
  return conversation.role !== null && recruiters.includes(conversation.role) ? 'business' : null;
}
