import { applicantsPath, jobPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { roughDistanceM, roughErrorM } from '@nearhand/contract/hiring/home-distance.rules';
import {
  type Candidate,
  type FindableWorker,
  type FindWorkersInput,
  type Invitation,
  invitations,
} from '@nearhand/contract/hiring/invitations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { liveOfferStatuses } from '@nearhand/contract/hiring/offers';
import type { InviteOutcome } from '@nearhand/contract/hiring/pools';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { type BusinessStatus, mayHire } from '@nearhand/contract/people/businesses.rules';
import { chordOfMetres, onSphere } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { type RawBuilder, sql } from 'kysely';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { membersAt, requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { workersById } from '../../people/profiles/profiles.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { isInBranchesOf } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord, emitRows } from '../../platform/realtime/publish-records.ts';
import { postSystemMessages } from '../../talk/messages/system-messages.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { lastMissed, takesTime, timesWorked, weekMinutes } from '../../work/engagements/engagements.sql.ts';
import { jobCardsOf } from '../jobs/job-cards.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import { isHiddenForReplacement, isReplacedFor } from '../jobs/jobs.sql.ts';
import { matchesFor } from '../matching/match-scores.ts';
import { unknownShare, weekPartsOf } from '../matching/matching.rules.ts';
import { measureWorkers } from '../reliability/reliability.ts';

const candidateMax = { applications: 2_000, workers: 200, listed: 50 };

/** Lists up to 50 workers to invite, best match first. */
async function listCandidates(db: Db, scope: Scope, { jobId }: { jobId: string }): Promise<Candidate[]> {
  await requireJobRecruiter(db, scope.actor.accountId, jobId);
  const rows = await findCandidates(db, { jobId, accountId: scope.actor.accountId });
  const matches = await matchesFor(
    db,
    scope,
    jobId,
    rows.map((row) => row.workerId),
  );
  const best = rows
    .flatMap((row) => {
      const match = matches.get(row.workerId);
      return match ? [{ ...row, match }] : [];
    })
    .sort((a, b) => b.match.matchScore - a.match.matchScore || (a.workerId < b.workerId ? -1 : 1))
    .slice(0, candidateMax.listed);
  const workers = await workersById(
    db,
    best.map((row) => row.workerId),
  );
  return best.flatMap((row) => {
    const worker = workers.get(row.workerId)?.card;
    if (!worker) return [];
    return [
      {
        worker,
        matchScore: row.match.matchScore,
        match: row.match.matchReasons,
        invitedAt: row.invitedAt?.toISOString() ?? null,
      },
    ];
  });
}

/** Leaves out members, workers who withdrew everything or delete their account, and those booked at that time. */
async function findCandidates(
  db: Db,
  { jobId, accountId }: { jobId: string; accountId: string },
): Promise<{ workerId: string; invitedAt: Date | null }[]> {
  const { rows } = await sql<{ workerId: string; invitedAt: Date | null }>`
    with viewer as materialized (
      select member.branch_ids from jobs job join business_members member on member.business_id = job.business_id
      where job.id = ${jobId} and member.account_id = ${accountId}
    ), applicant as (
      select worker_id, max(submitted_at) as last from (
        select worker_id, submitted_at from applications
        where business_id = (select business_id from jobs where id = ${jobId}) and status <> 'withdrawn'
          and exists (select from viewer where ${isInBranchesOf(sql`viewer`, sql`applications.job_id`)})
        order by submitted_at desc, id desc limit ${candidateMax.applications}) recent
      group by worker_id
    )
    select applicant.worker_id, invitation.at as invited_at from applicant
    left join job_invitations invitation on invitation.job_id = ${jobId} and invitation.worker_id = applicant.worker_id
    where not exists (select from applications where job_id = ${jobId} and worker_id = applicant.worker_id and status <> 'withdrawn')
      and not exists (select from business_members member join jobs on jobs.business_id = member.business_id
        where jobs.id = ${jobId} and member.account_id = applicant.worker_id)
      and not exists (select from engagements work join jobs on jobs.id = ${jobId} where work.worker_id = applicant.worker_id
        and work.starts_at is not null and jobs.starts_at is not null
        and tstzrange(work.starts_at, work.ends_at) && tstzrange(jobs.starts_at, jobs.ends_at)
        and ${takesTime('work')})
      and not ${isLeavingOrGone(sql`applicant.worker_id`)}
      and not ${isReplacedFor(sql`${jobId}::uuid`, sql`applicant.worker_id`)}
    order by applicant.last desc, applicant.worker_id limit ${candidateMax.workers}`.execute(db);
  return rows;
}

const metresPerKm = 1_000;
const searchMax = { nearest: 1_000, matches: 150, listed: 50 };

/**
 * Finds workers near a branch, or near the business, who let businesses find them: those who are usually free during
 * the shift `jobId` first, then those with most of its skills, then the nearest; at most 50. For recruiters.
 */
async function findWorkers(db: Db, scope: Scope, input: FindWorkersInput): Promise<FindableWorker[]> {
  const { businessId, jobId, ratingTenths = 0, reliabilityPercent = 0 } = input;
  const { accountId } = scope.actor;
  const branchIds = await requireBusinessRecruiter(db, scope.actor, businessId);
  if (branchIds && !branchIds.some((branchId) => branchId === input.branchId))
    throw new AppError('business/not-allowed');
  const center = await findCenter(db, businessId, input.branchId ?? null);
  if (!center) throw new AppError('branch/not-found');
  if (!mayHire(center.status)) throw new AppError('business/wrong-state', { status: center.status });
  if (jobId) await requireJobRecruiter(db, accountId, jobId);
  const job = jobId ? await findInvitingJob(db, jobId) : undefined;
  if (jobId && job?.businessId !== businessId) throw new AppError('job/not-found');
  const jobSkills = job?.skills ?? [];
  const findable = await findFindable(db, {
    ...input,
    jobSkills,
    shift: job ?? null,
    accountId,
    center,
    now: scope.clock.now(),
  });
  // The list is filtered and sorted by rough distances: exact ones would reveal a home within its square.
  const rows = findable
    .map((row) => ({ ...row, distanceM: roughDistanceM(row, center) }))
    .filter(({ distanceM }) => distanceM <= input.withinKm * metresPerKm)
    .sort(
      (a, b) =>
        b.freeShare - a.freeShare ||
        b.sharedSkills - a.sharedSkills ||
        a.distanceM - b.distanceM ||
        (a.workerId < b.workerId ? -1 : 1),
    );
  const ids = rows.map(({ workerId }) => workerId);
  const workers = await workersById(db, ids);
  const reliability = await measureWorkers(db, ids, scope.clock.now(), scope.config);
  const outcomes = jobId ? await inviteOutcomes(db, scope, jobId, ids) : null;
  return rows
    .flatMap(
      ({ workerId, applicant, unnamed, timesWorked, distanceM, weekMinutes, missedAt }): FindableWorker[] => {
        const card = workers.get(workerId)?.card;
        if (!card) return [];
        const percent = reliability.get(workerId)?.percent ?? null;
        if ((card.rating.averageTenths ?? 0) < ratingTenths || (percent ?? 0) < reliabilityPercent) return [];
        return [
          {
            workerId,
            name: unnamed ? null : card.name,
            languages: card.languages,
            availability: card.availability,
            weekHoursMax: card.weekHoursMax,
            weekMinutes,
            missedAt: applicant ? (missedAt?.toISOString() ?? null) : null,
            skills: card.skills,
            rating: card.rating,
            identityChecked: card.checks.identity,
            distanceM,
            reliabilityPercent: percent,
            timesWorked: applicant ? timesWorked : 0,
            outcome: outcomes?.get(workerId)?.outcome ?? null,
          },
        ];
      },
    )
    .slice(0, searchMax.listed);
}

async function findCenter(db: Db, businessId: string, branchId: string | null) {
  const { rows } = await sql<Point & { status: BusinessStatus }>`
    select business.status, coalesce(branch.lat, business.lat) as lat, coalesce(branch.lng, business.lng) as lng
    from businesses business left join branches branch
      on branch.id = ${branchId} and branch.business_id = business.id and branch.closed_at is null
    where business.id = ${businessId} and (${branchId}::uuid is null or branch.id is not null)`.execute(db);
  return rows[0];
}

const isVisibleApplicant = (
  businessId: RawBuilder<unknown>,
  workerId: RawBuilder<unknown>,
  accountId: string,
) =>
  sql<boolean>`exists (select from applications applied join job_members viewer on viewer.job_id = applied.job_id
    where applied.business_id = ${businessId} and applied.worker_id = ${workerId} and applied.status <> 'withdrawn'
      and viewer.account_id = ${accountId})`;

type FindableRow = Point & {
  workerId: string;
  applicant: boolean;
  unnamed: boolean;
  timesWorked: number;
  weekMinutes: number | null;
  missedAt: Date | null;
  sharedSkills: number;
  /** The part of the shift in which they are usually free, as `freeParts` counts it. */
  freeShare: number;
};

/**
 * Reads the nearest 1,000 only: filters that match few people must not scan a whole city. Everyone with a
 * `find_pos` has a home; `coalesce` states that for the check of declared rows.
 */
async function findFindable(
  db: Db,
  input: FindWorkersInput & {
    jobSkills: readonly string[];
    shift: Pick<InvitingJob, 'startsAt' | 'endsAt' | 'timeZone'> | null;
    accountId: string;
    center: Point;
    now: Date;
  },
): Promise<FindableRow[]> {
  const { businessId, jobId, jobSkills, shift, accountId, skill, day, part, withinKm, center, now } = input;
  const booked = shift?.startsAt
    ? weekMinutes({
        worker: sql`worker.id`,
        business: sql`${businessId}::uuid`,
        startsAt: sql`${shift.startsAt}::timestamptz`,
        timeZone: sql`${shift.timeZone}::text`,
      })
    : sql`null::int`;
  const neededParts =
    shift?.startsAt && shift.endsAt ? weekPartsOf(shift.startsAt, shift.endsAt, shift.timeZone) : [];
  const place = sql`${`(${onSphere(center).join(',')})`}::cube`;
  const { rows } = await sql<FindableRow>`
    with near as materialized (
      select account_id, findable, skills, availability, home_lat, home_lng, find_pos <-> ${place} as distance from profiles
      where find_pos is not null
        and find_pos <@ cube_enlarge(${place}, ${chordOfMetres(withinKm * metresPerKm + roughErrorM)}::float8, 3)
      order by distance limit ${sql.lit(searchMax.nearest)}
    ), matching as materialized (
      select worker.id, near.findable, near.home_lat, near.home_lng, shared.skills as shared_skills, free.share as free_share
      from near join accounts worker on worker.id = near.account_id
      cross join lateral (select count(*)::int as skills from unnest(${jobSkills}::text[]) wanted
        where near.skills @> jsonb_build_array(jsonb_build_object('skill', wanted))) shared
      cross join lateral (select coalesce(case when near.availability <> '[]' then count(*) / nullif(${neededParts.length}::float8, 0) end,
          ${sql.lit(unknownShare)}) as share
        from unnest(${neededParts}::text[]) needed where near.availability @> jsonb_build_array(
          jsonb_build_object('day', split_part(needed, ' ', 1), 'part', split_part(needed, ' ', 2)))) free
      where worker.disabled_at is null and worker.email_verified and not ${isLeavingOrGone(sql`worker.id`)}
        ${skill ? sql`and near.skills @> ${JSON.stringify([{ skill }])}::jsonb` : sql``}
        ${day || part ? sql`and near.availability @> ${JSON.stringify([{ day, part }])}::jsonb` : sql``}
        and not exists (select from business_members where business_id = ${businessId} and account_id = worker.id)
        and not exists (select from chat_blocks where worker_id = worker.id and business_id = ${businessId})
        ${jobId ? sql`and not ${isReplacedFor(sql`${jobId}::uuid`, sql`worker.id`)}` : sql``}
        and not exists (select from sanctions where sanctions.account_id = worker.id and scope in ('applying', 'everything')
          and ended_at is null and (ends_at is null or ends_at > ${now}))
      order by free.share desc, shared.skills desc, near.distance, worker.id limit ${sql.lit(searchMax.matches)}
    )
    select worker.id as worker_id, coalesce(worker.home_lat, 0) as lat, coalesce(worker.home_lng, 0) as lng,
      visible.applicant, not visible.applicant and worker.findable = 'unnamed' as unnamed,
      ${timesWorked(sql`worker.id`, sql`${businessId}`)} as times_worked, worker.shared_skills, worker.free_share,
      ${booked} as week_minutes, ${lastMissed(sql`worker.id`, sql`${businessId}::uuid`, now)} as missed_at
    from matching worker
    cross join lateral (select ${isVisibleApplicant(sql`${businessId}::uuid`, sql`worker.id`, accountId)} as applicant) visible`.execute(
    db,
  );
  return rows;
}

type InvitationRow = {
  id: string;
  jobId: string;
  workerId: string;
  status: 'sent' | 'applied' | 'declined';
  message: string;
  at: Date;
  unnamed: boolean;
  /** True for a job that a search for a replacement shows to invited people only. */
  isJobHidden: boolean;
};

const invitationColumns = sql`id, job_id, worker_id, status, message, at, unnamed,
  ${isHiddenForReplacement(sql`job_invitations.job_id`)} as is_job_hidden`;

type Invited = { id: string; workerId: string; jobId: string; businessId: string };

async function answerInvitation(
  tx: Tx,
  invitee: { jobId: string; workerId: string },
  status: 'applied' | 'declined',
  at: Date,
): Promise<void> {
  const { rows } = await sql<Invited>`update job_invitations set status = ${status}, answered_at = ${at}
    where job_id = ${invitee.jobId} and worker_id = ${invitee.workerId} and status = 'sent'
    returning id, worker_id, job_id, (select business_id from jobs where id = job_id) as business_id`.execute(
    tx,
  );
  emitRecord(tx, 'application', rows[0]);
}

async function insertInvitations(
  tx: Tx,
  rows: readonly { id: string; workerId: string; unnamed: boolean }[],
  invitation: { jobId: string; by: string; message: string; at: Date },
): Promise<{ id: string; workerId: string; unnamed: boolean }[]> {
  const { rows: invited } = await sql<Invited & { unnamed: boolean }>`
    insert into job_invitations (id, job_id, worker_id, invited_by, message, status, at, unnamed)
    select input.id, ${invitation.jobId}::uuid, input.worker_id, ${invitation.by}::uuid, ${invitation.message},
      'sent', ${invitation.at}::timestamptz, input.unnamed
    from jsonb_to_recordset(${asRecords(rows)}::jsonb) as input (id uuid, worker_id uuid, unnamed boolean)
    order by input.worker_id
    on conflict (job_id, worker_id) do nothing
    returning id, worker_id, job_id, (select business_id from jobs where id = job_id) as business_id, unnamed`.execute(
    tx,
  );
  emitRows(tx, 'application', invited);
  return invited.map(({ id, workerId, unnamed }) => ({ id, workerId, unnamed }));
}

async function findInvitationOf(db: Db, jobId: string, workerId: string): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns} from job_invitations
    where job_id = ${jobId} and worker_id = ${workerId}`.execute(db);
  return rows[0];
}

async function lockInvitation(
  tx: Tx,
  invitationId: string,
  workerId: string,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns} from job_invitations
    where id = ${invitationId} and worker_id = ${workerId} for update`.execute(tx);
  return rows[0];
}

