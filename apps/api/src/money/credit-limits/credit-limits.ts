import { bankTransferPath, statementPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { addMs, dayIn, dayMs } from '@nearhand/contract/durations';
import { transferCurrency } from '@nearhand/contract/money/bank-transfers.rules';
import {
  type CreditLimit,
  type CreditLimitRow,
  type CreditQuote,
  creditLimits,
} from '@nearhand/contract/money/credit-limits';
import {
  type CreditDue,
  creditDues,
  creditReminder,
  creditStopsOn,
  daysOverdue,
} from '@nearhand/contract/money/credit-limits.rules';
import { fromReferenceMinor } from '@nearhand/contract/money/reference-rates';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { ClockScope, ConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { repairEach } from '../../platform/tasks/repair.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { firstIdOf } from '../ledger/ledger.rules.ts';
import {
  accountBalance,
  balanceOf,
  type LedgerScope,
  LedgerShortError,
  postEntry,
} from '../ledger/ledger.ts';
import { notifyMoneyRoles, requireMoneyRole } from '../money-access.ts';

const creditAccount = (businessId: string) => ({ kind: 'business_credit' as const, ownerId: businessId });

type CreditRow = {
  businessId: string;
  currency: Currency;
  limitMinor: number;
  endedAt: Date | null;
  overdueSince: string | null;
  stoppedAt: Date | null;
};

const selectCredit = (db: Db, businessId: string) =>
  db
    .selectFrom('credit_limits')
    .select(['businessId', 'currency', 'limitMinor', 'endedAt', 'overdueSince', 'stoppedAt'])
    .where('businessId', '=', businessId);

const findCredit = (db: Db, businessId: string): Promise<CreditRow | undefined> =>
  selectCredit(db, businessId).executeTakeFirst();

const lockCredit = (tx: Tx, businessId: string): Promise<CreditRow | undefined> =>
  selectCredit(tx, businessId).forUpdate().executeTakeFirst();

const unusedOf = (db: Db, { businessId, currency }: CreditRow): Promise<number> =>
  balanceOf(db, creditAccount(businessId), currency);

const owedOf = async (db: Db, row: CreditRow): Promise<number> => row.limitMinor - (await unusedOf(db, row));

/** The drawn part of a business's credit limit, not yet repaid, in minor units; empty if it owes nothing. */
export async function creditDebtOf(
  db: Db,
  businessId: string,
): Promise<{ currency: Currency; amountMinor: number }[]> {
  const row = await findCredit(db, businessId);
  const amountMinor = row ? await owedOf(db, row) : 0;
  return row && amountMinor > 0 ? [{ currency: row.currency, amountMinor }] : [];
}

/** The debt of a business after a ledger entry, in minor units. */
type CreditChange = { entryId: string; owedMinor: number };

/**
 * Returns the debt of a business on its limit in minor units: at the end of a range of ledger entries, and from
 * `from` and each draw and repayment on, oldest first. Null for a business without a limit in this currency.
 */
export async function creditOwedIn(
  db: Db,
  { businessId, currency }: { businessId: string; currency: Currency },
  { from, before }: { from: string; before: string },
): Promise<{ endMinor: number; changes: CreditChange[] } | null> {
  const account = `business_credit:${businessId}:${currency}`;
  // A single statement, so that the debt and the changes that explain it are of the same moment.
  const { rows } = await sql<{ owedMinor: number; entryId: string | null; drawnMinor: number }>`
    select credit.limit_minor - ${accountBalance(sql`${account}`)} as owed_minor, change.entry_id,
      coalesce(change.drawn_minor, 0) as drawn_minor
    from credit_limits credit left join (
      select posting.entry_id, -posting.amount as drawn_minor from ledger_postings posting
      join ledger_entries entry on entry.id = posting.entry_id and entry.kind in ('credit_drawn', 'credit_repaid')
      where posting.account_id = ${account} and posting.entry_id >= ${from}::uuid) change on true
    where credit.business_id = ${businessId} and credit.currency = ${currency}
    order by change.entry_id desc`.execute(db);
  const [first] = rows;
  if (!first) return null;
  const later = rows.filter(({ entryId }) => entryId !== null && entryId >= before);
  const endMinor = first.owedMinor - sumOf(later, ({ drawnMinor }) => drawnMinor);
  const changes: CreditChange[] = [];
  let owedMinor = endMinor;
  for (const { entryId, drawnMinor } of rows.slice(later.length)) {
    if (entryId !== null) changes.push({ entryId, owedMinor });
    owedMinor -= drawnMinor;
  }
  return { endMinor, changes: [{ entryId: from, owedMinor }, ...changes.reverse()] };
}

/**
 * Refuses new holds of a business that has not paid what was due long ago. Booked work goes on.
 * @throws payment/credit-overdue
 */
export async function requireCreditPaid(tx: Tx, businessId: string): Promise<void> {
  const row = await findCredit(tx, businessId);
  if (row?.stoppedAt) throw new AppError('payment/credit-overdue');
}

/**
 * Draws on the limit of a business: adds to its balance the money that is missing for a hold, in the transaction that
 * takes it from there. The caller knows that the limit may be used (`spendableOf`).
 * @param draw.key the key of the entry that spends it
 * @throws LedgerShortError if the limit doesn't cover it
 */
export async function drawCredit(
  tx: Tx,
  scope: LedgerScope,
  draw: { key: string; businessId: string; currency: Currency; about: string; amountMinor: number },
): Promise<void> {
  const { key, businessId, currency, about, amountMinor } = draw;
  await postEntry(tx, scope, {
    key: `credit-drawn/${key}`,
    kind: 'credit_drawn',
    currency,
    about,
    lines: [
      { account: creditAccount(businessId), amountMinor: -amountMinor },
      { account: { kind: 'business_balance', ownerId: businessId }, amountMinor },
    ],
  });
}

// Repaying

const repayTask = defineTask({
  name: 'creditLimits.repay',
  payload: z.object({ businessId: z.uuid() }),
  queue: 'money',
  run: (scope, { businessId }) => scope.db.transaction().execute((tx) => repayCredit(tx, scope, businessId)),
});

/**
 * Queues repaying what is owed from money that reached the balance. It runs after the caller's transaction, whose locks
 * can't wait for those of a repayment.
 */
export async function repaySoon(tx: Tx, businessId: string): Promise<void> {
  if (await findCredit(tx, businessId))
    await enqueue(tx, repayTask, { businessId }, { key: `${repayTask.name}/${businessId}` });
}

/**
 * The part of the balance that no repayment takes: money that booked work of a series needs by now, if the business
 * can't draw it again. A debt never takes the pay of a worker. Minor units.
 */
async function keptForWork(tx: Tx, now: Date, { businessId, currency, endedAt }: CreditRow): Promise<number> {
  const { rows } = await sql<{ minor: number }>`
    select coalesce(sum(hold.pay_minor + hold.fee_minor), 0)::bigint as minor
    from holds hold join businesses business on business.id = hold.business_id
    where hold.business_id = ${businessId} and hold.currency = ${currency} and hold.status = 'created'
      and hold.fund_at <= ${now} and (${endedAt !== null} or business.status <> 'verified')`.execute(tx);
  return rows[0]?.minor ?? 0;
}

/** Repays what a business owes from its balance, as far as that goes, and lifts a stop once nothing is overdue. */
async function repayCredit(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'sign'>,
  businessId: string,
): Promise<void> {
  const row = await lockCredit(tx, businessId);
  if (!row) return;
  const { currency } = row;
  const owedMinor = await owedOf(tx, row);
  const balance = { kind: 'business_balance' as const, ownerId: businessId };
  const balanceMinor = await balanceOf(tx, balance, currency);
  const keptMinor = balanceMinor === 0 ? 0 : await keptForWork(tx, scope.clock.now(), row);
  const amountMinor = Math.min(owedMinor, Math.max(0, balanceMinor - keptMinor));
  if (amountMinor > 0)
    // A payment that spends the balance at the same time makes the task run again.
    await postEntry(tx, scope, {
      key: `credit-repaid/${newId(scope.clock.now())}`,
      kind: 'credit_repaid',
      currency,
      about: businessId,
      lines: [
        { account: balance, amountMinor: -amountMinor },
        { account: creditAccount(businessId), amountMinor },
      ],
    });
  await reviewDues(tx, scope, row);
}

/** Older draws count as made then; they were due long ago either way. */
const drawnDays = 400;

/** The debts of a business by due day, earliest first, and today's day where it is. */
async function duesOf(
  db: Db,
  { clock }: ClockScope,
  row: CreditRow,
): Promise<{ today: string; owedMinor: number; dues: CreditDue[] }> {
  const { businessId, currency } = row;
  const { timeZone } = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  const now = clock.now();
  const today = dayIn(timeZone, now);
  const since = addMs(now, -drawnDays * dayMs);
  const owedMinor = await owedOf(db, row);
  if (owedMinor === 0) return { today, owedMinor, dues: [] };
  const { rows } = await sql<{ month: string; amountMinor: number }>`
    select to_char(entry.at at time zone ${timeZone}, 'YYYY-MM') as month, -sum(posting.amount)::bigint as amount_minor
    from ledger_postings posting join ledger_entries entry on entry.id = posting.entry_id and entry.kind = 'credit_drawn'
    where posting.account_id = ${`business_credit:${businessId}:${currency}`}
      and posting.entry_id >= ${firstIdOf(since)}::uuid
    group by 1 order by 1 desc`.execute(db);
  return {
    today,
    owedMinor,
    dues: creditDues(owedMinor, [
      ...rows,
      { month: dayIn(timeZone, since).slice(0, 7), amountMinor: owedMinor },
    ]),
  };
}

const isOverdue = (today: string) => (due: CreditDue) => due.dueOn < today;

/** Records since when something is overdue, and stops or allows new holds. The row is locked. */
async function reviewDues(tx: Tx, scope: Pick<TaskScope, 'clock'>, row: CreditRow) {
  const { today, owedMinor, dues } = await duesOf(tx, scope, row);
  const overdueSince = dues.find(isOverdue(today))?.dueOn ?? null;
  const isStopped = overdueSince !== null && today >= creditStopsOn(overdueSince);
  if (overdueSince !== row.overdueSince || isStopped !== (row.stoppedAt !== null)) {
    const now = scope.clock.now();
    await tx
      .updateTable('credit_limits')
      .set({ overdueSince, stoppedAt: isStopped ? (row.stoppedAt ?? now) : null, updatedAt: now })
      .where('businessId', '=', row.businessId)
      .execute();
    emitOfBusiness(tx, 'wallet', row);
  }
  return { today, owedMinor, dues, overdueSince, isStopped };
}

/** Repays, reminds and stops one business: the daily work. */
export async function reviewCredit(
  scope: Pick<TaskScope, 'db' | 'clock' | 'sign'>,
  businessId: string,
): Promise<void> {
  await scope.db.transaction().execute((tx) => repayCredit(tx, scope, businessId));
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockCredit(tx, businessId);
    if (!row) return;
    const { currency } = row;
    const { today, dues, overdueSince, isStopped } = await reviewDues(tx, scope, row);
    const [next] = dues.filter((due) => !isOverdue(today)(due));
    const audience = { businessId, starter: null };
    const path = currency === transferCurrency ? bankTransferPath(businessId) : statementPath(businessId);
    // Last month's draws are due at the end of this month.
    if (next && next.dueOn.slice(0, 7) === today.slice(0, 7))
      await notifyMoneyRoles(tx, scope, audience, {
        topic: 'credit-due',
        path,
        dedupeKey: `credit-due/${businessId}/${next.dueOn}`,
        data: { amountMinor: next.amountMinor, currency, by: next.dueOn, side: 'business' },
      });
    if (overdueSince === null) return;
    const overdueMinor = sumOf(dues.filter(isOverdue(today)), ({ amountMinor }) => amountMinor);
    const reminderDay = creditReminder(daysOverdue(overdueSince, today));
    if (reminderDay !== null)
      await notifyMoneyRoles(tx, scope, audience, {
        topic: 'credit-overdue',
        path,
        dedupeKey: `credit-overdue/${businessId}/${overdueSince}/${isStopped ? 'stopped' : reminderDay}`,
        data: {
          amountMinor: overdueMinor,
          currency,
          by: isStopped ? undefined : creditStopsOn(overdueSince),
          variant: isStopped ? 'stopped' : 'reminder',
          side: 'business',
        },
      });
  });
}

