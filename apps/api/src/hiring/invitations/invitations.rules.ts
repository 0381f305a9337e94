import { invitationsPerWorkerDay } from '@nearhand/contract/hiring/invitations.rules';
import type { InviteOutcome } from '@nearhand/contract/hiring/pools';

/** What decides whether an invitation to a job would reach a worker. */
export type InviteFacts = {
  /** They applied to the business and are not its member. */
  known: boolean;
  applied: boolean;
  /** An offer of this job is unpaid or unanswered. */
  offered: boolean;
  invitation: 'sent' | 'applied' | 'declined' | null;
  blockedBy: readonly ('worker' | 'business')[];
  /** Null for a job without hours. */
  booked: boolean | null;
  /** Jobs of the business they were invited to within 24 hours. */
  lately: number;
};

/** Whether an invitation would reach a worker, or the first reason why not. A worker's own block is not revealed. */
export function inviteOutcome(facts: InviteFacts): InviteOutcome {
  if (!facts.known || facts.blockedBy.includes('worker')) return 'gone';
  if (facts.blockedBy.includes('business')) return 'blocked';
  if (facts.applied) return 'applied';
  if (facts.offered) return 'offered';
  if (facts.invitation !== null) return facts.invitation === 'declined' ? 'declined' : 'invited';
  if (facts.booked) return 'booked';
  return facts.lately >= invitationsPerWorkerDay ? 'limit' : 'ready';
}
