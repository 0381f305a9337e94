import { addMs, minuteMs } from '@nearhand/contract/durations';
import { type EngagementStatus, isUpcoming } from '@nearhand/contract/engagement-statuses';
import {
  type Giveaway,
  type GiveawayAudience,
  type GiveawayMoveName,
  type GiveawayStatus,
  giveawayMoves,
  giveaways,
  isLiveGiveaway,
} from '@nearhand/contract/hiring/giveaways';
import { type Mover, nextState } from '@nearhand/contract/moves';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { z } from 'zod';
import { findHiringMembers, isHiring } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { mayComeLate } from '../../work/engagements/engagement-actions.rules.ts';
import {
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
} from '../../work/engagements/engagement-transitions.ts';
import { lockEngagement, lockJobOf, nextStep } from '../../work/engagements/engagements.sql.ts';
import { stopConfirmWatch } from '../../work/engagements/engagements.ts';
import { passChangeOn } from '../../work/engagements/shift-changes.ts';
import { makeApplicationMove } from '../applications/application-transitions.ts';
import { createRebooked } from '../applications/rebooked.ts';
import { inviteWorkers } from '../invitations/invitations.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { lockJobRows } from '../jobs/jobs.sql.ts';
import { createOffer } from '../offers/offer-making.ts';
import { hire } from '../offers/offers.ts';
import { freeSpotsOf, passHiredSpot } from '../spots/spots.ts';
import { notifyOfGiveaway } from './giveaway-notices.ts';
import { findAskable, type GiveawayRef, getGiveaway, giveawayOptions } from './giveaway-views.ts';
import {
  findEngagementJob,
  findGiveaway,
  findGiveawayMode,
  findSwapShifts,
  findTakers,
  type GiveawayRow,
  type GiveawayShift,
  insertGiveaway,
  lockGiveaway,
  lockGiveawaysOf,
  lockGiveawaysOfWork,
  lockTakerApplication,
  updateGiveaway,
} from './giveaways.sql.ts';

type GiveawayDecision = GiveawayRef & { version: number };
type GiveawayScope = ClockScope;

const bookedShift = (engagement: EngagementRow): GiveawayShift | null =>
  engagement.startsAt && engagement.endsAt
    ? { ...engagement, startsAt: engagement.startsAt, endsAt: engagement.endsAt }
    : null;

/**
 * The shift of booked work that has neither started nor been checked in to.
 * @throws engagement/wrong-state
 */
function requireUpcoming(engagement: EngagementRow, now: Date): GiveawayShift {
  const shift = bookedShift(engagement);
  if (!shift || !mayComeLate(engagement) || shift.startsAt <= now)
    throw new AppError('engagement/wrong-state', { status: engagement.status });
  return shift;
}

/**
 * Offers a booked shift to colleagues, the waitlist or one colleague, who are notified. It stays booked for its
 * worker. A repeat returns the open one.
 */
