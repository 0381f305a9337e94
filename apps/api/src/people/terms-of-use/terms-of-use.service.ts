import type { Account } from '@nearhand/contract/people/accounts';
import { termsInForce } from '@nearhand/contract/people/terms-of-use.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ownAccount } from '../accounts/accounts.service.ts';
import { findAcceptances, insertAcceptance } from './terms-of-use.sql.ts';

/** The versions of the terms that the caller accepted, newest first; also before the email is verified. */
export async function acceptedTerms(db: Db, { actor }: Scope) {
  const rows = await findAcceptances(db, actor.accountId);
  return rows.map(({ version, accepted_at: at }) => ({
    version,
    acceptedAt: at.toISOString(),
    inForce: version === termsInForce,
  }));
}

/**
 * Records that the caller accepts the terms in force, also before the email is verified (ADR 33). Idempotent.
 * @throws request/invalid for any other version
 */
export async function acceptTerms(tx: Tx, scope: Scope, input: { version: string }): Promise<Account> {
  if (input.version !== termsInForce)
    throw new AppError('request/invalid', { issues: [{ path: 'version', message: termsInForce }] });
  await insertAcceptance(tx, scope.actor.accountId, input.version, scope.clock.now());
  return ownAccount(tx, scope);
}
