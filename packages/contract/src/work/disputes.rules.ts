import { type Move, type Mover, stateAfter } from '../moves.ts';
import type { Side } from '../sides.ts';

/**
 * The statuses of a dispute (product.md, States: Engagement). `with_operator`: time is up and an operator
 * decides.
 */
export const disputeStatuses = ['open', 'answered', 'proposed', 'with_operator', 'settled'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];
/** The viewer's possible actions in a dispute. Operators use `disputes.decide`. */
export const disputeActions = ['answer', 'propose', 'accept-proposal'] as const;
export type DisputeAction = (typeof disputeActions)[number];

/** Returns whether a contested no-show can be decided as worked: a shift that is still on can't have been worked. */
export const mayHaveWorked = (endsAt: Date | null, now: Date): boolean => endsAt === null || endsAt <= now;

export type DisputeMoveName = DisputeAction | 'agree' | 'escalate' | 'stop' | 'decide';

/** The moves of a pay dispute (product.md, Constants: disputes). Sides can still agree while an operator decides. */
export const disputeMoves: readonly Move<DisputeStatus, DisputeMoveName>[] = [
  ['open', 'answer', 'worker', 'answered'],
  ['open', 'answer', 'business', 'answered'],
  // The answer names the other side's amount, which settles the dispute.
  ['answered', 'agree', 'worker', 'settled'],
  ['answered', 'agree', 'business', 'settled'],
  ['answered', 'propose', 'worker', 'proposed'],
  ['answered', 'propose', 'business', 'proposed'],
  ['proposed', 'propose', 'worker', 'proposed'],
  ['proposed', 'propose', 'business', 'proposed'],
  ['proposed', 'accept-proposal', 'worker', 'settled'],
  ['proposed', 'accept-proposal', 'business', 'settled'],
  ['with_operator', 'propose', 'worker', 'with_operator'],
  ['with_operator', 'propose', 'business', 'with_operator'],
  ['with_operator', 'accept-proposal', 'worker', 'settled'],
  ['with_operator', 'accept-proposal', 'business', 'settled'],
  ['open', 'escalate', 'timer', 'with_operator'],
  ['answered', 'escalate', 'timer', 'with_operator'],
  ['proposed', 'escalate', 'timer', 'with_operator'],
  // Operators decide only after the sides' time is up (ADR 86).
  ['with_operator', 'decide', 'operator', 'settled'],
  ['open', 'stop', 'timer', 'settled'],
  ['answered', 'stop', 'timer', 'settled'],
  ['proposed', 'stop', 'timer', 'settled'],
  ['with_operator', 'stop', 'timer', 'settled'],
];

/** The next status of a move; null if illegal. Repeats aren't no-ops here, since the amount may differ. */
export const nextDisputeStatus = (
  from: DisputeStatus,
  action: DisputeMoveName,
  mover: Mover,
): DisputeStatus | null => stateAfter(disputeMoves, from, action, mover);

export type DisputeTurn = { status: DisputeStatus; filedBy: Side | 'timer'; proposalBy: Side | null };

/** Either side answers an automatic dispute. */
export function isTurn(side: Side, action: DisputeAction, dispute: DisputeTurn): boolean {
  if (action === 'answer') return dispute.filedBy !== side;
  if (action === 'accept-proposal') return dispute.proposalBy !== null && dispute.proposalBy !== side;
  return true;
}

/** The actions of a side now; null is a reader of neither side, who has none. */
export const disputeActionsFor = (side: Side | null, dispute: DisputeTurn): DisputeAction[] =>
  disputeActions.filter(
    (action) =>
      side !== null &&
      nextDisputeStatus(dispute.status, action, side) !== null &&
      isTurn(side, action, dispute),
  );
