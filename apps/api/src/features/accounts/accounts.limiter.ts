import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { AuthFailure } from './accounts.failures.ts';
import { countAttempts } from './accounts.sql.ts';

/** Kinds of attempt are counted apart: asking for mail does not use up tries at the password. */
export type AttemptKind = 'sign-in' | 'sign-up' | 'mail' | 'link';

/** Mail annoys whoever gets it, so an address is sent less of it than it may try passwords. */
const shareOfAccount: Record<AttemptKind, number> = { 'sign-in': 1, 'sign-up': 1, mail: 0.5, link: 1 };
const addressFactor = 3;

const keyOf = (kind: AttemptKind, scope: string, value: string) =>
  createHash('sha256').update(`${kind} ${scope} ${value}`).digest('base64url');

/**
 * Counts an attempt by account (its email, known or not, so that the limit tells nothing) and by network address, in the database, so that several
 * servers count together. ADR 0012.
 * @throws AuthFailure auth/too-many-requests
 */
export async function limitAttempt(
  db: Db,
  clock: Clock,
  perMinute: number,
  attempt: { kind: AttemptKind; account: string | null; address: string },
): Promise<void> {
  const byAddress = keyOf(attempt.kind, 'address', attempt.address);
  const byAccount =
    attempt.account === null ? null : keyOf(attempt.kind, 'account', attempt.account.toLowerCase());
  const counts = await countAttempts(
    db,
    byAccount === null ? [byAddress] : [byAddress, byAccount],
    clock.now(),
  );
  const most = Math.max(1, Math.floor(perMinute * shareOfAccount[attempt.kind]));
  const overAccount = byAccount !== null && (counts.get(byAccount) ?? 0) > most;
  if (overAccount || (counts.get(byAddress) ?? 0) > perMinute * addressFactor)
    throw new AuthFailure('auth/too-many-requests');
}
