import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import {
  type Colleague,
  type Giveaway,
  type GiveawayAction,
  type GiveawayAudience,
  type GiveawayOptions,
  isLiveGiveaway,
  type SwapShift,
} from '@nearhand/contract/hiring/giveaways';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
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
  {
    engagementId,
    shift,
    audience,
  }: { engagementId: string; shift: GiveawayShift; audience: GiveawayAudience },
  now: Date,
  options: TakerFilter = {},
): Promise<string[]> {
  if ((await countGiveaways(db, engagementId)) >= hiringLimits.giveawaysPerShift) return [];
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
    (await findAskable(db, { engagementId, shift, audience }, now)).length;
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
  const { terms } = view;
  if (terms.startsAt === null || terms.endsAt === null) return null;
  const shift = { ...view, startsAt: new Date(terms.startsAt), endsAt: new Date(terms.endsAt) };
  const caller = await callerOf(db, scope, view, shift);
  return caller && giveawayFor(scope, view, caller, shift);
}

type Caller = { side: Giveaway['side']; actions: GiveawayAction[] };

/** The caller's side and what they may do; null if they are neither of the two sides nor a possible taker. */
async function callerOf(
  db: Db,
  scope: Scope,
  view: GiveawayView,
  shift: GiveawayShift,
): Promise<Caller | null> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const { status, role } = view;
  const isBeforeShift = isLiveGiveaway(status) && shift.startsAt > now;
  if (view.workerId === accountId) return { side: 'giver', actions: isBeforeShift ? ['withdraw'] : [] };
  const isTaker = view.takerId === accountId;
  const isColleague = view.colleagueId === accountId;
  const actions: GiveawayAction[] = [];
  if (isBeforeShift && status === 'open' && isColleague) actions.push('decline');
  if (!isTaker && role !== null) {
    if (isBeforeShift && status === 'waiting' && roleMay(role, 'work')) actions.push('approve', 'refuse');
    return { side: 'business', actions };
  }
  const mayTake = async (anyTime: boolean) => {
    const options = { workerId: accountId, anyTime, exceptId: view.swapEngagementId };
    return (await findTakers(db, shift, view.audience, now, options)).length > 0;
  };
  const isPossibleTaker = view.colleagueId === null ? isTaker || (await mayTake(true)) : isColleague;
  if (!isTaker && !isPossibleTaker) return null;
  if (isBeforeShift && isTaker) actions.unshift('step-back');
  if (isBeforeShift && status === 'open' && (await mayTake(false))) actions.unshift('take');
  return { side: 'taker', actions };
}

/** The booking that a side opens from the giveaway. */
function ownEngagementId(view: GiveawayView, side: Giveaway['side'], accountId: string): string | null {
  if (side === 'giver') return view.swappedEngagementId ?? view.engagementId;
  if (side === 'business') return view.takenEngagementId ?? view.engagementId;
  return view.takerId === accountId ? view.takenEngagementId : null;
}

function giveawayFor(
  scope: Scope,
  view: GiveawayView,
  { side, actions }: Caller,
  shift: { startsAt: Date; endsAt: Date },
): Giveaway {
  const { terms, status } = view;
  const isBusiness = side === 'business';
  const isBeforeShift = isLiveGiveaway(status) && shift.startsAt > scope.clock.now();
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
    startsAt: shift.startsAt.toISOString(),
    endsAt: shift.endsAt.toISOString(),
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
        : shownName(side === 'giver' ? view.colleagueName : view.giverName),
    swap:
      view.swapEngagementId !== null && view.swapTerms
        ? swapShift(view.swapEngagementId, view.swapTerms)
        : null,
    giver: isBusiness ? { id: view.workerId, name: view.giverName } : null,
    taker: isBusiness && view.takerId !== null ? { id: view.takerId, name: view.takerName ?? '' } : null,
    engagementId: ownEngagementId(view, side, scope.actor.accountId),
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
  const workerIds = await findAskable(db, { engagementId, shift, audience: 'colleague' }, now);
  const names = await findNames(db, workerIds);
  const swaps = await findSwapShifts(db, { engagementId, shift }, { workerIds }, now);
  return workerIds.map((workerId) => ({
    workerId,
    name: shownName(names.get(workerId) ?? ''),
    shifts: swaps
      .filter((swap) => swap.workerId === workerId)
      .slice(0, hiringLimits.swapShiftsMax)
      .map((swap) => swapShift(swap.engagementId, swap.terms)),
  }));
}