export async function offerGiveaway(
  tx: Tx,
  scope: Scope,
  {
    engagementId,
    audience,
    colleagueId = null,
    swapEngagementId = null,
  }: {
    engagementId: string;
    audience: GiveawayAudience;
    colleagueId?: string | null;
    swapEngagementId?: string | null;
  },
): Promise<Giveaway> {
  const jobId = await lockJobOf(tx, engagementId, scope.actor.accountId);
  if (jobId === undefined) throw new AppError('engagement/not-found');
  const { row: engagement } = await openEngagement(tx, scope, { engagementId, side: 'worker' });
  const now = scope.clock.now();
  const shift = requireUpcoming(engagement, now);
  const live = await lockGiveaway(tx, { engagementId });
  const isRepeat = (row: GiveawayRow) =>
    row.audience === audience && row.colleagueId === colleagueId && row.swapEngagementId === swapEngagementId;
  if (live && !isRepeat(live)) throw new AppError('giveaway/wrong-state', { status: live.status });
  if (live) return getGiveaway(tx, scope, { giveawayId: live.id });
  const mode = await findGiveawayMode(tx, jobId);
  if (mode === 'off') throw new AppError('giveaway/off');
  if (!isFundedOrPlanned(engagement)) throw new AppError('giveaway/not-funded');
  const [swap] =
    colleagueId === null || swapEngagementId === null
      ? []
      : await findSwapShifts(
          tx,
          { engagementId, shift },
          { workerIds: [colleagueId], engagementId: swapEngagementId },
          now,
        );
  const askable = await findAskable(tx, { engagementId, shift, audience }, now, {
    workerId: colleagueId ?? undefined,
    exceptId: swapEngagementId,
  });
  if (colleagueId !== null && (askable.length === 0 || (swapEngagementId !== null && !swap)))
    throw new AppError('giveaway/not-eligible');
  if (askable.length === 0) throw new AppError('giveaway/nobody');
  const row: GiveawayRow = {
    id: newId(now),
    version: 1,
    engagementId,
    jobId,
    businessId: engagement.businessId,
    workerId: engagement.workerId,
    audience,
    needsApproval: mode === 'approval' || swap?.giveaways === 'approval',
    status: 'open',
    takerId: null,
    colleagueId,
    swapEngagementId,
    createdAt: now,
    updatedAt: now,
  };
  await insertGiveaway(tx, row);
  const swapStart = Date.parse(swap?.terms.startsAt ?? shift.startsAt.toISOString());
  const runAt = new Date(Math.min(swapStart, shift.startsAt.getTime()));
  await enqueue(tx, expireTask, { giveawayId: row.id }, { runAt, key: expiryKey(row.id) });
  await notifyOfGiveaway(tx, scope, row, {
    topic: 'giveaway-open',
    workers: askable,
    variant: swap ? 'swap' : colleagueId ? 'named' : undefined,
  });
  return getGiveaway(tx, scope, { giveawayId: row.id });
}

/** Long enough for the load, short enough for a shift that starts the same day. */
const colleaguesAgainMs = 30 * minuteMs;

/**
 * Invites the colleagues who may take a free spot, at most 50, in the name of its first recruiter. Tries again
 * until the start while the spot is offered to the waitlist or its job is not open.
 * @param spot.workerId who had the spot and is left out
 */
export async function inviteColleagues(
  tx: Tx,
  { clock }: GiveawayScope,
  spot: { jobId: string; workerId: string },
): Promise<void> {
  const { jobId, workerId } = spot;
  const now = clock.now();
  const job = await lockJob(tx, jobId);
  const { status, businessId, startsAt, endsAt } = job;
  const isOver = !['open', 'paused', 'in_review'].includes(status) || job.hiredCount >= job.headCount;
  if (isOver || !startsAt || !endsAt || startsAt <= now) return;
  const [recruiterId] = await findHiringMembers(tx, jobId, now);
  if (status !== 'open' || freeSpotsOf(job) < 1 || !recruiterId || !(await isHiring(tx, businessId, now))) {
    const runAt = addMs(now, colleaguesAgainMs);
    const key = `${inviteColleaguesTask.name}/${jobId}/${workerId}`;
    return enqueue(tx, inviteColleaguesTask, spot, { runAt, key });
  }
  const shift = { jobId, businessId, workerId, startsAt, endsAt };
  const workerIds = await findTakers(tx, shift, 'colleagues', now);
  const scope = { clock, actor: { accountId: recruiterId } };
  await inviteWorkers(tx, scope, { jobId, workerIds, message: '' });
}

const inviteColleaguesTask = defineTask({
  name: 'giveaways.invite-colleagues',
  payload: z.object({ jobId: z.uuid(), workerId: z.uuid() }),
  run: (scope, spot) => scope.db.transaction().execute((tx) => inviteColleagues(tx, scope, spot)),
});

