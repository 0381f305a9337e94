import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { AppError, KeptRefusal } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { demandRecruiter } from '../jobs/job-views.service.ts';
import { minuteEnd, minuteOf, minutesAround } from './attendance.rules.ts';
import { countWrongCodes, insertWrongCode } from './attendance.sql.ts';

const triesWithinMs = limits.siteCodeTriesMinutes * minuteMs;

/** Six digits of a job in a minute since 1970, from the server's secret. */
function codeOf(scope: Pick<Scope, 'sign'>, jobId: string, minute: number): string {
  const number = scope.sign('site-code', `${jobId} ${minute}`).readUInt32BE(0) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** The digits to show at the place now, for recruiters of the job. @throws job/not-found, job/not-allowed */
export async function siteCode(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{ code: string; validUntil: string }> {
  await demandRecruiter(db, scope.actor.accountId, jobId);
  const minute = minuteOf(scope.clock.now());
  return { code: codeOf(scope, jobId, minute), validUntil: minuteEnd(minute).toISOString() };
}

/**
 * Demands the code of a job at a time, two minutes around it included. A wrong one counts: after five in ten minutes none is looked at any more, for
 * this engagement, whose row the caller has locked. The count is kept although the call is refused (ADR 0042).
 * @throws attendance/wrong-code (data: left), attendance/code-attempts (data: retryAfterSeconds)
 */
export async function demandCode(
  tx: Tx,
  scope: Pick<Scope, 'sign' | 'clock'>,
  engagement: { id: string; job_id: string },
  code: string,
  at: Date,
): Promise<void> {
  const now = scope.clock.now();
  const wrong = await countWrongCodes(tx, engagement.id, new Date(now.getTime() - triesWithinMs));
  if (wrong >= limits.siteCodeTries)
    throw new AppError('attendance/code-attempts', { retryAfterSeconds: triesWithinMs / 1_000 });
  if (minutesAround(at).some((minute) => codeOf(scope, engagement.job_id, minute) === code)) return;
  await insertWrongCode(tx, engagement.id, now);
  throw new KeptRefusal('attendance/wrong-code', { left: limits.siteCodeTries - wrong - 1 });
}
