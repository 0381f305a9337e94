import { addMs, dayIn, hourMs, minuteMs } from '@nearhand/contract/durations';
import { liveGiveawayStatuses } from '@nearhand/contract/hiring/giveaways';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { liveOfferStatuses } from '@nearhand/contract/hiring/offers';
import { type Replacement, replacements } from '@nearhand/contract/hiring/replacements';
import type { MemberRole } from '@nearhand/contract/member-roles';
import {
  canBeReplaced,
  canHideSpot,
  longestHidingMs,
  replacementStart,
  statusesWithoutWorker,
} from '@nearhand/contract/work/replacements.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { z } from 'zod';
import { tryHold } from '../../money/holds/hold-entries.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { findHiringMembers, hiringBusiness, isHiring } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { actingSide, relationToWork } from '../../work/engagements/engagement-access.ts';
import { type EngagementRow, openEngagement } from '../../work/engagements/engagement-transitions.ts';
import { createRebooked, paidRebookApplication } from '../applications/rebooked.ts';
import { findTakers } from '../giveaways/giveaways.sql.ts';
import { type HiringEvents, hiringHooks } from '../hooks.ts';
import { inviteWorkers } from '../invitations/invitations.ts';
import { updateJob } from '../jobs/job-edits.ts';
import { openPausedJob, pauseJob, publishJob, reopenJob } from '../jobs/job-lifecycle.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { leaveBlock } from '../jobs/jobs.sql.ts';
import { duplicateJob } from '../jobs/jobs.ts';
import { createOffer, fundingOfOffer, offerEndNow } from '../offers/offer-making.ts';
import { notifyOfOffer } from '../offers/offer-notices.ts';
import type { OfferRow } from '../offers/offers.sql.ts';
import { possibleTerms } from '../spots/spot-terms.ts';
import { freeSpotsOf } from '../spots/spots.ts';

const firstPublicAfterMinutes = 60;

/**
 * Looks for someone else for a shift without its worker (ADR 385). A repeat returns the search that runs or found
 * someone, who has a booking of their own to search from. For recruiters.
 */
async function findReplacement(
  tx: Tx,
  scope: Scope,
  { engagementId, publicAfterMinutes }: { engagementId: string; publicAfterMinutes?: number },
): Promise<Replacement> {
  const { accountId } = scope.actor;
  const row = await findBooking(tx, engagementId, accountId);
  const relation = relationToWork(row, scope.actor);
  if (!row || relation === null) throw new AppError('engagement/not-found');
  if (actingSide(relation) !== 'business') throw new AppError('engagement/not-allowed');
  await requireJobRecruiter(tx, accountId, row.jobId);
  await hiringBusiness(tx, row.businessId);
  const job = await lockJob(tx, row.jobId);
  const current = await findOne(tx, scope, engagementId);
  if (current && current.state !== 'ended') return current;
  requireWithoutWorker(row);
  const now = scope.clock.now();
  const hasStarted = job.startsAt === null || job.startsAt <= now;
  // Its spot is filled alone, and hiding it must not hide the other dates (ADR 414).
  if (!hasStarted && job.asBlock) await leaveBlock(tx, job.id);
  const spot = hasStarted ? await postRest(tx, scope, row, job) : requireSpot(job);
  const minutes = publicAfterMinutes ?? (await lastPublicAfter(tx, row.businessId));
  const publicAfterMs = Math.min(minutes * minuteMs, longestHidingMs(spot.startsAt ?? now, now));
  const { status, instantHire } = spot;
  const hidden =
    publicAfterMs > 0 && canHideSpot({ status, instantHire, spotsLeft: spot.headCount - spot.hiredCount });
  const publicAt = addMs(now, hidden ? publicAfterMs : 0);
  await sql`insert into replacements (engagement_id, business_id, job_id, hidden, public_at, public_after_minutes, created_at)
    values (${engagementId}, ${row.businessId}, ${spot.id}, ${hidden}, ${publicAt}, ${minutes}, ${now})
    on conflict (engagement_id) do update set job_id = excluded.job_id, hidden = excluded.hidden,
      public_at = excluded.public_at, public_after_minutes = excluded.public_after_minutes,
      created_at = excluded.created_at`.execute(tx);
  if (hidden && status === 'open') await pauseJob(tx, scope, { jobId: spot.id });
  if (!hidden && status === 'paused') await reopenJob(tx, scope, { jobId: spot.id });
  emitRecord(tx, 'engagement', { id: engagementId, jobId: spot.id, businessId: row.businessId });
  if (!hasStarted) await hiringHooks.on.spotFreed(tx, scope, spot.id);
  await askOn(tx, scope, { engagementId, step: 'pools' });
  // The booking is locked last, after applications and offers (ADR 38); it may have moved since it was read.
  requireWithoutWorker((await openEngagement(tx, scope, { engagementId })).row);
  const search = await findOne(tx, scope, engagementId);
  if (!search) throw new AppError('engagement/not-found');
  return search;
}

