import { applicantsPath, budgetsPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { type Budget, type BudgetList, type BudgetRequest, budgets } from '@nearhand/contract/money/budgets';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { membersWithRole } from '../../people/businesses/businesses.ts';
import { findRole, findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { notify, notifyAll } from '../../talk/notifications/notifications.ts';
import { requireBusinessMember, requireTreasurer } from '../cards/cards.ts';
import {
  type BudgetRow,
  type BudgetTarget,
  bindingBudgets,
  budgetKind,
  exceededBudgets,
  findBranchId,
  findBudgets,
  findSpending,
  lockBudgets,
  type Month,
  mayExceed,
  monthOfWork,
  type Spending,
  spentMinor,
  withoutOffer,
} from './budget-limits.ts';

const maxOpenRequests = 50;

const toBudget = (
  row: Omit<BudgetRow, 'id' | 'limitMinor'> & { limitMinor: number | null },
  spending: readonly Spending[],
): Budget => ({
  kind: budgetKind(row),
  branchId: row.branchId,
  memberId: row.accountId,
  name: row.name,
  limitMinor: row.limitMinor,
  raisedMinor: row.raisedMinor,
  usedMinor: spentMinor(spending, row),
});

async function currentMonth(db: Db, scope: Scope, businessId: string) {
  const business = await db
    .selectFrom('businesses')
    .select(['currency', 'timeZone'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  const month = dayIn(business.timeZone ?? 'UTC', scope.clock.now()).slice(0, 7);
  return { month, currency: business.currency };
}

/** Returns the caller's own limit of this month. */
async function myBudget(db: Db, scope: Scope, { businessId }: { businessId: string }) {
  const { accountId } = scope.actor;
  const role = await requireBusinessMember(db, accountId, businessId);
  if (!roleMay(role, 'spend')) throw new AppError('business/not-allowed');
  const { month, currency } = await currentMonth(db, scope, businessId);
  const budgetKey = { businessId, month, currency };
  const row = (await findBudgets(db, budgetKey)).find((budgetRow) => budgetRow.accountId === accountId);
  return { month, currency, budget: row ? toBudget(row, await findSpending(db, budgetKey)) : null };
}

/**
 * Lists the business, its open branches, its members below owner, and whatever else has a limit. For owners,
 * managers, finance. Only owners and the member who asked see the applicant of a request.
 */
export async function listBudgets(
  db: Db,
  scope: Scope,
  input: { businessId: string; month?: string },
): Promise<BudgetList> {
  const { businessId } = input;
  await requireTreasurer(db, scope.actor.accountId, businessId);
  const { currency, ...current } = await currentMonth(db, scope, businessId);
  const month = input.month ?? current.month;
  const budgetKey = { businessId, month, currency };
  const requests = await findRequestRows(
    db,
    sql`request.business_id = ${businessId} and request.status = 'open'
      order by request.created_at, request.id limit ${maxOpenRequests}`,
  );
  const monthBudgets = await readMonths(db, requests, budgetKey);
  const { rows, spending } = monthBudgets(budgetKey);
  const { rows: targets } = await sql<BudgetTarget & { name: string }>`
    select null::uuid as branch_id, null::uuid as account_id, '' as name
    union all (select id, null, name from branches where business_id = ${businessId} and closed_at is null order by lower(name), id)
    union all (select null, member.account_id, account.name from business_members member
      join accounts account on account.id = member.account_id
      where member.business_id = ${businessId} and member.role in ('manager', 'recruiter')
        order by lower(account.name), account.id)`.execute(db);
  const canChange = mayExceed(await findRole(db, businessId, scope.actor.accountId));
  const isSame = (first: BudgetTarget, second: BudgetTarget) =>
    first.branchId === second.branchId && first.accountId === second.accountId;
  const unlisted = rows.filter((row) => !targets.some((target) => isSame(row, target)));
  return {
    month,
    currency,
    budgets: [
      ...targets.map((target) => {
        const row = rows.find((row) => isSame(row, target));
        return toBudget(row ?? { ...target, limitMinor: null, raisedMinor: 0 }, spending);
      }),
      ...unlisted.map((row) => toBudget(row, spending)),
    ],
    requests: requests.map((row) => {
      const request = toRequest(row, monthBudgets);
      const isVisible = canChange || row.accountId === scope.actor.accountId;
      return isVisible ? request : { ...request, workerName: null, payMinor: null };
    }),
    canChange,
  };
}

/**
 * Sets the monthly limit of a business, a branch or a member; null removes it.
 * @throws business/not-allowed for members who must keep to a limit themselves
 */
async function setBudget(
  tx: Tx,
  scope: Scope,
  input: { businessId: string; branchId: string | null; memberId: string | null; limitMinor: number | null },
): Promise<BudgetList> {
  const { businessId, branchId, memberId: accountId, limitMinor } = input;
  const role = await requireBusinessMember(tx, scope.actor.accountId, businessId);
  if (!mayExceed(role)) throw new AppError('business/not-allowed');
  const { currency } = await tx
    .selectFrom('businesses')
    .select('currency')
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (branchId !== null) {
    const branch = tx.selectFrom('branches').select('id').where('id', '=', branchId);
    if (!(await branch.where('businessId', '=', businessId).executeTakeFirst()))
      throw new AppError('branch/not-found');
  }
  if (accountId !== null && (await findRole(tx, businessId, accountId)) === null)
    throw new AppError('team/member-not-found');
  const target = { businessId, branchId, accountId };
  const now = scope.clock.now();
  if (limitMinor === null)
    await tx
      .deleteFrom('budgets')
      .where('businessId', '=', businessId)
      .where('branchId', 'is not distinct from', branchId)
      .where('accountId', 'is not distinct from', accountId)
      .execute();
  else
    await tx
      .insertInto('budgets')
      .values({ id: newId(now), ...target, currency, limitMinor, updatedAt: now })
      .onConflict((conflict) =>
        conflict
          .columns(['businessId', 'accountId', 'branchId'])
          .doUpdateSet({ limitMinor, currency, updatedAt: now }),
      )
      .execute();
  emitOfBusiness(tx, 'business', target);
  return listBudgets(tx, scope, { businessId });
}

type SpendingJob = {
  businessId: string;
  branchId: string | null;
  title: string;
  currency: Currency;
  startsAt: Date | null;
  dueOn: string | null;
  timeZone: string;
};

/** @throws job/not-found, job/not-allowed for members who spend nothing */
async function requireSpender(
  db: Db,
  { actor: { accountId } }: Scope,
  jobId: string,
): Promise<SpendingJob & { role: MemberRole }> {
  const role = await findRoleAt(db, jobId, accountId);
  if (role === null) throw new AppError('job/not-found');
  if (!roleMay(role, 'spend')) throw new AppError('job/not-allowed');
  const job = await db
    .selectFrom('jobs')
    .select(['businessId', 'branchId', 'title', 'currency', 'startsAt', 'dueOn', 'timeZone'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  return { ...job, role };
}

type PlannedOffer = { jobId: string; day?: string; replaces?: string };

async function findOfferBudgets(db: Db, scope: Scope, { jobId, day, replaces }: PlannedOffer) {
  const { role, ...job } = await requireSpender(db, scope, jobId);
  const { businessId, currency, branchId } = job;
  const month = day?.slice(0, 7) ?? monthOfWork(scope, job);
  const budgetKey = { businessId, month, currency };
  const rows = bindingBudgets(await findBudgets(db, budgetKey), {
    branchId,
    accountId: scope.actor.accountId,
  });
  const replaced = replaces === undefined ? null : { jobId, offerId: replaces };
  const spending = rows.length > 0 ? await findSpending(db, budgetKey, replaced ? [replaced] : []) : [];
  return { job, month, rows, spending: withoutOffer(spending, replaced), isExempt: mayExceed(role) };
}

/** The budgets that the caller's next offer for a job would count against, and their latest request for more. */
async function budgetsForJob(db: Db, scope: Scope, input: PlannedOffer) {
  const { job, month, rows, spending, isExempt } = await findOfferBudgets(db, scope, input);
  const request = await findRequest(
    db,
    sql`request.job_id = ${input.jobId} and request.account_id = ${scope.actor.accountId}
      order by request.created_at desc, request.id desc limit 1`,
  );
  return {
    month,
    currency: job.currency,
    budgets: rows.map((row) => toBudget(row, spending)),
    mayExceed: isExempt,
    request,
  };
}

/**
 * Asks the owners to let the caller set aside an amount for a job beyond a budget. A later request replaces
 * an open one.
 */
async function askForBudget(
  tx: Tx,
  scope: Scope,
  {
    amountMinor,
    applicationId = null,
    payMinor = null,
    ...offer
  }: PlannedOffer & { amountMinor: number; applicationId?: string | null; payMinor?: number | null },
): Promise<BudgetRequest> {
  const { job, month, rows, spending, isExempt } = await findOfferBudgets(tx, scope, offer);
  const { businessId, currency } = job;
  if (isExempt || exceededBudgets(rows, spending, amountMinor).length === 0)
    throw new AppError('budget/not-exceeded');
  if (applicationId !== null) {
    const application = tx.selectFrom('applications').select('id').where('id', '=', applicationId);
    if (!(await application.where('jobId', '=', offer.jobId).executeTakeFirst()))
      throw new AppError('application/not-found');
  }
  const now = scope.clock.now();
  const replacedOfferId = offer.replaces ?? null;
  const open = await tx
    .selectFrom('budget_requests')
    .select(['month', 'amountMinor', 'applicationId', 'payMinor'])
    .where('jobId', '=', offer.jobId)
    .where('accountId', '=', scope.actor.accountId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  const { id } = await tx
    .insertInto('budget_requests')
    .values({
      id: newId(now),
      businessId,
      jobId: offer.jobId,
      accountId: scope.actor.accountId,
      month,
      amountMinor,
      currency,
      replacedOfferId,
      applicationId,
      payMinor,
      status: 'open',
      createdAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['jobId', 'accountId'])
        .where('status', '=', sql.lit('open'))
        .doUpdateSet({ amountMinor, month, currency, replacedOfferId, applicationId, payMinor }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  emitOfBusiness(tx, 'business', { businessId });
  const request = await getRequest(tx, id);
  const isRepeat =
    open?.month === month &&
    open.amountMinor === amountMinor &&
    open.applicationId === applicationId &&
    open.payMinor === payMinor;
  if (isRepeat) return request;
  const owners = await membersWithRole(tx, businessId, 'owner');
  await notifyAll(
    tx,
    scope,
    owners.map((owner) => ({
      accountId: owner,
      topic: 'budget-asked' as const,
      data: { side: 'business', jobTitle: job.title, workerName: request.memberName, amountMinor, currency },
      path: budgetsPath(businessId),
      dedupeKey: `budget-asked/${id}/${now.toISOString()}`,
    })),
  );
  return request;
}

/**
 * Approves or refuses a request, with an optional reason for a refusal. An approval raises each exceeded
 * budget by the current excess, so it makes room for exactly this offer. Repeating the same decision changes
 * nothing.
 */
async function decideRequest(
  tx: Tx,
  scope: Scope,
  { budgetRequestId: id, approve, reason }: { budgetRequestId: string; approve: boolean; reason: string },
): Promise<BudgetRequest> {
  const { accountId: actor } = scope.actor;
  const unlocked = await tx
    .selectFrom('budget_requests')
    .select('businessId')
    .where('id', '=', id)
    .executeTakeFirst();
  const role = unlocked && (await findRole(tx, unlocked.businessId, actor));
  if (!unlocked || !role) throw new AppError('budget/request-not-found');
  if (!mayExceed(role)) throw new AppError('budget/not-allowed');
  await lockBudgets(tx, unlocked.businessId);
  const row = await tx
    .selectFrom('budget_requests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const status = approve ? 'approved' : 'refused';
  if (row.status === status) return getRequest(tx, id);
  if (row.status !== 'open') throw new AppError('budget/decided');
  const { businessId, jobId, month, amountMinor } = row;
  const currency = row.currency;
  const now = scope.clock.now();
  if (approve) {
    const budgetKey = { businessId, month, currency };
    const work = { branchId: await findBranchId(tx, jobId), accountId: row.accountId };
    const rows = bindingBudgets(await findBudgets(tx, budgetKey), work);
    const replaced = replacedOffer(row);
    const all = await findSpending(tx, budgetKey, replaced ? [replaced] : []);
    const spending = withoutOffer(all, replaced);
    const budgetRaises = exceededBudgets(rows, spending, amountMinor).map(({ id: budgetId, overMinor }) => ({
      budgetId,
      requestId: id,
      month,
      amountMinor: overMinor,
    }));
    if (budgetRaises.length > 0) await tx.insertInto('budget_raises').values(budgetRaises).execute();
  }
  await tx
    .updateTable('budget_requests')
    .set({ status, reason, decidedBy: actor, decidedAt: now })
    .where('id', '=', id)
    .execute();
  emitOfBusiness(tx, 'business', { businessId });
  const request = await getRequest(tx, id);
  await notify(tx, scope, {
    accountId: row.accountId,
    topic: 'budget-decided',
    data: { side: 'business', jobTitle: request.jobTitle, variant: status, amountMinor, currency, reason },
    path: await pathOfJob(tx, jobId),
    dedupeKey: `budget-decided/${id}`,
  });
  return request;
}

/** An instant hire asks before its job is published, so its job may be a draft. */
async function pathOfJob(db: Db, jobId: string): Promise<string> {
  const { status } = await db
    .selectFrom('jobs')
    .select('status')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  return status === 'draft' ? `/create-job?job=${jobId}` : applicantsPath(jobId, null);
}

async function getRequest(db: Db, id: string): Promise<BudgetRequest> {
  const request = await findRequest(db, sql`request.id = ${id}`);
  if (!request) throw new AppError('budget/request-not-found');
  return request;
}

async function findRequest(db: Db, filter: ReturnType<typeof sql>): Promise<BudgetRequest | null> {
  const [row] = await findRequestRows(db, filter);
  return row ? toRequest(row, await readMonths(db, [row])) : null;
}

type RequestRow = Omit<BudgetRequest, 'createdAt' | 'startsAt' | 'exceeded' | 'currency'> &
  BudgetTarget &
  Month & {
    replacedOfferId: string | null;
    createdAt: Date;
    startsAt: Date | null;
  };

async function findRequestRows(db: Db, filter: ReturnType<typeof sql>): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select request.id, request.status, request.job_id, job.title as job_title, account.name as member_name, request.month,
      request.amount_minor, request.currency, request.created_at, request.reason, request.business_id, request.account_id,
      request.replaced_offer_id, job.branch_id, job.starts_at, job.time_zone, worker.name as worker_name,
      case when worker.id is not null then coalesce(request.pay_minor, job.pay_minor) end as pay_minor
    from budget_requests request
    join jobs job on job.id = request.job_id
    join accounts account on account.id = request.account_id
    left join applications application on application.id = request.application_id
    left join accounts worker on worker.id = application.worker_id
    where ${filter}`.execute(db);
  return rows;
}

const replacedOffer = ({ jobId, replacedOfferId }: Pick<RequestRow, 'jobId' | 'replacedOfferId'>) =>
  replacedOfferId === null ? null : { jobId, offerId: replacedOfferId };

type MonthBudgets = { rows: BudgetRow[]; spending: Spending[] };
const nothing: MonthBudgets = { rows: [], spending: [] };

/** Reads each month with open requests once, plus one more. */
async function readMonths(
  db: Db,
  requests: readonly RequestRow[],
  listedMonth?: Month,
): Promise<(month: Month) => MonthBudgets> {
  const open = requests.filter(({ status }) => status === 'open');
  const replaced = open.map(replacedOffer).filter((offer) => offer !== null);
  const keyOf = ({ month, currency }: Month) => `${month} ${currency}`;
  const read = new Map<string, MonthBudgets>();
  for (const month of listedMonth ? [listedMonth, ...open] : open)
    if (!read.has(keyOf(month)))
      read.set(keyOf(month), {
        rows: await findBudgets(db, month),
        spending: await findSpending(db, month, replaced),
      });
  return (month) => read.get(keyOf(month)) ?? nothing;
}

/** Includes the budgets that an open request exceeds now. */
function toRequest(request: RequestRow, monthBudgets: (month: Month) => MonthBudgets): BudgetRequest {
  const { rows, spending } = request.status === 'open' ? monthBudgets(request) : nothing;
  const spendingBefore = withoutOffer(spending, replacedOffer(request));
  const exceeded = exceededBudgets(bindingBudgets(rows, request), spendingBefore, request.amountMinor);
  return {
    ...request,
    createdAt: request.createdAt.toISOString(),
    startsAt: request.startsAt?.toISOString() ?? null,
    exceeded: exceeded.map((row) => toBudget(row, spendingBefore)),
  };
}

export const budgetsRoutes = {
  list: read(budgets.list, listBudgets),
  set: write(budgets.set, setBudget),
  mine: read(budgets.mine, myBudget),
  forJob: read(budgets.forJob, budgetsForJob),
  ask: write(budgets.ask, askForBudget),
  decide: write(budgets.decide, decideRequest),
};
