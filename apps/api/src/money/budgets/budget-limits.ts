import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Budget } from '@nearhand/contract/money/budgets';
import { restOf } from '@nearhand/contract/money/budgets.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import type { MoneyScope } from '../hooks.ts';

/** A monthly limit, and the amount added to it in the selected month. Minor units. */
export type BudgetRow = {
  id: string;
  branchId: string | null;
  accountId: string | null;
  name: string;
  limitMinor: number;
  raisedMinor: number;
};

type OfferKey = { jobId: string; offerId: string };

/**
 * The sum that one member set aside for one branch in a month, or for a replaced offer there. Minor units,
 * fees included.
 */
export type Spending = BudgetTarget & { amountMinor: number; replaced: OfferKey | null };

export type Month = { businessId: string; month: string; currency: Currency };

/** Budgets of a month in one currency. Call `lockBudgets` first where a decision depends on them. */
export async function findBudgets(db: Db, { businessId, month, currency }: Month): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    select budget.id, budget.branch_id, budget.account_id, coalesce(branch.name, account.name, '') as name, budget.limit_minor,
      coalesce((select sum(raise.amount_minor) from budget_raises raise
        where raise.budget_id = budget.id and raise.month = ${month}), 0)::bigint as raised_minor
    from budgets budget
    left join branches branch on branch.id = budget.branch_id
    left join accounts account on account.id = budget.account_id
    where budget.business_id = ${businessId} and budget.currency = ${currency}
    order by budget.id`.execute(db);
  return rows;
}

const openHolds = sql.raw("('created', 'authorising', 'held', 'partly_released', 'disputed')");

/**
 * Sums spending: open holds in full, ended holds by what was paid, and open changes that move booked shifts into the
 * month (ADR 389). Open holds of replaced offers are summed separately.
 */
export async function findSpending(
  db: Db,
  { businessId, month, currency }: Month,
  replaced: readonly OfferKey[] = [],
): Promise<Spending[]> {
  const jobIds = replaced.map(({ jobId }) => jobId);
  const offerIds = replaced.map(({ offerId }) => offerId);
  const { rows } = await sql<Spending>`
    select job.branch_id, hold.created_by as account_id,
      sum(case when hold.status in ${openHolds} then hold.pay_minor + hold.fee_minor + hold.added_minor
        else coalesce(paid.amount_minor + paid.fee_minor, 0) end)::bigint as amount_minor,
      case when replaced.offer_id is not null then jsonb_build_object('jobId', replaced.job_id, 'offerId', replaced.offer_id) end
        as replaced
    from holds hold join jobs job on job.id = hold.job_id
    left join releases paid on hold.status not in ${openHolds} and paid.engagement_id = hold.engagement_id and paid.reversed_at is null
    left join (select distinct job_id, offer_id from unnest(${jobIds}::uuid[], ${offerIds}::uuid[]) offer (job_id, offer_id)) replaced
      on replaced.job_id = hold.job_id and replaced.offer_id = hold.offer_id and hold.engagement_id is null
    where hold.business_id = ${businessId} and hold.month = ${month} and hold.currency = ${currency}
    group by job.branch_id, hold.created_by, replaced.job_id, replaced.offer_id
    union all select job.branch_id, hold.created_by, sum((change.after->>'holdMinor')::bigint)::bigint, null
    from shift_changes change join holds hold on hold.engagement_id = change.engagement_id join jobs job on job.id = hold.job_id
    where change.business_id = ${businessId} and change.status = 'open' and hold.currency = ${currency} and hold.month <> ${month}
      and to_char((change.after->>'startsAt')::timestamptz at time zone (change.after->>'timeZone'), 'YYYY-MM') = ${month}
    group by job.branch_id, hold.created_by`.execute(db);
  return rows;
}

/** Leaves out what was set aside for one replaced offer. */
export const withoutOffer = (spending: readonly Spending[], offer: OfferKey | null): Spending[] =>
  spending.filter(
    ({ replaced }) =>
      !offer || !replaced || replaced.jobId !== offer.jobId || replaced.offerId !== offer.offerId,
  );

/**
 * Locks the budgets, so that later checks wait for this transaction.
 * @returns false if there are none
 */
export async function lockBudgets(tx: Tx, businessId: string): Promise<boolean> {
  const rows = await tx
    .selectFrom('budgets')
    .select('id')
    .where('businessId', '=', businessId)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.length > 0;
}

/** The whole business if both are null, otherwise a branch or a member. */
export type BudgetTarget = { branchId: string | null; accountId: string | null };

/** The sum that counts against a budget. Minor units. */
export const spentMinor = (spending: readonly Spending[], { branchId, accountId }: BudgetTarget): number =>
  spending.reduce(
    (sum, part) =>
      (branchId === null || part.branchId === branchId) &&
      (accountId === null || part.accountId === accountId)
        ? sum + part.amountMinor
        : sum,
    0,
  );

/** The budgets that limit a member's spending at a branch. */
export const bindingBudgets = (rows: readonly BudgetRow[], work: BudgetTarget): BudgetRow[] =>
  rows.filter(
    ({ branchId, accountId }) =>
      (branchId === null || branchId === work.branchId) &&
      (accountId === null || accountId === work.accountId),
  );

export async function findBranchId(db: Db, jobId: string): Promise<string | null> {
  const { branchId } = await db
    .selectFrom('jobs')
    .select('branchId')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  return branchId;
}

/** Finds the budgets that an added amount exceeds, with the excess, the largest first. */
export function exceededBudgets(
  rows: readonly BudgetRow[],
  spending: readonly Spending[],
  amountMinor: number,
) {
  return rows
    .map((row) => ({
      ...row,
      overMinor: amountMinor - restOf({ ...row, usedMinor: spentMinor(spending, row) }),
    }))
    .filter(({ overMinor }) => overMinor > 0)
    .toSorted((first, second) => second.overMinor - first.overMinor);
}

/** A budget counts for a branch, a member, or the whole business. */
export const budgetKind = ({ branchId, accountId }: BudgetTarget): Budget['kind'] => {
  if (branchId) return 'branch';
  return accountId ? 'member' : 'business';
};

/**
 * Requires that new holds stay within the budgets of their month; owners may exceed them. Locks the budgets
 * until the transaction ends, so that offers made at once add up. The job must be locked.
 * @throws payment/over-budget (data: jobId, amountMinor, kind, name, month, overMinor, currency)
 */
export async function requireBudget(
  tx: Tx,
  scope: MoneyScope,
  { jobId, amountMinor, ...budgetKey }: Month & { jobId: string; amountMinor: number },
): Promise<void> {
  if (!(await lockBudgets(tx, budgetKey.businessId))) return;
  const accountId = scope.actor?.accountId ?? null;
  if (accountId !== null && mayExceed(await findRole(tx, budgetKey.businessId, accountId))) return;
  const work = { branchId: await findBranchId(tx, jobId), accountId };
  const rows = bindingBudgets(await findBudgets(tx, budgetKey), work);
  const [excess] = exceededBudgets(rows, await findSpending(tx, budgetKey), amountMinor);
  if (excess)
    throw new AppError('payment/over-budget', {
      jobId,
      amountMinor,
      kind: budgetKind(excess),
      name: excess.name,
      month: budgetKey.month,
      overMinor: excess.overMinor,
      currency: budgetKey.currency,
    });
}

/**
 * Groups parts limited by the same budgets, so that one check and one `budgets.ask` request cover their sum.
 */
export async function groupByBudget<Part extends { jobId: string; month: string }>(
  db: Db,
  parts: readonly Part[],
): Promise<[Part, ...Part[]][]> {
  const jobIds = parts.map(({ jobId }) => jobId);
  const { rows } = await sql<{ id: string; branchId: string | null }>`
    select id, branch_id from jobs where id = any(${jobIds}::uuid[])`.execute(db);
  const branchIds = new Map(rows.map(({ id, branchId }) => [id, branchId]));
  const groups = Map.groupBy(parts, ({ jobId, month }) => `${month} ${branchIds.get(jobId)}`);
  return [...groups.values()].flatMap(([first, ...laterParts]) => (first ? [[first, ...laterParts]] : []));
}

/** The month of work at its place; a task without a due date counts as of now. */
export const monthOfWork = (
  { clock }: ClockScope,
  work: { startsAt: string | Date | null; dueOn: string | null; timeZone: string },
): string =>
  (work.dueOn ?? dayIn(work.timeZone, work.startsAt === null ? clock.now() : new Date(work.startsAt))).slice(
    0,
    7,
  );

/** Only owners may exceed or change budgets. */
export const mayExceed = (role: MemberRole | null): boolean => roleMay(role, 'ownership');
