import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { deletionLimits } from '@nearhand/contract/people/account-deletion.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { hasPassword } from '../sign-in/own-password.service.ts';
import { findLeaver, lockCode, putCode, takeTry } from './account-deletion.sql.ts';
import { sendDeletionCode } from './account-deletion.tasks.ts';

const hashOf = (accountId: string, code: string) =>
  createHash('sha256').update(`deletion ${accountId} ${code}`).digest();

/**
 * Mails the caller a code that confirms a deletion; the newest one counts. For accounts that sign in with another provider only.
 * @throws account/has-password, account/too-many-codes (data: retryAfterSeconds)
 */
export async function sendCode(tx: Tx, scope: Scope): Promise<{ sentTo: string; expiresAt: string }> {
  const { accountId } = scope.actor;
  if (await hasPassword(tx, accountId)) throw new AppError('account/has-password');
  const leaver = await findLeaver(tx, accountId);
  if (!leaver) throw new AppError('session/expired');
  const now = scope.clock.now();
  const before = await lockCode(tx, accountId);
  const sameDay = before !== undefined && before.first_at.getTime() + dayMs > now.getTime();
  if (sameDay && before.sent_count >= limits.deletionCodesPerDay)
    throw new AppError('account/too-many-codes', {
      retryAfterSeconds: Math.ceil((before.first_at.getTime() + dayMs - now.getTime()) / 1_000),
    });
  const code = String(randomInt(10 ** deletionLimits.codeDigits)).padStart(deletionLimits.codeDigits, '0');
  const expiresAt = new Date(now.getTime() + limits.deletionCodeMinutes * minuteMs);
  await putCode(tx, {
    accountId,
    hash: hashOf(accountId, code),
    now,
    expiresAt,
    sentCount: sameDay ? before.sent_count + 1 : 1,
    firstAt: sameDay ? before.first_at : now,
  });
  await enqueue(tx, sendDeletionCode, { to: leaver.email, code, key: `deletion-code-${newId(now)}` });
  return { sentTo: leaver.email, expiresAt: expiresAt.toISOString() };
}

/** Checks a mailed code and counts the try. @throws account/wrong-code (data: left) */
export async function requireCode(db: Db, scope: Scope, code: string): Promise<void> {
  const { accountId } = scope.actor;
  const row = await takeTry(db, accountId, limits.deletionCodeTries, scope.clock.now());
  if (row && timingSafeEqual(row.code_hash, hashOf(accountId, code))) return;
  throw new AppError('account/wrong-code', { left: row ? limits.deletionCodeTries - row.tries : 0 });
}
