import { dayMs, hourMs } from '@nearhand/contract/durations';
import type { BusinessReliability, WorkerReliability } from '@nearhand/contract/hiring/reliability';
import { limits } from '@nearhand/contract/limits';
import type { Db } from '../../platform/db.ts';
import { isEnough, keptPercent } from './reliability.rules.ts';
import { findBusinessFacts, findWorkerFacts } from './reliability.sql.ts';

/** The settings that the percentages depend on. */
type ReliabilitySettings = { CONTEST_HOURS: number };

/** The period that counts, and the time before which a report can no longer be contested. */
const spanBefore = (now: Date, { CONTEST_HOURS }: ReliabilitySettings) => ({
  since: new Date(now.getTime() - limits.reliabilityDays * dayMs),
  decidedBefore: new Date(now.getTime() - CONTEST_HOURS * hourMs),
});

/**
 * For rankings and views: the reliability of up to a few hundred workers in one query; every requested id has an entry (ADR 45).
 * @param now the end of the 365 days that count (`scope.clock.now()`)
 */
export async function workerReliabilityOf(
  db: Db,
  workerIds: readonly string[],
  now: Date,
  settings: ReliabilitySettings,
): Promise<Map<string, WorkerReliability>> {
  if (workerIds.length === 0) return new Map();
  const { since, decidedBefore } = spanBefore(now, settings);
  const rows = await findWorkerFacts(db, workerIds, since, decidedBefore);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        percent: keptPercent(row.kept, row.late_cancellations + row.no_shows + row.interviews_missed),
        kept: row.kept,
        lateCancellations: row.late_cancellations,
        noShows: row.no_shows,
        lateArrivals: row.late_arrivals,
        interviewsMissed: row.interviews_missed,
      },
    ]),
  );
}

/** The reliability of one business over the 365 days before `now` (ADR 45). */
export async function businessReliabilityOf(
  db: Db,
  businessId: string,
  now: Date,
  settings: ReliabilitySettings,
): Promise<BusinessReliability> {
  const { since, decidedBefore } = spanBefore(now, settings);
  const facts = await findBusinessFacts(db, businessId, since, decidedBefore);
  if (!facts) throw new Error('a query without a row');
  return {
    percent: keptPercent(facts.kept, facts.late_cancellations + facts.interviews_missed),
    kept: facts.kept,
    lateCancellations: facts.late_cancellations,
    interviewsMissed: facts.interviews_missed,
    answeredPercent: keptPercent(facts.answered, facts.unanswered),
    approvalHours: isEnough(facts.approvals) ? facts.approval_hours : null,
    disputes: facts.disputes,
  };
}