type BookingRow = Pick<
  EngagementRow,
  'jobId' | 'businessId' | 'workerId' | 'kind' | 'status' | 'startsAt' | 'endsAt'
> & { role: MemberRole | null };

/** @throws engagement/wrong-state (data: status) */
function requireWithoutWorker({ kind, status }: Pick<EngagementRow, 'kind' | 'status'>): void {
  if (kind !== 'shift' || !statusesWithoutWorker.includes(status))
    throw new AppError('engagement/wrong-state', { status });
}

/** @throws job/wrong-state unless the spot is open, or was taken already */
function requireSpot(job: JobRow): JobRow {
  if (job.status !== 'open' && job.status !== 'paused' && job.status !== 'filled')
    throw new AppError('job/wrong-state', { status: job.status });
  return job;
}

/**
 * Posts the rest of a started shift for one person. Its money is set aside with an offer and is independent of the
 * booking's hold.
 * @throws engagement/too-late
 */
async function postRest(
  tx: Tx,
  scope: Scope,
  { startsAt, endsAt }: Pick<BookingRow, 'startsAt' | 'endsAt'>,
  { id: likeId, timeZone, breakMinutes }: JobRow,
): Promise<JobRow> {
  const now = scope.clock.now();
  if (!startsAt || !endsAt || !canBeReplaced(startsAt, endsAt, now))
    throw new AppError('engagement/too-late');
  const start = replacementStart(startsAt, now);
  const { id: jobId, version } = await duplicateJob(tx, scope, {
    jobId: likeId,
    day: dayIn(timeZone, startsAt),
  });
  const isMostOfIt = 2 * (endsAt.getTime() - start.getTime()) >= endsAt.getTime() - startsAt.getTime();
  await updateJob(tx, scope, {
    jobId,
    version,
    startsAt: start.toISOString(),
    endsAt: endsAt.toISOString(),
    breakMinutes: isMostOfIt ? breakMinutes : 0,
    headCount: 1,
    instantHire: false,
  });
  await publishJob(tx, scope, { jobId });
  return lockJob(tx, jobId);
}

const steps = ['pools', 'colleagues', 'public'] as const;
type Step = { engagementId: string; step: (typeof steps)[number] };

/** The pause before another attempt, short enough for a shift that starts the same day. */
const retryMs = 15 * minuteMs;

/** Statuses from which an operator may still open the job; then the search resumes. */
const waitingStatuses: readonly JobRow['status'][] = ['in_review', 'rejected', 'suspended'];

const stepKey = (engagementId: string): string => `${askOnTask.name}/${engagementId}`;

/**
 * Asks the next people: pools of the business, then everyone who worked there, then the public. Skips a step without
 * anyone to ask. Stops while operators hold the job back, and ends at the start or with the last spot.
 */