/** Takes a shift: booked at once, or once a recruiter agrees. One of several takers wins. */
async function takeGiveaway(tx: Tx, scope: Scope, { giveawayId }: GiveawayRef): Promise<Giveaway> {
  const { accountId } = scope.actor;
  const before = await getGiveaway(tx, scope, { giveawayId });
  if (before.side === 'giver') throw new AppError('giveaway/not-eligible');
  if (before.side === 'business') throw new AppError('giveaway/not-found');
  const locked = await lockAll(tx, giveawayId, accountId);
  const { row } = locked;
  if (row.takerId === accountId && (row.status === 'waiting' || row.status === 'done'))
    return getGiveaway(tx, scope, { giveawayId });
  if (row.status !== 'open') throw new AppError('giveaway/wrong-state', { status: row.status });
  if (row.needsApproval) {
    await requireTaker(tx, scope, locked, accountId);
    const waiting = await moveGiveaway(tx, scope, row, {
      action: 'take',
      who: 'worker',
      actor: accountId,
      takerId: accountId,
    });
    await notifyOfGiveaway(tx, scope, waiting, {
      topic: 'giveaway-taken',
      workers: [waiting.workerId],
      recruiters: true,
    });
  } else await bookTaker(tx, scope, locked, { takerId: accountId, approverId: null });
  return getGiveaway(tx, scope, { giveawayId });
}

/** Agrees to the taker of this version and books them. */
async function approveGiveaway(
  tx: Tx,
  scope: Scope,
  { giveawayId, version }: GiveawayDecision,
): Promise<Giveaway> {
  await requireRecruiter(tx, scope, giveawayId);
  const before = await findGiveaway(tx, { giveawayId }, null);
  const locked = await lockAll(tx, giveawayId, before?.takerId ?? null);
  const { row } = locked;
  if (row.status === 'done' && row.version === version + 1) return getGiveaway(tx, scope, { giveawayId });
  if (row.status !== 'waiting' || row.takerId === null)
    throw new AppError('giveaway/wrong-state', { status: row.status });
  requireVersion(row, version);
  const { accountId: approverId } = scope.actor;
  await bookTaker(tx, scope, locked, { takerId: row.takerId, approverId });
  return getGiveaway(tx, scope, { giveawayId });
}

/** Refuses the taker of this version: the shift stays its worker's. */
async function refuseGiveaway(
  tx: Tx,
  scope: Scope,
  { giveawayId, version }: GiveawayDecision,
): Promise<Giveaway> {
  await requireRecruiter(tx, scope, giveawayId);
  const row = await lockGiveaway(tx, { giveawayId });
  if (!row) throw new AppError('giveaway/not-found');
  if (row.status !== 'refused') {
    if (row.status === 'waiting') requireVersion(row, version);
    const refused = await moveGiveaway(tx, scope, row, {
      action: 'refuse',
      who: 'business',
      actor: scope.actor.accountId,
    });
    await notifyOfGiveaway(tx, scope, refused, {
      topic: 'giveaway-ended',
      workers: [row.workerId, row.takerId],
      variant: 'refused',
    });
  }
  return getGiveaway(tx, scope, { giveawayId });
}

async function declineGiveaway(tx: Tx, scope: GiveawayScope, row: GiveawayRow): Promise<void> {
  await moveGiveaway(tx, scope, row, { action: 'decline', who: 'worker', actor: row.colleagueId ?? '' });
  await notifyOfGiveaway(tx, scope, row, {
    topic: 'giveaway-ended',
    workers: [row.workerId],
    variant: 'declined',
  });
}

/**
 * The giver keeps the shift after all, or the taker steps back before a recruiter agreed. Idempotent for the
 * giver.
 */
async function withdrawGiveaway(tx: Tx, scope: Scope, { giveawayId }: GiveawayRef): Promise<Giveaway> {
  const before = await getGiveaway(tx, scope, { giveawayId });
  const row = await lockGiveaway(tx, { giveawayId });
  const { accountId } = scope.actor;
  if (!row || (row.workerId !== accountId && row.takerId !== accountId && before.side === 'business'))
    throw new AppError('giveaway/not-found');
  const isTheirs = row.workerId === accountId || row.takerId === accountId;
  if (!isTheirs && row.colleagueId === accountId) {
    if (row.status !== 'refused') await declineGiveaway(tx, scope, row);
    return getGiveaway(tx, scope, { giveawayId });
  }
  if (!isTheirs) throw new AppError('giveaway/wrong-state', { status: row.status });
  if (row.status !== 'withdrawn' || row.workerId !== accountId)
    await leaveGiveaway(tx, scope, row, accountId);
  return getGiveaway(tx, scope, { giveawayId });
}

