import type { Move, Mover } from '../moves.ts';
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

export type DisputeMoveName = DisputeAction | 'agree' | 'escalate' | 'stop' | 'decide';

/** The moves of a pay dispute (product.md, Constants: disputes). Sides can still agree while an operator decides. */
export const disputeMoves: readonly Move<DisputeStatus, DisputeMoveName>[] = [
  ['open', 'answer', 'W', 'answered'],
  ['open', 'answer', 'M', 'answered'],
  // The answer names the other side's amount, which settles the dispute.
  ['answered', 'agree', 'W', 'settled'],
  ['answered', 'agree', 'M', 'settled'],
  ['answered', 'propose', 'W', 'proposed'],
  ['answered', 'propose', 'M', 'proposed'],
  ['proposed', 'propose', 'W', 'proposed'],
  ['proposed', 'propose', 'M', 'proposed'],
  ['proposed', 'accept-proposal', 'W', 'settled'],
  ['proposed', 'accept-proposal', 'M', 'settled'],
  ['with_operator', 'propose', 'W', 'with_operator'],
  ['with_operator', 'propose', 'M', 'with_operator'],
  ['with_operator', 'accept-proposal', 'W', 'settled'],
  ['with_operator', 'accept-proposal', 'M', 'settled'],
  ['open', 'escalate', 'T', 'with_operator'],
  ['answered', 'escalate', 'T', 'with_operator'],
  ['proposed', 'escalate', 'T', 'with_operator'],
  // Operators decide only after the sides' time is up (ADR 86).
  ['with_operator', 'decide', 'O', 'settled'],
  ['open', 'stop', 'T', 'settled'],
  ['answered', 'stop', 'T', 'settled'],
  ['proposed', 'stop', 'T', 'settled'],
  ['with_operator', 'stop', 'T', 'settled'],
];

/** The next status of a move; null if illegal. Repeats aren't no-ops here, since the amount may differ. */
export const nextDisputeStatus = (
  from: DisputeStatus,
  action: DisputeMoveName,
  who: Mover,
): DisputeStatus | null =>
  disputeMoves.find((move) => move[0] === from && move[1] === action && move[2] === who)?.[3] ?? null;

export type DisputeTurn = { status: DisputeStatus; filedBy: Side | 'timer'; proposalBy: Side | null };

/** Either side answers an automatic dispute. */
export function isTurn(side: Side, action: DisputeAction, dispute: DisputeTurn): boolean {
  if (action === 'answer') return dispute.filedBy !== side;
  if (action === 'accept-proposal') return dispute.proposalBy !== null && dispute.proposalBy !== side;
  return true;
}

export const disputeActionsFor = (side: Side | null, dispute: DisputeTurn): DisputeAction[] =>
  disputeActions.filter(
    (action) =>
      side !== null &&
      nextDisputeStatus(dispute.status, action, side === 'worker' ? 'W' : 'M') !== null &&
      isTurn(side, action, dispute),
  );
