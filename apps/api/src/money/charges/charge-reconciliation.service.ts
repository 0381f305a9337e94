import { minuteMs } from '@nearhand/contract/durations';
import { inTransaction } from '../../platform/db.ts';
import { repair, repairEach } from '../../platform/tasks/repair.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { askForCharge, stopCharge } from './charge-asking.service.ts';
import { applyCharge } from './charge-outcomes.service.ts';
import { type ChargeRow, findUnsettled, updateCharge } from './charges.sql.ts';
import { sendRefund } from './refunds.service.ts';
import { findWaitingRefunds } from './refunds.sql.ts';

/** How long a card may stay unconfirmed where nothing else, such as a checkout, sets an end. */
const confirmMs = 60 * minuteMs;

/** For reconciliation: asks the provider about every charge and refund that is not over and has been quiet since a moment. */
export async function reconcileCharges(scope: TaskScope, since: Date): Promise<void> {
  await repairEach(
    scope,
    'charge',
    (after, limit) => findUnsettled(scope.db, since, after ?? '00000000-0000-0000-0000-000000000000', limit),
    ({ id }) => id,
    (charge) => settleCharge(scope, charge),
  );
  for (const { id } of await findWaitingRefunds(scope.db, since, 1_000))
    await repair(scope, `refund ${id}`, () => sendRefund(scope, id));
}

/** A charge whose task died is requested again under its own key: the provider answers with the one it made, or makes it now. */
async function settleCharge(scope: TaskScope, charge: ChargeRow): Promise<void> {
  const { db, clock, provider } = scope;
  if (charge.cancel_at !== null) return stopCharge(scope, charge.id);
  const state = await (charge.provider_ref === null
    ? provider.findCharge(charge.id)
    : provider.getCharge(charge.provider_ref));
  if (!state) return askForCharge(scope, charge.id);
  await applyCharge(scope, charge.id, state);
  const now = clock.now();
  if (state.status !== 'requires_action' || now.getTime() - charge.created_at.getTime() < confirmMs) return;
  await inTransaction(db, (tx) => updateCharge(tx, charge.id, { cancel_at: now }));
  await stopCharge(scope, charge.id);
}
