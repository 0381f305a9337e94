import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import type { z } from 'zod';
import type { Clock } from './clock.ts';

/** Signs a text for a purpose with the server's secret: the same on every server of a deployment, and useless for another purpose. */
export type Sign = (purpose: string, text: string) => Buffer;

export const createSign =
  (secret: string): Sign =>
  (purpose, text) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();

/** Compares a secret in constant time. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A text without dots and its signature, for a link that never expires by itself. */
export const signed = (sign: Sign, purpose: string, text: string): string =>
  `${text}.${sign(purpose, text).toString('base64url')}`;

/** The text that was `signed` for this purpose; null for anything else. */
export function readSigned(sign: Sign, purpose: string, given: unknown): string | null {
  const [text = ''] = typeof given === 'string' ? given.split('.') : [];
  return typeof given === 'string' && isSame(given, signed(sign, purpose, text)) ? text : null;
}

type Signing = { sign: Sign; clock: Clock };

/** A value for a link that works for some minutes, for anyone who has it. */
export function makeTicket(
  { sign, clock }: Signing,
  purpose: string,
  value: object,
  minutes: number,
): { ticket: string; expiresAt: string } {
  const until = clock.now().getTime() + minutes * minuteMs;
  const text = Buffer.from(JSON.stringify({ until, value })).toString('base64url');
  return { ticket: signed(sign, purpose, text), expiresAt: new Date(until).toISOString() };
}

/** The value of a ticket made for this purpose; null once it expired, and for anything else. */
export function readTicket<Value>(
  { sign, clock }: Signing,
  purpose: string,
  given: unknown,
  schema: z.ZodType<Value>,
): Value | null {
  const text = readSigned(sign, purpose, given);
  if (text === null) return null;
  const { until, value } = JSON.parse(Buffer.from(text, 'base64url').toString());
  return until > clock.now().getTime() ? schema.parse(value) : null;
}
