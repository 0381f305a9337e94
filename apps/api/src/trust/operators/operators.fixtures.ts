import type { Db } from '../../platform/db.ts';
import { appointOperator } from './operators.service.ts';

/** Makes an account an operator, as the command line does. */
export async function makeOperator(
  db: Db,
  scope: { clock: { now(): Date } },
  account: { email: string },
): Promise<void> {
  const problem = await appointOperator(db, scope, { email: account.email, by: 'fixtures' });
  if (problem) throw new Error(`${account.email} cannot be an operator: ${problem}`);
}