/** Withdraws the giveaways that a leaving account offers, and steps back from those it takes or was offered by name. */
export async function leaveGiveaways(tx: Tx, scope: GiveawayScope, accountId: string): Promise<void> {
  for (const row of await lockGiveawaysOf(tx, accountId)) {
    if (row.status === 'waiting' && row.colleagueId === accountId) await endRow(tx, scope, row);
    else if (row.colleagueId === accountId) await declineGiveaway(tx, scope, row);
    else await leaveGiveaway(tx, scope, row, accountId);
  }
}

async function leaveGiveaway(
  tx: Tx,
  scope: GiveawayScope,
  row: GiveawayRow,
  accountId: string,
): Promise<void> {
  const isGiver = row.workerId === accountId;
  const action = isGiver ? 'withdraw' : 'step-back';
  await moveGiveaway(tx, scope, row, {
    action,
    who: 'worker',
    actor: accountId,
    takerId: isGiver ? row.takerId : null,
  });
  await notifyOfGiveaway(tx, scope, row, {
    topic: 'giveaway-ended',
    workers: [isGiver ? row.takerId : row.workerId],
    variant: isGiver ? 'withdrawn' : 'stepped-back',
  });
}

/**
 * Ends the live giveaway of work that is no longer upcoming: cancelled, or checked in to. The engagement is
 * locked.
 */
export async function endGiveaway(
  tx: Tx,
  scope: GiveawayScope,
  { engagementId, from, to }: { engagementId: string; from: EngagementStatus; to: EngagementStatus },
): Promise<void> {
  if (isUpcoming(from) && !isUpcoming(to)) await endGiveawayOf(tx, scope, { engagementId });
}

/** Withdraws the live giveaways and swaps of a shift, such as when its terms change. The engagement is locked. */
export async function endGiveawayOf(
  tx: Tx,
  scope: GiveawayScope,
  { engagementId }: { engagementId: string },
): Promise<void> {
  for (const row of await lockGiveawaysOfWork(tx, engagementId)) await endRow(tx, scope, row, engagementId);
}

/** @param endedId the shift that ended; the giver is notified if it is the one in exchange */
async function endRow(
  tx: Tx,
  scope: GiveawayScope,
  row: GiveawayRow,
  endedId = row.swapEngagementId,
): Promise<void> {
  await moveGiveaway(tx, scope, row, { action: 'end', who: 'timer', actor: 'timer' });
  const workers = endedId === row.engagementId ? [row.takerId ?? row.colleagueId] : [row.workerId];
  await notifyOfGiveaway(tx, scope, row, { topic: 'giveaway-ended', workers, variant: 'withdrawn' });
}

/** Ends a giveaway at the start of its shift, which its worker then still has. Idempotent. */
async function expireGiveaway(scope: TaskScope, giveawayId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockGiveaway(tx, { giveawayId });
    if (!row || !isLiveGiveaway(row.status)) return;
    await moveGiveaway(tx, scope, row, { action: 'expire', who: 'timer', actor: 'timer' });
    await notifyOfGiveaway(tx, scope, row, {
      topic: 'giveaway-ended',
      workers: [row.workerId, row.takerId],
      variant: 'expired',
    });
  });
}

const isFundedOrPlanned = ({ funding }: EngagementRow): boolean =>
  funding === 'funded' || funding === 'planned';

type Booking = { job: JobRow; engagement: EngagementRow };
/** `swap`: the shift that the taker gives in exchange. */
type Locked = Booking & { row: GiveawayRow; swap: Booking | null };

/**
 * Locks jobs, the applications of who takes them, engagements and the giveaway, in this order (ADR 38).
 * @throws giveaway/not-found
 */
