import type { Candidate } from '@nearhand/contract/hiring/invitations';
import { workersById } from '../../people/profiles/profiles.service.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireRecruiter } from '../jobs/job-views.service.ts';
import { matchesFor } from '../matching/match-scores.service.ts';
import { findCandidates } from './candidates.sql.ts';

/** Scores are calculated for the latest applicants; the best of them are shown. */
const looked = { applications: 2_000, workers: 200 };
const maxCandidates = 50;

/**
 * People who can be invited to a job, best match first, at most 50; for its recruiters.
 * @throws job/not-found, job/not-allowed
 */
export async function listCandidates(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<Candidate[]> {
  await requireRecruiter(db, scope.actor.accountId, jobId);
  const rows = await findCandidates(db, { jobId, accountId: scope.actor.accountId }, looked);
  const matches = await matchesFor(
    db,
    scope,
    jobId,
    rows.map((row) => row.worker_id),
  );
  const best = rows
    .flatMap((row) => {
      const match = matches.get(row.worker_id);
      return match ? [{ ...row, match }] : [];
    })
    .sort((a, b) => b.match.match_score - a.match.match_score || (a.worker_id < b.worker_id ? -1 : 1))
    .slice(0, maxCandidates);
  const workers = await workersById(
    db,
    best.map((row) => row.worker_id),
  );
  return best.flatMap((row) => {
    const worker = workers.get(row.worker_id)?.card;
    if (!worker) return [];
    return [
      {
        worker,
        matchScore: row.match.match_score,
        match: row.match.match_reasons,
        invitedAt: row.invited_at?.toISOString() ?? null,
      },
    ];
  });
}