const reviewAll = (scope: TaskScope): Promise<void> =>
  repairEach(
    scope,
    'credit limit',
    (after, limit) =>
      scope.db
        .selectFrom('credit_limits')
        .select('businessId')
        .$if(after !== null, (query) => query.where('businessId', '>', after))
        .orderBy('businessId')
        .limit(limit)
        .execute(),
    ({ businessId }) => businessId,
    ({ businessId }) => reviewCredit(scope, businessId),
  );

// Setting a limit

type LimitChange = {
  /** One per change. */
  id: string;
  businessId: string;
  /** 0 ends the limit: nothing is drawn any more, and what is owed stays due. */
  limitMinor: number;
  currency: Currency;
  reason: string;
  setBy: string;
  approvedBy: string | null;
};

type Borrower = { status: string; currency: Currency };

/** Locks a business, so that two operators set its limit in turn. */
async function lockBorrower(tx: Tx, businessId: string): Promise<Borrower> {
  const row = await tx
    .selectFrom('businesses')
    .select(['status', 'currency'])
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('business/not-found');
  return row;
}

/**
 * Checks a change of a limit and locks the business. The caller checks access and the second operator.
 * @throws business/not-found, business/wrong-state for more than before unless it is verified, credit/below-owed,
 * request/invalid for another currency than the business's
 */
