import { roughDistanceM } from '@nearhand/contract/hiring/home-distance.rules';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { workerReliabilityOf } from '../reliability/reliability.service.ts';
import { type MatchWorker, matchOf } from './matching.rules.ts';
import { findFactsFor, findLiveFacts, type MatchFacts, updateMatches } from './matching.sql.ts';

export type Match = { match_score: number; match_reasons: MatchReason[]; distance_m: number | null };

const unknown: MatchWorker['reliability'] = { percent: null, kept: 0, lateCancellations: 0, noShows: 0 };

/** What a submission has read about the worker and the job. */
type SubmitFacts = Pick<
  MatchFacts,
  'skills' | 'availability' | 'home_lat' | 'home_lng' | 'times_here' | 'review_stars'
> & {
  job_lat: number | null;
  job_lng: number | null;
  has_record: boolean;
};

/** The match of an applicant, from facts that the submission has already read. Reliability is queried only where there is a record. */
export async function matchAtSubmit(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  workerId: string,
  job: Pick<Job, 'category' | 'skills' | 'startsAt' | 'endsAt' | 'timeZone'>,
  facts: SubmitFacts,
): Promise<Match> {
  const reliability = facts.has_record
    ? (await workerReliabilityOf(tx, [workerId], scope.clock.now(), scope.config)).get(workerId)
    : undefined;
  const { startsAt, endsAt } = job;
  return computeMatch(
    {
      worker_id: workerId,
      category: job.category,
      job_skills: job.skills,
      starts_at: startsAt === null ? null : new Date(startsAt),
      ends_at: endsAt === null ? null : new Date(endsAt),
      time_zone: job.timeZone,
      lat: facts.job_lat ?? 0,
      lng: facts.job_lng ?? 0,
      skills: facts.skills,
      availability: facts.availability,
      home_lat: facts.home_lat,
      home_lng: facts.home_lng,
      times_here: facts.times_here,
      review_stars: facts.review_stars,
    },
    reliability,
  );
}

function computeMatch(facts: MatchFacts, reliability: MatchWorker['reliability'] = unknown): Match {
  const { home_lat: lat, home_lng: lng } = facts;
  const distanceM = lat === null || lng === null ? null : roughDistanceM({ lat, lng }, facts);
  const { score, reasons } = matchOf(
    {
      category: facts.category,
      skills: facts.job_skills,
      startsAt: facts.starts_at,
      endsAt: facts.ends_at,
      timeZone: facts.time_zone,
    },
    {
      skills: facts.skills ?? [],
      availability: facts.availability ?? [],
      distanceM,
      reliability,
      timesHere: facts.times_here,
      stars: facts.review_stars ?? [],
    },
  );
  return { match_score: score, match_reasons: reasons, distance_m: distanceM };
}

/** For the pipeline slice: how workers match a job they have not applied for. */
export async function matchesFor(
  db: Db,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
  workerIds: readonly string[],
): Promise<Map<string, Match>> {
  if (workerIds.length === 0) return new Map();
  const facts = await findFactsFor(db, jobId, workerIds);
  const reliability = await workerReliabilityOf(db, workerIds, scope.clock.now(), scope.config);
  return new Map(facts.map((row) => [row.worker_id, computeMatch(row, reliability.get(row.worker_id))]));
}

const batch = 200;

/** For the runner: ranks a job's live applications again, in batches. Idempotent. */
export const rankLiveOfJob = (scope: TaskScope, jobId: string): Promise<void> => rankLive(scope, { jobId });

/** For the runner: ranks a worker's live applications again. */
export const rankLiveOfWorker = (scope: TaskScope, workerId: string): Promise<void> =>
  rankLive(scope, { workerId });

async function rankLive(
  { db, clock, config }: TaskScope,
  of: { jobId: string } | { workerId: string },
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const rows: Awaited<ReturnType<typeof findLiveFacts>> = await findLiveFacts(db, of, after, batch);
    const workerIds = [...new Set(rows.map((row) => row.worker_id))];
    const reliability = await workerReliabilityOf(db, workerIds, clock.now(), config);
    await updateMatches(
      db,
      rows.map((row) => ({ id: row.id, ...computeMatch(row, reliability.get(row.worker_id)) })),
    );
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batch || after === null) return;
  }
}
