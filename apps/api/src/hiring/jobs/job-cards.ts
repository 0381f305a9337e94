import { jobFlags } from '@nearhand/contract/hiring/job-flags.rules';
import type { JobQuestion, questionKinds } from '@nearhand/contract/hiring/job-posting';
import type {
  Job,
  JobCard,
  JobPlace,
  JobStanding,
  JobStatus,
  ListedSort,
  Pay,
} from '@nearhand/contract/hiring/jobs';
import { isPast } from '@nearhand/contract/hiring/jobs.rules';
import { payTotal } from '@nearhand/contract/hiring/nearby-card.rules';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { sql } from 'kysely';
import { snakeCase } from '../../platform/database/column-names.ts';
import type { Db, ReadDb } from '../../platform/db.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { type CardRow, cardColumns, closedUnseen, type JobRow } from './jobs.columns.ts';
import { findQuestions } from './jobs.sql.ts';

/** Only `knowsPlace`, members and hired workers, get the exact place (product.md: blurred until hired). */
export function toCard(row: CardRow, viewer: { knowsPlace: boolean; from: Point | null }): JobCard {
  const place = placeOf(row, viewer.knowsPlace);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    category: row.category,
    business: {
      id: row.businessId,
      name: row.businessName,
      verified: row.businessVerified,
      logoPath: row.businessLogo === null ? null : fileContentPath(row.businessLogo),
      rating: ratingOf(row.businessStars),
    },
    pay: payOf(row),
    place,
    distanceM: viewer.from && Math.round(metresBetween(viewer.from, place)),
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    dueOn: row.dueOn,
    hoursNote: row.hoursNote,
    timeZone: row.timeZone,
    seatsLeft: row.headCount - row.hiredCount,
    instantHire: row.instantHire,
    funded: row.funded,
    headCount: row.headCount,
    publishedAt: row.publishedAt?.toISOString() ?? null,
  };
}

function placeOf(row: CardRow, knowsPlace: boolean): JobPlace {
  if (row.privateAddress && !knowsPlace)
    return { label: row.area, lat: row.publicLat, lng: row.publicLng, blurred: true };
  const label = row.address.includes(row.area) ? row.address : `${row.address}, ${row.area}`;
  return { label, lat: row.lat, lng: row.lng, blurred: false };
}

function payOf(row: CardRow): Pay {
  const minutes =
    row.startsAt && row.endsAt
      ? paidMinutes(row.startsAt, row.endsAt, row.breakMinutes, row.breakPaid)
      : null;
  return {
    minor: row.payMinor ?? 0,
    maxMinor: row.payMaxMinor,
    currency: row.currency,
    unit: row.payUnit,
    paidMinutes: minutes,
    totalMinor: payTotal({ minor: row.payMinor ?? 0, unit: row.payUnit, paidMinutes: minutes }),
    merchantFeeBasisPoints: row.merchantFeeBasisPoints,
    workerFeeBasisPoints: row.workerFeeBasisPoints,
  };
}

/** Cards of jobs by id, for lists of other slices. The caller checks access. `knowsPlace` as in `toCard`. */
export async function jobCardsOf(
  db: Db,
  jobIds: readonly string[],
  viewer: { knowsPlace: boolean; from: Point | null },
): Promise<Map<string, JobCard & { status: JobStatus; questions: JobQuestion[] }>> {
  const unique = [...new Set(jobIds)];
  const [rows, questions] = [await findCards(db, unique), await findQuestions(db, unique)];
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...toCard(row, viewer),
        status: row.status,
        questions: questions
          .filter((question) => question.jobId === row.id)
          .map(({ id, prompt, kind, choices, required }) => ({ id, prompt, kind, choices, required })),
      },
    ]),
  );
}

const wholeFields = [
  ...jobFlags.filter((flag) => flag !== 'instantHire'),
  ...([
    'version',
    'status',
    'description',
    'requirements',
    'expiresAt',
    'sourceUrl',
    'payReason',
    'shortReason',
  ] as const),
];

export type JobViewRow = CardRow &
  Pick<JobRow, (typeof wholeFields)[number] | 'instantHire'> & {
    skills: SkillId[];
    businessCover: string | null;
    photoIds: string[];
    applicants: number;
    newApplicants: number;
    /** True if the job was closed before anyone could see it: never open, or suspended. */
    closedUnseen: boolean;
    role: MemberRole | null;
    /** True for a member of the business who is limited to other branches. */
    colleague: boolean;
    branch: { id: string; name: string; address: string; lat: number; lng: number } | null;
    myApplication: Job['myApplication'];
    questions: {
      id: string;
      prompt: string;
      kind: (typeof questionKinds)[number];
      choices: string[];
      required: boolean;
    }[];
  };

