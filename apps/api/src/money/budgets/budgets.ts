import { applicantsPath, budgetsPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { type Budget, type BudgetList, type BudgetRequest, budgets } from '@nearhand/contract/money/budgets';
import { type BudgetPeriod, budgetPeriods, periodStart } from '@nearhand/contract/money/budgets.rules';
import { roleMay, rolesFor } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { membersWho } from '../../people/businesses/businesses.ts';
import { findRole, findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { notify, notifyAll } from '../../talk/notifications/notifications.ts';
import { requireBusinessMember, requireMoneyRole } from '../money-access.ts';
import {
  type BudgetRow,
  type BudgetTarget,
  bindingBudgets,
  budgetKind,
  dayOfWork,
  exceededBudgets,
  findBranchIds,
  findBudgets,
  findSpending,
  lockBudgets,
  mayExceed,
  type PeriodKey,
  type Spending,
  spentMinor,
  withoutOffer,
} from './budget-limits.ts';

const maxOpenRequests = 50;

const toBudget = (
  row: Omit<BudgetRow, 'id' | 'limitMinor'> & { limitMinor: number | null },
  from: string,
  spending: readonly Spending[],
): Budget => ({
  period: row.period,
  from,
  kind: budgetKind(row),
  branchId: row.branchId,
  memberId: row.accountId,
  name: row.name,
  limitMinor: row.limitMinor,
  raisedMinor: row.raisedMinor,
  usedMinor: spentMinor(spending, row),
});

async function todayOf(db: Db, scope: Scope, businessId: string) {
  const business = await db
    .selectFrom('businesses')
    .select(['currency', 'timeZone'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  const day = dayIn(business.timeZone ?? 'UTC', scope.clock.now());
  return { day, currency: business.currency };
}

/** Returns the caller's own limits of this month and week. */
async function myBudget(db: Db, scope: Scope, { businessId }: { businessId: string }) {
  const { accountId } = scope.actor;
  const role = await requireBusinessMember(db, accountId, businessId);
  if (!roleMay(role, 'spend')) throw new AppError('business/not-allowed');
  const { day, currency } = await todayOf(db, scope, businessId);
  const ownBudgets: Budget[] = [];
  for (const budgetKey of periodsOf({ businessId, day, currency })) {
    const row = (await findBudgets(db, budgetKey)).find((budgetRow) => budgetRow.accountId === accountId);
    if (row) ownBudgets.push(toBudget(row, budgetKey.from, await findSpending(db, budgetKey)));
  }
  return { currency, budgets: ownBudgets };
}

/** The month and the week of a day. */
const periodsOf = ({ day, ...business }: Omit<PeriodKey, 'period' | 'from'> & { day: string }): PeriodKey[] =>
  budgetPeriods.map((period) => ({ ...business, period, from: periodStart(period, day) }));

/**
 * Lists the business, its open branches, its members below owner, and whatever else has a limit, by month and by
 * week. For owners, managers, finance. Only owners and the member who asked see the applicant of a request.
 */
export async function listBudgets(
  db: Db,
  scope: Scope,
  input: { businessId: string; day?: string },
): Promise<BudgetList> {
  const { businessId } = input;
  await requireMoneyRole(db, scope.actor.accountId, businessId);
  const { currency, day: today } = await todayOf(db, scope, businessId);
  const day = input.day ?? today;
  const listed = periodsOf({ businessId, day, currency });
  const requests = await findRequestRows(
    db,
    sql`request.business_id = ${businessId} and request.status = 'open'
      order by request.created_at, request.id limit ${maxOpenRequests}`,
  );
  const budgetsIn = await readPeriods(db, requests, listed);
  const { rows: targets } = await sql<BudgetTarget & { name: string }>`
    select null::uuid as branch_id, null::uuid as account_id, '' as name
    union all (select id, null, name from branches where business_id = ${businessId} and closed_at is null order by lower(name), id)
    union all (select null, member.account_id, account.name from business_members member
      join accounts account on account.id = member.account_id
      where member.business_id = ${businessId} and member.role <> 'owner' and member.role in (${literals(rolesFor('spend'))})
        order by lower(account.name), account.id)`.execute(db);
  const canChange = mayExceed(await findRole(db, businessId, scope.actor.accountId));
  const isSame = (first: BudgetTarget, second: BudgetTarget) =>
    first.branchId === second.branchId && first.accountId === second.accountId;
  return {
    day,
    currency,
    budgets: listed.flatMap((key) => {
      const { period, from } = key;
      const { rows, spending } = budgetsIn(key);
      const unlisted = rows.filter((row) => !targets.some((target) => isSame(row, target)));
      return [
        ...targets.map((target) => {
          const row = rows.find((row) => isSame(row, target));
          return toBudget(row ?? { ...target, period, limitMinor: null, raisedMinor: 0 }, from, spending);
        }),
        ...unlisted.map((row) => toBudget(row, from, spending)),
      ];
    }),
    requests: requests.map((row) => {
      const request = toRequest(row, budgetsIn);
      const isVisible = canChange || row.accountId === scope.actor.accountId;
      return isVisible ? request : { ...request, workerName: null, payMinor: null };
    }),
    canChange,
  };
}

/**
 * Sets the monthly or weekly limit of a business, a branch or a member; null removes it.
 * @throws business/not-allowed for members who must keep to a limit themselves
 */
async function setBudget(
  tx: Tx,
  scope: Scope,
  input: {
    businessId: string;
    period: BudgetPeriod;
    branchId: string | null;
    memberId: string | null;
    limitMinor: number | null;
  },
): Promise<BudgetList> {
  const { businessId, period, branchId, memberId: accountId, limitMinor } = input;
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
  const target = { businessId, branchId, accountId, period };
  const now = scope.clock.now();
  if (limitMinor === null)
    await tx
      .deleteFrom('budgets')
      .where('businessId', '=', businessId)
      .where('period', '=', period)
      .where('branchId', 'is not distinct from', branchId)
      .where('accountId', 'is not distinct from', accountId)
      .execute();
  else
    await tx
      .insertInto('budgets')
      .values({ id: newId(now), ...target, currency, limitMinor, updatedAt: now })
      .onConflict((conflict) =>
        conflict
          .columns(['businessId', 'accountId', 'branchId', 'period'])
          .doUpdateSet({ limitMinor, currency, updatedAt: now }),
      )
      .execute();
  emitOfBusiness(tx, 'business', { businessId });
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
  const replaced = replaces === undefined ? null : { jobId, offerId: replaces };
  const work = { branchId, accountId: scope.actor.accountId };
  const periods = [];
  for (const key of periodsOf({ businessId, currency, day: day ?? dayOfWork(scope, job) })) {
    const rows = bindingBudgets(await findBudgets(db, key), work);
    const spending = rows.length > 0 ? await findSpending(db, key, replaced ? [replaced] : []) : [];
    periods.push({ ...key, rows, spending: withoutOffer(spending, replaced) });
  }
  return { job, periods, isExempt: mayExceed(role) };
}

/** The budgets that the caller's next offer for a job would count against, and their latest requests for more. */
async function budgetsForJob(db: Db, scope: Scope, input: PlannedOffer) {
  const { job, periods, isExempt } = await findOfferBudgets(db, scope, input);
  const requests: BudgetRequest[] = [];
  for (const { period, from } of periods) {
    const request = await findRequest(
      db,
      sql`request.job_id = ${input.jobId} and request.account_id = ${scope.actor.accountId} and request.period = ${period}
        and request.starts_on = ${from} order by request.created_at desc, request.id desc limit 1`,
    );
    if (request) requests.push(request);
  }
  return {
    currency: job.currency,
    budgets: periods.flatMap(({ from, rows, spending }) => rows.map((row) => toBudget(row, from, spending))),
    mayExceed: isExempt,
    requests,
  };
}

/**
 * Asks the owners to let the caller set aside an amount for a job beyond the budgets of its month or week. A later
 * request for the same month or week replaces an open one.
 */
async function askForBudget(
  tx: Tx,
  scope: Scope,
  {
    amountMinor,
    period,
    applicationId = null,
    payMinor = null,
    ...offer
  }: PlannedOffer & {
    amountMinor: number;
    period: BudgetPeriod;
    applicationId?: string | null;
    payMinor?: number | null;
  },
): Promise<BudgetRequest> {
  const { job, periods, isExempt } = await findOfferBudgets(tx, scope, offer);
  const { businessId, currency } = job;
  const limited = periods.find((key) => key.period === period);
  if (isExempt || !limited || exceededBudgets(limited.rows, limited.spending, amountMinor).length === 0)
    throw new AppError('budget/not-exceeded');
  if (applicationId !== null) {
    const application = tx.selectFrom('applications').select('id').where('id', '=', applicationId);
    if (!(await application.where('jobId', '=', offer.jobId).executeTakeFirst()))
      throw new AppError('application/not-found');
  }
  const now = scope.clock.now();
  const startsOn = limited.from;
  const replacedOfferId = offer.replaces ?? null;
  const open = await tx
    .selectFrom('budget_requests')
    .select(['amountMinor', 'applicationId', 'payMinor'])
    .where('jobId', '=', offer.jobId)
    .where('accountId', '=', scope.actor.accountId)
    .where('period', '=', period)
    .where('startsOn', '=', startsOn)
    .where('status', '=', 'open')
    .executeTakeFirst();
  const { id } = await tx
    .insertInto('budget_requests')
    .values({
      id: newId(now),
      businessId,
      jobId: offer.jobId,
      accountId: scope.actor.accountId,
      period,
      startsOn,
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
        .columns(['jobId', 'accountId', 'period', 'startsOn'])
        .where('status', '=', sql.lit('open'))
        .doUpdateSet({ amountMinor, currency, replacedOfferId, applicationId, payMinor }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  emitOfBusiness(tx, 'business', { businessId });
  const request = await getRequest(tx, id);
  const isRepeat =
    open?.amountMinor === amountMinor && open.applicationId === applicationId && open.payMinor === payMinor;
  if (isRepeat) return request;
  const owners = await membersWho(tx, businessId, 'ownership');
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
  const { businessId, jobId, period, startsOn, amountMinor } = row;
  const currency = row.currency;
  const now = scope.clock.now();
  if (approve) {
    const budgetKey = { businessId, period, from: startsOn, currency };
    const branchIds = await findBranchIds(tx, [jobId]);
    const work = { branchId: branchIds.get(jobId) ?? null, accountId: row.accountId };
    const rows = bindingBudgets(await findBudgets(tx, budgetKey), work);
    const replaced = replacedOffer(row);
    const all = await findSpending(tx, budgetKey, replaced ? [replaced] : []);
    const spending = withoutOffer(all, replaced);
    const budgetRaises = exceededBudgets(rows, spending, amountMinor).map(({ id: budgetId, overMinor }) => ({
      budgetId,
      requestId: id,
      startsOn,
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
  return row ? toRequest(row, await readPeriods(db, [row], [])) : null;
}

type RequestRow = Omit<BudgetRequest, 'createdAt' | 'startsAt' | 'exceeded' | 'currency'> &
  BudgetTarget &
  PeriodKey & {
    replacedOfferId: string | null;
    createdAt: Date;
    startsAt: Date | null;
  };

async function findRequestRows(db: Db, filter: ReturnType<typeof sql>): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select request.id, request.status, request.job_id, job.title as job_title, account.name as member_name, request.period, request.starts_on as "from",
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

type PeriodBudgets = { rows: BudgetRow[]; spending: Spending[] };
const nothing: PeriodBudgets = { rows: [], spending: [] };

/** Reads each month and week with open requests once, and those listed. */
async function readPeriods(
  db: Db,
  requests: readonly RequestRow[],
  listed: readonly PeriodKey[],
): Promise<(key: PeriodKey) => PeriodBudgets> {
  const open = requests.filter(({ status }) => status === 'open');
  const replaced = open.map(replacedOffer).filter((offer) => offer !== null);
  const keyOf = ({ period, from, currency }: PeriodKey) => `${period} ${from} ${currency}`;
  const budgetsByKey = new Map<string, PeriodBudgets>();
  for (const key of [...listed, ...open])
    if (!budgetsByKey.has(keyOf(key)))
      budgetsByKey.set(keyOf(key), {
        rows: await findBudgets(db, key),
        spending: await findSpending(db, key, replaced),
      });
  return (key) => budgetsByKey.get(keyOf(key)) ?? nothing;
}

/** Includes the budgets that an open request exceeds now. */
function toRequest(request: RequestRow, budgetsIn: (key: PeriodKey) => PeriodBudgets): BudgetRequest {
  const { rows, spending } = request.status === 'open' ? budgetsIn(request) : nothing;
  const spendingBefore = withoutOffer(spending, replacedOffer(request));
  const exceeded = exceededBudgets(bindingBudgets(rows, request), spendingBefore, request.amountMinor);
  return {
    ...request,
    createdAt: request.createdAt.toISOString(),
    startsAt: request.startsAt?.toISOString() ?? null,
    exceeded: exceeded.map((row) => toBudget(row, request.from, spendingBefore)),
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
