import type { BusinessReliability, WorkerReliability } from '@nearhand/contract/reliability';
import type { Db } from '../../platform/db.ts';

/**
 * For rankings and views: the reliability of up to some hundred workers, in one query; every id asked for has an entry.
 * @param now the end of the 365 days that count (`scope.clock.now()`)
 */
export async function workerReliabilityOf(
  _db: Db,
  workerIds: readonly string[],
  _now: Date,
): Promise<Map<string, WorkerReliability>> {
  return new Map(
    workerIds.map((id) => [
      id,
      { percent: null, kept: 0, lateCancellations: 0, noShows: 0, lateArrivals: 0, interviewsMissed: 0 },
    ]),
  );
}

/** The reliability of one business over the 365 days before `now`. */
export async function businessReliabilityOf(
  _db: Db,
  _businessId: string,
  _now: Date,
): Promise<BusinessReliability> {
  return {
    percent: null,
    kept: 0,
    lateCancellations: 0,
    interviewsMissed: 0,
    answeredPercent: null,
    approvalHours: null,
    disputes: 0,
  };
}
