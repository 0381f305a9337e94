import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';

/** How far the sender's clock may be off; older posts are refused, so that a recorded one cannot be sent again later. */
const toleranceMs = 5 * minuteMs;

/** `t=SECONDS,v1=HEX`: HMAC-SHA256 of `t.body` under INBOUND_MAIL_SECRET. Null if it is malformed or not of now. */
export function readSignature(header: unknown, now: Date): { at: string; signature: Buffer } | null {
  const parts = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '');
  const [, at = '', signature = ''] = parts ?? [];
  if (!parts || Math.abs(now.getTime() - Number(at) * 1_000) > toleranceMs) return null;
  return { at, signature: Buffer.from(signature, 'hex') };
}

const signInbound = (secret: string, at: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest();

export const isSigned = (secret: string, given: { at: string; signature: Buffer }, body: Buffer): boolean =>
  timingSafeEqual(signInbound(secret, given.at, body), given.signature);
