import { roughDistanceM } from '@nearhand/contract/hiring/home-distance.rules';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import type { Availability, WorkerSkill } from '@nearhand/contract/people/profiles';
import type { CategoryId, SkillId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { timesWorked } from '../../work/engagements/engagements.sql.ts';
import { measureWorkers } from '../reliability/reliability.ts';
import { type MatchWorker, matchOf } from './matching.rules.ts';

export type Match = { matchScore: number; matchReasons: MatchReason[]; distanceM: number | null };

const unknown: MatchWorker['reliability'] = { percent: null, kept: 0, lateCancellations: 0, noShows: 0 };

type SubmitFacts = Pick<
  MatchFacts,
  'skills' | 'availability' | 'homeLat' | 'homeLng' | 'timesHere' | 'reviewStars'
> & {
  jobLat: number | null;
  jobLng: number | null;
  hasRecord: boolean;
};

/** Uses facts that the submission has already read. Queries reliability only for workers with a record. */
export async function matchAtSubmit(
  tx: Tx,
  scope: ClockConfigScope,
  workerId: string,
  job: Pick<Job, 'category' | 'skills' | 'startsAt' | 'endsAt' | 'timeZone'>,
  facts: SubmitFacts,
): Promise<Match> {
  const reliability = facts.hasRecord
    ? (await measureWorkers(tx, [workerId], scope.clock.now(), scope.config)).get(workerId)
    : undefined;
  const { startsAt, endsAt } = job;
  return computeMatch(
    {
      workerId,
      category: job.category,
      jobSkills: job.skills,
      startsAt: startsAt === null ? null : new Date(startsAt),
      endsAt: endsAt === null ? null : new Date(endsAt),
      timeZone: job.timeZone,
      lat: facts.jobLat ?? 0,
      lng: facts.jobLng ?? 0,
      skills: facts.skills,
      availability: facts.availability,
      homeLat: facts.homeLat,
      homeLng: facts.homeLng,
      timesHere: facts.timesHere,
      reviewStars: facts.reviewStars,
    },
    reliability,
  );
}

function computeMatch(facts: MatchFacts, reliability: MatchWorker['reliability'] = unknown): Match {
  const { homeLat: lat, homeLng: lng } = facts;
  const distanceM = lat === null || lng === null ? null : roughDistanceM({ lat, lng }, facts);
  const { score, reasons } = matchOf(
    {
      category: facts.category,
      skills: facts.jobSkills,
      startsAt: facts.startsAt,
      endsAt: facts.endsAt,
      timeZone: facts.timeZone,
    },
    {
      skills: facts.skills ?? [],
      availability: facts.availability ?? [],
      distanceM,
      reliability,
      timesHere: facts.timesHere,
      stars: facts.reviewStars ?? [],
    },
  );
  return { matchScore: score, matchReasons: reasons, distanceM };
}

/** Scores of workers for one job (product.md, Matching); workers without a profile are absent. */
export async function matchesFor(
  db: Db,
  scope: ClockConfigScope,
  jobId: string,
  workerIds: readonly string[],
): Promise<Map<string, Match>> {
  if (workerIds.length === 0) return new Map();
  const facts = await findFactsFor(db, jobId, workerIds);
  const reliability = await measureWorkers(db, workerIds, scope.clock.now(), scope.config);
  return new Map(facts.map((row) => [row.workerId, computeMatch(row, reliability.get(row.workerId))]));
}

const batch = 200;

/** Ranks the open applications of a job or a worker, for the tasks of `ranking.ts`. */
export async function rankApplications(
  { db, clock, config }: TaskScope,
  filter: { jobId: string } | { workerId: string },
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const rows: Awaited<ReturnType<typeof findLiveFacts>> = await findLiveFacts(db, filter, after, batch);
    const workerIds = [...new Set(rows.map((row) => row.workerId))];
    const reliability = await measureWorkers(db, workerIds, clock.now(), config);
    await updateMatches(
      db,
      rows.map((row) => ({ id: row.id, ...computeMatch(row, reliability.get(row.workerId)) })),
    );
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batch || after === null) return;
  }
}

type MatchFacts = {
  workerId: string;
  category: CategoryId;
  jobSkills: SkillId[];
  startsAt: Date | null;
  endsAt: Date | null;
  timeZone: string;
  lat: number;
  lng: number;
  skills: WorkerSkill[] | null;
  availability: Availability | null;
  homeLat: number | null;
  homeLng: number | null;
  timesHere: number;
  reviewStars: number[] | null;
};

const factColumns = sql`worker.id as worker_id, job.category, job.skills as job_skills, job.starts_at, job.ends_at, job.time_zone,
  job.lat, job.lng, profile.skills, profile.availability, profile.home_lat, profile.home_lng, profile.review_stars,
  ${timesWorked(sql`worker.id`, sql`job.business_id`)} as times_here`;

type ApplicationMatchFacts = MatchFacts & { id: string };

async function findLiveFacts(
  db: Db,
  filter: { jobId: string } | { workerId: string },
  afterId: string | null,
  limit: number,
): Promise<ApplicationMatchFacts[]> {
  const condition =
    'jobId' in filter
      ? sql`application.job_id = ${filter.jobId}`
      : sql`application.worker_id = ${filter.workerId}`;
  const { rows } = await sql<ApplicationMatchFacts>`
    select application.id, ${factColumns}
    from applications application
    join jobs job on job.id = application.job_id
    join accounts worker on worker.id = application.worker_id
    left join profiles profile on profile.account_id = worker.id
    where ${condition} and application.stage not in ('done', 'ended') ${afterId === null ? sql`` : sql`and application.id > ${afterId}::uuid`}
    order by application.id limit ${limit}`.execute(db);
  return rows;
}

async function findFactsFor(db: Db, jobId: string, workerIds: readonly string[]): Promise<MatchFacts[]> {
  const { rows } = await sql<MatchFacts>`
    select ${factColumns} from jobs job
    join accounts worker on worker.id = any(${[...workerIds]}::uuid[])
    left join profiles profile on profile.account_id = worker.id
    where job.id = ${jobId}`.execute(db);
  return rows;
}

/** Scores don't change the version. Locks rows in the same order as bulk moves. */
async function updateMatches(
  db: Db,
  matches: readonly {
    id: string;
    matchScore: number;
    matchReasons: readonly MatchReason[];
    distanceM: number | null;
  }[],
): Promise<void> {
  if (matches.length === 0) return;
  await sql`
    with input as (
      select * from jsonb_to_recordset(${asRecords(matches)}::jsonb)
        as one (id uuid, match_score smallint, match_reasons jsonb, distance_m integer)
    ), held as (
      select application.id from applications application join input on input.id = application.id
      where (application.match_score, application.match_reasons, application.distance_m)
        is distinct from (input.match_score, input.match_reasons, input.distance_m)
      order by application.id for update of application
    )
    update applications set match_score = input.match_score, match_reasons = input.match_reasons, distance_m = input.distance_m
    from input join held on held.id = input.id where applications.id = input.id`.execute(db);
}
