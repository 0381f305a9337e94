import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { AppError, KeptRefusal } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import { minuteEnd, minuteOf, minutesAround } from './attendance.rules.ts';
import { countWrongCodes, findPartAtSite, findSite, insertWrongCode } from './recorded-time.ts';

const triesWithinMs = limits.siteCodeTriesMinutes * minuteMs;

/** The six-digit code of a branch, or of a job without one, for a minute since 1970, derived from the server's secret. */
function codeOf(mac: Mac, site: string, minute: number): string {
  const number = mac('site-code', `${site} ${minute}`).readUInt32BE(0) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** The current check-in code and those of the next hours, for recruiters of the job. @throws job/not-found, job/not-allowed */
export async function siteCode(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{ code: string; validUntil: string; ahead: string[] }> {
  const part = await findPartAtSite(db, jobId, scope.actor.accountId);
  if (!part || (part.role === null && !part.booked)) throw new AppError('job/not-found');
  if (!roleMay(part.role, 'work')) throw new AppError('job/not-allowed');
  const minute = minuteOf(scope.clock.now());
  const codeAt = (later: number) => codeOf(scope.sign, part.site, minute + later);
  const ahead = Array.from({ length: limits.siteCodeAheadMinutes }, (_, index) => codeAt(index + 1));
  return { code: codeAt(0), validUntil: minuteEnd(minute).toISOString(), ahead };
}

/**
 * Requires the check-in code of a job, valid two minutes either way. After five wrong codes in ten minutes none is accepted. The count survives the refusal
 * (ADR 42). The caller has locked the engagement.
 * @throws attendance/wrong-code (data: left), attendance/code-attempts (data: retryAfterSeconds)
 */
export async function requireCode(
  tx: Tx,
  scope: Pick<Scope, 'sign' | 'clock'>,
  engagement: { id: string; jobId: string },
  code: string,
  at: Date,
): Promise<void> {
  const now = scope.clock.now();
  const wrong = await countWrongCodes(tx, engagement.id, new Date(now.getTime() - triesWithinMs));
  if (wrong >= limits.siteCodeTries)
    throw new AppError('attendance/code-attempts', { retryAfterSeconds: triesWithinMs / 1_000 });
  const site = await findSite(tx, engagement.jobId);
  const isOf = (minute: number) => isAccepted(scope.sign, code, (mac) => codeOf(mac, site, minute));
  if (minutesAround(at).some(isOf)) return;
  await insertWrongCode(tx, engagement.id, now);
  throw new KeptRefusal('attendance/wrong-code', { left: limits.siteCodeTries - wrong - 1 });
}