async function lockAll(tx: Tx, giveawayId: string, takerId: string | null): Promise<Locked> {
  const place = await findGiveaway(tx, { giveawayId }, null);
  if (!place) throw new AppError('giveaway/not-found');
  const { engagementId, swapEngagementId, jobId } = place;
  const swapJobId = swapEngagementId && (await findEngagementJob(tx, swapEngagementId));
  const jobs = await lockJobRows(tx, swapJobId ? [jobId, swapJobId] : [jobId]);
  if (takerId !== null) await lockTakerApplication(tx, jobId, takerId);
  if (swapJobId) await lockTakerApplication(tx, swapJobId, place.workerId);
  const works = new Map<string, EngagementRow>();
  for (const id of [engagementId, swapEngagementId].filter((id) => id !== null).toSorted()) {
    const work = await lockEngagement(tx, id, null);
    if (work) works.set(id, work);
  }
  const bookingOf = (id: string): Booking => {
    const engagement = works.get(id);
    const job = jobs.find((row) => row.id === engagement?.jobId);
    if (!engagement || !job) throw new AppError('giveaway/not-found');
    return { job, engagement };
  };
  const row = await lockGiveaway(tx, { giveawayId });
  if (!row) throw new AppError('giveaway/not-found');
  return {
    ...bookingOf(engagementId),
    row,
    swap: swapEngagementId === null ? null : bookingOf(swapEngagementId),
  };
}

/** @throws giveaway/wrong-state, giveaway/not-eligible, giveaway/not-funded */
async function requireTaker(
  tx: Tx,
  scope: GiveawayScope,
  { job, engagement, row, swap }: Locked,
  takerId: string,
): Promise<void> {
  const now = scope.clock.now();
  const shift = bookedShift(engagement);
  const isHired = shift !== null && mayComeLate(engagement) && shift.startsAt > now;
  if (!isHired || job.status === 'suspended' || !(await isHiring(tx, job.businessId, now)))
    throw new AppError('giveaway/wrong-state', { status: row.status });
  if (!isFundedOrPlanned(engagement)) throw new AppError('giveaway/not-funded');
  const exceptId = row.swapEngagementId;
  const isForOthers = row.colleagueId !== null && row.colleagueId !== takerId;
  const [taker] = await findTakers(tx, shift, row.audience, now, { workerId: takerId, exceptId });
  if (taker === undefined || isForOthers) throw new AppError('giveaway/not-eligible');
  if (!swap) return;
  const [exchange] = await findSwapShifts(
    tx,
    { engagementId: engagement.id, shift },
    { workerIds: [takerId], engagementId: swap.engagement.id },
    now,
  );
  if (!exchange) throw new AppError('giveaway/not-eligible');
}

/**
 * Books the taker in place of the giver, on the giver's terms and with the giver's hold and spot, and in a swap the
 * giver in place of the taker. Neither gets a mark.
 * @throws giveaway/wrong-state, giveaway/not-eligible, giveaway/not-funded
 */
async function bookTaker(
  tx: Tx,
  scope: Scope,
  locked: Locked,
  { takerId, approverId }: { takerId: string; approverId: string | null },
): Promise<void> {
  const { job, engagement, row, swap } = locked;
  await requireTaker(tx, scope, locked, takerId);
  const [action, who] =
    approverId === null ? (['take-over', 'worker'] as const) : (['approve', 'business'] as const);
  const actor = approverId ?? takerId;
  const takenGiveaway = await moveGiveaway(tx, scope, row, { action, who, actor, takerId });
  const exchanges = [{ job, engagement, workerId: takerId }];
  if (swap) exchanges.push({ job: swap.job, engagement: swap.engagement, workerId: row.workerId });
  // Both shifts are free before anyone is booked again, since they may overlap.
  for (const exchange of exchanges) {
    const mover = { side: 'worker', accountId: exchange.engagement.workerId } as const;
    await makeEngagementMove(tx, scope, exchange.engagement, {
      action: 'giveaway',
      mover,
      changes: nextStep(null),
    });
    await stopConfirmWatch(tx, exchange.engagement.id);
    await passHiredSpot(tx, exchange.job.id);
  }
  for (const exchange of exchanges) await bookInstead(tx, scope, exchange, { actor, approverId });
  await notifyOfGiveaway(tx, scope, takenGiveaway, {
    topic: 'giveaway-done',
    workers: [takenGiveaway.workerId, takerId],
    recruiters: true,
    exceptAccountId: approverId,
    variant: swap ? 'swapped' : undefined,
  });
}

