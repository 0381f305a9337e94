import { minuteMs } from '@nearhand/contract/durations';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks.ts';
import { overdueCheckouts, runCheckoutEnd } from '../holds/hold-outcomes.service.ts';
import { reconcilePayouts } from '../payouts/payout-reconciliation.service.ts';
import { askForCharge, stopCharge } from './charge-asking.service.ts';
import { applyCharge } from './charge-outcomes.service.ts';
import { type ChargeRow, findUnsettled, updateCharge } from './charges.sql.ts';
import { eventKey, eventTask, reconcileTask } from './payments.queue.ts';
import { sendRefund } from './refunds.service.ts';
import { findWaitingRefunds } from './refunds.sql.ts';
import { keepEvents } from './webhooks.service.ts';
import { findCursor, findUnhandled, putCursor } from './webhooks.sql.ts';

const everyMs = 10 * minuteMs;
/** What was touched later than this is still being worked on. */
const quietMs = 2 * minuteMs;
/** How long a card may wait to be confirmed where nothing else sets an end, as a checkout does. */
const confirmMs = 60 * minuteMs;
const pageSize = 200;

/** Sets the next run; one waits at a time, whoever sets it. At the start of a server it is due at once. */
export async function planReconciliation(tx: Tx, runAt?: Date): Promise<void> {
  await enqueue(tx, reconcileTask, {}, { ...(runAt ? { runAt } : {}), key: reconcileTask.name });
}

/** For the start of a server. */
export const startReconciliation = (db: Db): Promise<void> => inTransaction(db, planReconciliation);

/** For the runner: the next run is set first, so that whatever fails now is looked at again. */
export async function runReconciliation(scope: TaskScope): Promise<void> {
  const next = new Date(scope.clock.now().getTime() + everyMs);
  await inTransaction(scope.db, (tx) => planReconciliation(tx, next));
  await reconcile(scope);
}

/**
 * Repairs what webhooks missed (ADR 0072): takes up all events since the last time, those whose task gave up, and asks the provider about everything of ours that is not
 * over and of which nothing was heard for two minutes. A checkout that should have ended
 * two minutes ago, its task lost, is ended here. What fails for one is logged and does not keep the rest.
 */
export async function reconcile(scope: TaskScope): Promise<void> {
  const since = new Date(scope.clock.now().getTime() - quietMs);
  await readEvents(scope);
  await retryEvents(scope, since);
  await settleCharges(scope, since);
  for (const { id } of await overdueCheckouts(scope.db, since))
    await attempt(scope, `checkout ${id}`, () => runCheckoutEnd(scope, id));
  for (const { id } of await findWaitingRefunds(scope.db, since, 1_000))
    await attempt(scope, `refund ${id}`, () => sendRefund(scope, id));
  await attempt(scope, 'payouts', () => reconcilePayouts(scope));
}

async function readEvents(scope: TaskScope): Promise<void> {
  const { db, clock, provider } = scope;
  for (;;) {
    const after = await findCursor(db, provider.name);
    const { events, cursor } = await provider.listEvents(after);
    if (events.length === 0) return;
    await inTransaction(db, async (tx) => {
      await keepEvents(tx, scope, events);
      await putCursor(tx, provider.name, cursor, clock.now());
    });
  }
}

async function retryEvents(scope: TaskScope, since: Date): Promise<void> {
  for (const eventId of await findUnhandled(scope.db, since, 1_000))
    await inTransaction(scope.db, (tx) => enqueue(tx, eventTask, { eventId }, { key: eventKey(eventId) }));
}

async function settleCharges(scope: TaskScope, since: Date): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await findUnsettled(scope.db, since, after, pageSize);
    for (const charge of page) {
      await attempt(scope, `charge ${charge.id}`, () => settleCharge(scope, charge));
      after = charge.id;
    }
    if (page.length < pageSize) return;
  }
}

/** A charge whose task died is asked for again under its own key: the provider answers the one it made, or makes it now. */
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

async function attempt(scope: TaskScope, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    scope.log.error({ err: error }, `reconciliation of ${what} failed`);
  }
}
