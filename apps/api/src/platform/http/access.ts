import type { IncomingHttpHeaders } from 'node:http';
import type { OperationMeta, OperatorRule } from '@nearhand/contract/operation';
import { caseHeader, reasonHeader } from '@nearhand/contract/operator-context';
import { refusesWrite } from '@nearhand/contract/trust/suspensions.rules';
import { AppError } from '../app-error.ts';
import type { Actor, WatchDecision } from './scope.ts';

/**
 * Checks access before the input is read. Accounts being deleted may only read and undo (ADR 160). Suspended ones may
 * make only permitted writes (ADR 179).
 * @throws session/required, session/email-not-verified, operator/required, operator/confirm-again, account/leaving,
 * account/suspended (data: scope, until)
 */
export function requireAccess(
  meta: OperationMeta,
  method: string | undefined,
  actor: Actor | null,
  input: unknown,
): void {
  if (actor?.leaving && method !== 'GET' && meta.whileLeaving !== true) throw new AppError('account/leaving');
  if (method !== 'GET' && meta.access !== 'operator') {
    const refusing = actor?.suspensions?.find(({ scope }) => refusesWrite(scope, meta, input));
    if (refusing) throw new AppError('account/suspended', refusing);
  }
  if (meta.access === 'public') return;
  if (!actor) throw new AppError('session/required');
  if (meta.access !== 'signed-in' && !actor.emailVerified) throw new AppError('session/email-not-verified');
  if (meta.access === 'operator' && !actor.operator)
    throw new AppError(actor.operatorAway ? 'operator/confirm-again' : 'operator/required');
}

export type OperatorCall = {
  accountId: string;
  operation: string;
  /** Null outside the operators' own operations. */
  rule: OperatorRule | null;
  input: unknown;
  headers: IncomingHttpHeaders;
  /** False for a screen's automatic refetch. */
  byHand: boolean;
};

/** Steps that remain once an operator's call is admitted. */
export type OperatorPass = {
  /** Runs around a write about an open case, in its transaction. */
  watchDecision: WatchDecision | null;
  /** Called at the end of the call: logs `done`, or the code of its error. Null for calls that are not logged. */
  finish: ((result: string) => Promise<void>) | null;
};

/** Logs the call, or throws (ADR 176). */
export type OperatorGate = (call: OperatorCall) => Promise<OperatorPass>;

/** The actor of a call, and what to do when it has ended. */
type Admitted = { actor: Actor | null; finish: OperatorPass['finish'] };

/** Removes operator powers unless the call names a case or reason, which the gate checks. */
export async function actorOutside(
  actor: Actor | null,
  gate: OperatorGate,
  call: Omit<OperatorCall, 'accountId' | 'rule'>,
): Promise<Admitted> {
  if (!actor?.operator) return { actor, finish: null };
  if (call.headers[caseHeader] === undefined && call.headers[reasonHeader] === undefined)
    return { actor: { ...actor, operator: false, operatorOutside: true }, finish: null };
  const { finish } = await gate({ ...call, accountId: actor.accountId, rule: null });
  return { actor, finish };
}
