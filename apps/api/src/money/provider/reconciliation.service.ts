import { minuteMs } from '@nearhand/contract/durations';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import { repair } from '../../platform/tasks/repair.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { reconcileCharges } from '../charges/charge-reconciliation.service.ts';
import { reconcileCheckouts } from '../holds/hold-checkout.service.ts';
import { reconcilePayouts } from '../payouts/payout-reconciliation.service.ts';
import { eventKey, eventTask, reconcileTask } from './provider.queue.ts';
import { keepEvents } from './webhooks.service.ts';
import { findCursor, findUnhandled, putCursor } from './webhooks.sql.ts';

const everyMs = 10 * minuteMs;
/** Anything touched later is still being worked on. */
const quietMs = 2 * minuteMs;

/** Schedules the next run, one at a time; at server start it is due right away. */
export async function planReconciliation(tx: Tx, runAt?: Date): Promise<void> {
  await enqueue(tx, reconcileTask, {}, { ...(runAt ? { runAt } : {}), key: reconcileTask.name });
}

/** For the start of a server. */
export const startReconciliation = (db: Db): Promise<void> => inTransaction(db, planReconciliation);

/** For the runner: schedules the next run first, so that a failure is retried. */
export async function runReconciliation(scope: TaskScope): Promise<void> {
  const next = new Date(scope.clock.now().getTime() + everyMs);
  await inTransaction(scope.db, (tx) => planReconciliation(tx, next));
  await reconcile(scope);
}

/**
 * Repairs what webhooks missed (ADR 67): reads new events, retries events whose task gave up, and asks the provider about everything unfinished that
 * has been quiet for two minutes. Overdue checkouts end. One failure does not stop the rest.
 */
export async function reconcile(scope: TaskScope): Promise<void> {
  const since = new Date(scope.clock.now().getTime() - quietMs);
  await readEvents(scope);
  await retryEvents(scope, since);
  await reconcileCharges(scope, since);
  await reconcileCheckouts(scope, since);
  await repair(scope, 'payouts', () => reconcilePayouts(scope));
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
