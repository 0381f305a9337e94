import type { Tx } from '../../platform/db.ts';
import type { MoneyScope } from '../outcomes.ts';
import { moveHold, returnRest } from './holds.service.ts';
import { lockHold } from './holds.sql.ts';

/** After a payment was reversed into a hold that was over: it goes on to the balance of the business. The engagement must be locked. */
export async function reopenHold(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const row = await lockHold(tx, { engagementId });
  if (!row) throw new Error(`engagement ${engagementId} has no hold`);
  const open = await moveHold(tx, scope, row, 'add');
  await returnRest(tx, scope, open);
  await moveHold(tx, scope, open, open.status === 'held' ? 'refund' : 'finish');
}
