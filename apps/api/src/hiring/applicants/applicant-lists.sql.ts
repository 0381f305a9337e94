import type { Stage } from '@nearhand/contract/hiring/applicants';
import { owedStages } from '@nearhand/contract/hiring/applicants.rules';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { type RawBuilder, sql } from 'kysely';
import { isNamed } from '../../people/accounts/accounts.columns.ts';
import type { Db } from '../../platform/db.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { type ApplicantRow, applicantColumns, applicantJoins } from './applicant-views.sql.ts';

export type ApplicantsOf = { jobId: string } | { businessId: string; limit: BranchLimit };
export type ApplicantQuery = {
  stages: readonly Stage[];
  /** Each word must be in the name. */
  nameWords: readonly string[];
  skill: SkillId | null;
  tag: string | null;
  withinM: number | null;
  rehire: boolean;
  limit: number;
} & (
  | { sort: 'match'; after: readonly [number, string] | null }
  | { sort: 'newest'; after: readonly [string, string] | null }
  /** The first: 0 where an answer is owed, otherwise 1. */
  | { sort: 'deadline'; after: readonly [number, string, string] | null }
);

const answered = sql`(application.stage <> all(${[...owedStages]}::text[]))::int`;

const ofWhom = (of: ApplicantsOf) =>
  'jobId' in of
    ? sql`application.job_id = ${of.jobId}::uuid`
    : sql`application.business_id = ${of.businessId}::uuid ${inBranches(sql`application.job_id`, of.limit)}`;

/** Withdrawn applicants are searchable by name only. */
function filters({ nameWords, skill, tag, withinM, rehire }: ApplicantQuery): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  const named = isNamed(sql`application.worker_id`, nameWords);
  if (named) parts.push(named);
  if (skill !== null)
    parts.push(sql`exists (select from profiles skilled where skilled.account_id = application.worker_id
      and skilled.skills @> ${JSON.stringify([{ skill }])}::jsonb)`);
  if (tag !== null)
    parts.push(sql`exists (select from applicant_tags tagged
      where tagged.application_id = application.id and lower(tagged.tag) = lower(${tag}))`);
  if (withinM !== null) parts.push(sql`application.distance_m <= ${withinM}`);
  if (rehire)
    parts.push(sql`exists (select from engagements worked where worked.worker_id = application.worker_id
      and worked.business_id = application.business_id and worked.status in ('approved', 'completed'))`);
  if (skill !== null || withinM !== null || rehire) parts.push(sql`application.status <> 'withdrawn'`);
  return parts.length === 0 ? sql`` : sql`and ${sql.join(parts, sql` and `)}`;
}

/** The ids of the page with their places. Best first merges the lanes, each of which is indexed in that order. */
function pickedBy(of: ApplicantsOf, options: ApplicantQuery): RawBuilder<unknown> {
  const { stages, limit } = options;
  if (options.sort === 'match')
    return sql`select best.id, row_number() over (order by best.match_score desc, best.id desc) as place
      from unnest(${[...stages]}::text[]) lane (stage) cross join lateral (
        select application.id, application.match_score from applications application
        where ${ofWhom(of)} and application.stage = lane.stage ${filters(options)}
          ${options.after ? sql`and (application.match_score, application.id) < (${options.after[0]}::smallint, ${options.after[1]}::uuid)` : sql``}
        order by application.match_score desc, application.id desc limit ${limit}) best
      order by best.match_score desc, best.id desc limit ${limit}`;
  const some = sql`from applications application
    where ${ofWhom(of)} and application.stage = any(${[...stages]}) ${filters(options)}`;
  if (options.sort === 'newest')
    return sql`select application.id, row_number() over (order by application.submitted_at desc, application.id desc) as place
      ${some} ${options.after ? sql`and (application.submitted_at, application.id) < (${options.after[0]}::timestamptz, ${options.after[1]}::uuid)` : sql``}
      order by application.submitted_at desc, application.id desc limit ${limit}`;
  // By the lanes' indexes alone, which include the time: who waits is few, and every one of them may be the first.
  return sql`select application.id, row_number() over (order by ${answered}, application.decide_by, application.id) as place
    ${some} ${
      options.after
        ? sql`and (${answered}, application.decide_by, application.id) > (${options.after[0]}::int, ${options.after[1]}::timestamptz, ${options.after[2]}::uuid)`
        : sql``
    }
    order by ${answered}, application.decide_by, application.id limit ${limit}`;
}

/**
 * Applicants of one job, or over all jobs of a business. The page is picked by index keys alone and only then filled, so its cost does not
 * depend on how many applied.
 */
export async function findApplicants(
  db: Db,
  of: ApplicantsOf,
  options: ApplicantQuery,
): Promise<ApplicantRow[]> {
  if (options.stages.length === 0) return [];
  const { rows } = await sql<ApplicantRow>`
    with picked as materialized (${pickedBy(of, options)})
    select ${applicantColumns} from picked join applications application on application.id = picked.id ${applicantJoins}
    order by picked.place`.execute(db);
  return rows;
}