export async function checkLimit(
  tx: Tx,
  change: Pick<LimitChange, 'businessId' | 'limitMinor' | 'currency'>,
): Promise<{ row: CreditRow | undefined; beforeMinor: number; owedMinor: number }> {
  const { businessId, limitMinor, currency } = change;
  const borrower = await lockBorrower(tx, businessId);
  const row = await lockCredit(tx, businessId);
  const owedMinor = row ? await owedOf(tx, row) : 0;
  const beforeMinor = row && row.endedAt === null && row.currency === currency ? row.limitMinor : 0;
  // The limit of a business that changed its currency can still be ended.
  const isOtherCurrency =
    currency !== borrower.currency || (row !== undefined && owedMinor > 0 && row.currency !== currency);
  if (isOtherCurrency && !(limitMinor === 0 && currency === row?.currency))
    throw new AppError('request/invalid', {
      issues: [{ path: 'currency', message: "not the business's currency" }],
    });
  if (limitMinor > beforeMinor && borrower.status !== 'verified')
    throw new AppError('business/wrong-state', { status: borrower.status });
  if (limitMinor > 0 && limitMinor < owedMinor) throw new AppError('credit/below-owed');
  return { row, beforeMinor, owedMinor };
}

/**
 * Sets or ends the limit of a business, and tells who manages its money. Never touches what is set aside for booked
 * work. The caller checks access and the second operator.
 * @throws as checkLimit
 */
