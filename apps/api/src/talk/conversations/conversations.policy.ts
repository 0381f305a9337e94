import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { ChatSide } from '@nearhand/contract/talk/messages';

/**
 * An account's side in a conversation; null for others, to whom it does not exist. The worker's side comes first: a worker who later
 * becomes a recruiter stays the worker there, so that nobody talks to themselves.
 */
export function partOf(
  accountId: string,
  conversation: { workerId: string; role: MemberRole | null },
): ChatSide | null {
  if (accountId === conversation.workerId) return 'worker';
  return roleMay(conversation.role, 'messages') ? 'business' : null;
}
