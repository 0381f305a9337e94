import type { Account } from '@nearhand/contract/people/accounts';
import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { termsOfUse } from '@nearhand/contract/people/terms-of-use';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ownAccount } from '../accounts/accounts.ts';

/** Accepted versions, newest first. Needs no verified email. */
async function listAcceptedTerms(db: Db, { actor }: Scope) {
  const rows = await findAcceptances(db, actor.accountId);
  return rows.map(({ version, acceptedAt: at }) => ({
    version,
    acceptedAt: at.toISOString(),
    inForce: version === termsInForce,
  }));
}

/** Accepts the terms in force for the caller (ADR 33). Needs no verified email. */
export async function acceptTerms(tx: Tx, scope: Scope, input: { version: string }): Promise<Account> {
  if (input.version !== termsInForce)
    throw new AppError('request/invalid', { issues: [{ path: 'version', message: termsInForce }] });
  await insertAcceptance(tx, scope.actor.accountId, input.version, scope.clock.now());
  return ownAccount(tx, scope);
}

async function insertAcceptance(tx: Tx, accountId: string, version: string, now: Date): Promise<void> {
  await tx
    .insertInto('terms_acceptances')
    .values({ accountId, version, acceptedAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'version']).doNothing())
    .execute();
}

const versionsMax = 100;

async function findAcceptances(db: Db, accountId: string) {
  return db
    .selectFrom('terms_acceptances')
    .select(['version', 'acceptedAt'])
    .where('accountId', '=', accountId)
    .orderBy('acceptedAt', 'desc')
    .limit(versionsMax)
    .execute();
}

export const termsOfUseRoutes = {
  accepted: read(termsOfUse.accepted, listAcceptedTerms),
  accept: write(termsOfUse.accept, acceptTerms),
};