export async function setLimit(tx: Tx, scope: Scope, change: LimitChange): Promise<void> {
  const { id, businessId, currency } = change;
  const { row, beforeMinor, owedMinor } = await checkLimit(tx, change);
  const isEnded = change.limitMinor === 0;
  const now = scope.clock.now();
  if (row && row.currency !== currency) await postLimit(tx, scope, `${id}/${row.currency}`, row, 0);
  const posted = row?.currency === currency ? row : { businessId, currency, limitMinor: 0 };
  const limitMinor = isEnded ? owedMinor : change.limitMinor;
  await postLimit(tx, scope, id, posted, limitMinor).catch((error: unknown) => {
    // A hold has drawn on it since it was checked.
    if (error instanceof LedgerShortError) throw new AppError('credit/below-owed');
    throw error;
  });
  await sql`insert into credit_limits (business_id, currency, limit_minor, ended_at, updated_at)
    values (${businessId}, ${currency}, ${limitMinor}, ${isEnded ? now : null}, ${now})
    on conflict (business_id) do update set currency = excluded.currency, limit_minor = excluded.limit_minor,
      ended_at = excluded.ended_at, updated_at = excluded.updated_at`.execute(tx);
  await tx
    .insertInto('credit_limit_changes')
    .values({
      id,
      businessId,
      beforeMinor,
      limitMinor: change.limitMinor,
      currency,
      reason: change.reason,
      setBy: change.setBy,
      approvedBy: change.approvedBy,
      at: now,
    })
    .execute();
  emitOfBusiness(tx, 'wallet', { businessId });
  await notifyMoneyRoles(
    tx,
    scope,
    { businessId, starter: null },
    {
      topic: 'credit-limit-set',
      path: statementPath(businessId),
      dedupeKey: `credit-limit-set/${id}`,
      data: {
        amountMinor: isEnded ? owedMinor : change.limitMinor,
        currency,
        reason: change.reason,
        variant: isEnded ? 'ended' : 'set',
        side: 'business',
      },
    },
  );
}

async function postLimit(
  tx: Tx,
  scope: LedgerScope,
  id: string,
  before: Pick<CreditRow, 'businessId' | 'currency' | 'limitMinor'>,
  limitMinor: number,
): Promise<void> {
  const changeMinor = limitMinor - before.limitMinor;
  if (changeMinor === 0) return;
  await postEntry(tx, scope, {
    key: `credit-limit/${id}`,
    kind: 'credit_limit',
    currency: before.currency,
    about: before.businessId,
    lines: [
      { account: { kind: 'platform_credit' }, amountMinor: -changeMinor },
      { account: creditAccount(before.businessId), amountMinor: changeMinor },
    ],
  });
}