async function askOn(tx: Tx, scope: MoneyScope, { engagementId, step }: Step): Promise<void> {
  const search = await findSearch(tx, engagementId);
  if (!search) return;
  const now = scope.clock.now();
  const job = await lockJob(tx, search.jobId);
  const { startsAt, endsAt, businessId } = job;
  const isOver = (job.status !== 'open' && job.status !== 'paused') || job.hiredCount >= job.headCount;
  if (isOver || !startsAt || !endsAt || startsAt <= now) return;
  // A business that paused the job after everyone could see it opens it again itself.
  if (job.status === 'paused' && !search.hidden) return;
  const enqueueStep = (runAt: Date, nextStep: Step['step']) =>
    enqueue(tx, askOnTask, { engagementId, step: nextStep }, { runAt, key: stepKey(engagementId) });
  // No event says that the last suspended member may hire again. The jobs of a suspended business are hidden soon.
  if (!(await isHiring(tx, businessId, now))) return enqueueStep(addMs(now, retryMs), step);
  if (step === 'public') return openPausedJob(tx, scope, job);
  const recruiterId = scope.actor?.accountId ?? (await findHiringMembers(tx, job.id, now))[0];
  // Nobody can invite by name, so the next step is the public.
  if (!recruiterId) return search.hidden ? enqueueStep(search.publicAt, 'public') : undefined;
  const shift = { jobId: job.id, businessId, workerId: search.workerId, startsAt, endsAt };
  const workerIds = await findTakers(tx, shift, 'colleagues', now, { pooled: step === 'pools' });
  const inviting = { clock: scope.clock, actor: { accountId: recruiterId } };
  const results = await inviteWorkers(tx, inviting, { jobId: job.id, workerIds, message: '' });
  const isAsking = results.some(({ sent }) => sent);
  if (step === 'pools') {
    // A search that everyone sees has no reason to wait for its pools.
    const half = new Date((now.getTime() + search.publicAt.getTime()) / 2);
    if (isAsking && search.hidden) return enqueueStep(half, 'colleagues');
    return askOn(tx, scope, { engagementId, step: 'colleagues' });
  }
  const invitedCount = (await findOne(tx, scope, engagementId))?.invitedCount ?? 0;
  return invitedCount > 0 && search.hidden
    ? enqueueStep(search.publicAt, 'public')
    : openPausedJob(tx, scope, job);
}

/**
 * Offers each free spot of a hidden job to the next person of the business's pools, if it chose so (ADR 407): who has the
 * skills, is free, did not miss a shift there lately, and has no application or offer for this job, so that nobody is
 * asked again after a withdrawal. The balance pays. A spot that nobody gets opens the job.
 */
export async function offerToPools(tx: Tx, scope: MoneyScope, jobId: string): Promise<void> {
  const job = await lockJob(tx, jobId);
  const { businessId, startsAt, endsAt } = job;
  const now = scope.clock.now();
  if (job.status !== 'paused' || !job.opensWhenFreed || !job.offersToPools) return;
  const terms = possibleTerms(scope, job);
  if (!terms || !startsAt || !endsAt || startsAt <= now || !(await isHiring(tx, businessId, now))) return;
  const shift = { jobId, businessId, workerId: null, startsAt, endsAt };
  const workerIds = await findTakers(tx, shift, 'colleagues', now, { pooled: true, forOffers: true });
  let free = freeSpotsOf(job);
  for (const workerId of workerIds) {
    if (free <= 0) break;
    // Only people who applied to the business before get direct offers (ADR 165).
    if (!(await paidRebookApplication(tx, { jobId, workerId }))) continue;
    const offer = await tryHold(tx, () => offerToPooled(tx, scope, job, { workerId, terms }));
    // The balance is short, for everyone else too.
    if (!offer) break;
    await notifyOfOffer(tx, scope, offer, { topic: 'offer-received', to: ['worker'] });
    free -= 1;
  }
}

