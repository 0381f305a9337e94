import { createHash } from 'node:crypto';
import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { callerNetwork } from '../../platform/http/caller-network.ts';
import { AuthFailure } from './auth-failures.ts';
import { countAttempts } from './sign-in.sql.ts';

/** Each kind of attempt has its own count: asking for mail doesn't use up password tries. */
export type AttemptKind = 'sign-in' | 'sign-up' | 'mail' | 'link' | 'code';

/** Unwanted mail annoys its recipient, so the mail limit is lower than the password limit. */
const shareOfAccount: Record<AttemptKind, number> = {
  'sign-in': 1,
  'sign-up': 1,
  mail: 0.5,
  link: 1,
  code: 1,
};
const addressFactor = 3;
/** Daily sign-ups per network, in minutes' worth: every account brings limits of its own (ADR 0125). */
const signUpMinutesOfDay = 30;

const keyOf = (kind: AttemptKind, scope: string, value: string) =>
  createHash('sha256').update(`${kind} ${scope} ${value}`).digest('base64url');

export type AttemptLimits = { perMinute: number; mailsPerDay: number };

/**
 * Counts an attempt by account (its email, known or not, so the limit reveals nothing) and by network, in the database
 * so that all servers share it. Mail per account and sign-ups per network also have a daily limit (ADR 0012).
 * @throws AuthFailure auth/too-many-requests
 */
export async function limitAttempt(
  db: Db,
  clock: Clock,
  { perMinute, mailsPerDay }: AttemptLimits,
  attempt: { kind: AttemptKind; account: string | null; address: string },
): Promise<void> {
  const now = clock.now();
  const account = attempt.account?.toLowerCase() ?? null;
  const network = callerNetwork(attempt.address);
  const byAddress = keyOf(attempt.kind, 'address', network);
  const byAccount = account === null ? null : keyOf(attempt.kind, 'account', account);
  const counts = await countAttempts(db, byAccount === null ? [byAddress] : [byAddress, byAccount], now);
  const most = Math.max(1, Math.floor(perMinute * shareOfAccount[attempt.kind]));
  const overAccount = byAccount !== null && (counts.get(byAccount)?.count ?? 0) > most;
  if (overAccount || (counts.get(byAddress)?.count ?? 0) > perMinute * addressFactor)
    throw new AuthFailure('auth/too-many-requests', 60);
  const byDay =
    attempt.kind === 'sign-up'
      ? { key: keyOf('sign-up', 'address a day', network), most: perMinute * signUpMinutesOfDay }
      : attempt.kind === 'mail' && account !== null
        ? { key: keyOf('mail', 'account a day', account), most: mailsPerDay }
        : null;
  if (!byDay) return;
  const today = (await countAttempts(db, [byDay.key], now, dayMs)).get(byDay.key);
  if (today && today.count > byDay.most)
    throw new AuthFailure(
      'auth/too-many-requests',
      Math.ceil((today.since.getTime() + dayMs - now.getTime()) / 1_000),
    );
}

/**
 * Counts a password try of someone signed in, with the account's other sign-in attempts.
 * @returns the seconds to wait if that was one too many, otherwise null
 */
export async function countPasswordTry(
  db: Db,
  clock: Clock,
  perMinute: number,
  email: string,
): Promise<number | null> {
  const key = keyOf('sign-in', 'account', email.toLowerCase());
  const count = (await countAttempts(db, [key], clock.now())).get(key)?.count ?? 0;
  return count > perMinute * shareOfAccount['sign-in'] ? minuteMs / 1_000 : null;
}