/** Ends the limit of a closing business, which owes nothing. */
export async function endLimit(
  tx: Tx,
  scope: LedgerScope,
  { id: businessId }: { id: string },
): Promise<void> {
  const row = await lockCredit(tx, businessId);
  if (!row) return;
  const now = scope.clock.now();
  await postLimit(tx, scope, `closed/${businessId}`, row, 0);
  await tx
    .updateTable('credit_limits')
    .set({ limitMinor: 0, endedAt: row.endedAt ?? now, updatedAt: now })
    .where('businessId', '=', businessId)
    .execute();
}

const changesShown = 20;

/**
 * Returns the state of a limit and what one operator may set alone. The caller checks access.
 * @throws business/not-found
 */
export async function quoteLimit(db: Db, { config }: ConfigScope, businessId: string): Promise<CreditQuote> {
  const borrower = await db
    .selectFrom('businesses')
    .select(['status', 'currency'])
    .where('id', '=', businessId)
    .executeTakeFirst();
  if (!borrower) throw new AppError('business/not-found');
  const row = await findCredit(db, businessId);
  const { rows } = await sql<Omit<CreditQuote['changes'][number], 'at'> & { at: Date }>`
    select change.id, change.before_minor, change.limit_minor, change.currency, change.reason, change.at,
      setter.name as set_by, approver.name as approved_by
    from credit_limit_changes change join accounts setter on setter.id = change.set_by
    left join accounts approver on approver.id = change.approved_by
    where change.business_id = ${businessId} order by change.id desc limit ${changesShown}`.execute(db);
  const owedMinor = row ? await owedOf(db, row) : 0;
  const currency = row && owedMinor > 0 ? row.currency : borrower.currency;
  return {
    currency,
    limitMinor: row?.currency === currency ? row.limitMinor : 0,
    owedMinor,
    ended: row !== undefined && row.endedAt !== null,
    aloneMinor: fromReferenceMinor(config.CREDIT_ALONE_MINOR, currency),
    mayRaise: borrower.status === 'verified',
    changes: rows.map((change) => ({ ...change, at: change.at.toISOString() })),
  };
}

/** Returns the limit of a business and what it owes. For owners, managers and finance. */
async function viewCredit(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<{ credit: CreditLimit | null }> {
  await requireMoneyRole(db, scope.actor.accountId, businessId);
  const row = await findCredit(db, businessId);
  if (!row) return { credit: null };
  const { today, owedMinor, dues } = await duesOf(db, scope, row);
  const hasEnded = row.endedAt !== null;
  if (hasEnded && owedMinor === 0) return { credit: null };
  const { status } = await db
    .selectFrom('businesses')
    .select('status')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  const overdue = dues.filter(isOverdue(today));
  return {
    credit: {
      currency: row.currency,
      limitMinor: row.limitMinor,
      availableMinor: hasEnded || status !== 'verified' ? 0 : row.limitMinor - owedMinor,
      owedMinor,
      dues,
      overdueMinor: sumOf(overdue, ({ amountMinor }) => amountMinor),
      stopsOn: overdue[0] ? creditStopsOn(overdue[0].dueOn) : null,
      stopped: row.stoppedAt !== null,
      ended: hasEnded,
    },
  };
}

/** Lists limits by business, with what is owed. For operators with payments. */
async function listLimits(
  db: Db,
  _scope: Scope,
  { which, cursor, limit }: { which: 'all' | 'owing' | 'overdue' } & PageInput,
): Promise<Page<CreditLimitRow>> {
  const [after = null] = decodeCursor(cursor, z.tuple([z.uuid()])) ?? [];
  const filters = {
    all: sql`true`,
    owing: sql`credit.limit_minor > unused.minor`,
    overdue: sql`credit.overdue_since is not null`,
  };
  const { rows } = await sql<CreditLimitRow>`
    select credit.business_id, business.name, credit.currency, credit.limit_minor,
      credit.limit_minor - unused.minor as owed_minor, credit.overdue_since, credit.stopped_at is not null as stopped,
      credit.ended_at is not null as ended
    from credit_limits credit join businesses business on business.id = credit.business_id
    cross join lateral (
      select ${accountBalance(sql`'business_credit:' || credit.business_id || ':' || credit.currency`)} as minor
    ) unused
    where ${filters[which]} ${after === null ? sql`` : sql`and credit.business_id > ${after}`}
    order by credit.business_id limit ${limit + 1}`.execute(db);
  return cutPage(rows, limit, ({ businessId }) => [businessId]);
}

export const creditLimitsTasks = [
  repayTask,
  defineTask({
    name: 'creditLimits.daily',
    payload: z.object({}).loose(),
    daily: true,
    run: reviewAll,
  }),
];

export const creditLimitsRoutes = {
  get: read(creditLimits.get, viewCredit),
  list: read(creditLimits.list, listLimits),
};
