import type { OperationMeta } from '@nearhand/contract/operation';
import { AppError } from '../app-error.ts';
import type { Actor } from './scope.ts';

/**
 * The first check of every call, before its input is read: a session, a verified email, or an operator, as the contract requires. Roles
 * and records are checked by policies.
 * An account that is being deleted may only read and undo (ADR 0160).
 * @throws session/required, session/email-not-verified, operator/required, account/leaving
 */
export function requireAccess(meta: OperationMeta, method: string | undefined, actor: Actor | null): void {
  if (actor?.leaving && method !== 'GET' && meta.whileLeaving !== true) throw new AppError('account/leaving');
  if (meta.access === 'public') return;
  if (!actor) throw new AppError('session/required');
  if (meta.access !== 'signed-in' && !actor.emailVerified) throw new AppError('session/email-not-verified');
  if (meta.access === 'operator' && !actor.operator) throw new AppError('operator/required');
}
