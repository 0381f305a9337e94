import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import type { z } from 'zod';
import type { Clock } from './clock.ts';

/** The keys of a deployment (ADR 12). */
export type Keys = {
  secret: string;
  /** OTHER_SECRETS, whose signatures are accepted too: the next one before a rotation, the one before after it. */
  others: readonly string[];
  /** The key of what is kept for good. It stays when SECRET changes. */
  lasting: string;
};

/** A SECRET that was never replaced stands for all keys. */
export const keysOf = (keys: Keys | string): Keys =>
  typeof keys === 'string' ? { secret: keys, others: [], lasting: keys } : keys;

/** The signature of one key. */
export type Mac = (purpose: string, text: string) => Buffer;

/**
 * Signs a text for a purpose with SECRET, for links and codes that may end with a rotation: the same on every server of a deployment, and
 * useless for another purpose. Check what comes back with `isAccepted`.
 */
export type Sign = Mac & {
  /** The signatures of each accepted secret, the newest first. */
  readonly accepted: readonly Mac[];
  /** Signs what is stored and compared for as long as the database lives. */
  readonly lasting: Mac;
};

const macWith =
  (key: string): Mac =>
  (purpose, text) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest();

export function createSign(keys: Keys | string): Sign {
  const { secret, others, lasting } = keysOf(keys);
  const newest = macWith(secret);
  return Object.assign((purpose: string, text: string) => newest(purpose, text), {
    accepted: [newest, ...others.map(macWith)],
    lasting: macWith(lasting),
  });
}

/** Compares a secret in constant time. */
export function isSame(candidate: string, right: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Tests whether a text is what one of the accepted secrets makes. */
export const isAccepted = (sign: Sign, signedText: string, make: (mac: Mac) => string): boolean =>
  sign.accepted.some((mac) => isSame(signedText, make(mac)));

const withMac = (mac: Mac, purpose: string, text: string): string =>
  `${text}.${mac(purpose, text).toString('base64url')}`;

/** A text without dots and its signature, for a link that never expires. */
export const signed = (sign: Sign, purpose: string, text: string): string => withMac(sign, purpose, text);

/** The text that was `signed` for this purpose; null for anything else. */
export function readSigned(sign: Sign, purpose: string, signedText: unknown): string | null {
  if (typeof signedText !== 'string') return null;
  const [text = ''] = signedText.split('.');
  return isAccepted(sign, signedText, (mac) => withMac(mac, purpose, text)) ? text : null;
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
  signedText: unknown,
  schema: z.ZodType<Value>,
): Value | null {
  const text = readSigned(sign, purpose, signedText);
  if (text === null) return null;
  const { until, value } = JSON.parse(Buffer.from(text, 'base64url').toString());
  return until > clock.now().getTime() ? schema.parse(value) : null;
}
