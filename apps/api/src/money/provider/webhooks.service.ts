import { minuteMs } from '@nearhand/contract/durations';
import { AppError } from '../../platform/app-error.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type ProviderEvent, WebhookRefused } from '../../platform/payment-provider.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { applyChargeOf } from '../charges/charge-outcomes.service.ts';
import { applyIdentity } from '../payouts/identities.service.ts';
import { applyPayout } from '../payouts/withdrawal-states.service.ts';
import { eventKey, eventTask } from './provider.queue.ts';
import { findEvent, insertEvents, markHandled } from './webhooks.sql.ts';

/** How long an event of an unknown charge is retried: its ref may be stored a moment later. */
const unknownMs = 10 * minuteMs;
const lookAgainMs = 30_000;

/**
 * Receives a provider webhook: stores the event once and queues its task in one transaction, then answers.
 * @throws webhook/refused for what is not the provider's or not of now; the sender is not told why /
 */
export async function takeWebhook(
  db: Db,
  { provider, clock, log }: Pick<Scope, 'provider' | 'clock' | 'log'>,
  headers: Record<string, string | string[] | undefined>,
  body: string,
): Promise<void> {
  const event = readWebhook();
  await db.transaction().execute((tx) => keepEvents(tx, { clock }, [event]));

  function readWebhook(): ProviderEvent {
    try {
      return provider.readWebhook(headers, body, clock.now());
    } catch (error) {
      if (!(error instanceof WebhookRefused)) throw error;
      log.warn({ reason: error.reason }, 'a webhook was refused');
      throw new AppError('webhook/refused');
    }
  }
}

/** Stores events and queues the new ones. Returns how many were new. */
export async function keepEvents(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  events: readonly ProviderEvent[],
): Promise<number> {
  const fresh = await insertEvents(tx, events, scope.clock.now());
  for (const eventId of fresh) await enqueue(tx, eventTask, { eventId }, { key: eventKey(eventId) });
  return fresh.length;
}

/** For the runner: an event is a hint; only the provider's current state counts. */
export async function handleEvent(scope: TaskScope, eventId: string): Promise<void> {
  const { db, clock } = scope;
  const event = await findEvent(db, eventId);
  if (!event || event.handled_at !== null) return;
  const known = await lookAt(scope, event.type, event.ref);
  const now = clock.now();
  if (!known && now.getTime() - event.received_at.getTime() < unknownMs) {
    // The event arrived before our own call was stored.
    const runAt = new Date(now.getTime() + lookAgainMs);
    await inTransaction(db, (tx) => enqueue(tx, eventTask, { eventId }, { runAt, key: eventKey(eventId) }));
    return;
  }
  if (!known)
    scope.log.warn({ eventId, ref: event.ref }, 'an event of the payment provider matches nothing of ours');
  await markHandled(db, eventId, now);
}

/** Fetches the object of an event and applies it; false while it is unknown. */
async function lookAt(scope: TaskScope, type: string, ref: string): Promise<boolean> {
  if (type === 'payout' || type === 'identity') {
    await (type === 'payout' ? applyPayout(scope, ref) : applyIdentity(scope, ref));
    return true;
  }
  return applyChargeOf(scope, ref);
}