async function findInvitations(
  db: Db,
  workerId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns} from job_invitations
    where worker_id = ${workerId} ${andBefore(sql`at, id`, after)}
    order by at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Part of account removal: replaces the person's name in messages. */
export async function eraseInvitations(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update job_invitations set message = ${withoutWords('message', member)}
    where message <> '' and (worker_id = ${member.accountId} or invited_by = ${member.accountId})`.execute(
    tx,
  );
}

/** Invites an earlier applicant. A repeat returns the first invitation. For recruiters. */
export async function inviteWorker(
  tx: Tx,
  scope: Scope,
  { jobId, workerId, message }: { jobId: string; workerId: string; message: string },
): Promise<{ id: string; workerId: string; at: string }> {
  await requireJobRecruiter(tx, scope.actor.accountId, jobId);
  const job = await findInvitingJob(tx, jobId);
  if (!job) throw new AppError('job/not-found');
  const before = await findInvitationOf(tx, jobId, workerId);
  if (before) return invitationAnswer(before);
  const [facts] = await findInviteFacts(
    tx,
    { jobId, accountId: scope.actor.accountId },
    [workerId],
    dayBefore(scope),
  );
  if (facts?.applied) throw new AppError('invitation/already-applied');
  if (!facts?.reachable) throw new AppError('invitation/unknown-worker');
  if (facts.blockedBy.length > 0) throw new AppError('worker/unreachable');
  if (job.status !== 'open') throw new AppError('job/not-open', { status: job.status });
  if (facts.recentInvitations >= hiringLimits.invitationsPerWorkerDay)
    throw new AppError('invitation/limit', { limit: hiringLimits.invitationsPerWorkerDay });
  await sendInvitations(tx, scope, job, { jobId, recipients: [facts], message });
  const invitation = await findInvitationOf(tx, jobId, workerId);
  if (!invitation) throw new AppError('invitation/unknown-worker');
  return invitationAnswer(invitation);
}

/** The clock, and the recruiter who invites. */
type InvitingScope = ClockScope & { actor: Pick<Actor, 'accountId'> };

const dayBefore = ({ clock }: ClockScope): Date => subtractMs(clock.now(), dayMs);

/** Returns which workers an invitation would reach, why it wouldn't reach the others, and who is free. */
export async function inviteOutcomes(
  db: Db,
  scope: InvitingScope,
  jobId: string,
  workerIds: readonly string[],
): Promise<Map<string, { outcome: InviteOutcome; free: boolean | null; unnamed: boolean }>> {
  const rows = await findInviteFacts(
    db,
    { jobId, accountId: scope.actor.accountId },
    workerIds,
    dayBefore(scope),
  );
  return new Map(
    rows.map((row) => [
      row.workerId,
      {
        outcome: inviteOutcome(row),
        free: row.booked === null ? null : !row.booked,
        unnamed: row.unnamed,
      },
    ]),
  );
}

/** Checks that the caller recruits for the job, then invites the workers, each with a result of their own. */
async function inviteAll(
  tx: Tx,
  scope: Scope,
  input: { jobId: string; workerIds: readonly string[]; message: string },
): Promise<{ results: Awaited<ReturnType<typeof inviteWorkers>> }> {
  await requireJobRecruiter(tx, scope.actor.accountId, input.jobId);
  return { results: await inviteWorkers(tx, scope, input) };
}

/**
 * Invites several workers to an open job. The caller checks access.
 * @throws job/not-found, job/not-open
 */
export async function inviteWorkers(
  tx: Tx,
  scope: InvitingScope,
  request: { jobId: string; workerIds: readonly string[]; message: string },
): Promise<{ workerId: string; sent: boolean; outcome: InviteOutcome }[]> {
  const { jobId, workerIds, message } = request;
  const job = await findInvitingJob(tx, jobId);
  if (!job) throw new AppError('job/not-found');
  if (job.status !== 'open') throw new AppError('job/not-open', { status: job.status });
  const outcomes = await inviteOutcomes(tx, scope, jobId, workerIds);
  const recipients = [...new Set(workerIds)].flatMap((workerId) => {
    const facts = outcomes.get(workerId);
    return facts?.outcome === 'ready' ? [{ workerId, unnamed: facts.unnamed }] : [];
  });
  const sentIds = new Set(await sendInvitations(tx, scope, job, { jobId, recipients, message }));
  return [...new Set(workerIds)].map((workerId) => {
    const outcome = outcomes.get(workerId)?.outcome ?? 'gone';
    return {
      workerId,
      sent: sentIds.has(workerId),
      outcome: !sentIds.has(workerId) && outcome === 'ready' ? 'invited' : outcome,
    };
  });
}

type Recipient = { workerId: string; unnamed: boolean };

async function sendInvitations(
  tx: Tx,
  scope: InvitingScope,
  job: InvitingJob,
  { jobId, recipients, message }: { jobId: string; recipients: readonly Recipient[]; message: string },
): Promise<string[]> {
  const at = scope.clock.now();
  const data: Record<string, string> = message ? { reason: message } : {};
  const invitations = await insertInvitations(
    tx,
    recipients.map(({ workerId, unnamed }) => ({ id: newId(at), workerId, unnamed })),
    { jobId, by: scope.actor.accountId, message, at },
  );
  // A conversation shows the worker's name to the business.
  const invitationsByName = invitations.filter(({ unnamed }) => !unnamed);
  await postSystemMessages(
    tx,
    scope,
    invitationsByName.map(({ id, workerId }) => ({ jobId, workerId, line: 'invited', key: id, data })),
  );
  await notifyAll(
    tx,
    scope,
    invitations.map(({ id, workerId }) => ({
      accountId: workerId,
      topic: 'application-invited' as const,
      data: invitationFacts(job, message),
      path: jobPath(jobId),
      dedupeKey: `application-invited/${id}`,
    })),
  );
  return invitations.map(({ workerId }) => workerId);
}

const invitationAnswer = (row: InvitationRow) => ({
  id: row.id,
  workerId: row.workerId,
  at: row.at.toISOString(),
});

function invitationFacts(job: InvitingJob, message: string) {
  const { startsAt, endsAt } = job;
  // Hourly pay is not a total; only a fixed price is included.
  const fixedMinor = job.payUnit === 'fixed' ? job.payMinor : null;
  return {
    jobTitle: job.title,
    businessName: job.businessName,
    timeZone: job.timeZone,
    side: 'worker' as const,
    startsAt: endsAt ? startsAt?.toISOString() : undefined,
    endsAt: startsAt ? endsAt?.toISOString() : undefined,
    by: job.expiresAt?.toISOString(),
    amountMinor: fixedMinor ?? undefined,
    currency: fixedMinor === null ? undefined : job.currency,
    reason: message,
  };
}

/** Lists the caller's invitations, newest first. */
export async function myInvitations(db: Db, { actor }: Scope, input: PageInput): Promise<Page<Invitation>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findInvitations(db, actor.accountId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return { items: await toInvitations(db, page.items), nextCursor: page.nextCursor };
}

/** Declines an invitation. For its worker. */
async function declineInvitation(
  tx: Tx,
  scope: Scope,
  { invitationId }: { invitationId: string },
): Promise<Invitation> {
  const row = await lockInvitation(tx, invitationId, scope.actor.accountId);
  const [invitation] = row ? await toInvitations(tx, [row]) : [];
  if (!row || !invitation) throw new AppError('invitation/not-found');
  if (invitation.status === 'declined') return invitation;
  if (invitation.status !== 'sent')
    throw new AppError('invitation/wrong-state', { status: invitation.status });
  await answerInvitation(tx, { jobId: row.jobId, workerId: row.workerId }, 'declined', scope.clock.now());
  if (!row.unnamed) await notifyOfDecline(tx, scope, row);
  return { ...invitation, status: 'declined' };
}

async function notifyOfDecline(tx: Tx, scope: Scope, row: InvitationRow): Promise<void> {
  const facts = await findInvitingJob(tx, row.jobId);
  const workerName = await findWorkerName(tx, row.workerId);
  if (!facts || workerName === undefined) return;
  const recruiters = await membersAt(tx, row.jobId, 'applicants');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic: 'application-invitation-declined',
      data: {
        jobTitle: facts.title,
        businessName: facts.businessName,
        workerName,
        timeZone: facts.timeZone,
        side: 'business',
      },
      path: applicantsPath(row.jobId, null),
      dedupeKey: `application-invitation-declined/${row.id}`,
    })),
  );
}

async function toInvitations(db: Db, rows: readonly InvitationRow[]): Promise<Invitation[]> {
  const cards = await jobCardsOf(
    db,
    rows.map((row) => row.jobId),
    { knowsPlace: false, from: null },
  );
  return rows.flatMap((row) => {
    const card = cards.get(row.jobId);
    if (!card) return [];
    const { status, questions: _questions, ...job } = card;
    return [
      {
        id: row.id,
        status: row.status === 'sent' && status !== 'open' && !row.isJobHidden ? 'ended' : row.status,
        message: row.message,
        at: row.at.toISOString(),
        job,
      },
    ];
  });
}

/** Marks the worker's invitation as answered when they apply; no-op without one. */
export async function markInvitationApplied(
  tx: Tx,
  scope: ClockScope,
  invitee: { jobId: string; workerId: string },
): Promise<void> {
  await answerInvitation(tx, invitee, 'applied', scope.clock.now());
}

type InvitingJob = {
  status: string;
  title: string;
  businessId: string;
  businessName: string;
  timeZone: string;
  startsAt: Date | null;
  endsAt: Date | null;
  expiresAt: Date | null;
  payMinor: number | null;
  payUnit: string;
  currency: Currency;
  skills: string[];
};

async function findInvitingJob(db: Db, jobId: string): Promise<InvitingJob | undefined> {
  const { rows } = await sql<InvitingJob>`
    select case when ${isHiddenForReplacement(sql`jobs.id`)} then 'open' else status end as status, title, business_id, business_name, time_zone, starts_at, ends_at, expires_at, pay_minor, pay_unit, currency, skills
    from jobs where id = ${jobId}`.execute(db);
  return rows[0];
}

async function findWorkerName(db: Db, workerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from accounts where id = ${workerId}`.execute(db);
  return rows[0]?.name;
}

