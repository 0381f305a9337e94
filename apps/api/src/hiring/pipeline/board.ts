import { sumOf } from '@nearhand/contract/arithmetic';
import { type Stage, stages } from '@nearhand/contract/hiring/applicants';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import { sql } from 'kysely';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { jobCardsOf } from '../jobs/job-cards.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';

const awaiting: readonly Stage[] = ['new', 'shortlisted', 'interviewing'];

/** Returns the counts of a job's pipeline. For recruiters. */
export async function boardOfJob(db: Db, scope: Scope, { jobId }: { jobId: string }): Promise<Board> {
  await requireJobRecruiter(db, scope.actor.accountId, jobId);
  const card = (await jobCardsOf(db, [jobId], { knowsPlace: true, from: null })).get(jobId);
  const spots = await findJob(db, jobId);
  if (!card) throw new AppError('job/not-found');
  const { questions: _questions, ...job } = card;
  return {
    ...(await lanesOf(db, { jobId })),
    job: { ...job, hired: spots.hiredCount, offered: spots.offeredCount },
  };
}

/** Returns the counts of a business's pipeline. For recruiters. */
export async function boardOfBusiness(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Board> {
  const limit = await requireBusinessRecruiter(db, scope.actor, businessId);
  return { ...(await lanesOf(db, { businessId, limit })), job: null };
}

async function lanesOf(
  db: Db,
  owner: Parameters<typeof countLanes>[1],
): Promise<Pick<Board, 'stages' | 'waiting'>> {
  const [lanes, unopened] = await Promise.all([countLanes(db, owner), countUnopened(db, owner)]);
  const countOf = (stage: Stage) => lanes.find((lane) => lane.stage === stage)?.count ?? 0;
  const first = lanes
    .filter((lane) => awaiting.includes(lane.stage) && lane.firstDecideBy !== null)
    .map((lane) => (lane.firstDecideBy as Date).getTime());
  return {
    stages: Object.fromEntries(stages.map((stage) => [stage, countOf(stage)])) as Board['stages'],
    waiting: {
      count: sumOf(awaiting, (stage) => countOf(stage)),
      unopened,
      firstDecideBy: first.length > 0 ? new Date(Math.min(...first)).toISOString() : null,
    },
  };
}

type ApplicantsOf = { jobId: string } | { businessId: string; limit: BranchLimit };

const ofWhom = (owner: ApplicantsOf) =>
  'jobId' in owner
    ? sql`job_id = ${owner.jobId}::uuid`
    : sql`business_id = ${owner.businessId}::uuid ${inBranches(sql`job_id`, owner.limit)}`;

async function countUnopened(db: Db, owner: ApplicantsOf): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from applications where status = 'submitted' and ${ofWhom(owner)}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function countLanes(
  db: Db,
  owner: ApplicantsOf,
): Promise<{ stage: Stage; count: number; firstDecideBy: Date | null }[]> {
  const { rows } = await sql<{ stage: Stage; count: number; firstDecideBy: Date | null }>`
    select stage, count(*) as count, min(decide_by) as first_decide_by from applications
    where ${ofWhom(owner)} group by stage`.execute(db);
  return rows;
}
