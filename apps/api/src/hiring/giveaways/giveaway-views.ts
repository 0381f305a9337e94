import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import {
  type Colleague,
  type Giveaway,
  type GiveawayAction,
  type GiveawayAudience,
  type GiveawayOptions,
  giveawaysPerShift,
  isLiveGiveaway,
  type SwapShift,
  swapShiftsMax,
} from '@nearhand/contract/hiring/giveaways';
import { shownName } from '@nearhand/contract/people/names.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { termsAt } from '../../work/engagements/booking.ts';
import { getEngagement } from '../../work/engagements/engagement-views.ts';
import {
  countGiveaways,
  findGiveaway,
  findGiveawayMode,
  findNames,
  findSwapShifts,
  findTakers,
  type GiveawayShift,
  type GiveawayView,
  type TakerFilter,
} from './giveaways.sql.ts';

export type GiveawayRef = { giveawayId: string };

/** The accounts to ask about a shift; none once it reached the maximum number of offers. */
export async function findAskable(
  db: Db,
  engagementId: string,
  shift: GiveawayShift,
  audience: GiveawayAudience,
  now: Date,
  options: TakerFilter = {},
): Promise<string[]> {
  if ((await countGiveaways(db, engagementId)) >= giveawaysPerShift) return [];
  return findTakers(db, shift, audience, now, options);
}

/** Returns the ways to give away a shift, for its worker and recruiters. */
export async function giveawayOptions(
  db: Db,
  scope: Scope,
  { engagementId }: { engagementId: string },
): Promise<GiveawayOptions> {
  const engagement = await getEngagement(db, scope, { engagementId });
  const { jobId, terms } = engagement;
  const view = await findGiveaway(db, { engagementId }, scope.actor.accountId);
  const mode = await findGiveawayMode(db, jobId);
  const giveaway = view ? await toGiveaway(db, scope, view) : null;
  if (
    engagement.side !== 'worker' ||
    !isUpcoming(engagement.status) ||
    terms.startsAt === null ||
    terms.endsAt === null
  )
    return { mode, colleagues: null, waiting: null, named: [], giveaway };
  const shift = {
    jobId,
    businessId: engagement.business.id,
    workerId: scope.actor.accountId,
    startsAt: new Date(terms.startsAt),
    endsAt: new Date(terms.endsAt),
  };
  const now = scope.clock.now();
  const count = async (audience: GiveawayAudience) =>
    (await findAskable(db, engagementId, shift, audience, now)).length;
  return {
    mode,
    colleagues: await count('colleagues'),
    waiting: await count('waitlist'),
    named: mode === 'off' ? [] : await findColleagues(db, engagementId, shift, now),
    giveaway,
  };
}

/** Returns a giveaway to its giver, its possible takers and the business. */
export async function getGiveaway(db: Db, scope: Scope, { giveawayId }: GiveawayRef): Promise<Giveaway> {
  const view = await findGiveaway(db, { giveawayId }, scope.actor.accountId);
  const giveaway = view && (await toGiveaway(db, scope, view));
  if (!giveaway) throw new AppError('giveaway/not-found');
  return giveaway;
}

/** The view of the caller, or null if the giveaway is none of their business. */
async function toGiveaway(db: Db, scope: Scope, view: GiveawayView): Promise<Giveaway | null> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const { terms, status, role } = view;
  const { startsAt, endsAt } = terms;
  if (startsAt === null || endsAt === null) return null;
  const shift = { ...view, startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  const isBeforeShift = isLiveGiveaway(status) && shift.startsAt > now;
  const isTaker = view.takerId === accountId;
  const isGiver = view.workerId === accountId;
  const side = isGiver ? 'giver' : isTaker || role === null ? 'taker' : 'business';
  const isColleague = view.colleagueId === accountId;
  const exceptId = view.swapEngagementId;
  const findPossibleTakers = (anyTime: boolean) =>
    findTakers(db, shift, view.audience, now, { workerId: accountId, anyTime, exceptId });
  const isPossibleTaker = async () =>
    view.colleagueId === null ? (await findPossibleTakers(true)).length > 0 : isColleague;
  if (side === 'taker' && !isTaker && !(await isPossibleTaker())) return null;
  const actions: GiveawayAction[] = [];
  if (isBeforeShift && isGiver) actions.push('withdraw');
  if (isBeforeShift && isTaker) actions.push('step-back');
  if (isBeforeShift && side === 'taker' && status === 'open' && (await findPossibleTakers(false)).length > 0)
    actions.push('take');
  if (isBeforeShift && isColleague && status === 'open') actions.push('decline');
  if (isBeforeShift && side === 'business' && status === 'waiting' && roleMay(role, 'work'))
    actions.push('approve', 'refuse');
  const isBusiness = side === 'business';
  let engagementId: string | null = null;
  if (isGiver) engagementId = view.swappedEngagementId ?? view.engagementId;
  else if (isTaker) engagementId = view.takenEngagementId;
  else if (isBusiness) engagementId = view.takenEngagementId ?? view.engagementId;
  return {
    id: view.id,
    version: view.version,
    status,
    audience: view.audience,
    needsApproval: view.needsApproval,
    side,
    jobId: view.jobId,
    business: { id: view.businessId, name: view.businessName },
    title: terms.title,
    area: terms.place.area,
    startsAt,
    endsAt,
    timeZone: terms.timeZone,
    breakMinutes: terms.breakMinutes,
    paidMinutes: terms.paidMinutes ?? 0,
    workerGetsMinor: terms.workerGetsMinor,
    currency: terms.currency,
    minimumMinutes: terms.minimumMinutes ?? null,
    confirmBy: isBeforeShift ? (termsAt(scope, terms).confirmBy ?? null) : null,
    colleague:
      isBusiness || view.colleagueName === null
        ? null
        : shownName(isGiver ? view.colleagueName : view.giverName),
    swap:
      view.swapEngagementId !== null && view.swapTerms
        ? swapShift(view.swapEngagementId, view.swapTerms)
        : null,
    giver: isBusiness ? { id: view.workerId, name: view.giverName } : null,
    taker: isBusiness && view.takerId !== null ? { id: view.takerId, name: view.takerName ?? '' } : null,
    engagementId,
    actions,
    createdAt: view.createdAt.toISOString(),
  };
}

const swapShift = (engagementId: string, terms: Terms): SwapShift => ({
  engagementId,
  title: terms.title,
  area: terms.place.area,
  startsAt: terms.startsAt ?? '',
  endsAt: terms.endsAt ?? '',
  timeZone: terms.timeZone,
  workerGetsMinor: terms.workerGetsMinor,
  currency: terms.currency,
});

/** Lists who can be asked by name to take a booked shift, with their shifts to swap for it. */
async function findColleagues(
  db: Db,
  engagementId: string,
  shift: GiveawayShift,
  now: Date,
): Promise<Colleague[]> {
  const workerIds = await findAskable(db, engagementId, shift, 'colleague', now);
  const names = await findNames(db, workerIds);
  const swaps = await findSwapShifts(db, { engagementId, shift }, { workerIds }, now);
  return workerIds.map((workerId) => ({
    workerId,
    name: shownName(names.get(workerId) ?? ''),
    shifts: swaps
      .filter((swap) => swap.workerId === workerId)
      .slice(0, swapShiftsMax)
      .map((swap) => swapShift(swap.engagementId, swap.terms)),
  }));
}