async function offerToPooled(
  tx: Tx,
  scope: MoneyScope,
  job: JobRow,
  { workerId, terms }: { workerId: string; terms: Terms },
): Promise<OfferRow> {
  const { id: jobId } = job;
  const funding = await fundingOfOffer(tx, scope, job, terms, { from: 'balance' });
  const until = await offerEndNow(tx, scope, job, workerId);
  const applicationId = await createRebooked(tx, scope, { jobId, workerId, actor: 'timer', until });
  const source = 'rebook' as const;
  return createOffer(tx, scope, {
    job,
    applicationId,
    workerId,
    terms,
    source,
    message: '',
    actor: null,
    funding,
    expiresAt: until,
  });
}

const askOnTask = defineTask({
  name: 'replacements.ask-on',
  payload: z.object({ engagementId: z.uuid(), step: z.enum(steps) }),
  run: (scope, step) => scope.db.transaction().execute((tx) => askOn(tx, scope, step)),
});

/** Continues the searches of a job that an operator opened, or whose business may hire again. People invited are skipped. */
export const resumeSearches: HiringEvents['jobMoved'] = async (tx, _scope, { jobId, from, to }) => {
  if (!waitingStatuses.includes(from) || (to !== 'open' && to !== 'paused')) return;
  const { rows } = await sql<{ engagementId: string }>`
    select engagement_id from replacements where job_id = ${jobId} order by engagement_id`.execute(tx);
  for (const { engagementId } of rows)
    await enqueue(tx, askOnTask, { engagementId, step: 'pools' }, { key: stepKey(engagementId) });
};

/** Ends the hiding by searches once their job is open, by a person or a timer. */
export const endHiding: HiringEvents['jobMoved'] = async (tx, { clock }, { jobId, from, to }) => {
  if (to !== 'open' || from === 'draft') return;
  const { rows } = await sql<{ id: string; jobId: string; businessId: string }>`
    update replacements set hidden = false, public_at = least(public_at, ${clock.now()})
    where job_id = ${jobId} and hidden returning engagement_id as id, job_id, business_id`.execute(tx);
  for (const search of rows) emitRecord(tx, 'engagement', search);
};

/** Lists searches and live giveaways, newest first. For recruiters; those limited to branches see only these. */
async function listReplacements(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ items: Replacement[]; publicAfterMinutes: number }> {
  const branches = await requireBusinessRecruiter(db, scope.actor, businessId);
  return {
    items: await findReplacements(db, scope, { businessId, branches }),
    publicAfterMinutes: await lastPublicAfter(db, businessId),
  };
}

async function findOne(db: Db, scope: ClockScope, engagementId: string): Promise<Replacement | undefined> {
  const [search] = await findReplacements(db, scope, { engagementId });
  return search;
}

type ReplacementRow = Pick<
  Replacement,
  'engagementId' | 'jobId' | 'giveawayId' | 'invitedCount' | 'answerCount' | 'timeZone'
> & {
  startsAt: Date;
  status: JobRow['status'];
  isFull: boolean;
  isTaken: boolean;
  hidden: boolean;
  publicAt: Date | null;
  createdAt: Date;
};

/** The time at which a booking was left without its worker. Later writes to its row move no one out of the search. */
const spotFreedAt = sql`coalesce((select min(move.at) from engagement_moves move
  where move.engagement_id = booking.id and move.to_status = any(${[...statusesWithoutWorker]}::text[])), search.created_at)`;

/** The people whom a search invited, as rows with whether they answered. */
const invitedPeople = sql`select invitation.status <> 'sent' as has_answered from job_invitations invitation
  where invitation.job_id = search.job_id and (search.job_id <> booking.job_id or invitation.at >= ${spotFreedAt})
  union all
  select offer.status not in (${literals(liveOfferStatuses)}) from offers offer
  where offer.job_id = search.job_id and offer.source = 'waitlist' and offer.created_at >= ${spotFreedAt}`;

