import type { questionKinds } from '@nearhand/contract/hiring/job-posting';
import type { JobStanding, JobStatus, ListedSort } from '@nearhand/contract/hiring/jobs';
import { isPast } from '@nearhand/contract/hiring/jobs.rules';
import type { MemberRole } from '@nearhand/contract/operation';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type { Db, ReadDb } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { type CardRow, cardColumns, closedUnseen, type FlagColumns, flagColumns } from './jobs.columns.ts';

/** What a full job adds to its card, and its relation to the viewer. */
export type JobViewRow = CardRow &
  FlagColumns & {
    version: number;
    status: JobStatus;
    description: string;
    requirements: string[];
    skills: SkillId[];
    expires_at: Date | null;
    source_url: string | null;
    pay_reason: string | null;
    short_reason: string | null;
    business_cover: string | null;
    photo_ids: string[];
    applicants: number;
    new_applicants: number;
    /** Closed before anyone could see it: it was never open, or was suspended. */
    closed_unseen: boolean;
    role: MemberRole | null;
    /** A member of the business who is limited to other branches. */
    colleague: boolean;
    branch: { id: string; name: string; address: string; lat: number; lng: number } | null;
    my_application: { id: string; status: string } | null;
    questions: {
      id: string;
      prompt: string;
      kind: (typeof questionKinds)[number];
      choices: string[];
      required: boolean;
    }[];
  };

export const wholeColumns = sql`job.version, job.status, job.description, job.requirements, job.skills, ${flagColumns},
  job.expires_at, job.source_url, job.pay_reason, job.short_reason`;

const applicantCounts = sql`
  left join lateral (
    select count(*) filter (where status <> 'withdrawn') as applicants, count(*) filter (where status = 'submitted') as new_applicants
    from applications where job_id = job.id) counts on true`;

/** One job with its relation to this account (null: a guest). One statement, since it is the most visited page. */
export async function findJobView(
  db: ReadDb,
  jobId: string,
  accountId: string | null,
): Promise<JobViewRow | undefined> {
  const { rows } = await sql<JobViewRow>`${keptPlan}
    select ${cardColumns}, ${wholeColumns}, business.cover_file_id as business_cover, member.role,
      array(select file_id::text from job_photos where job_id = job.id order by position) as photo_ids,
      member.role is null and exists (select from business_members own
        where own.business_id = job.business_id and own.account_id = ${accountId}::uuid) as colleague,
      job.status = 'closed' and ${closedUnseen} as closed_unseen,
      case when member.role is not null then (select count(*) from applications where job_id = job.id and status <> 'withdrawn') else 0 end as applicants,
      case when member.role is not null then (select count(*) from applications where job_id = job.id and status = 'submitted') else 0 end as new_applicants,
      case when member.role is not null then (select jsonb_build_object('id', id, 'name', name, 'address', address, 'lat', lat, 'lng', lng)
        from branches where branches.id = job.branch_id) end as branch,
      (select jsonb_build_object('id', id, 'status', status) from applications
        where job_id = job.id and worker_id = ${accountId}::uuid and status <> 'withdrawn') as my_application,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'prompt', prompt, 'kind', kind, 'choices', choices, 'required', required)
        order by position) from job_questions where job_id = job.id), '[]') as questions
    from jobs job
    join businesses business on business.id = job.business_id
    left join job_members member on member.job_id = job.id and member.account_id = ${accountId}::uuid
    where job.id = ${jobId}`.execute(db);
  return rows[0];
}

/** Cards by id, unordered; with status, for lists of other slices. */
export async function findCards(
  db: Db,
  jobIds: readonly string[],
): Promise<(CardRow & { status: JobStatus })[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await sql<CardRow & { status: JobStatus }>`${keptPlan}
    select ${cardColumns}, job.status
    from jobs job join businesses business on business.id = job.business_id
    where job.id = any(${[...jobIds]}::uuid[])`.execute(db);
  return rows;
}

/** A few open jobs with the place that everyone may know. */
export async function findSomeOpen(
  db: Db,
  count: number,
): Promise<{ id: string; lat: number; lng: number }[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'public_lat as lat', 'public_lng as lng'])
    .where('status', '=', 'open')
    .limit(count)
    .execute();
}

