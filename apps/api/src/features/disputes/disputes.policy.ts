import type { DisputeAction, DisputeStatus } from '@nearhand/contract/engagements';
import { disputeActions } from '@nearhand/contract/engagements';
import type { Side } from '@nearhand/contract/terms';
import { nextDisputeStatus } from './disputes.rules.ts';

export type DisputeTurn = { status: DisputeStatus; filedBy: Side | 'timer'; proposalBy: Side | null };

/** Whether it is for this side to do it: nobody answers or accepts themselves. A dispute that opened by itself is answered by either. */
export function isTurn(side: Side, action: DisputeAction, dispute: DisputeTurn): boolean {
  if (action === 'answer') return dispute.filedBy !== side;
  if (action === 'accept-proposal') return dispute.proposalBy !== null && dispute.proposalBy !== side;
  return true;
}

/** What this side can do now; nothing for who only looks. */
export const disputeActionsFor = (side: Side | null, dispute: DisputeTurn): DisputeAction[] =>
  disputeActions.filter(
    (action) =>
      side !== null &&
      nextDisputeStatus(dispute.status, action, side === 'worker' ? 'W' : 'M') !== null &&
      isTurn(side, action, dispute),
  );
