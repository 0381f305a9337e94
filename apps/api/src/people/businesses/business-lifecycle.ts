import type { HouseRule } from '@nearhand/contract/house-rules';
import type { BusinessDecision } from '@nearhand/contract/people/business-verification';
import type { Business, BusinessClosing, ClosedBusiness } from '@nearhand/contract/people/businesses';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { type DecidedBusiness, peopleHooks } from '../hooks.ts';
import { moveBusiness } from './business-transitions.ts';
import { nextBusinessStatus } from './businesses.rules.ts';
import { lockBusiness } from './businesses.sql.ts';
import { membersOf, membersWho, memberView, requireMay } from './businesses.ts';

/** Requests verification; again only once something was added or changed. Owners only. */
export async function submitBusiness(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Business> {
  const { accountId } = scope.actor;
  await requireMay(tx, businessId, accountId, 'ownership');
  await lockBusiness(tx, businessId);
  if (await isUnchanged(tx, businessId)) throw new AppError('business/nothing-added');
  await moveBusiness(tx, scope, businessId, { action: 'submit', mover: { id: accountId, as: 'business' } });
  return memberView(tx, businessId, accountId);
}

/**
 * True if staff asked for more or refused it and nothing was added since: they would decide the same again.
 */
async function isUnchanged(db: Db, businessId: string): Promise<boolean> {
  const { rows } = await sql<{ unchanged: boolean }>`
    select business.status in ('needs_info', 'rejected') and business.updated_at <= answer.at
      and not exists (select from business_documents document where document.business_id = business.id and document.added_at >= answer.at)
      and not exists (select from business_domains domain where domain.business_id = business.id
        and (domain.created_at >= answer.at or domain.checked_at >= answer.at)) as unchanged
    from businesses business cross join lateral (select move.at from business_moves move
      where move.business_id = business.id and move.to_status = business.status order by move.at desc, move.id desc limit 1) answer
    where business.id = ${businessId}`.execute(db);
  return rows[0]?.unchanged ?? false;
}

/** Returns what keeps a business from closing. Owners only. Minor units. */
export async function viewClosing(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<BusinessClosing> {
  await requireMay(db, businessId, scope.actor.accountId, 'ownership');
  return peopleHooks.needs.closingObstacles(db, businessId, scope.clock.now());
}

/**
 * Closes a business for good and notifies its other members. Owners only, without booked jobs or money
 * (product.md: Business). `closeJobs` closes its open jobs too.
 */
export async function closeBusiness(
  tx: Tx,
  scope: Scope,
  { businessId, closeJobs }: { businessId: string; closeJobs: boolean },
): Promise<ClosedBusiness> {
  const { accountId } = scope.actor;
  await requireMay(tx, businessId, accountId, 'ownership');
  // The lock prevents a job from being published between the check and the move.
  const business = await lockBusiness(tx, businessId);
  const closingNow = () => peopleHooks.needs.closingObstacles(tx, businessId, scope.clock.now());
  let closing = await closingNow();
  if (closeJobs && closing.bookedJobs === 0 && closing.jobs.length > 0) {
    await peopleHooks.needs.closeJobs(
      tx,
      scope,
      closing.jobs.map(({ id }) => id),
    );
    closing = await closingNow();
  }
  const jobs = closing.openJobs + closing.bookedJobs;
  if (jobs > 0) throw new AppError('business/has-open-jobs', { jobs });
  if (closing.money.length > 0) throw new AppError('business/has-money');
  const isOpen = business !== undefined && business.status !== 'closed';
  const otherMembers = (await membersOf(tx, businessId)).filter((memberId) => memberId !== accountId);
  if (isOpen)
    await peopleHooks.on.businessClosed(tx, scope, {
      id: businessId,
      name: business.name,
      memberIds: otherMembers,
    });
  await moveBusiness(tx, scope, businessId, { action: 'close', mover: { id: accountId, as: 'business' } });
  return { ...(await memberView(tx, businessId, accountId)), endedCredit: isOpen ? closing.credit : [] };
}

/** Requires verification of a changed owner (product.md, States: Business). The caller holds the lock. */
export async function reverifyOwner(
  tx: Tx,
  scope: Scope,
  business: { businessId: string; status: BusinessStatus },
): Promise<void> {
  if (nextBusinessStatus(business.status, 'change-owner', 'business') === null) return;
  const mover = { id: scope.actor.accountId, as: 'business' } as const;
  await moveBusiness(tx, scope, business.businessId, { action: 'change-owner', mover });
}

type Decided = {
  businessId: string;
  version: number;
  decision: BusinessDecision;
  reason: string;
  rule: HouseRule | null;
};

/**
 * Applies an operator's decision, which the caller has authorized. Idempotent.
 * @throws business/stale
 */
export async function decideBusiness(tx: Tx, scope: Scope, decided: Decided): Promise<void> {
  const { businessId, version, decision, reason, rule } = decided;
  const business = await lockBusiness(tx, businessId);
  if (!business) throw new AppError('business/not-found');
  if (nextBusinessStatus(business.status, decision, 'operator') === business.status) return;
  if (business.version !== version) throw new AppError('business/stale', { version: business.version });
  const mover = { id: scope.actor.accountId, as: 'operator' } as const;
  await moveBusiness(tx, scope, businessId, { action: decision, mover, reason: reason || null });
  await publishDecision(tx, scope, business, { decision, reason, rule, by: mover.id });
}

/** Verifies a submitted business without evidence, for the demo town and tests. */
export async function verifyBusiness(
  tx: Tx,
  by: { operator: string; clock: Clock },
  businessId: string,
): Promise<void> {
  await moveBusiness(tx, by, businessId, { action: 'verify', mover: { id: by.operator, as: 'operator' } });
  const business = await lockBusiness(tx, businessId);
  if (business)
    await publishDecision(tx, by, business, { decision: 'verify', reason: '', rule: null, by: by.operator });
}

async function publishDecision(
  tx: Tx,
  scope: ClockScope,
  { id, name }: { id: string; name: string },
  decided: DecidedBusiness,
): Promise<void> {
  const managerIds = await membersWho(tx, id, 'details');
  await peopleHooks.on.businessDecided(tx, scope, { id, name, managerIds }, decided);
}
