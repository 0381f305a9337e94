import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Budget } from '@nearhand/contract/money/budgets';
import {
  type BudgetPeriod,
  budgetPeriods,
  periodStart,
  restOf,
  stepPeriod,
} from '@nearhand/contract/money/budgets.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import type { MoneyScope } from '../hooks.ts';

/** A limit, and the amount added to it in the selected month or week. Minor units. */
export type BudgetRow = {
  id: string;
  period: BudgetPeriod;
  branchId: string | null;
  accountId: string | null;
  name: string;
  limitMinor: number;
  raisedMinor: number;
};

type OfferKey = { jobId: string; offerId: string };

/**
 * The sum that one member set aside for one branch in a month or week, or for a replaced offer there. Minor
 * units, fees included.
 */
export type Spending = BudgetTarget & { amountMinor: number; replaced: OfferKey | null };

/** A month or week of a business, by its first day. */
export type PeriodKey = { businessId: string; period: BudgetPeriod; from: string; currency: Currency };

/** Budgets of a month or week in one currency. Call `lockBudgets` first where a decision depends on them. */
export async function findBudgets(
  db: Db,
  { businessId, period, from, currency }: PeriodKey,
): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    select budget.id, budget.period, budget.branch_id, budget.account_id, coalesce(branch.name, account.name, '') as name, budget.limit_minor,
      coalesce((select sum(raise.amount_minor) from budget_raises raise
        where raise.budget_id = budget.id and raise.starts_on = ${from}::date), 0)::bigint as raised_minor
    from budgets budget
    left join branches branch on branch.id = budget.branch_id
    left join accounts account on account.id = budget.account_id
    where budget.business_id = ${businessId} and budget.currency = ${currency} and budget.period = ${period}
    order by budget.id`.execute(db);
  return rows;
}

const openHolds = sql.raw("('created', 'authorising', 'held', 'partly_released', 'disputed')");

/**
 * Sums spending: open holds in full, ended holds by what was paid, and open changes that move booked shifts into the
 * month or week (ADR 389). Open holds of replaced offers are summed separately.
 */
export async function findSpending(
  db: Db,
  { businessId, period, from, currency }: PeriodKey,
  replaced: readonly OfferKey[] = [],
): Promise<Spending[]> {
  const isInPeriod = (day: ReturnType<typeof sql>) =>
    sql`${day} >= ${from}::date and ${day} < ${stepPeriod(period, from, 1)}::date`;
  const changedDay = sql`((change.after->>'startsAt')::timestamptz at time zone (change.after->>'timeZone'))::date`;
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
    where hold.business_id = ${businessId} and ${isInPeriod(sql`hold.work_on`)} and hold.currency = ${currency}
    group by job.branch_id, hold.created_by, replaced.job_id, replaced.offer_id
    union all select job.branch_id, hold.created_by, sum((change.after->>'holdMinor')::bigint)::bigint, null
    from shift_changes change join holds hold on hold.engagement_id = change.engagement_id join jobs job on job.id = hold.job_id
    where change.business_id = ${businessId} and change.status = 'open' and hold.currency = ${currency} and not (${isInPeriod(sql`hold.work_on`)})
      and ${isInPeriod(changedDay)}
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
 * An amount that a job's work on a day needs. `moved` if the money is set aside for work on another day already: its
 * whole amount counts in a month or week that the work is moved into.
 */
export type BudgetPart = {
  jobId: string;
  day: string;
  amountMinor: number;
  moved?: { from: string; totalMinor: number };
};

/**
 * Requires that amounts, all together, stay within the budgets of their months and weeks; owners may exceed them.
 * Locks the budgets until the transaction ends, so that offers made at once add up. The jobs must be locked.
 * @throws payment/over-budget (data: jobId, amountMinor, kind, name, period, from, overMinor, currency)
 */
export async function requireBudgets(
  tx: Tx,
  scope: MoneyScope,
  { businessId, currency }: Pick<PeriodKey, 'businessId' | 'currency'>,
  parts: readonly BudgetPart[],
): Promise<void> {
  if (parts.every(({ amountMinor, moved }) => amountMinor === 0 && !moved)) return;
  if (!(await lockBudgets(tx, businessId))) return;
  const accountId = scope.actor?.accountId ?? null;
  if (accountId !== null && mayExceed(await findRole(tx, businessId, accountId))) return;
  const branchIds = await findBranchIds(
    tx,
    parts.map(({ jobId }) => jobId),
  );
  for (const period of budgetPeriods)
    for (const [from, partsOfPeriod] of Map.groupBy(parts, ({ day }) => periodStart(period, day))) {
      const work = partsOfPeriod.map((part) => ({
        jobId: part.jobId,
        branchId: branchIds.get(part.jobId) ?? null,
        amountMinor: amountIn(period, part),
      }));
      const excess = await findExcess(tx, { businessId, period, from, currency }, { accountId, work });
      if (!excess) continue;
      const { jobId, amountMinor, name, overMinor } = excess;
      throw new AppError('payment/over-budget', {
        jobId,
        amountMinor,
        kind: budgetKind(excess),
        name,
        period,
        from,
        overMinor,
        currency,
      });
    }
}

/** Work moved into another month or week counts there as a whole. */
const amountIn = (period: BudgetPeriod, { day, amountMinor, moved }: BudgetPart): number =>
  moved && periodStart(period, moved.from) !== periodStart(period, day) ? moved.totalMinor : amountMinor;

/** Finds the budget that a member's added work exceeds most, with the first job that counts against it. */
async function findExcess(
  tx: Tx,
  key: PeriodKey,
  {
    accountId,
    work,
  }: {
    accountId: string | null;
    work: readonly { jobId: string; branchId: string | null; amountMinor: number }[];
  },
) {
  const budgets = await findBudgets(tx, key);
  const rows = budgets.filter((row) => row.accountId === null || row.accountId === accountId);
  if (rows.length === 0) return null;
  const spending = await findSpending(tx, key);
  const excesses = rows.flatMap((row) => {
    const limited = work.filter(
      ({ amountMinor, branchId }) => amountMinor > 0 && (row.branchId === null || row.branchId === branchId),
    );
    const [first] = limited;
    const amountMinor = sumOf(limited, (part) => part.amountMinor);
    const [excess] = exceededBudgets([row], spending, amountMinor);
    return first && excess ? [{ ...excess, jobId: first.jobId, amountMinor }] : [];
  });
  return excesses.toSorted((first, second) => second.overMinor - first.overMinor)[0] ?? null;
}

/** The branch of each job; null for jobs that belong to none. */
export async function findBranchIds(db: Db, jobIds: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; branchId: string | null }>`
    select id, branch_id from jobs where id = any(${[...jobIds]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, branchId }) => [id, branchId]));
}

/** The day of work at its place; a task without a due date counts as of now. */
export const dayOfWork = (
  { clock }: ClockScope,
  work: { startsAt: string | Date | null; dueOn: string | null; timeZone: string },
): string =>
  work.dueOn ?? dayIn(work.timeZone, work.startsAt === null ? clock.now() : new Date(work.startsAt));

/** Only owners may exceed or change budgets. */
export const mayExceed = (role: MemberRole | null): boolean => roleMay(role, 'ownership');
