import type { OperationMeta } from '@nearhand/contract/operation';
import { AppError } from '../app-error.ts';
import type { Actor } from './scope.ts';

/**
 * The first question of every call, asked before its input is read: is there a session, is its email verified, and is it an operator's, as the contract
 * demands. Roles and records are the policies' business.
 * @throws session/required, session/email-not-verified, operator/required
 */
export function requireAccess(meta: OperationMeta, actor: Actor | null): void {
  if (meta.access === 'public') return;
  if (!actor) throw new AppError('session/required');
  if (meta.access !== 'signed-in' && !actor.emailVerified) throw new AppError('session/email-not-verified');
  if (meta.access === 'operator' && !actor.operator) throw new AppError('operator/required');
}
