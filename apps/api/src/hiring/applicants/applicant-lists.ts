import {
  type Applicant,
  type ApplicantGroup,
  type ApplicantSort,
  type Stage,
  stages,
} from '@nearhand/contract/hiring/applicants';
import { groupHas, owedStages } from '@nearhand/contract/hiring/applications.rules';
import type { Page } from '@nearhand/contract/operation';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isNamed, nameWordsOf } from '../../people/accounts/accounts.columns.ts';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { wasWorked } from '../../work/engagements/engagements.sql.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import {
  type ApplicantRow,
  applicantColumns,
  applicantJoins,
  findOfWorker,
  toApplicant,
} from './applicant-views.ts';

type ListInput = {
  group?: ApplicantGroup;
  stage?: Stage;
  sort: ApplicantSort;
  q?: string;
  skill?: SkillId;
  tag?: string;
  withinM?: number;
  rehire?: boolean;
  cursor?: string;
  limit: number;
};

const maxPerWorker = 100;

/** A page of a job's applicants, for its recruiters. */
export async function applicantsOfJob(
  db: Db,
  scope: Scope,
  input: ListInput & { jobId: string },
): Promise<Page<Applicant>> {
  await requireJobRecruiter(db, scope.actor.accountId, input.jobId);
  return applicantPage(db, { jobId: input.jobId }, input);
}

/** Applicants for all jobs, for recruiters; those limited to branches see only these. */
export async function applicantsOfBusiness(
  db: Db,
  scope: Scope,
  input: ListInput & { businessId: string },
): Promise<Page<Applicant>> {
  const limit = await requireBusinessRecruiter(db, scope.actor, input.businessId);
  return applicantPage(db, { businessId: input.businessId, limit }, input);
}

async function applicantPage(db: Db, owner: ApplicantsOf, input: ListInput): Promise<Page<Applicant>> {
  const order = orders[input.sort];
  const query = {
    owner,
    stages: stagesOf(input),
    nameWords: nameWordsOf(input.q),
    skill: input.skill ?? null,
    tag: input.tag ?? null,
    withinM: input.withinM ?? null,
    rehire: input.rehire ?? false,
    limit: input.limit + 1,
  };
  const rows = await findApplicants(db, query, order.pickPage(query, input.cursor));
  const page = cutPage(rows, input.limit, order.keyOf);
  return { items: page.items.map(toApplicant), nextCursor: page.nextCursor };
}

const stagesOf = ({ group, stage }: ListInput): Stage[] =>
  stages.filter((candidate) => (stage === undefined || candidate === stage) && groupHas(group, candidate));

/** Lists up to 100 of a worker's applications where the caller hires. */
export async function applicationsOfWorker(
  db: Db,
  scope: Scope,
  { workerId }: { workerId: string },
): Promise<Applicant[]> {
  const rows = await findOfWorker(db, workerId, scope.actor.accountId, maxPerWorker);
  if (rows.length === 0) throw new AppError('profile/not-found');
  return rows.map(toApplicant);
}

type ApplicantsOf = { jobId: string } | { businessId: string; limit: BranchLimit };
type ApplicantQuery = {
  owner: ApplicantsOf;
  stages: readonly Stage[];
  nameWords: readonly string[];
  skill: SkillId | null;
  tag: string | null;
  withinM: number | null;
  rehire: boolean;
  limit: number;
};

const answered = sql`(application.stage <> all(${[...owedStages]}::text[]))::int`;

const ofWhom = (owner: ApplicantsOf) =>
  'jobId' in owner
    ? sql`application.job_id = ${owner.jobId}::uuid`
    : sql`application.business_id = ${owner.businessId}::uuid ${inBranches(sql`application.job_id`, owner.limit)}`;

