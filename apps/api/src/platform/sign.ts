import { type BinaryLike, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import type { z } from 'zod';
import type { Clock } from './clock.ts';

/** The keys of a deployment (ADR 12). */
export type Keys = {
  secret: string;
  /** OTHER_SECRETS, accepted around a rotation: the next secret or the previous one. */
  others: readonly string[];
  /** The key of permanent data, unchanged when SECRET changes. */
  lasting: string;
};

/** A SECRET that was never rotated is used for all keys. */
export const keysOf = (keys: Keys | string): Keys =>
  typeof keys === 'string' ? { secret: keys, others: [], lasting: keys } : keys;

export type Mac = (purpose: string, text: string) => Buffer;

/** Signs links and codes, which may end with a rotation of SECRET. Check with `isAccepted`. */
export type Sign = Mac & {
  /** Signatures of each accepted secret, newest first. */
  readonly accepted: readonly Mac[];
  /** Signs values that are stored for as long as the database lives. */
  readonly lasting: Mac;
};

const createMac =
  (key: string): Mac =>
  (purpose, text) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest();

export function createSign(keys: Keys | string): Sign {
  const { secret, others, lasting } = keysOf(keys);
  const newest = createMac(secret);
  return Object.assign((purpose: string, text: string) => newest(purpose, text), {
    accepted: [newest, ...others.map(createMac)],
    lasting: createMac(lasting),
  });
}

/** The SHA-256 as 43 letters of base64url. */
export const sha256 = (text: BinaryLike): string => createHash('sha256').update(text).digest('base64url');

/** Compares a secret in constant time. */
export function isSame(candidate: string, right: string): boolean {
  const a = Buffer.from(candidate);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

export const isAccepted = (sign: Sign, signedText: string, make: (mac: Mac) => string): boolean =>
  sign.accepted.some((mac) => isSame(signedText, make(mac)));

const appendMac = (mac: Mac, purpose: string, text: string): string =>
  `${text}.${mac(purpose, text).toString('base64url')}`;

/** Signs a text without dots, for a link that never expires. */
export const signText = (mac: Mac, purpose: string, text: string): string => appendMac(mac, purpose, text);

/** @returns null unless signed for this purpose */
export function readSigned(sign: Sign, purpose: string, signedText: unknown): string | null {
  if (typeof signedText !== 'string') return null;
  const [text = ''] = signedText.split('.');
  return isAccepted(sign, signedText, (mac) => appendMac(mac, purpose, text)) ? text : null;
}

type Signing = { sign: Sign; clock: Clock };

/** Creates a link value that works for some minutes, for anyone who has it. */
export function makeTicket(
  { sign, clock }: Signing,
  purpose: string,
  value: object,
  minutes: number,
): { ticket: string; expiresAt: string } {
  const until = clock.now().getTime() + minutes * minuteMs;
  const text = Buffer.from(JSON.stringify({ until, value })).toString('base64url');
  return { ticket: signText(sign, purpose, text), expiresAt: new Date(until).toISOString() };
}

/** @returns null if expired or not for this purpose */
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
