import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { countedNetworks } from '../../platform/http/caller-network.ts';
import { sha256 } from '../../platform/sign.ts';
import { AuthFailure } from './auth-failures.ts';
import { deleteAttempts, recordAttempts } from './sign-in.sql.ts';

/** Counted separately, so requesting mail doesn't use up password attempts. */
export type AttemptKind = 'sign-in' | 'sign-up' | 'mail' | 'link' | 'code';

/** Unwanted mail annoys its recipient, so its limit is lower. */
const shareOfAccount: Record<AttemptKind, number> = {
  'sign-in': 1,
  'sign-up': 1,
  mail: 0.5,
  link: 1,
  code: 1,
};
const addressFactor = 3;
/** Daily sign-ups per network, in minutes' worth, since each account has its own limits (ADR 125). */
const signUpMinutesOfDay = 30;

const attemptKey = (kind: AttemptKind, scope: string, value: string) => sha256(`${kind} ${scope} ${value}`);

export type AttemptLimits = { perMinute: number; mailsPerDay: number };

export class AccountLocked extends AuthFailure {
  readonly account: string;

  constructor(account: string) {
    super('auth/too-many-requests', minuteMs / 1_000);
    this.account = account;
  }
}

/**
 * Counts by known device, otherwise by network and email, known or not (ADR 12).
 * @throws AuthFailure
 */
export async function limitAttempt(
  db: Db,
  clock: Clock,
  { perMinute, mailsPerDay }: AttemptLimits,
  attempt: { kind: AttemptKind; account: string | null; address: string; device?: string | null },
): Promise<void> {
  const now = clock.now();
  const account = attempt.account?.toLowerCase() ?? null;
  if (account !== null && attempt.device) {
    const deviceKey = attemptKey(attempt.kind, 'device', `${attempt.device} ${account}`);
    const attemptCount = (await recordAttempts(db, [deviceKey], now)).get(deviceKey)?.count ?? 0;
    if (attemptCount > Math.max(1, Math.floor(perMinute * shareOfAccount[attempt.kind])))
      throw new AuthFailure('auth/too-many-requests', 60);
    if (attempt.kind !== 'mail') return;
    return limitDay(attemptKey('mail', 'device a day', `${attempt.device} ${account}`), mailsPerDay);
  }
  const networks = countedNetworks(attempt.address).map(({ network, share }) => ({
    key: attemptKey(attempt.kind, 'address', network),
    dayKey: attemptKey(attempt.kind, 'address a day', network),
    share,
  }));
  const byAccount = account === null ? null : attemptKey(attempt.kind, 'account', account);
  const keys = networks.map(({ key }) => key);
  const counts = await recordAttempts(db, byAccount === null ? keys : [...keys, byAccount], now);
  const max = Math.max(1, Math.floor(perMinute * shareOfAccount[attempt.kind]));
  const isOverAccountLimit = byAccount !== null && (counts.get(byAccount)?.count ?? 0) > max;
  if (account !== null && isOverAccountLimit) throw new AccountLocked(account);
  if (networks.some(({ key, share }) => (counts.get(key)?.count ?? 0) > perMinute * addressFactor * share))
    throw new AuthFailure('auth/too-many-requests', 60);
  if (attempt.kind === 'sign-up')
    for (const { dayKey, share } of networks) await limitDay(dayKey, perMinute * signUpMinutesOfDay * share);
  if (attempt.kind === 'mail' && account !== null)
    await limitDay(attemptKey('mail', 'account a day', account), mailsPerDay);

  async function limitDay(key: string, max: number): Promise<void> {
    const today = (await recordAttempts(db, [key], now, dayMs)).get(key);
    if (today && today.count > max)
      throw new AuthFailure(
        'auth/too-many-requests',
        Math.ceil((today.since.getTime() + dayMs - now.getTime()) / 1_000),
      );
  }
}

/** The owner is mailed about a lockout once a day. */
export async function isFirstLockoutOfDay(db: Db, clock: Clock, account: string): Promise<boolean> {
  const key = attemptKey('sign-in', 'lockouts a day', account);
  return (await recordAttempts(db, [key], clock.now(), dayMs)).get(key)?.count === 1;
}

/**
 * Counts a wrong code.
 * @returns true once a day, when the owner is to be mailed
 */
export async function isWrongCodeToMail(db: Db, clock: Clock, accountId: string): Promise<boolean> {
  const key = attemptKey('code', 'wrong a day', accountId);
  const count = (await recordAttempts(db, [key], clock.now(), dayMs)).get(key)?.count;
  return count === peopleLimits.secondStepTriesOfSession;
}

/**
 * Counts password attempts per session, so strangers can't use them up.
 * @returns seconds to wait, or null
 */
export async function countPasswordTry(
  db: Db,
  clock: Clock,
  perMinute: number,
  sessionId: string,
): Promise<number | null> {
  const key = attemptKey('sign-in', 'session', sessionId);
  const count = (await recordAttempts(db, [key], clock.now())).get(key)?.count ?? 0;
  return count > perMinute * shareOfAccount['sign-in'] ? minuteMs / 1_000 : null;
}

const codeTriesOf = (sessionId: string) => attemptKey('code', 'session', sessionId);

/**
 * Counts before the code is checked.
 * @returns true if over the limit
 */
export async function countCodeTry(db: Db, clock: Clock, sessionId: string): Promise<boolean> {
  const key = codeTriesOf(sessionId);
  const counts = await recordAttempts(db, [key], clock.now(), peopleLimits.secondStepLockMinutes * minuteMs);
  return (counts.get(key)?.count ?? 0) > peopleLimits.secondStepTriesOfSession;
}

export const deleteCodeTries = (db: Db, sessionId: string): Promise<void> =>
  deleteAttempts(db, codeTriesOf(sessionId));