/** Withdrawn applicants are searchable by name only. */
function filters({ nameWords, skill, tag, withinM, rehire }: ApplicantQuery): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  const nameMatches = isNamed(sql`application.worker_id`, nameWords);
  if (nameMatches) parts.push(nameMatches);
  if (skill !== null)
    parts.push(sql`exists (select from profiles skilled where skilled.account_id = application.worker_id
      and skilled.skills @> ${JSON.stringify([{ skill }])}::jsonb)`);
  if (tag !== null)
    parts.push(sql`exists (select from applicant_tags tagged
      where tagged.application_id = application.id and lower(tagged.tag) = lower(${tag}))`);
  if (withinM !== null) parts.push(sql`application.distance_m <= ${withinM}`);
  if (rehire)
    parts.push(sql`exists (select from engagements worked where worked.worker_id = application.worker_id
      and worked.business_id = application.business_id and ${wasWorked('worked')})`);
  if (skill !== null || withinM !== null || rehire) parts.push(sql`application.status <> 'withdrawn'`);
  return parts.length === 0 ? sql`` : sql`and ${sql.join(parts, sql` and `)}`;
}

type Order = {
  /** The key of a row in this order, for the cursor. */
  keyOf: (row: ApplicantRow) => readonly (string | number)[];
  /** Picks the ids of a page by index keys. @throws request/bad-cursor */
  pickPage: (query: ApplicantQuery, cursor: string | undefined) => RawBuilder<unknown>;
};

const orderOf = <Key extends readonly (string | number)[]>(order: {
  key: z.ZodType<Key>;
  keyOf: (row: ApplicantRow) => Key;
  pick: (query: ApplicantQuery, after: Key | null) => RawBuilder<unknown>;
}): Order => ({
  keyOf: order.keyOf,
  pickPage: (query, cursor) => order.pick(query, decodeCursor(cursor, order.key)),
});

const fromStages = (query: ApplicantQuery) => sql`from applications application
    where ${ofWhom(query.owner)} and application.stage = any(${[...query.stages]}) ${filters(query)}`;

const orders: Readonly<Record<ApplicantSort, Order>> = {
  // Merges the stages, each of which is indexed in this order.
  match: orderOf<[number, string]>({
    key: z.tuple([z.int().min(0).max(100), z.uuid()]),
    keyOf: (row) => [row.matchScore, row.id],
    pick: (
      query,
      after,
    ) => sql`select best.id, row_number() over (order by best.match_score desc, best.id desc) as place
      from unnest(${[...query.stages]}::text[]) lane (stage) cross join lateral (
        select application.id, application.match_score from applications application
        where ${ofWhom(query.owner)} and application.stage = lane.stage ${filters(query)}
          ${after ? sql`and (application.match_score, application.id) < (${after[0]}::smallint, ${after[1]}::uuid)` : sql``}
        order by application.match_score desc, application.id desc limit ${query.limit}) best
      order by best.match_score desc, best.id desc limit ${query.limit}`,
  }),
  newest: orderOf<[string, string]>({
    key: newestCursor,
    keyOf: (row) => [row.submittedAt.toISOString(), row.id],
    pick: (
      query,
      after,
    ) => sql`select application.id, row_number() over (order by application.submitted_at desc, application.id desc) as place
      ${fromStages(query)} ${andBefore(sql`application.submitted_at, application.id`, after)}
      order by application.submitted_at desc, application.id desc limit ${query.limit}`,
  }),
  // Few applicants are waiting, so sorting them is cheap.
  deadline: orderOf<[number, string, string]>({
    key: z.tuple([z.int().min(0).max(1), z.iso.datetime(), z.uuid()]),
    keyOf: (row) => [owedStages.includes(row.stage) ? 0 : 1, row.decideBy.toISOString(), row.id],
    pick: (
      query,
      after,
    ) => sql`select application.id, row_number() over (order by ${answered}, application.decide_by, application.id) as place
      ${fromStages(query)} ${
        after
          ? sql`and (${answered}, application.decide_by, application.id) > (${after[0]}::int, ${after[1]}::timestamptz, ${after[2]}::uuid)`
          : sql``
      }
      order by ${answered}, application.decide_by, application.id limit ${query.limit}`,
  }),
};

/** Fills a page after it was picked, so its cost does not depend on the number of applicants. */
async function findApplicants(
  db: Db,
  { stages: queryStages }: ApplicantQuery,
  picked: RawBuilder<unknown>,
): Promise<ApplicantRow[]> {
  if (queryStages.length === 0) return [];
  const { rows } = await sql<ApplicantRow>`
    with picked as materialized (${picked})
    select ${applicantColumns} from picked join applications application on application.id = picked.id ${applicantJoins}
    order by picked.place`.execute(db);
  return rows;
}