async function bookInstead(
  tx: Tx,
  scope: Scope,
  { job, engagement, workerId }: Booking & { workerId: string },
  { actor, approverId }: { actor: string; approverId: string | null },
): Promise<void> {
  const offer = await createOffer(tx, scope, {
    job,
    applicationId: await applicationOf(tx, scope, { jobId: job.id, workerId, actor, engagement }),
    workerId,
    terms: engagement.terms,
    // Accepted at once, like an instant hire.
    source: 'instant',
    message: '',
    actor: approverId,
    funding: { from: 'engagement', engagementId: engagement.id, funding: engagement.funding },
  });
  // A booking made at this moment can overlap, and the business must not learn of it.
  const takenId = await hire(tx, scope, offer).catch((error) => {
    const isOverlap = error instanceof AppError && error.code === 'engagement/overlap';
    throw isOverlap ? new AppError('giveaway/not-eligible') : error;
  });
  await passChangeOn(tx, scope, { from: engagement.id, to: takenId });
}

/** The taker's application in the state of an offer: an existing one, or one created for it (ADR 165). */
async function applicationOf(
  tx: Tx,
  scope: Scope,
  taker: { jobId: string; workerId: string; actor: string; engagement: EngagementRow },
): Promise<string> {
  const { jobId, workerId, actor, engagement } = taker;
  const application = await lockTakerApplication(tx, jobId, workerId);
  if (!application) {
    const until = engagement.startsAt ?? scope.clock.now();
    return createRebooked(tx, scope, { jobId, workerId, actor, until });
  }
  const [action, who] =
    application.status === 'position_filled'
      ? (['waitlist-offer', 'timer'] as const)
      : (['offer', 'business'] as const);
  await makeApplicationMove(tx, scope, { applicationId: application.id, action, who, actor });
  return application.id;
}

/**
 * Someone else may have taken it since the recruiter read it.
 * @throws giveaway/stale (data: status)
 */
function requireVersion(row: GiveawayRow, version: number): void {
  if (row.version !== version) throw new AppError('giveaway/stale', { status: row.status });
}

/**
 * Makes and logs one move of a locked giveaway.
 * @throws giveaway/wrong-state (data: status)
 */
async function moveGiveaway(
  tx: Tx,
  scope: GiveawayScope,
  row: GiveawayRow,
  {
    action,
    who,
    actor,
    takerId = row.takerId,
  }: { action: GiveawayMoveName; who: Mover; actor: string; takerId?: string | null },
): Promise<GiveawayRow> {
  const to = nextState<GiveawayStatus, GiveawayMoveName>(giveawayMoves, row.status, action, who);
  if (to === null || to === row.status) throw new AppError('giveaway/wrong-state', { status: row.status });
  if (!isLiveGiveaway(to)) await cancelTask(tx, expiryKey(row.id));
  return updateGiveaway(tx, row, { actor, action, to, takerId, at: scope.clock.now() });
}

/** @throws giveaway/not-found for those outside the business, giveaway/not-allowed */
async function requireRecruiter(db: Db, scope: Scope, giveawayId: string): Promise<void> {
  const view = await findGiveaway(db, { giveawayId }, scope.actor.accountId);
  if (!view || view.role === null) throw new AppError('giveaway/not-found');
  if (!roleMay(view.role, 'work')) throw new AppError('giveaway/not-allowed');
}

const expireTask = defineTask({
  name: 'giveaways.expire',
  payload: z.object({ giveawayId: z.uuid() }),
  run: (scope, { giveawayId }) => expireGiveaway(scope, giveawayId),
});
const expiryKey = (giveawayId: string): string => `${expireTask.name}/${giveawayId}`;

export const giveawaysTasks = [expireTask, inviteColleaguesTask];

export const giveawaysRoutes = {
  options: read(giveaways.options, giveawayOptions),
  get: read(giveaways.get, getGiveaway),
  offer: write(giveaways.offer, offerGiveaway),
  take: write(giveaways.take, takeGiveaway),
  withdraw: write(giveaways.withdraw, withdrawGiveaway),
  approve: write(giveaways.approve, approveGiveaway),
  refuse: write(giveaways.refuse, refuseGiveaway),
};