/** Open jobs of the same category nearest to this one, excluding it. */
export async function findSimilar(db: ReadDb, job: CardRow, limit: number): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from (
      select * from jobs where status = 'open' and category = ${job.category} and id <> ${job.id}
      order by pos <-> (select pos from jobs where id = ${job.id}) limit ${limit}) job
    join businesses business on business.id = job.business_id
    order by job.pos <-> (select pos from jobs where id = ${job.id}), job.id`.execute(db);
  return rows;
}

export type ListedRow = CardRow & {
  version: number;
  status: JobStatus;
  expires_at: Date | null;
  created_at: Date;
  start_rank: number;
  folded_title: string;
  applicants: number;
  new_applicants: number;
  branch: { id: string; name: string } | null;
};

/** Jobs of a business or one of its branches, as far as the reader's limit allows. */
export type JobsOf = { businessId: string; branchId: string | null; limit: BranchLimit; q: string | null };
/** `jobStanding` of the contract in SQL, of `jobs`. */
const standingOf = (now: Date) => sql`case
  when status in ('expired', 'paused') or (status = 'filled' and kind = 'shift') then case
    when coalesce(starts_at > ${now}::timestamptz, true)
      and coalesce((${now}::timestamptz at time zone time_zone)::date <= due_on, true) then status
    when hired_count = 0 then 'not_filled'
    when ends_at > ${now}::timestamptz then 'in_progress'
    else 'finished' end
  else status end`;
/** The statuses that jobs of this standing have, for the index. */
const statusesOf = (standing: JobStanding): readonly string[] =>
  isPast(standing) ? ['expired', 'paused', 'filled'] : [standing];
const jobsOf = ({ businessId, branchId, limit, q }: JobsOf) =>
  sql`business_id = ${businessId} ${branchId === null ? sql`` : sql`and branch_id = ${branchId}`}
    ${limit === null ? sql`` : sql`and branch_id = any(${[...limit]}::uuid[])`} ${named(q)}`;
/** Every word somewhere in the title. */
const named = (q: string | null) =>
  sql.join(
    (q ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map(
        (word) =>
          sql`and folded_name(title) like '%' || regexp_replace(folded_name(${word}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`,
      ),
    sql` `,
  );

/** The order of each sort, and where its next page begins. */
const orders = {
  newest: {
    by: sql`created_at desc, id desc`,
    after: ([at, id]: ListedKey) => sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`,
  },
  start: {
    by: sql`start_rank, id`,
    after: ([rank, id]: ListedKey) => sql`(start_rank, id) > (${rank}::integer, ${id}::uuid)`,
  },
  title: {
    by: sql`folded_name(title), id`,
    after: ([title, id]: ListedKey) => sql`(folded_name(title), id) > (${title}::text, ${id}::uuid)`,
  },
};
/** The same order of the page's rows once they are joined. */
const sortedJob = {
  newest: sql`job.created_at desc, job.id desc`,
  start: sql`job.start_rank, job.id`,
  title: sql`folded_name(job.title), job.id`,
};
/** The sort value and id of a page's last row. */
export type ListedKey = readonly [string | number, string];

/** The jobs of a business in the given order, after the cursor's row. The page is cut before applicants are counted. */
export async function findListed(
  db: Db,
  of: JobsOf,
  options: {
    standing: JobStanding | null;
    now: Date;
    sort: ListedSort;
    after: ListedKey | null;
    limit: number;
  },
): Promise<ListedRow[]> {
  const { by, after } = orders[options.sort];
  const { rows } = await sql<ListedRow>`
    select ${cardColumns}, job.version, job.status, job.expires_at, job.created_at, job.start_rank,
      folded_name(job.title) as folded_title, counts.applicants, counts.new_applicants,
      (select jsonb_build_object('id', id, 'name', name) from branches where branches.id = job.branch_id) as branch
    from (select * from jobs
      where ${jobsOf(of)}
        ${options.standing === null ? sql`` : sql`and status = any(${[...statusesOf(options.standing)]}) and ${standingOf(options.now)} = ${options.standing}`}
        ${options.after === null ? sql`` : sql`and ${after(options.after)}`}
      order by ${by} limit ${options.limit}) job
    join businesses business on business.id = job.business_id ${applicantCounts}
    order by ${sortedJob[options.sort]}`.execute(db);
  return rows;
}

/** The number of a business's jobs per standing. */
export async function countByStanding(
  db: Db,
  of: JobsOf,
  now: Date,
): Promise<{ standing: JobStanding; count: number }[]> {
  const { rows } = await sql<{ standing: JobStanding; count: number }>`
    select standing, count(*) as count from (select ${standingOf(now)} as standing from jobs where ${jobsOf(of)}) listed
    group by standing`.execute(db);
  return rows;
}
