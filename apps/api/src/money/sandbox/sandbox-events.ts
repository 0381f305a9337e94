import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { ProviderEvent } from '../../platform/payment-provider.ts';
import { atOnce, enqueue } from '../../platform/tasks/tasks.ts';
import { inOwnTx, newRef, type SandboxParts, webhookSecret } from './sandbox.parts.ts';
import { deliveriesOf, retryAt, webhookPlan } from './sandbox.rules.ts';
import { findDelivery, findEvents, insertDelivery, insertEvent, recordAttempt } from './sandbox.sql.ts';
import { signWebhook } from './sandbox-signature.ts';

/** The task for deliveries; named here so that emitters can enqueue it. */
export const deliverTask = { name: 'sandbox.deliver', payload: z.object({ deliveryId: z.string() }) };

const pageSize = 200;

/** Emits an event and schedules its webhooks. Must come last in a transaction: after it nothing may be locked (`insertEvent`). */
export async function emit(
  tx: Tx,
  parts: SandboxParts,
  type: ProviderEvent['type'],
  ref: string,
): Promise<void> {
  const now = parts.clock.now();
  const id = newRef(parts, 'ev');
  await insertEvent(tx, { id, type, ref, at: now });
  for (const lateSeconds of deliveriesOf(webhookPlan(parts.config.SANDBOX_WEBHOOKS), chanceOf(id))) {
    const deliveryId = newId(now);
    await insertDelivery(tx, { id: deliveryId, eventId: id, createdAt: now });
    const runAt = lateSeconds === 0 ? atOnce : new Date(now.getTime() + lateSeconds * 1_000);
    await enqueue(tx, deliverTask, { deliveryId }, { runAt });
  }
}

/** Numbers in [0, 1) derived from the event's id alone. */
function chanceOf(id: string): () => number {
  let step = 0;
  return () => {
    step += 1;
    return createHash('sha256').update(`${id}/${step}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}

/** Sends one webhook. Without a 2xx it is retried for about three days. It is signed again each time because the signature contains the time. */
export async function deliver(parts: SandboxParts, deliveryId: string): Promise<void> {
  const delivery = await findDelivery(parts.db, deliveryId);
  if (delivery?.state !== 'waiting') return;
  const { id, type, ref, at } = delivery;
  const body = JSON.stringify({ id, type, ref, at: at.toISOString() });
  const answer = await parts
    .send(signWebhook(webhookSecret(parts.secret), body, parts.clock.now()), body)
    .catch((error: unknown) => (error instanceof Error ? error.name : 'no answer'));
  const now = parts.clock.now();
  const delivered = typeof answer === 'number' && answer >= 200 && answer < 300;
  const again = delivered ? null : retryAt(delivery.attempts + 1, now);
  const state = delivered ? 'delivered' : again ? 'waiting' : 'given_up';
  await inOwnTx(parts, async (tx) => {
    if (!(await recordAttempt(tx, deliveryId, { state, answer: String(answer), at: now }))) return;
    if (again) await enqueue(tx, deliverTask, { deliveryId }, { runAt: again });
  });
  if (!delivered) parts.log.debug({ event: id, answer, state }, 'a sandbox webhook was not accepted');
}

/** Events after a cursor, in commit order. An unknown cursor is a bug in the caller. */
export async function listEvents(
  parts: SandboxParts,
  after: string | null,
): Promise<{ events: ProviderEvent[]; cursor: string | null }> {
  if (after !== null && !/^\d{1,15}$/.test(after)) throw new Error('not a sandbox cursor');
  const rows = await findEvents(parts.db, Number(after ?? 0), pageSize);
  const last = rows.at(-1);
  return {
    events: rows.map(({ id, type, ref, at }) => ({
      id,
      type: type as ProviderEvent['type'],
      ref,
      at: at.toISOString(),
    })),
    cursor: last ? String(last.seq) : after,
  };
}
