import { liveEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import type { questionKinds } from '@nearhand/contract/hiring/job-posting';
import type { Job, ListedJob, ListedSort, SeriesDate } from '@nearhand/contract/hiring/jobs';
import {
  isStartedStanding,
  type JobMoveName,
  type JobStanding,
  type JobStatus,
  jobFlags,
  optionalTextNames,
} from '@nearhand/contract/hiring/jobs.rules';
import { limits } from '@nearhand/contract/limits';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { BusinessClosing } from '@nearhand/contract/people/businesses';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { PeopleEvents } from '../../people/hooks.ts';
import { snakeCase } from '../../platform/database/column-names.ts';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import { type BranchLimit, recruiters } from '../../platform/members/job-members.ts';
import { anyOf, keptPlan, keptRead, literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { JobMoves, JobQuestions, Jobs } from '../../platform/tables.gen.ts';
import { takesTime } from '../../work/engagements/engagements.sql.ts';
import {
  type CardRow,
  cardColumns,
  closedUnseen,
  type JobRow,
  type NewJob,
  payRange,
  seriesSummary,
  singleCardColumns,
} from './jobs.columns.ts';

/** Leaves foreign key references free: inserting an interview under an application's lock could deadlock (ADR 38). */
export async function lockJobRow(tx: Tx, jobId: string): Promise<JobRow | undefined> {
  return tx.selectFrom('jobs').selectAll().where('id', '=', jobId).forNoKeyUpdate().executeTakeFirst();
}

/** Locks jobs by id, the order of everyone who locks several (ADR 38). Leaves out ids of no job. */
export async function lockJobRows(tx: Tx, jobIds: readonly string[]): Promise<JobRow[]> {
  return tx.selectFrom('jobs').selectAll().where('id', 'in', jobIds).orderBy('id').forNoKeyUpdate().execute();
}

export async function findJobRow(db: Db, jobId: string): Promise<JobRow | undefined> {
  return db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst();
}

/** Reads jobs without locking them, in any order. Leaves out ids of no job. */
export async function findJobRows(db: Db, jobIds: readonly string[]): Promise<JobRow[]> {
  return db.selectFrom('jobs').selectAll().where('id', 'in', jobIds).execute();
}

export async function findJobOwner(
  db: Db,
  jobId: string,
): Promise<Pick<JobRow, 'businessId' | 'status' | 'seriesId' | 'asBlock'> | undefined> {
  return db
    .selectFrom('jobs')
    .select(['businessId', 'status', 'seriesId', 'asBlock'])
    .where('id', '=', jobId)
    .executeTakeFirst();
}

export async function insertJob(tx: Tx, row: NewJob): Promise<void> {
  await tx.insertInto('jobs').values(row).execute();
  emitRecord(tx, 'job', row);
}

/** Inserts jobs of one statement, and returns them in the same order. */
export async function insertJobs(tx: Tx, rows: readonly NewJob[]): Promise<JobRow[]> {
  const inserted = await tx
    .insertInto('jobs')
    .values([...rows])
    .returningAll()
    .execute();
  for (const row of inserted) emitRecord(tx, 'job', row);
  const byId = new Map(inserted.map((row) => [row.id, row]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Updates a job at a known version. Returns false if an edit changed it in the meantime. */
export async function updateJobVersion(
  tx: Tx,
  jobId: string,
  version: number,
  changes: Updateable<Jobs>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('jobs')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', jobId)
    .where('version', '=', version)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
  return updated !== undefined;
}

/** Moves a job from a known status. Returns false if it has another one by now. */
export async function updateJobStatus(
  tx: Tx,
  jobId: string,
  from: JobStatus,
  changes: Updateable<Jobs> & { status: JobStatus },
): Promise<boolean> {
  const updated = await tx
    .updateTable('jobs')
    .set(changes)
    .where('id', '=', jobId)
    .where('status', '=', from)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
  return updated !== undefined;
}

/** Deletes a draft. Returns false if the job was published or is gone. */
export async function deleteDraftJob(tx: Tx, jobId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('jobs')
    .where('id', '=', jobId)
    .where('status', '=', 'draft')
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', deleted);
  return deleted !== undefined;
}

export async function insertJobMove(tx: Tx, row: Insertable<JobMoves>): Promise<void> {
  await tx.insertInto('job_moves').values(row).execute();
}

/**
 * Counts what else a business has open besides one job: `jobs`, without its series and with any other series as one
 * (ADR 410), and the other `dates` of its series. A job that a search for a replacement hides counts too, since its
 * timer opens it.
 */
export async function countOpenJobs(
  db: Db,
  { id, businessId, seriesId }: Pick<JobRow, 'id' | 'businessId' | 'seriesId'>,
): Promise<{ jobs: number; dates: number }> {
  const { rows } = await sql<{ jobs: number; dates: number }>`
    select count(distinct coalesce(series_id, id)) filter (where (series_id = ${seriesId}::uuid) is not true)::integer as jobs,
      count(*) filter (where series_id = ${seriesId}::uuid)::integer as dates
    from jobs job
    where business_id = ${businessId} and id <> ${id}
      and (status = 'open' or status = 'paused' and ${isHiddenForReplacement(sql`job.id`)})`.execute(db);
  return rows[0] ?? { jobs: 0, dates: 0 };
}

type QuestionRow = Selectable<JobQuestions>;

export async function findQuestions(db: Db, jobIds: readonly string[]): Promise<QuestionRow[]> {
  if (jobIds.length === 0) return [];
  return db
    .selectFrom('job_questions')
    .selectAll()
    .where('jobId', 'in', jobIds)
    .orderBy('jobId')
    .orderBy('position')
    .execute();
}

export async function insertQuestions(tx: Tx, rows: readonly Insertable<JobQuestions>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('job_questions')
    .values([...rows])
    .execute();
}

export async function replaceQuestions(
  tx: Tx,
  jobId: string,
  rows: readonly Insertable<JobQuestions>[],
): Promise<void> {
  await tx.deleteFrom('job_questions').where('jobId', '=', jobId).execute();
  await insertQuestions(tx, rows);
}

type PhotoRow = { jobId: string; fileId: string; position: number };

export async function findPhotos(db: Db, jobIds: readonly string[]): Promise<PhotoRow[]> {
  return db
    .selectFrom('job_photos')
    .select(['jobId', 'fileId', 'position'])
    .where('jobId', 'in', jobIds)
    .orderBy('jobId')
    .orderBy('position')
    .execute();
}

export async function insertPhotos(tx: Tx, rows: readonly PhotoRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('job_photos')
    .values([...rows])
    .execute();
}

export async function replacePhotos(tx: Tx, jobId: string, fileIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('job_photos').where('jobId', '=', jobId).execute();
  await insertPhotos(
    tx,
    fileIds.map((fileId, position) => ({ jobId, fileId, position })),
  );
}

/** Updates the business's name that search results read from the job's row. */
export async function renameBusinessInJobs(
  tx: Tx,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await tx.updateTable('jobs').set({ businessName: name }).where('businessId', '=', id).execute();
}

/** Two pins of one entrance are less than about 100 m apart. */
const sameEntranceDegrees = 0.001;

/**
 * Adds the jobs at a new branch's address that have no branch and are not over to it: shifts until their end, tasks
 * until their due date, while they can still be filled, or while someone is at work on them.
 */
export const joinBranch: PeopleEvents['branchAdded'] = async (tx, { clock }, branch) => {
  const { rows } = await sql<{ id: string; businessId: string }>`
    update jobs set branch_id = ${branch.id}, version = version + 1 where id in (
      select id from jobs where business_id = ${branch.businessId} and branch_id is null
        and status not in ('closed', 'archived') and (ends_at > ${clock.now()}
          or (ends_at is null and (status in ('draft', 'in_review', 'rejected', 'open', 'paused', 'suspended')
            or due_on >= (${clock.now()}::timestamptz at time zone time_zone)::date
            or (status = 'expired' and due_on is null)
            or exists (select from engagements where job_id = jobs.id
              and engagements.status in (${literals(liveEngagementStatuses)})))))
        and lower(btrim(address)) = lower(btrim(${branch.address}))
        and abs(lat - ${branch.lat}) < ${sameEntranceDegrees} and abs(lng - ${branch.lng}) < ${sameEntranceDegrees}
      order by id for no key update)
    returning id, business_id`.execute(tx);
  for (const job of rows) emitRecord(tx, 'job', job);
};

/** Takes a free spot of a job for an offer. Returns false if there is none. */
export async function takeFreeSpot(tx: Tx, jobId: string): Promise<boolean> {
  const updated = await tx
    .updateTable('jobs')
    .set({ offeredCount: sql<number>`offered_count + 1` })
    .where('id', '=', jobId)
    .where(sql<boolean>`head_count - hired_count - offered_count > 0`)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
  return updated !== undefined;
}

/** The constraint `jobs_spots` rejects taking more spots than there are. */
export async function updateSpots(
  tx: Tx,
  jobId: string,
  by: { offered?: number; hired?: number },
): Promise<void> {
  const updated = await tx
    .updateTable('jobs')
    .set({
      offeredCount: sql<number>`offered_count + ${by.offered ?? 0}::integer`,
      hiredCount: sql<number>`hired_count + ${by.hired ?? 0}::integer`,
    })
    .where('id', '=', jobId)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
}

/** The status that a job had before its latest move of this kind, or null. */
export async function findStatusBefore(db: Db, jobId: string, action: JobMoveName): Promise<string | null> {
  const move = await db
    .selectFrom('job_moves')
    .select('fromStatus')
    .where('jobId', '=', jobId)
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return move?.fromStatus ?? null;
}

const wholeFields = [
  ...jobFlags.filter((flag) => flag !== 'instantHire'),
  'version',
  'status',
  'description',
  'requirements',
  'expiresAt',
  'sourceUrl',
  'relation',
  ...optionalTextNames,
] as const;

export type JobViewRow = CardRow &
  Pick<JobRow, (typeof wholeFields)[number] | 'instantHire'> & {
    skills: SkillId[];
    businessCover: string | null;
    photoIds: string[];
    myApplication: Job['myApplication'];
    questions: {
      id: string;
      prompt: string;
      kind: (typeof questionKinds)[number];
      choices: string[];
      required: boolean;
    }[];
  } & JobViewerRow;

type JobViewerRow = Pick<CardRow, 'series'> & {
  /** True if the job ended while not everyone could see it (`closedUnseen`). */
  closedUnseen: boolean;
  role: MemberRole | null;
  openToInvited: boolean;
  /** True for a member of the business who is limited to other branches. */
  isOfOtherBranch: boolean;
};

/** These columns of `job` in a select. */
export const jobColumns = (names: readonly (keyof Jobs)[]) =>
  sql.raw(names.map((name) => `job.${snakeCase(name)}`).join(', '));

const wholeColumns = jobColumns([...wholeFields, 'skills']);

const applicantCounts = sql`
  left join lateral (
    select count(*) filter (where status <> 'withdrawn') as applicants, count(*) filter (where status = 'submitted') as new_applicants
    from applications where job_id = job.id) counts on true`;

/** True for a job that a search for a replacement hides from the public (ADR 385). */
export const isHiddenForReplacement = (jobId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from replacements search join jobs searched on searched.id = search.job_id
  where search.job_id = ${jobId} and search.hidden and searched.status = 'paused')`;

/** True for the worker whose shift the job's search for a replacement fills: they missed it or gave it up. */
export const isReplacedFor = (
  jobId: RawBuilder<unknown>,
  workerId: RawBuilder<unknown>,
) => sql<boolean>`exists (
  select from replacements search join engagements booking on booking.id = search.engagement_id
  where search.job_id = ${jobId} and booking.worker_id = ${workerId})`;

/**
 * Returns whether a search for a replacement ran for the job; if `hidden`, one that hides or hid it, after which it was
 * not open.
 */
export async function hasReplacementSearch(
  db: Db,
  jobId: string,
  { hidden }: { hidden: boolean },
): Promise<boolean> {
  const { rows } = await sql`select from replacements
    where job_id = ${jobId} ${hidden ? sql`and hidden` : sql``} limit 1`.execute(db);
  return rows.length > 0;
}

/** True if the job is hidden while a replacement is found, and the worker was invited, so may open it (ADR 385). */
export const isOpenToInvited = (jobId: RawBuilder<unknown>, workerId: RawBuilder<unknown>) => sql<boolean>`(
  ${isHiddenForReplacement(jobId)} and exists (select from job_invitations invitation
    where invitation.job_id = ${jobId} and invitation.worker_id = ${workerId}))`;

/** Statuses in which a worker may see a job that others may not, or the other way round. */
const hidingStatuses: readonly JobStatus[] = ['paused', 'closed', 'expired'];

const stranger: JobViewerRow = {
  series: null,
  closedUnseen: false,
  role: null,
  openToInvited: false,
  isOfOtherBranch: false,
};

/**
 * One statement for most visits, since it is the most visited page; a second one for members, series, and jobs
 * that not everyone may see.
 */
export async function findJobView(
  db: ReadDb,
  jobId: string,
  accountId: string | null,
): Promise<JobViewRow | undefined> {
  const { rows } = await sql<Omit<JobViewRow, keyof JobViewerRow> & { isMember: boolean }>`${keptRead}
    select ${singleCardColumns}, ${wholeColumns}, business.cover_file_id as business_cover,
      array(select file_id::text from job_photos where job_id = job.id order by position) as photo_ids,
      exists (select from business_members own
        where own.business_id = job.business_id and own.account_id = ${accountId}::uuid) as is_member,
      (select jsonb_build_object('id', id, 'status', status, 'workEnding', work_ending) from applications
        where job_id = job.id and worker_id = ${accountId}::uuid and status <> 'withdrawn') as my_application,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'prompt', prompt, 'kind', kind, 'choices', choices, 'required', required)
        order by position) from job_questions where job_id = job.id), '[]') as questions
    from jobs job
    join businesses business on business.id = job.business_id
    where job.id = ${jobId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const isUsual = !row.isMember && row.seriesId === null && !hidingStatuses.includes(row.status);
  const viewer = isUsual ? stranger : await findJobViewer(db, jobId, accountId);
  return viewer && Object.assign(row, viewer);
}

async function findJobViewer(
  db: ReadDb,
  jobId: string,
  accountId: string | null,
): Promise<JobViewerRow | undefined> {
  const { rows } = await sql<JobViewerRow>`${keptRead}
    select ${seriesSummary}, member.role,
      member.role is null and ${isOpenToInvited(sql`job.id`, sql`${accountId}::uuid`)} as open_to_invited,
      member.role is null and exists (select from business_members own
        where own.business_id = job.business_id and own.account_id = ${accountId}::uuid) as is_of_other_branch,
      job.status in ('closed', 'expired') and ${closedUnseen} as closed_unseen
    from jobs job
    left join job_members member on member.job_id = job.id and member.account_id = ${accountId}::uuid
    where job.id = ${jobId}`.execute(db);
  return rows[0];
}

export type MemberFacts = {
  applicants: number;
  newApplicants: number;
  /** True if its open offers can be made again on changed terms (`findRenewable`). */
  renewable: boolean;
  branch: { id: string; name: string; address: string; lat: number; lng: number } | null;
};

/** Reads facts of a job for its members. Not a part of `findJobView`, which would cost guests time without any rows. */
export async function findMemberFacts(db: ReadDb, jobId: string): Promise<MemberFacts | undefined> {
  const { rows } = await sql<MemberFacts>`${keptRead}
    select ${renewable} as renewable,
      (select count(*) from applications where job_id = job.id and status <> 'withdrawn') as applicants,
      (select count(*) from applications where job_id = job.id and status = 'submitted') as new_applicants,
      (select jsonb_build_object('id', id, 'name', name, 'address', address, 'lat', lat, 'lng', lng)
        from branches where branches.id = job.branch_id) as branch
    from jobs job where job.id = ${jobId}`.execute(db);
  return rows[0];
}

export async function findCards(
  db: Db,
  jobIds: readonly string[],
): Promise<(CardRow & { status: JobStatus })[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await sql<CardRow & { status: JobStatus }>`${keptPlan}
    select ${cardColumns}, job.status
    from jobs job join businesses business on business.id = job.business_id
    where job.id = ${anyOf(jobIds)}`.execute(db);
  return rows;
}

/** Returns any open jobs with their public positions, which are blurred for private addresses. */
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

const similarPerBusiness = 2;
const similarCandidates = 60;

/**
 * The nearest similar jobs. A business gets more than two of them only if too few other businesses nearby have
 * similar jobs.
 */
export async function findSimilar(db: ReadDb, job: CardRow, limit: number): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from (
      select near.* from (
        select jobs.*, pos <-> (select pos from jobs where id = ${job.id}) as distance from jobs
        where status = 'open' and category = ${job.category} and id <> ${job.id}
          and (series_id = ${job.seriesId}::uuid) is not true and ${firstOfSeries}
        order by distance limit ${similarCandidates}) near
      order by row_number() over (partition by business_id order by distance, id) > ${similarPerBusiness}, distance limit ${limit}) job
    join businesses business on business.id = job.business_id
    order by job.pos <-> (select pos from jobs where id = ${job.id}), job.id`.execute(db);
  return rows;
}

/**
 * Keeps the first open shift of each series, and of its block. Written so that the planner tests rows in order instead of
 * joining all.
 */
export const firstOfSeries = sql`(jobs.series_id is null or not exists (select from jobs earlier
  where earlier.series_id = jobs.series_id and earlier.as_block = jobs.as_block and earlier.status = 'open'
    and (earlier.starts_at, earlier.id) < (jobs.starts_at, jobs.id)))`;

type DateRow = CardRow & {
  asBlock: boolean;
  startsAt: Date;
  endsAt: Date;
  myApplication: SeriesDate['myApplication'];
  booked: { title: string; startsAt: string; endsAt: string } | null;
};

/** The open shifts of a series and those the account applied for, by start, with its booked work at the same time. */
export async function findDates(db: ReadDb, seriesId: string, accountId: string | null): Promise<DateRow[]> {
  const { rows } = await sql<DateRow>`
    select ${cardColumns}, job.as_block, booked.engagement as booked, case when application.id is not null
      then jsonb_build_object('id', application.id, 'status', application.status,
        'workEnding', application.work_ending) end as my_application
    from jobs job join businesses business on business.id = job.business_id
    left join applications application on application.job_id = job.id and application.worker_id = ${accountId}::uuid
      and application.status <> 'withdrawn'
    left join lateral (select jsonb_build_object('title', engagement.terms->>'title', 'startsAt', engagement.starts_at,
        'endsAt', engagement.ends_at) as engagement
      from engagements engagement where engagement.worker_id = ${accountId}::uuid and engagement.job_id <> job.id
        and ${takesTime('engagement')} and engagement.starts_at < job.ends_at and engagement.ends_at > job.starts_at
      order by engagement.starts_at limit 1) booked on true
    where job.series_id = ${seriesId} and job.starts_at is not null and job.ends_at is not null
      and (job.status = 'open' or application.id is not null)
    order by job.starts_at, job.id`.execute(db);
  return rows;
}

/** Starts a series with a job, whose id becomes the series' id. With `asBlock` all its shifts are one block. */
export async function startSeries(tx: Tx, jobId: string, { asBlock }: { asBlock: boolean }): Promise<void> {
  await tx.updateTable('jobs').set({ seriesId: jobId, asBlock }).where('id', '=', jobId).execute();
}

/** The dates of a series' block that are ahead and not closed or full, by start. */
export async function findBlockDates(
  db: ReadDb,
  seriesId: string,
  now: Date,
): Promise<Pick<JobRow, 'id' | 'status' | 'startsAt' | 'endsAt'>[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'status', 'startsAt', 'endsAt'])
    .where('seriesId', '=', seriesId)
    .where('asBlock', '=', true)
    .where('startsAt', '>', now)
    .where('status', 'not in', ['closed', 'archived'])
    .whereRef('hiredCount', '<', 'headCount')
    .orderBy('startsAt')
    .orderBy('id')
    .execute();
}

/** Returns whether a date of a series' block that is still to be filled isn't open, so that nobody can apply for all of them. */
export async function isBlockHeld(db: ReadDb, seriesId: string, now: Date): Promise<boolean> {
  const dates = await findBlockDates(db, seriesId, now);
  return dates.some(({ status }) => status !== 'open');
}

/** Takes a date out of its block: from now on it is hired on its own (ADR 414). The job must be locked. */
export async function leaveBlock(tx: Tx, jobId: string): Promise<void> {
  const updated = await tx
    .updateTable('jobs')
    .set({ asBlock: false })
    .where('id', '=', jobId)
    .where('asBlock', '=', true)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
}

/**
 * True for `job` if it has hired no one and all its open offers are sent offers to applicants, which can be made
 * again on changed terms (ADR 377).
 */
const renewable = sql<boolean>`(job.offered_count > 0 and job.status in ('open', 'paused', 'filled')
  and job.offered_count = (select count(*) from offers offer
    where offer.job_id = job.id and offer.status = 'sent' and offer.source = 'business'))`;

/** Finds the jobs whose open offers can be made again on changed terms. */
export async function findRenewable(db: Db, jobIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select job.id from jobs job where job.id = any(${[...jobIds]}::uuid[]) and ${renewable}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Locks the applicants with a sent offer for these jobs, and the offers, which come before booked work (ADR 38). */
export async function lockOffered(tx: Tx, jobIds: readonly string[]): Promise<void> {
  const ids = [...jobIds];
  await sql`select from applications where job_id = any(${ids}::uuid[]) and status = 'offered'
    order by id for update`.execute(tx);
  await sql`select from offers where job_id = any(${ids}::uuid[]) and status = 'sent' order by id for update`.execute(
    tx,
  );
}

const seriesShiftsMax = 200;

const shiftFields = [
  'id',
  'status',
  'startsAt',
  'endsAt',
  'breakMinutes',
  'breakPaid',
  'timeZone',
  'payMinor',
  'currency',
  'businessFeeBasisPoints',
  'headCount',
  'hiredCount',
  'offeredCount',
  'changedAlone',
  'asBlock',
] as const;
const shiftColumns = sql.raw(shiftFields.map((name) => `shift.${snakeCase(name)}`).join(', '));
const reachTerms = {
  all: sql``,
  later: sql`and shift.starts_at > job.starts_at`,
  block: sql`and shift.as_block and job.as_block`,
};
type SeriesShift = Pick<JobRow, (typeof shiftFields)[number]>;

/**
 * The unstarted shifts of the job's series, by start, where the account recruits: all of them, the shifts after the job,
 * or those of its block.
 */
export async function findSeriesShifts(
  db: Db,
  jobId: string,
  options: { accountId: string; now: Date; statuses: readonly JobStatus[]; reach: 'all' | 'later' | 'block' },
): Promise<SeriesShift[]> {
  const { rows } = await sql<SeriesShift>`
    select ${shiftColumns} from jobs job
      join jobs shift on shift.series_id = job.series_id and shift.starts_at > ${options.now}::timestamptz
      ${reachTerms[options.reach]}
    where job.id = ${jobId} and shift.ends_at is not null and shift.status = any(${[...options.statuses]})
      and exists (select from job_members member where member.job_id = shift.id and member.account_id = ${options.accountId}
        and member.role in ${recruiters})
    order by shift.starts_at, shift.id limit ${sql.lit(seriesShiftsMax)}`.execute(db);
  return rows;
}

export type ListedJobRow = CardRow & {
  version: number;
  status: JobStatus;
  expiresAt: Date | null;
  createdAt: Date;
  startRank: number;
  gap: number;
  foldedTitle: string;
  branchKey: string;
  applicants: number;
  newApplicants: number;
  branch: { id: string; name: string } | null;
  seriesTotals: Omit<NonNullable<ListedJob['seriesTotals']>, 'seriesId'> | null;
};

type JobsOf = {
  businessId: string;
  branchId: string | null;
  limit: BranchLimit;
  q: string | null;
  seriesId?: string | null;
};
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
  isStartedStanding(standing) ? ['expired', 'paused', 'filled'] : [standing];
const jobsOf = ({ businessId, branchId, limit, q, seriesId = null }: JobsOf) =>
  sql`business_id = ${businessId} ${branchId === null ? sql`` : sql`and branch_id = ${branchId}`}
    ${seriesId === null ? sql`` : sql`and series_id = ${seriesId}`}
    ${limit === null ? sql`` : sql`and branch_id = any(${[...limit]}::uuid[])`} ${titleMatches(q)}`;
const titleMatches = (q: string | null) =>
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

/** The key that each order sorts by before the id; `table` is empty or an alias with its dot. */
const orders: Record<ListedSort, { key: (table: string) => string; type: string; isDescending: boolean }> = {
  newest: { key: (table) => `${table}created_at`, type: 'timestamptz', isDescending: true },
  soonest: { key: (table) => `${table}start_rank`, type: 'integer', isDescending: true },
  start: { key: (table) => `${table}start_rank`, type: 'integer', isDescending: false },
  title: { key: (table) => `folded_name(${table}title)`, type: 'text', isDescending: false },
  // Only a job in these states has open spots, and a timer ends them when the job begins.
  gap: {
    key: (table) =>
      `(case when ${table}status in ('in_review', 'open') then ${table}head_count - ${table}hired_count else 0 end)`,
    type: 'integer',
    isDescending: true,
  },
  // Branches in the order in which they were added, then jobs without one; soonest first in each.
  branch: {
    key: (table) =>
      `(coalesce(${table}branch_id::text, 'none') || lpad((2147483647 - ${table}start_rank::bigint)::text, 10, '0'))`,
    type: 'text',
    isDescending: false,
  },
};

function orderBy(sort: ListedSort, table = '') {
  const { key, isDescending } = orders[sort];
  const direction = isDescending ? 'desc' : 'asc';
  return sql.raw(`${key(table)} ${direction}, ${table}id ${direction}`);
}

function isAfter(sort: ListedSort, [value, id]: ListedKey) {
  const { key, type, isDescending } = orders[sort];
  return sql`(${sql.raw(key(''))}, id) ${sql.raw(isDescending ? '<' : '>')} (${value}::${sql.raw(type)}, ${id}::uuid)`;
}

/** True for shifts that come before `listed` in the order. */
function precedesListed(sort: ListedSort) {
  const { key, isDescending } = orders[sort];
  return sql.raw(`(${key('')}, id) ${isDescending ? '>' : '<'} (${key('listed.')}, listed.id)`);
}

type ListedKey = readonly [string | number, string];

/** Cuts the page before counting applicants, so that only its jobs are counted. */
export async function findListed(
  db: Db,
  selection: JobsOf,
  options: {
    standing: JobStanding | null;
    now: Date;
    sort: ListedSort;
    grouped: boolean;
    after: ListedKey | null;
    limit: number;
  },
): Promise<ListedJobRow[]> {
  const { sort, after } = options;
  // Unqualified columns belong to the innermost `jobs`, so the list, its series and their totals share the filters.
  const matches = sql`${jobsOf(selection)}
    ${options.standing === null ? sql`` : sql`and status = any(${[...statusesOf(options.standing)]}) and ${standingOf(options.now)} = ${options.standing}`}`;
  const totals = sql`(select jsonb_build_object('shifts', sum(shifts), 'firstStartsAt', min(first_at), 'lastStartsAt', max(last_at),
      'headCount', sum(head_count), 'hired', sum(hired), 'offered', sum(offered), 'standings', jsonb_object_agg(standing, shifts),
      'payRange', (select ${payRange} from jobs where series_id = job.series_id and ${matches}),
      'sameHours', (select count(distinct ((starts_at at time zone time_zone)::time, (ends_at at time zone time_zone)::time)) < 2
        from jobs where series_id = job.series_id and ${matches}),
      'applicants', max(people.applicants), 'newApplicants', max(people.new_applicants))
    from (select standing, count(*) as shifts, min(starts_at) as first_at, max(starts_at) as last_at,
        sum(shift.head_count) as head_count, sum(hired_count) as hired, sum(offered_count) as offered
      from (select *, ${standingOf(options.now)} as standing from jobs where series_id = job.series_id and ${matches}) shift
      group by standing) of_standing
    cross join (select count(distinct application.worker_id) filter (where application.status <> 'withdrawn') as applicants,
        count(distinct application.worker_id) filter (where application.status = 'submitted') as new_applicants
      from applications application
      where application.job_id in (select id from jobs where series_id = job.series_id and ${matches})) people)`;
  const { rows } = await sql<ListedJobRow>`
    select ${cardColumns}, job.version, job.status, job.expires_at, job.created_at, job.start_rank,
      ${sql.raw(orders.gap.key('job.'))} as gap, folded_name(job.title) as folded_title, ${sql.raw(orders.branch.key('job.'))} as branch_key,
      counts.applicants, counts.new_applicants,
      (select jsonb_build_object('id', id, 'name', name) from branches where branches.id = job.branch_id) as branch,
      ${options.grouped ? sql`case when job.series_id is not null then ${totals} end` : sql`null::jsonb`} as series_totals
    from (select * from jobs listed
      where ${matches}
        ${options.grouped ? sql`and (series_id is null or not exists (select from jobs where series_id = listed.series_id and ${matches} and ${precedesListed(sort)}))` : sql``}
        ${after === null ? sql`` : sql`and ${isAfter(sort, after)}`}
      order by ${orderBy(sort)} limit ${options.limit}) job
    join businesses business on business.id = job.business_id ${applicantCounts}
    order by ${orderBy(sort, 'job.')}`.execute(db);
  return rows;
}

/** Counts jobs by standing and in total. Each shift of a series is a job. */
export async function countByStanding(
  db: Db,
  selection: JobsOf,
  now: Date,
): Promise<{ counts: Partial<Record<JobStanding, number>>; total: number }> {
  const { rows } = await sql<{ standing: JobStanding | null; count: number }>`
    select standing, count(*) as count from (
      select ${standingOf(now)} as standing from jobs where ${jobsOf(selection)}) listed
    group by grouping sets ((standing), ()) order by standing`.execute(db);
  return {
    counts: Object.fromEntries(rows.flatMap(({ standing, count }) => (standing ? [[standing, count]] : []))),
    total: rows.find(({ standing }) => standing === null)?.count ?? 0,
  };
}

const unfilledStandings: readonly JobStanding[] = ['in_review', 'open', 'paused'];

/**
 * Lists up to 100 of a business's jobs that are still to be filled, soonest first, found by the index `jobs_business`
 * alone.
 */
export async function unfilledJobs(db: Db, businessId: string, now: Date): Promise<BusinessClosing['jobs']> {
  type UnfilledRow = Pick<JobRow, 'id' | 'title' | 'startsAt' | 'timeZone' | 'currency'> & {
    heldMinor: number;
  };
  const { rows } = await sql<UnfilledRow>`
    select job.id, job.title, job.starts_at, job.time_zone, job.currency,
      (select coalesce(sum(pay_minor + fee_minor + added_minor), 0)::bigint from holds
        where holds.job_id = job.id and engagement_id is null and holds.status = 'held') as held_minor
    from (
      select id from jobs where business_id = ${businessId}
        and status = any(${[...unfilledStandings]}::text[]) and ${standingOf(now)} = status limit ${limits.bulkMax}
    ) unfilled join jobs job on job.id = unfilled.id
    order by job.starts_at, job.title, job.id`.execute(db);
  return rows.map((row) => ({ ...row, startsAt: row.startsAt?.toISOString() ?? null }));
}

/** Counts a business's jobs that are still to be filled, and those whose booked work has not ended. */
export async function unfinishedJobs(
  db: Db,
  businessId: string,
  now: Date,
): Promise<{ openJobs: number; bookedJobs: number }> {
  const { counts } = await countByStanding(db, { businessId, branchId: null, limit: null, q: null }, now);
  const countIn = (standings: readonly JobStanding[]) =>
    standings.reduce((sum, standing) => sum + (counts[standing] ?? 0), 0);
  return {
    openJobs: countIn(unfilledStandings),
    bookedJobs: countIn(['filled', 'in_progress']),
  };
}
