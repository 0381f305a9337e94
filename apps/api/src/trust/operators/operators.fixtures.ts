import { addMs, dayMs } from '@nearhand/contract/durations';
import type { OperatorRole } from '@nearhand/contract/operator-roles';
import type { Db } from '../../platform/db.ts';
import { appointOperator } from './operators.ts';

type Parts = { clock: { now(): Date } };
const all: readonly OperatorRole[] = ['owner'];

export async function appoint(db: Db, scope: Parts, account: { email: string }, roles = all): Promise<void> {
  const problem = await appointOperator(db, scope, { email: account.email, by: 'fixtures', roles });
  if (problem) throw new Error(`${account.email} cannot be an operator: ${problem}`);
}

/**
 * Makes an account an operator with a second step confirmed for a year; pauses are tested in
 * `operator-presence.test.ts`.
 */
export async function makeOperator(
  db: Db,
  scope: Parts,
  account: { email: string },
  roles = all,
): Promise<void> {
  await appoint(db, scope, account, roles);
  const until = addMs(scope.clock.now(), 365 * dayMs);
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select('sessions.id')
    .where('accounts.email', '=', account.email)
    .execute();
  for (const { id } of sessions)
    await db
      .insertInto('second_factor_checks')
      .values({ sessionId: id, method: 'totp', confirmedAt: until, activeAt: until })
      .execute();
}
