import type { Stage } from '@nearhand/contract/hiring/applicants';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type ApplicantRow, applicantColumns, applicantJoins } from './applicant-views.sql.ts';

export type ApplicantsOf = { jobId: string } | { businessId: string };
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
);

const ofWhom = (of: ApplicantsOf) =>
  'jobId' in of
    ? sql`application.job_id = ${of.jobId}::uuid`
    : sql`application.business_id = ${of.businessId}::uuid`;

/** Withdrawn applicants are searchable by name only. */
function filters({ nameWords, skill, tag, withinM, rehire }: ApplicantQuery): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (nameWords.length > 0)
    parts.push(
      sql`exists (select from accounts named where named.id = application.worker_id and ${sql.join(
        nameWords.map(
          (word) =>
            // Folding turns some characters into `%`, `_` and `\`, so they are escaped after it.
            sql`folded_name(named.name) like '%' || regexp_replace(folded_name(${word}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`,
        ),
        sql` and `,
      )})`,
    );
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

/**
 * Applicants of one job, or over all jobs of a business. The page is picked by index keys alone and only then filled, so its cost does not
 * depend on how many applied. Best first merges the lanes, each of which is indexed in that order.
 */
export async function findApplicants(
  db: Db,
  of: ApplicantsOf,
  options: ApplicantQuery,
): Promise<ApplicantRow[]> {
  const { stages, after, limit } = options;
  if (stages.length === 0) return [];
  const picked =
    options.sort === 'match'
      ? sql`select best.id, row_number() over (order by best.match_score desc, best.id desc) as place
          from unnest(${[...stages]}::text[]) lane (stage) cross join lateral (
            select application.id, application.match_score from applications application
            where ${ofWhom(of)} and application.stage = lane.stage ${filters(options)}
              ${after ? sql`and (application.match_score, application.id) < (${after[0]}::smallint, ${after[1]}::uuid)` : sql``}
            order by application.match_score desc, application.id desc limit ${limit}) best
          order by best.match_score desc, best.id desc limit ${limit}`
      : sql`select application.id, row_number() over (order by application.submitted_at desc, application.id desc) as place
          from applications application
          where ${ofWhom(of)} and application.stage = any(${[...stages]}) ${filters(options)}
            ${after ? sql`and (application.submitted_at, application.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
          order by application.submitted_at desc, application.id desc limit ${limit}`;
  const { rows } = await sql<ApplicantRow>`
    with picked as materialized (${picked})
    select ${applicantColumns} from picked join applications application on application.id = picked.id ${applicantJoins}
    order by picked.place`.execute(db);
  return rows;
}
