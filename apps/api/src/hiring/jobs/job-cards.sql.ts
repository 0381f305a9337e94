import type { questionKinds } from '@nearhand/contract/hiring/job-posting';
import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
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
    applicants: number;
    new_applicants: number;
    /** Closed before anyone could see it: it was never open, or was suspended. */
    closed_unseen: boolean;
    role: 'owner' | 'manager' | 'recruiter' | 'finance' | null;
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
  job.expires_at, job.source_url`;

const applicantCounts = sql`
  left join lateral (
    select count(*) filter (where status <> 'withdrawn') as applicants, count(*) filter (where status = 'submitted') as new_applicants
    from applications where job_id = job.id) counts on true`;

/** One job with its relation to this account (null: a guest). One statement, since it is the most visited page. */
export async function findJobView(
  db: Db,
  jobId: string,
  accountId: string | null,
): Promise<JobViewRow | undefined> {
  const { rows } = await sql<JobViewRow>`${keptPlan}
    select ${cardColumns}, ${wholeColumns}, member.role,
      job.status = 'closed' and ${closedUnseen} as closed_unseen,
      case when member.role is not null then (select count(*) from applications where job_id = job.id and status <> 'withdrawn') else 0 end as applicants,
      case when member.role is not null then (select count(*) from applications where job_id = job.id and status = 'submitted') else 0 end as new_applicants,
      (select jsonb_build_object('id', id, 'status', status) from applications
        where job_id = job.id and worker_id = ${accountId}::uuid and status <> 'withdrawn') as my_application,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'prompt', prompt, 'kind', kind, 'choices', choices, 'required', required)
        order by position) from job_questions where job_id = job.id), '[]') as questions
    from jobs job
    join businesses business on business.id = job.business_id
    left join business_members member on member.business_id = job.business_id and member.account_id = ${accountId}::uuid
    where job.id = ${jobId}`.execute(db);
  return rows[0];
}

/** An account's role in a job's business, without the rest of the page; most recruiter operations need no more. */
export async function findRoleAt(db: Db, jobId: string, accountId: string): Promise<JobViewRow['role']> {
  const { rows } = await sql<{ role: JobViewRow['role'] }>`
    select member.role from jobs job
    join business_members member on member.business_id = job.business_id and member.account_id = ${accountId}
    where job.id = ${jobId}`.execute(db);
  return rows[0]?.role ?? null;
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

/** Open jobs of the same category nearest to this one, excluding it. */
export async function findSimilar(db: Db, job: CardRow, limit: number): Promise<CardRow[]> {
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
  applicants: number;
  new_applicants: number;
};

/** The jobs of a business, newest first, after the cursor's row. The page is cut before applicants are counted. */
export async function findListed(
  db: Db,
  businessId: string,
  options: { status: JobStatus | null; after: readonly [string, string] | null; limit: number },
): Promise<ListedRow[]> {
  const [afterTime, afterId] = options.after ?? [null, null];
  const { rows } = await sql<ListedRow>`
    select ${cardColumns}, job.version, job.status, job.expires_at, job.created_at, counts.applicants, counts.new_applicants
    from (select * from jobs
      where business_id = ${businessId}
        and (${options.status}::text is null or status = ${options.status})
        and (${afterTime}::timestamptz is null or (created_at, id) < (${afterTime}, ${afterId}::uuid))
      order by created_at desc, id desc limit ${options.limit}) job
    join businesses business on business.id = job.business_id ${applicantCounts}
    order by job.created_at desc, job.id desc`.execute(db);
  return rows;
}

/** The number of a business's jobs per status. */
export async function countByStatus(
  db: Db,
  businessId: string,
): Promise<{ status: JobStatus; count: number }[]> {
  const { rows } = await sql<{ status: JobStatus; count: number }>`
    select status, count(*) as count from jobs where business_id = ${businessId} group by status`.execute(db);
  return rows;
}