async function findInviteFacts(
  db: Db,
  { jobId, accountId }: { jobId: string; accountId: string },
  workerIds: readonly string[],
  since: Date,
): Promise<(InviteFacts & { workerId: string })[]> {
  const { rows } = await sql<InviteFacts & { workerId: string }>`
    select worker.id as "workerId", invitation.status as invitation,
      worker.disabled_at is null
        and not ${isLeavingOrGone(sql`worker.id`)}
        and (applicant or worker.email_verified and profile.find_pos is not null)
        and not exists (select from business_members where business_id = job.business_id and account_id = worker.id) as reachable,
      not applicant and coalesce(profile.findable = 'unnamed', false) as unnamed,
      exists (select from applications where job_id = job.id and worker_id = worker.id and status <> 'withdrawn') as applied,
      exists (select from offers where job_id = job.id and worker_id = worker.id and status in (${literals(liveOfferStatuses)})) as offered,
      array(select side from chat_blocks where worker_id = worker.id and business_id = job.business_id) as "blockedBy",
      case when job.starts_at is null then null
        when exists (select from engagements work where work.worker_id = worker.id
          and (applicant or work.business_id = job.business_id)
          and work.starts_at is not null and tstzrange(work.starts_at, work.ends_at) && tstzrange(job.starts_at, job.ends_at)
          and ${takesTime('work')}) then true
        when applicant then false end as booked,
      (select count(*)::int from job_invitations recent join jobs on jobs.id = recent.job_id
        where recent.worker_id = worker.id and recent.at > ${since} and jobs.business_id = job.business_id) as "recentInvitations"
    from accounts worker join jobs job on job.id = ${jobId}
    left join profiles profile on profile.account_id = worker.id
    cross join lateral (select ${isVisibleApplicant(sql`job.business_id`, sql`worker.id`, accountId)} as applicant) visible
    left join job_invitations invitation on invitation.job_id = job.id and invitation.worker_id = worker.id
    where worker.id = any(${[...workerIds]}::uuid[])`.execute(db);
  return rows;
}

