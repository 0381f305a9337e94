import type { InviteOutcome, PoolInvitee } from '@nearhand/contract/hiring/pools';
import { workersById } from '../../people/profiles/profiles.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { inviteOutcomes, inviteWorkers } from '../invitations/invitations.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import { matchesFor } from '../matching/match-scores.ts';
import { findPoolWorkers, type PoolRow, requirePool } from './pools.ts';

type PoolAndJob = { poolId: string; jobId: string };

/** @throws pool/not-found, pool/not-allowed, job/not-found, job/not-allowed, job/not-open */
async function requireBoth(db: Db, scope: Scope, { poolId, jobId }: PoolAndJob): Promise<PoolRow> {
  const pool = await requirePool(db, scope, poolId);
  await requireJobRecruiter(db, scope.actor.accountId, jobId);
  const job = await findJob(db, jobId);
  if (job.businessId !== pool.businessId) throw new AppError('job/not-found');
  if (job.status !== 'open') throw new AppError('job/not-open', { status: job.status });
  return pool;
}

/** Returns whom in a pool an invitation would reach. For recruiters. */
export async function poolInvitees(db: Db, scope: Scope, poolAndJob: PoolAndJob): Promise<PoolInvitee[]> {
  const pool = await requireBoth(db, scope, poolAndJob);
  const rows = await findPoolWorkers(db, pool);
  const ids = rows.map((row) => row.workerId);
  const outcomes = await inviteOutcomes(db, scope, poolAndJob.jobId, ids);
  const matches = await matchesFor(db, scope, poolAndJob.jobId, ids);
  const cards = await workersById(db, ids);
  return rows.flatMap((row) => {
    const outcome = outcomes.get(row.workerId);
    const worker = cards.get(row.workerId)?.card;
    if (!outcome || !worker) return [];
    const { workerId, name, photoPath } = worker;
    return [
      {
        worker: { workerId, name, photoPath },
        ...outcome,
        distanceM: matches.get(row.workerId)?.distanceM ?? null,
        timesWorked: row.timesWorked,
      },
    ];
  });
}

/** Invites workers of a pool, each once. Workers no longer in the pool are reported as `gone`. */
export async function invitePool(
  tx: Tx,
  scope: Scope,
  { workerIds, message, ...poolAndJob }: PoolAndJob & { workerIds: string[]; message: string },
): Promise<{ results: { workerId: string; sent: boolean; outcome: InviteOutcome }[] }> {
  const pool = await requireBoth(tx, scope, poolAndJob);
  const members = new Set((await findPoolWorkers(tx, pool)).map((row) => row.workerId));
  const inPool = workerIds.filter((workerId) => members.has(workerId));
  const formerMemberIds = workerIds.filter((workerId) => !members.has(workerId));
  const results = await inviteWorkers(tx, scope, { jobId: poolAndJob.jobId, workerIds: inPool, message });
  return {
    results: [
      ...results,
      ...[...new Set(formerMemberIds)].map((workerId) => ({
        workerId,
        sent: false,
        outcome: 'gone' as const,
      })),
    ],
  };
}