async function findReplacements(
  db: Db,
  { clock }: ClockScope,
  filter: { businessId: string; branches: BranchLimit } | { engagementId: string },
): Promise<Replacement[]> {
  const now = clock.now();
  const since = addMs(now, -24 * hourMs);
  const [searches, handedOn] =
    'engagementId' in filter
      ? [sql`search.engagement_id = ${filter.engagementId}`, sql`false`]
      : [
          sql`search.business_id = ${filter.businessId} ${inBranches(sql`search.job_id`, filter.branches)}`,
          sql`giveaway.business_id = ${filter.businessId} and giveaway.status in (${literals(liveGiveawayStatuses)})
            ${inBranches(sql`giveaway.job_id`, filter.branches)}`,
        ];
  const { rows } = await sql<ReplacementRow>`
    select * from (
      (select search.engagement_id, search.job_id, null::uuid as giveaway_id, people.invited_count, people.answer_count,
        job.time_zone, job.starts_at, job.status, job.hired_count >= job.head_count as is_full, false as is_taken, search.hidden,
        search.public_at, search.created_at
      from replacements search
      join jobs job on job.id = search.job_id
      join engagements booking on booking.id = search.engagement_id
      cross join lateral (select count(*)::integer as invited_count,
          (count(*) filter (where has_answered))::integer as answer_count
        from (${invitedPeople}) invited) people
      where ${searches} and job.starts_at > ${since}
      order by search.created_at desc limit ${hiringLimits.replacementsMax})
      union all
      (select giveaway.engagement_id, giveaway.job_id, giveaway.id, null, null, job.time_zone, job.starts_at, job.status,
        false, giveaway.status = 'waiting', false, null, giveaway.created_at
      from giveaways giveaway join jobs job on job.id = giveaway.job_id
      where ${handedOn} and job.starts_at is not null
      order by giveaway.created_at desc limit ${hiringLimits.replacementsMax})
    ) replacement order by created_at desc, engagement_id limit ${hiringLimits.replacementsMax}`.execute(db);
  return rows.map((row) => ({
    engagementId: row.engagementId,
    jobId: row.jobId,
    giveawayId: row.giveawayId,
    state: replacementState(row, now),
    invitedCount: row.invitedCount,
    answerCount: row.answerCount,
    publicAt: row.hidden && row.status !== 'open' && row.publicAt ? row.publicAt.toISOString() : null,
    startsAt: row.startsAt.toISOString(),
    timeZone: row.timeZone,
  }));
}

function replacementState(row: ReplacementRow, now: Date): Replacement['state'] {
  if (row.giveawayId !== null) return row.isTaken ? 'to_approve' : 'looking';
  if (row.isFull) return 'found';
  if (row.status === 'in_review' && row.startsAt > now) return 'in_review';
  const isLive = ['open', 'paused', 'filled'].includes(row.status) && row.startsAt > now;
  return isLive ? 'looking' : 'ended';
}

/** The booking with the role of the account at its job, without a lock. */
async function findBooking(db: Db, engagementId: string, accountId: string): Promise<BookingRow | undefined> {
  const { rows } = await sql<BookingRow>`
    select booking.job_id, booking.business_id, booking.worker_id, booking.kind, booking.status, booking.starts_at,
      booking.ends_at, member.role
    from engagements booking
    left join job_members member on member.job_id = booking.job_id and member.account_id = ${accountId}
    where booking.id = ${engagementId}`.execute(db);
  return rows[0];
}

type SearchRow = { jobId: string; hidden: boolean; publicAt: Date; workerId: string };

async function findSearch(db: Db, engagementId: string): Promise<SearchRow | undefined> {
  const { rows } = await sql<SearchRow>`
    select search.job_id, search.hidden, search.public_at, booking.worker_id
    from replacements search join engagements booking on booking.id = search.engagement_id
    where search.engagement_id = ${engagementId}`.execute(db);
  return rows[0];
}

/** The minutes until the public that the business chose last. */
async function lastPublicAfter(db: Db, businessId: string): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select public_after_minutes as minutes from replacements
    where business_id = ${businessId} order by created_at desc limit 1`.execute(db);
  return rows[0]?.minutes ?? firstPublicAfterMinutes;
}

export const replacementsTasks = [askOnTask];

export const replacementsRoutes = {
  list: read(replacements.list, listReplacements),
  find: write(replacements.find, findReplacement),
};
