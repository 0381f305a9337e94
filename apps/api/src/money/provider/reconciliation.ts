import { addMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import { logFailure, repairEach } from '../../platform/tasks/repair.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { findWaitingAnswers, sendAnswer } from '../chargeback-answers/chargeback-answers.ts';
import { applyCharge } from '../charges/charge-outcomes.ts';
import { requestCharge, stopCharge } from '../charges/charge-requests.ts';
import { type ChargeRow, findOpenCharges, updateCharge } from '../charges/charges.ts';
import { findWaitingRefunds, sendRefund } from '../charges/refunds.ts';
import { reconcileCheckouts } from '../holds/holds.ts';
import { reconcilePayouts } from '../payouts/payout-reconciliation.ts';
import { readBookings } from './provider-books.ts';
import {
  eventKey,
  eventTask,
  findCursor,
  findUnhandled,
  reconcileTask,
  storeEvents,
  updateCursor,
} from './webhooks.ts';

const everyMs = 10 * minuteMs;
const quietMs = 2 * minuteMs;

/** Schedules the next run, one at a time; due right away at server start. */
async function planReconciliation(tx: Tx, runAt?: Date): Promise<void> {
  await enqueue(tx, reconcileTask, {}, { runAt: runAt || undefined, key: reconcileTask.name });
}

export const startReconciliation = (db: Db): Promise<void> => inTransaction(db, planReconciliation);

/** Schedules the next run first, so that a failure is retried. */
export async function reconcileRepeatedly(scope: TaskScope): Promise<void> {
  const next = addMs(scope.clock.now(), everyMs);
  await inTransaction(scope.db, (tx) => planReconciliation(tx, next));
  await reconcile(scope);
}

/** Repairs what webhooks missed (ADR 67). One failure does not stop the rest. */
export async function reconcile(scope: TaskScope): Promise<void> {
  const since = subtractMs(scope.clock.now(), quietMs);
  await logFailure(scope, 'events', () => readEvents(scope));
  await retryEvents(scope, since);
  await reconcileCharges(scope, since);
  await reconcileCheckouts(scope, since);
  await logFailure(scope, 'payouts', () => reconcilePayouts(scope));
  await logFailure(scope, 'bookings', async () => {
    await readBookings(scope);
  });
}

async function readEvents(scope: TaskScope): Promise<void> {
  const { db, clock, provider } = scope;
  for (;;) {
    const after = await findCursor(db, provider.name);
    const { events, cursor } = await provider.listEvents(after);
    if (events.length === 0) return;
    await inTransaction(db, async (tx) => {
      await storeEvents(tx, scope, events);
      await updateCursor(tx, provider.name, cursor, clock.now());
    });
  }
}

async function retryEvents(scope: TaskScope, since: Date): Promise<void> {
  for (const eventId of await findUnhandled(scope.db, since, 1_000))
    await inTransaction(scope.db, (tx) => enqueue(tx, eventTask, { eventId }, { key: eventKey(eventId) }));
}

const confirmMs = 60 * minuteMs;

async function reconcileCharges(scope: TaskScope, since: Date): Promise<void> {
  await repairEach(
    scope,
    'charge',
    (after, limit) =>
      findOpenCharges(scope.db, since, after ?? '00000000-0000-0000-0000-000000000000', limit),
    ({ id }) => id,
    (charge) => reconcileCharge(scope, charge),
  );
  for (const { id } of await findWaitingRefunds(scope.db, since, 1_000))
    await logFailure(scope, `refund ${id}`, () => sendRefund(scope, id));
  for (const ref of await findWaitingAnswers(scope.db, since, 1_000))
    await logFailure(scope, `answer to ${ref}`, () => sendAnswer(scope, ref));
}

async function reconcileCharge(scope: TaskScope, charge: ChargeRow): Promise<void> {
  const { db, clock, provider } = scope;
  if (charge.cancelAt !== null) return stopCharge(scope, charge.id);
  const state = await (charge.providerRef === null
    ? provider.findCharge(charge.id)
    : provider.getCharge(charge.providerRef));
  if (!state) return requestCharge(scope, charge.id);
  await applyCharge(scope, charge.id, state);
  const now = clock.now();
  if (state.status !== 'requires_action' || now.getTime() - charge.createdAt.getTime() < confirmMs) return;
  await inTransaction(db, (tx) => updateCharge(tx, charge.id, { cancelAt: now }));
  await stopCharge(scope, charge.id);
}
