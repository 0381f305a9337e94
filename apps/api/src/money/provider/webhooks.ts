import { addMs, minuteMs } from '@nearhand/contract/durations';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { type ProviderEvent, WebhookRefusedError } from '../../platform/payment-provider.ts';
import type { ProviderEvents } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { applyChargeByRef } from '../charges/charge-outcomes.ts';
import { applyIdentity } from '../payouts/identities.ts';
import { applyPayout } from '../payouts/withdrawal-lifecycle.ts';

/** Retry time for an event of an unknown charge, whose ref may be stored a moment later. */
const unknownMs = 10 * minuteMs;
const retryMs = 30_000;

/**
 * Stores a webhook's event once and queues its task.
 * @throws webhook/refused; the sender doesn't learn why
 */
export async function receiveWebhook(
  db: Db,
  { provider, clock, log }: Pick<Scope, 'provider' | 'clock' | 'log'>,
  headers: Record<string, string | string[] | undefined>,
  body: string,
): Promise<void> {
  const event = await readWebhook();
  if (event) await db.transaction().execute((tx) => storeEvents(tx, { clock }, [event]));

  async function readWebhook(): Promise<ProviderEvent | null> {
    try {
      return await provider.readWebhook(headers, body, clock.now());
    } catch (error) {
      if (!(error instanceof WebhookRefusedError)) throw error;
      log.warn({ reason: error.reason }, 'a webhook was refused');
      throw new AppError('webhook/refused');
    }
  }
}

/** Stores events and queues the new ones. Returns how many were new. */
export async function storeEvents(
  tx: Tx,
  scope: ClockScope,
  events: readonly ProviderEvent[],
): Promise<number> {
  const fresh = await insertEvents(tx, events, scope.clock.now());
  for (const eventId of fresh) await enqueue(tx, eventTask, { eventId }, { key: eventKey(eventId) });
  return fresh.length;
}

/** Handles an event as a hint; only the provider's current state counts. */
async function handleEvent(scope: TaskScope, eventId: string): Promise<void> {
  const { db, clock } = scope;
  const event = await findEvent(db, eventId);
  if (!event || event.handledAt !== null) return;
  const isKnown = await applyEvent(scope, event.type, event.ref);
  const now = clock.now();
  if (!isKnown && now.getTime() - event.receivedAt.getTime() < unknownMs) {
    // The event arrived before our own call was stored.
    const runAt = addMs(now, retryMs);
    await inTransaction(db, (tx) => enqueue(tx, eventTask, { eventId }, { runAt, key: eventKey(eventId) }));
    return;
  }
  if (!isKnown)
    scope.log.warn({ eventId, ref: event.ref }, 'an event of the payment provider matches nothing of ours');
  await markHandled(db, eventId, now);
}

/** Applies the current state of an event's charge, payout or identity. Returns false for a charge that we don't know. */
async function applyEvent(scope: TaskScope, type: string, ref: string): Promise<boolean> {
  if (type === 'payout' || type === 'identity') {
    await (type === 'payout' ? applyPayout(scope, ref) : applyIdentity(scope, ref));
    return true;
  }
  return applyChargeByRef(scope, ref);
}

export const eventTask = defineTask({
  name: 'payments.event',
  payload: z.object({ eventId: z.string() }),
  queue: 'money',
  run: (scope, { eventId }) => handleEvent(scope, eventId),
});
export const reconcileTask = { name: 'payments.reconcile', payload: z.object({}).loose() };

export const eventKey = (eventId: string): string => `${eventTask.name}/${eventId}`;

async function insertEvents(tx: Tx, events: readonly ProviderEvent[], receivedAt: Date): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = await tx
    .insertInto('provider_events')
    .values(
      events.map(({ id, type, ref, at }) => ({
        id,
        type,
        ref,
        happenedAt: new Date(at),
        receivedAt,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const findEvent = (db: Db, eventId: string): Promise<Selectable<ProviderEvents> | undefined> =>
  db.selectFrom('provider_events').selectAll().where('id', '=', eventId).executeTakeFirst();

async function markHandled(db: Db, eventId: string, at: Date): Promise<void> {
  await db.updateTable('provider_events').set({ handledAt: at }).where('id', '=', eventId).execute();
}

/** Stored events whose task was lost. */
export async function findUnhandled(db: Db, since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('provider_events')
    .select('id')
    .where('handledAt', 'is', null)
    .where('receivedAt', '<=', since)
    .orderBy('receivedAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The end of the last page read from the provider's list of events. */
export async function findCursor(db: Db, provider: string): Promise<string | null> {
  const row = await db
    .selectFrom('provider_cursors')
    .select('cursor')
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.cursor ?? null;
}

/** Stores the position up to which a provider's events were read. */
export async function updateCursor(tx: Tx, provider: string, cursor: string | null, at: Date): Promise<void> {
  await tx
    .insertInto('provider_cursors')
    .values({ provider, cursor, at })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet({ cursor, at }))
    .execute();
}
