import type { Account } from '@nearhand/contract/people/accounts';
import { termsInForce } from '@nearhand/contract/people/terms-of-use.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ownAccount } from '../accounts/accounts.service.ts';
import { insertAcceptance } from './terms-of-use.sql.ts';

/**
 * Records that the caller accepts the terms in force. Idempotent.
 * @throws request/invalid for any other version
 */
export async function acceptTerms(tx: Tx, scope: Scope, input: { version: string }): Promise<Account> {
  if (input.version !== termsInForce)
    throw new AppError('request/invalid', { issues: [{ path: 'version', message: termsInForce }] });
  await insertAcceptance(tx, scope.actor.accountId, input.version, scope.clock.now());
  return ownAccount(tx, scope);
}