const wholeColumns = sql.raw([...wholeFields, 'skills'].map((name) => `job.${snakeCase(name)}`).join(', '));

const applicantCounts = sql`
  left join lateral (
    select count(*) filter (where status <> 'withdrawn') as applicants, count(*) filter (where status = 'submitted') as new_applicants
    from applications where job_id = job.id) counts on true`;

/** One statement, since it is the most visited page. */
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
      (select jsonb_build_object('id', id, 'status', status, 'workEnding', work_ending) from applications
        where job_id = job.id and worker_id = ${accountId}::uuid and status <> 'withdrawn') as my_application,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'prompt', prompt, 'kind', kind, 'choices', choices, 'required', required)
        order by position) from job_questions where job_id = job.id), '[]') as questions
    from jobs job
    join businesses business on business.id = job.business_id
    left join job_members member on member.job_id = job.id and member.account_id = ${accountId}::uuid
    where job.id = ${jobId}`.execute(db);
  return rows[0];
}

async function findCards(db: Db, jobIds: readonly string[]): Promise<(CardRow & { status: JobStatus })[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await sql<CardRow & { status: JobStatus }>`${keptPlan}
    select ${cardColumns}, job.status
    from jobs job join businesses business on business.id = job.business_id
    where job.id = any(${[...jobIds]}::uuid[])`.execute(db);
  return rows;
}

export async function findSomeOpenJobs(
  db: Db,
  count: number,
): Promise<{ id: string; lat: number; lng: number }[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'publicLat as lat', 'publicLng as lng'])
    .where('status', '=', 'open')
    .limit(count)
    .execute();
}

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
  expiresAt: Date | null;
  createdAt: Date;
  startRank: number;
  foldedTitle: string;
  applicants: number;
  newApplicants: number;
  branch: { id: string; name: string } | null;
};

type JobsOf = { businessId: string; branchId: string | null; limit: BranchLimit; q: string | null };
/** `jobStanding` of the contract in SQL. */
const standingOf = (now: Date) => sql`case
  when status in ('expired', 'paused') or (status = 'filled' and kind = 'shift') then case
    when coalesce(starts_at > ${now}::timestamptz, true)
      and coalesce((${now}::timestamptz at time zone time_zone)::date <= due_on, true) then status
    when hired_count = 0 then 'not_filled'
    when ends_at > ${now}::timestamptz then 'in_progress'
    else 'finished' end
  else status end`;
const statusesOf = (standing: JobStanding): readonly string[] =>
  isPast(standing) ? ['expired', 'paused', 'filled'] : [standing];
const jobsOf = ({ businessId, branchId, limit, q }: JobsOf) =>
  sql`business_id = ${businessId} ${branchId === null ? sql`` : sql`and branch_id = ${branchId}`}
    ${limit === null ? sql`` : sql`and branch_id = any(${[...limit]}::uuid[])`} ${named(q)}`;
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

const orders = {
  newest: {
    by: sql`created_at desc, id desc`,
    after: ([at, id]: ListedKey) => sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`,
  },
  soonest: {
    by: sql`start_rank desc, id desc`,
    after: ([rank, id]: ListedKey) => sql`(start_rank, id) < (${rank}::integer, ${id}::uuid)`,
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
const sortedJob = {
  newest: sql`job.created_at desc, job.id desc`,
  soonest: sql`job.start_rank desc, job.id desc`,
  start: sql`job.start_rank, job.id`,
  title: sql`folded_name(job.title), job.id`,
};
type ListedKey = readonly [string | number, string];

/** Cuts the page before counting applicants, so that only its jobs are counted. */
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

/** Counts a business's jobs that are still to be filled, and those whose booked work is not over. */
export async function unfinishedJobs(
  db: Db,
  businessId: string,
  now: Date,
): Promise<{ openJobs: number; bookedJobs: number }> {
  const counts = await countByStanding(db, { businessId, branchId: null, limit: null, q: null }, now);
  const sumOf = (standings: readonly JobStanding[]) =>
    counts.reduce((sum, { standing, count }) => sum + (standings.includes(standing) ? count : 0), 0);
  return {
    openJobs: sumOf(['in_review', 'open', 'paused']),
    bookedJobs: sumOf(['filled', 'in_progress']),
  };
}