type InviteFacts = {
  /** Applied to the business before or lets businesses find them, and may still be invited. */
  reachable: boolean;
  unnamed: boolean;
  applied: boolean;
  offered: boolean;
  invitation: 'sent' | 'applied' | 'declined' | null;
  blockedBy: readonly ('worker' | 'business')[];
  /** Null if the job has no time, or hidden: other businesses' bookings are private until the worker applies. */
  booked: boolean | null;
  recentInvitations: number;
};

/** Doesn't reveal that the worker has blocked the business. */
function inviteOutcome(facts: InviteFacts): InviteOutcome {
  if (!facts.reachable || facts.blockedBy.includes('worker')) return 'gone';
  if (facts.blockedBy.includes('business')) return 'blocked';
  if (facts.applied) return 'applied';
  if (facts.offered) return 'offered';
  if (facts.invitation !== null) return facts.invitation === 'declined' ? 'declined' : 'invited';
  if (facts.booked) return 'booked';
  return facts.recentInvitations >= hiringLimits.invitationsPerWorkerDay ? 'limit' : 'ready';
}

export const invitationsRoutes = {
  find: read(invitations.find, findWorkers),
  sendAll: write(invitations.sendAll, inviteAll),
  candidates: read(invitations.candidates, listCandidates),
  send: write(invitations.send, inviteWorker),
  mine: read(invitations.mine, myInvitations),
  decline: write(invitations.decline, declineInvitation),
};
