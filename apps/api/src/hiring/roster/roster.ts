import { shareOfAmount } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { addDays, dayIn, dayMs, daysPerWeek, minuteMs } from '@nearhand/contract/durations';
import { cancelledEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { undecidedApplicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import { liveGiveawayStatuses } from '@nearhand/contract/hiring/giveaways';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { payTotal } from '@nearhand/contract/hiring/nearby-card.rules';
import { liveOfferStatuses } from '@nearhand/contract/hiring/offers';
import type { IfDeclined } from '@nearhand/contract/hiring/rebook';
import type { RosterPerson, RosterShift } from '@nearhand/contract/hiring/roster';
import { statusesWithoutWorker } from '@nearhand/contract/work/replacements.rules';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { sql } from 'kysely';
import { branchForJob } from '../../people/branches/job-branch.ts';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { hiringBusiness } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { updateJob } from '../jobs/job-edits.ts';
import { pauseOfferedJob, publishCopies, publishJob } from '../jobs/job-lifecycle.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { findJobRows } from '../jobs/jobs.sql.ts';
import { copyJobs, duplicateJob } from '../jobs/jobs.ts';
import { offerJob } from '../offers/offer-making.ts';
import { notifyOfOffers } from '../offers/offer-notices.ts';
import type { OfferRow } from '../offers/offers.sql.ts';
import { fundingOfShifts } from '../offers/offers.ts';
import { findReachable, type LeftOut } from '../rebook/rebook.ts';

/** Ended jobs without anyone on them aren't part of a plan. An expired one stays in the week that it was planned for. */
export const endedJobStatuses: readonly JobStatus[] = [
  'expired',
  'closed',
  'archived',
  'suspended',
  'rejected',
];

/**
 * Lists the shifts that start within seven days of `from`, with their people. For recruiters; those limited
 * to branches see only these.
 */
export async function rosterWeek(
  db: Db,
  scope: Scope,
  { businessId, from, branchId = null }: { businessId: string; from: string; branchId?: string | null },
): Promise<{ shifts: RosterShift[]; more: boolean }> {
  const branches = await requireBusinessRecruiter(db, scope.actor, businessId);
  const last = addDays(from, daysPerWeek - 1);
  const rows = await findShifts(db, { businessId, branchId, limit: branches, fromMs: Date.parse(from) });
  const shifts = rows.slice(0, hiringLimits.rosterShiftsMax).filter((row) => {
    const day = dayIn(row.timeZone, row.startsAt);
    const isShown =
      row.people.length > 0 || row.status === 'expired' || !endedJobStatuses.includes(row.status);
    return day >= from && day <= last && isShown;
  });
  return { shifts: shifts.map(rosterShift), more: rows.length > hiringLimits.rosterShiftsMax };
}

type SameShift = {
  businessId: string;
  title: string;
  branchId?: string;
  from: string;
  to: string;
  first: string;
  last: string;
  exceptJobId?: string;
};

/**
 * Returns the local days from `first` to `last` on which the roster has a shift of the same role, branch and hours.
 * Recruiters may call it; one who is limited to branches gets only the days of those.
 */
export async function sameShiftDays(db: Db, scope: Scope, shift: SameShift): Promise<{ days: string[] }> {
  const { businessId, title, branchId = null, from, to, first, last, exceptJobId = null } = shift;
  const branches = await requireBusinessRecruiter(db, scope.actor, businessId);
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1;
  const clock = (at: string) => sql`to_char(${sql.ref(`job.${at}`)} at time zone job.time_zone, 'HH24:MI')`;
  const { rows } = await sql<{ day: string }>`
    select distinct (job.starts_at at time zone job.time_zone)::date::text as day from jobs job
    where job.business_id = ${businessId} and ${startsNear(Date.parse(first), days)}
      and job.kind = 'shift' and job.pay_unit = 'hour' and job.title = ${title}
      and job.branch_id is not distinct from ${branchId}::uuid and job.id is distinct from ${exceptJobId}::uuid
      and ${clock('starts_at')} = ${from} and ${clock('ends_at')} = ${to}
      and (job.starts_at at time zone job.time_zone)::date between ${first}::date and ${last}::date
      and (job.status <> all(${endedJobStatuses}::text[]) or exists (select from engagements where job_id = job.id and ${isPlanned}))
      ${inBranches(sql`job.id`, branches)}
    order by day`.execute(db);
  return { days: rows.map(({ day }) => day) };
}

/** Posts a shift like another one at other times, with `alsoOn` on other days too, as `publishJob` does, or leaves a draft. */
export async function addShift(
  tx: Tx,
  scope: Scope,
  {
    jobId: likeId,
    asDraft,
    alsoOn,
    asBlock,
    ...when
  }: {
    jobId: string;
    startsAt: string;
    endsAt: string;
    headCount: number;
    alsoOn?: string[];
    asBlock?: boolean;
    asDraft: boolean;
  },
): Promise<Job> {
  await requireJobRecruiter(tx, scope.actor.accountId, likeId);
  await requireRepeatable(tx, await findJob(tx, likeId));
  if (asDraft && alsoOn)
    throw new AppError('request/invalid', { issues: [{ path: 'alsoOn', message: 'not for a draft' }] });
  const { id: jobId, version } = await duplicateJob(tx, scope, { jobId: likeId });
  const draft = await updateJob(tx, scope, { jobId, version, ...when });
  return asDraft ? draft : publishJob(tx, scope, { jobId, alsoOn, asBlock });
}

const isRepeatable = ({ kind, payUnit }: JobRow): boolean => kind === 'shift' && payUnit === 'hour';

/** @throws job/cannot-repeat for a task or pay that isn't hourly, branch/closed */
async function requireRepeatable(tx: Tx, row: JobRow): Promise<void> {
  if (!isRepeatable(row)) throw new AppError('job/cannot-repeat');
  if (row.branchId !== null) await branchForJob(tx, row.businessId, row.branchId);
}

type Copy = { jobId: string; status: JobStatus; offers: number };
type NotOffered = LeftOut | { workerId: string; code: 'offer/no-spot' };

/**
 * Copies shifts to other days of the same place and publishes them, or leaves drafts. With their people, everyone who
 * is booked on a shift gets a direct offer of its copy, paid from the balance or later (ADR 399), and a copy whose
 * spots are all offered is hidden from others until a spot is free, as `ifDeclined` says. All of it or nothing. For
 * recruiters, each in their branches. A shift with instant hire is refused, since its money would be set aside one copy
 * at a time.
 */
export async function copyShifts(
  tx: Tx,
  scope: Scope,
  input: {
    businessId: string;
    jobIds: string[];
    days: number;
    asDrafts: boolean;
    withPeople: boolean;
    ifDeclined?: IfDeclined;
  },
): Promise<{ copies: Copy[]; leftOut: NotOffered[] }> {
  const { businessId, jobIds, days, asDrafts, withPeople, ifDeclined = 'nobody' } = input;
  if (asDrafts && withPeople)
    throw new AppError('request/invalid', { issues: [{ path: 'withPeople', message: 'not for drafts' }] });
  const branches = await requireBusinessRecruiter(tx, scope.actor, businessId);
  await hiringBusiness(tx, businessId);
  const shifts = await requireCopyable(tx, scope, input, branches);
  // The copies of a series form a separate series.
  const seriesCopies = new Map<string, string>();
  const drafts = await copyJobs(
    tx,
    scope,
    shifts.map((row) => {
      const id = newId(scope.clock.now());
      if (row.seriesId === null) return { id, row, days };
      const seriesId = seriesCopies.get(row.seriesId) ?? id;
      seriesCopies.set(row.seriesId, seriesId);
      return { id, row: { ...row, seriesId }, days };
    }),
  );
  const jobs = asDrafts ? drafts : await publishCopies(tx, scope, businessId, drafts);
  if (withPeople) return offerToSamePeople(tx, scope, { jobIds, jobs, ifDeclined });
  return { copies: jobs.map(({ id, status }) => ({ jobId: id, status, offers: 0 })), leftOut: [] };
}

/**
 * Returns the shifts to copy, in the order of `jobIds`.
 * @throws job/not-found, job/not-allowed, job/cannot-repeat, branch/closed
 */
async function requireCopyable(
  tx: Tx,
  scope: Scope,
  { businessId, jobIds, days }: { businessId: string; jobIds: readonly string[]; days: number },
  branches: BranchLimit,
): Promise<JobRow[]> {
  const rows = new Map((await findJobRows(tx, jobIds)).map((row) => [row.id, row]));
  const checkedBranches = new Set<string | null>();
  const shifts: JobRow[] = [];
  for (const id of jobIds) {
    const row = rows.get(id);
    const isOwn =
      row?.businessId === businessId && (branches === null || branches.includes(row.branchId ?? ''));
    if (!isOwn) await requireJobRecruiter(tx, scope.actor.accountId, id);
    if (row?.businessId !== businessId) throw new AppError('job/not-found');
    if (days === 0 || row.startsAt === null || row.instantHire) throw new AppError('job/cannot-repeat');
    if (!checkedBranches.has(row.branchId)) await requireRepeatable(tx, row);
    else if (!isRepeatable(row)) throw new AppError('job/cannot-repeat');
    checkedBranches.add(row.branchId);
    shifts.push(row);
  }
  return shifts;
}

/** Offers each open copy to the people of its original, and notifies each of them once for the shifts of a series. */
async function offerToSamePeople(
  tx: Tx,
  scope: Scope,
  {
    jobIds,
    jobs,
    ifDeclined,
  }: { jobIds: readonly string[]; jobs: readonly JobRow[]; ifDeclined: IfDeclined },
): Promise<{ copies: Copy[]; leftOut: NotOffered[] }> {
  const people = await findBooked(tx, jobIds);
  if (people.length > hiringLimits.copiedPeopleMax)
    throw new AppError('request/invalid', { issues: [{ path: 'jobIds', message: 'fewer people' }] });
  const withoutOffer: NotOffered[] = [];
  const requests: { job: JobRow; workerId: string }[] = [];
  for (const [index, job] of jobs.entries()) {
    const workerIds = people
      .filter((person) => person.jobId === jobIds[index])
      .map(({ workerId }) => workerId);
    if (job.status !== 'open' || workerIds.length === 0) continue;
    const { reachable, leftOut } = await findReachable(tx, scope, job.id, workerIds);
    requests.push(...reachable.slice(0, job.headCount).map((workerId) => ({ job, workerId })));
    const withoutSpot = reachable
      .slice(job.headCount)
      .map((workerId) => ({ workerId, code: 'offer/no-spot' as const }));
    withoutOffer.push(...leftOut, ...withoutSpot);
  }
  const funding = { from: 'balance' } as const;
  for (const ofCurrency of Map.groupBy(requests, ({ job }) => job.currency).values())
    await fundingOfShifts(
      tx,
      scope,
      ofCurrency.map(({ job }) => job),
      { funding },
    );
  const offers: (OfferRow & { seriesId: string | null })[] = [];
  for (const { job, workerId } of requests) {
    const offer = { job, workerId, applicationId: null, payMinor: undefined, message: '', funding };
    offers.push({ ...(await offerJob(tx, scope, offer)), seriesId: job.seriesId });
  }
  const groups = Map.groupBy(offers, ({ workerId, seriesId, jobId }) => `${workerId}/${seriesId ?? jobId}`);
  for (const group of groups.values())
    await notifyOfOffers(tx, scope, group, { topic: 'offer-received', to: ['worker'] });
  const copies: Copy[] = [];
  for (const job of jobs) {
    const count = offers.filter(({ jobId }) => jobId === job.id).length;
    const isFull = count > 0 && count >= job.headCount;
    if (isFull) await pauseOfferedJob(tx, scope, job, ifDeclined);
    copies.push({ jobId: job.id, status: isFull ? 'paused' : job.status, offers: count });
  }
  const leftOut = [...new Map(withoutOffer.map((person) => [person.workerId, person])).values()];
  return { copies, leftOut };
}

/** The people booked on shifts who came or are still expected, in the order in which they were hired. */
async function findBooked(db: Db, jobIds: readonly string[]): Promise<{ jobId: string; workerId: string }[]> {
  const { rows } = await sql<{ jobId: string; workerId: string }>`
    select job_id, worker_id from engagements
    where job_id = any(${[...jobIds]}::uuid[]) and ${isPlanned} and status <> all(${[...statusesWithoutWorker]}::text[])
    order by id`.execute(db);
  return rows;
}

type ShiftRow = Pick<
  RosterShift,
  | 'jobId'
  | 'title'
  | 'status'
  | 'timeZone'
  | 'headCount'
  | 'applicants'
  | 'instantHire'
  | 'asBlock'
  | 'isReplacement'
> & {
  branchId: string | null;
  branchName: string | null;
  startsAt: Date;
  endsAt: Date;
  breakMinutes: number;
  breakPaid: boolean;
  payMinor: number | null;
  currency: Currency;
  businessFeeBasisPoints: number;
  people: RosterPerson[];
};

function rosterShift(row: ShiftRow): RosterShift {
  const minutes = paidMinutes(row.startsAt, row.endsAt, row.breakMinutes, row.breakPaid);
  const pay = payTotal({ minor: row.payMinor ?? 0, unit: 'hour', paidMinutes: minutes });
  return {
    ...row,
    branch: row.branchId === null ? null : { id: row.branchId, name: row.branchName ?? '' },
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    paidMinutes: minutes,
    costMinor: pay === null ? null : pay + shareOfAmount(pay, row.businessFeeBasisPoints),
  };
}

/** Someone who cancelled or gave the shift away isn't in the roster. */
const isPlanned = sql`engagements.status not in (${literals(cancelledEngagementStatuses)})`;

/**
 * Adds a day on both sides, since a day begins at different instants in each zone. `start_rank` counts minutes
 * backwards; its index also has the business (`jobs_business_start`).
 */
function startsNear(fromMs: number, days: number) {
  const rank = (atMs: number) => -Math.floor(atMs / minuteMs);
  return sql`job.start_rank between ${rank(fromMs + (days + 1) * dayMs)} and ${rank(fromMs - dayMs)}`;
}

/** Reads one shift more than the list shows, to know whether there are more. */
async function findShifts(
  db: Db,
  week: { businessId: string; branchId: string | null; limit: BranchLimit; fromMs: number },
): Promise<ShiftRow[]> {
  const { businessId, branchId, limit, fromMs } = week;
  const { rows } = await sql<ShiftRow>`
    select job.id as job_id, job.title, job.status, job.time_zone, job.head_count, job.instant_hire, job.as_block, job.starts_at, job.ends_at,
      job.break_minutes, job.break_paid, job.pay_minor, job.currency, job.business_fee_basis_points,
      branch.id as branch_id, branch.name as branch_name,
      (select count(*)::integer from applications application where application.job_id = job.id
        and application.status in (${literals(undecidedApplicationStatuses)})) as applicants,
      exists (select from replacements search join engagements missed on missed.id = search.engagement_id
        where search.job_id = job.id and missed.job_id <> job.id) as is_replacement,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', person.id, 'workerId', person.worker_id, 'name', worker.name,
          'status', person.status, 'giveaway', person.giveaway, 'hours', person.hours,
          'asksDayOff', person.asks_day_off) order by person.status = 'offered', worker.name, person.id)
        from (
          select id, worker_id, status,
            (select jsonb_build_object('id', giveaway.id, 'status', giveaway.status) from giveaways giveaway
              where giveaway.engagement_id = engagements.id and giveaway.status in (${literals(liveGiveawayStatuses)})) as giveaway,
            case when engagements.starts_at = job.starts_at and engagements.ends_at = job.ends_at then null
              when exists (select from shift_changes change where change.engagement_id = engagements.id and change.status = 'open')
              then 'asked' else 'kept' end as hours,
            exists (select from days_off where engagement_id = engagements.id and status = 'open') as asks_day_off
          from engagements where job_id = job.id and ${isPlanned}
          union all
          select application_id, worker_id, 'offered', null, null, false from offers where job_id = job.id and status in (${literals(liveOfferStatuses)})
        ) person join accounts worker on worker.id = person.worker_id
      ), '[]') as people
    from jobs job left join branches branch on branch.id = job.branch_id
    where job.business_id = ${businessId} and ${startsNear(fromMs, daysPerWeek)}
      and job.kind = 'shift' and job.pay_unit = 'hour' and job.starts_at is not null and job.ends_at is not null
      and (${branchId}::uuid is null or job.branch_id = ${branchId}) ${inBranches(sql`job.id`, limit)}
    order by job.start_rank desc, job.id desc limit ${hiringLimits.rosterShiftsMax + 1}`.execute(db);
  return rows;
}
