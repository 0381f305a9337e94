import { createHash, createHmac } from 'node:crypto';
import { addMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import {
  isPlain,
  type PaymentProvider,
  type ProviderEvent,
  ProviderRefusedError,
} from '../../platform/payment-provider.ts';
import { atOnce, enqueue } from '../../platform/tasks/tasks.ts';
import { deliveryDelays, retryAt, webhookPlan } from './sandbox.rules.ts';
import {
  failKey,
  findEvents,
  findKey,
  findSandboxDelivery,
  insertDelivery,
  insertEvent,
  recordAttempt,
  takeKey,
} from './sandbox.sql.ts';
import { signWebhook } from './sandbox-signature.ts';

export const deliverEventTask = { name: 'sandbox.deliver', payload: z.object({ deliveryId: z.string() }) };

const pageSize = 200;

/** Emits an event. Must come last in a transaction, because nothing may be locked after it (`insertEvent`). */
export async function emitEvent(
  tx: Tx,
  parts: SandboxParts,
  type: ProviderEvent['type'],
  ref: string,
): Promise<void> {
  const now = parts.clock.now();
  const id = newRef(parts, 'ev');
  await insertEvent(tx, { id, type, ref, at: now });
  for (const lateSeconds of deliveryDelays(webhookPlan(parts.config.SANDBOX_WEBHOOKS), chanceOf(id))) {
    const deliveryId = newId(now);
    await insertDelivery(tx, { id: deliveryId, eventId: id, createdAt: now });
    const runAt = lateSeconds === 0 ? atOnce : addMs(now, lateSeconds * 1_000);
    await enqueue(tx, deliverEventTask, { deliveryId }, { runAt });
  }
}

function chanceOf(id: string): () => number {
  let step = 0;
  return () => {
    step += 1;
    return createHash('sha256').update(`${id}/${step}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}

/** Retries for about three days without a 2xx. The signature contains the time, so each attempt signs again. */
export async function deliverEvents(parts: SandboxParts, deliveryId: string): Promise<void> {
  const delivery = await findSandboxDelivery(parts.db, deliveryId);
  if (delivery?.state !== 'waiting') return;
  const { id, type, ref, at } = delivery;
  const body = JSON.stringify({ id, type, ref, at: at.toISOString() });
  const answer = await parts
    .send(signWebhook(webhookSecret(parts.secret), body, parts.clock.now()), body)
    .catch((error: unknown) => (error instanceof Error ? error.name : 'no answer'));
  const now = parts.clock.now();
  const isDelivered = typeof answer === 'number' && answer >= 200 && answer < 300;
  const nextAttemptAt = isDelivered ? null : retryAt(delivery.attempts + 1, now);
  const state = isDelivered ? 'delivered' : nextAttemptAt ? 'waiting' : 'given_up';
  await inOwnTx(parts, async (tx) => {
    if (!(await recordAttempt(tx, deliveryId, { state, answer: String(answer), at: now }))) return;
    if (nextAttemptAt) await enqueue(tx, deliverEventTask, { deliveryId }, { runAt: nextAttemptAt });
  });
  if (!isDelivered) parts.log.debug({ event: id, answer, state }, 'a sandbox webhook was not accepted');
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
      type,
      ref,
      at: at.toISOString(),
    })),
    cursor: last ? String(last.seq) : after,
  };
}

/** Sends a webhook and returns the HTTP status; throws without a response. */
export type SendWebhook = (headers: Record<string, string>, body: string) => Promise<number>;

export type SandboxParts = {
  /** A separate handle: its writes commit even if the caller rolls back. */
  db: Db;
  clock: Clock;
  secret: string;
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'SANDBOX_WEBHOOKS'>;
  log: Log;
  send: SendWebhook;
};

export type Sandbox = PaymentProvider & { sandbox: SandboxParts };

/** Derived from the server's secret, so that a leaked key opens nothing else. */
export const webhookSecret = (secret: string): Buffer =>
  createHmac('sha256', secret).update('sandbox webhooks').digest();

/** Identifies a card or account number. Keyed, so that nobody can try all numbers. */
export const fingerprintWith =
  (secret: string) =>
  (number: string): string =>
    createHmac('sha256', secret).update(`sandbox number ${number}`).digest('base64url');

export const inOwnTx = <Result>(parts: SandboxParts, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  inTransaction(parts.db, work);

export const newRef = (parts: SandboxParts, prefix: string): string =>
  `${prefix}_${newId(parts.clock.now()).replaceAll('-', '')}`;

export const cleanText = (text: string, maxLength: number): string =>
  text.replaceAll('\u0000', '').toWellFormed().slice(0, maxLength).toWellFormed();

type Call = { key: string; operation: string; content: readonly (string | number)[]; ref: string };

/**
 * Runs a call's work once per key, in one transaction with the key; concurrent callers wait for the first.
 * @param work makes the object under `call.ref`, or returns a failure to store
 * @throws ProviderRefusedError where the key was used for another request
 */
export function runOncePerKey(
  parts: SandboxParts,
  call: Call,
  work: (tx: Tx) => Promise<string | undefined>,
): Promise<{ ref: string } | { failure: string }> {
  if (!isPlain(call.key)) throw new ProviderRefusedError('invalid', 'key: 1 to 255 characters');
  if (!isPlain(call.ref)) throw new ProviderRefusedError('not_found', 'unknown ref');
  const content = createHmac('sha256', parts.secret)
    .update(JSON.stringify([call.operation, ...call.content]))
    .digest();
  return inOwnTx(parts, async (tx) => {
    const { key, operation, ref } = call;
    if (await takeKey(tx, { key, operation, content, ref, at: parts.clock.now() })) {
      const failure = await work(tx);
      if (failure === undefined) return { ref };
      await failKey(tx, key, failure);
      return { failure };
    }
    const keyRow = await findKey(tx, key);
    if (!keyRow) throw new Error(`the key ${key} was used but has no record`);
    if (keyRow.operation !== operation || !content.equals(keyRow.content))
      throw new ProviderRefusedError('key_reused', `the key was used for another ${keyRow.operation}`);
    return keyRow.ref === null ? { failure: keyRow.failure ?? '' } : { ref: keyRow.ref };
  });
}
