import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import { type ProviderEvent, WebhookRefusedError } from '../../platform/payment-provider.ts';

export const signatureHeader = 'nearhand-signature';
const oldestMs = 5 * minuteMs;
/** The tolerance for a sender whose clock is ahead of ours. */
const aheadMs = 30_000;
const largest = 16_384;

const eventShape = z.object({
  id: z.string().regex(/^ev_[0-9a-f]{32}$/),
  type: z.enum(['charge', 'payout', 'identity']),
  ref: z
    .string()
    .min(1)
    .max(255)
    .refine((ref) => ref.isWellFormed() && !ref.includes('\u0000')),
  at: z.iso.datetime(),
});

const macOf = (secret: Buffer, seconds: number, body: string) =>
  createHmac('sha256', secret).update(`${seconds}.${body}`).digest();

/** Signs a webhook sent now: `Nearhand-Signature: t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. */
export function signWebhook(secret: Buffer, body: string, now: Date): Record<string, string> {
  const seconds = Math.floor(now.getTime() / 1_000);
  return {
    'content-type': 'application/json',
    [signatureHeader]: `t=${seconds},v1=${macOf(secret, seconds, body).toString('hex')}`,
  };
}

/**
 * Verifies and parses a webhook: ours, unchanged, and at most five minutes old.
 * @throws WebhookRefusedError
 */
export function openWebhook(
  secret: Buffer,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  now: Date,
): ProviderEvent {
  if (body.length > largest) throw new WebhookRefusedError('too_large');
  const header = headers[signatureHeader] ?? headers['Nearhand-Signature'];
  if (typeof header !== 'string' || header === '') throw new WebhookRefusedError('signature_missing');
  const parts = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header);
  if (!parts) throw new WebhookRefusedError('signature_wrong');
  const seconds = Number(parts[1]);
  if (!timingSafeEqual(macOf(secret, seconds, body), Buffer.from(parts[2] as string, 'hex')))
    throw new WebhookRefusedError('signature_wrong');
  const ageMs = now.getTime() - seconds * 1_000;
  // The signature holds whole seconds, so a fresh one may seem up to a second old.
  if (ageMs > oldestMs + 1_000) throw new WebhookRefusedError('stale');
  if (ageMs < -aheadMs) throw new WebhookRefusedError('from_the_future');
  const event = eventShape.safeParse(parsed(body));
  if (!event.success) throw new WebhookRefusedError('unreadable');
  return event.data;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
