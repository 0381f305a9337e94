import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import { type StatementDetail, type StatementLine, statements } from '@nearhand/contract/money/statements';
import type { businessGroups, workerGroups } from '@nearhand/contract/money/statements.rules';
import type { PageInput } from '@nearhand/contract/operation';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { creditOwedIn } from '../credit-limits/credit-limits.ts';
import { entryLines } from '../ledger/ledger.ts';
import { carryTask, checkRollupTask } from './balance-rollup.ts';
import { type Holder, holderIn, isSelfEmployed, linesOf, uncarriedOf } from './changed-statements.sql.ts';
import { findLine, findLines, findPaidWork, type PaidWork, paidMinutes } from './statement-export.ts';
import {
  type Account,
  businessAccount,
  type StatementDays,
  spanOf,
  sumTotals,
  workerAccount,
} from './statement-span.ts';
import { invoiceNumber, kindsInGroup, lineOf, type Span, statementParts } from './statements.rules.ts';

/** Returns the caller's pay in a year, after the worker's fee. Minor units; all twelve months. */
async function myYear(
  db: Db,
  { actor }: Scope,
  { year, currency: requested }: { year: number; currency?: Currency },
) {
  const { holder, currency, timeZone } = await workerAccount(db, actor.accountId, requested);
  const digits = String(year).padStart(4, '0');
  const span = spanOf(timeZone, { from: `${digits}-01-01`, to: `${digits}-12-31` });
  const rows = await findYear(db, holder, { currency, timeZone, year, span });
  const months = Array.from({ length: 12 }, (_, at) => {
    const month = `${digits}-${String(at + 1).padStart(2, '0')}`;
    const monthRows = rows.filter((row) => row.month === month);
    return {
      month,
      earnedMinor: sum(monthRows, 'earned'),
      tipsMinor: sum(monthRows, 'tips'),
      feesMinor: sum(monthRows, 'fees'),
      paidMinutes: sum(monthRows, 'minutes'),
    };
  });
  const businesses = [...Map.groupBy(rows, (row) => row.businessId).values()]
    .map((businessRows) => ({
      name: businessRows[0]?.business ?? '',
      earnedMinor: sum(businessRows, 'earned') + sum(businessRows, 'tips'),
      engagements: new Set(businessRows.flatMap((row) => row.engagements)).size,
    }))
    .sort((a, b) => b.earnedMinor - a.earnedMinor);
  return {
    year,
    currency,
    years: await listYears(db, { holder, currency, timeZone }),
    months,
    businesses,
    totalMinor: sum(rows, 'earned') + sum(rows, 'tips'),
  };
}

async function listYears(
  db: Db,
  { holder, currency, timeZone }: Pick<Account, 'holder' | 'currency' | 'timeZone'>,
): Promise<number[]> {
  const years: number[] = [];
  let { before } = spanOf(timeZone, {});
  for (;;) {
    const at = await lastPaidBefore(db, holder, { currency, before });
    if (at === null) return years;
    const year = Number(dayIn(timeZone, at).slice(0, -6));
    years.push(year);
    before = spanOf(timeZone, { from: `${String(year).padStart(4, '0')}-01-01` }).from;
  }
}

const sum = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  sumOf(rows, (row) => row[key]);

type YearRow = {
  month: string;
  business: string;
  businessId: string;
  earned: number;
  tips: number;
  fees: number;
  minutes: number;
  engagements: string[];
};

/** Deducts a reversal in the month in which it was made. */
async function findYear(
  db: Db,
  holder: Holder,
  request: { currency: Currency; timeZone: string; year: number; span: Span },
): Promise<YearRow[]> {
  const { currency, timeZone, year, span } = request;
  const { rows } = await sql<YearRow>`
    select to_char(entry.at at time zone ${timeZone}, 'YYYY-MM') as month,
      business.id as business_id, business.name as business,
      coalesce(sum(touched.moved) filter (where coalesce(undone.kind, entry.kind) in ('release', 'compensation')), 0)::bigint as earned,
      coalesce(sum(touched.moved) filter (where coalesce(undone.kind, entry.kind) in ('tip', 'bonus')), 0)::bigint as tips,
      coalesce(sum(sign(touched.moved) * release.worker_fee_minor), 0)::bigint as fees,
      coalesce(sum(case when release.id is null then 0 else sign(touched.moved) * ${paidMinutes} end), 0)::int as minutes,
      array_agg(distinct engagement.id::text) as engagements
    from (${linesOf(holder, currency)}) touched
    join ledger_entries entry on entry.id = touched.entry_id
    left join ledger_entries undone on undone.id = entry.reverses
    left join releases release on release.id = entry.about
    left join tips tip on tip.id = entry.about
    join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id)
    join businesses business on business.id = engagement.business_id
    where touched.entry_id >= ${span.from}::uuid and touched.entry_id < ${span.before}::uuid
      and touched.moved <> 0 and extract(year from entry.at at time zone ${timeZone}) = ${year}
    group by 1, 2, 3 order by 1, 3`.execute(db);
  return rows;
}

async function lastPaidBefore(
  db: Db,
  holder: Holder,
  request: { currency: Currency; before: string },
): Promise<Date | null> {
  const { rows } = await lastPaidQuery(holder, request).execute(db);
  return rows[0]?.at ?? null;
}

/** Walks the line index backwards past lines that didn't pay the worker. */
export const lastPaidQuery = (
  holder: Holder,
  { currency, before }: { currency: Currency; before: string },
): RawBuilder<{ at: Date }> => sql`
  select entry.at from (
    (select entry_id from statement_lines
      where holder = ${holderIn(holder, currency)} and entry_id < ${before}::uuid and moved > 0
      order by entry_id desc limit 1)
    union all
    (select entry_id from (${uncarriedOf(holder, currency)}) uncarried
      where entry_id < ${before}::uuid and moved > 0
      order by entry_id desc limit 1)
    order by entry_id desc limit 1) last
  join ledger_entries entry on entry.id = last.entry_id`;

type Group = (typeof workerGroups)[number] | (typeof businessGroups)[number];
type Filter = StatementDays & { group: Group; currency?: Currency };

const lineCursor = z.tuple([z.uuid()]);

async function statementPage(db: Db, account: Account, filter: Filter & PageInput) {
  const { holder, currency } = account;
  const span = spanOf(account.timeZone, filter);
  const after = decodeCursor(filter.cursor, lineCursor)?.[0];
  const rows = await findLines(db, holder, {
    currency,
    span: after !== undefined && after < span.before ? { ...span, before: after } : span,
    kinds: kindsInGroup(filter.group),
    withFee: filter.group === 'fees',
    order: 'newest',
    limit: filter.limit + 1,
  });
  const { items, nextCursor } = cutPage(rows, filter.limit, (row) => [row.entryId]);
  const sums = await sumTotals(db, holder, currency, span);
  return {
    page: {
      items: items.map((row): StatementLine => lineOf(row, holder.side, currency)),
      nextCursor,
      currency,
      currencies: account.currencies,
      timeZone: account.timeZone,
    },
    sums,
    totals: {
      openingMinor: sums.opening,
      inMinor: sums.came,
      outMinor: sums.went,
      closingMinor: sums.closing,
    },
  };
}

/** Returns the caller's statement, newest first; totals cover all groups. Minor units. */
export async function myStatement(
  db: Db,
  { actor }: Scope,
  input: Filter & PageInput & { group: (typeof workerGroups)[number] },
) {
  const account = await workerAccount(db, actor.accountId, input.currency);
  const { page, totals, sums } = await statementPage(db, account, input);
  return {
    ...page,
    totals: {
      ...totals,
      earnedMinor: sums.earned,
      tipsMinor: sums.tips,
      feesMinor: sums.fees,
      withdrawnMinor: sums.withdrawn,
    },
  };
}

/**
 * Returns a business's statement. For owners, managers and finance. `heldMinor`, `balanceMinor` and `creditOwedMinor`
 * are as of the period's end.
 */
async function businessStatement(
  db: Db,
  { actor }: Scope,
  input: Filter & PageInput & { businessId: string; group: (typeof businessGroups)[number] },
) {
  const account = await businessAccount(db, input.businessId, actor.accountId, input.currency);
  const { page, totals, sums } = await statementPage(db, account, input);
  const works = await findPaidWork(
    db,
    account.holder,
    page.items.map(({ id }) => id),
  );
  const { before } = spanOf(account.timeZone, input);
  const { currency } = account;
  const credit = await creditOwedIn(db, { businessId: input.businessId, currency }, { from: before, before });
  return {
    ...page,
    items: page.items.map((line) => {
      const work = works.get(line.id);
      return { ...line, ...bookingOf(work), paidMinutes: work?.minutes ?? null };
    }),
    totals: {
      ...totals,
      balanceMinor: sums.closing,
      heldMinor: sums.held,
      paidMinor: sums.earned + sums.tips,
      feesMinor: sums.fees,
      creditOwedMinor: credit?.endMinor ?? null,
    },
  };
}

const bookingOf = (work: PaidWork | undefined) => ({
  branch: work?.branch ?? null,
  invoiceNumber: work?.invoiceNumber ? invoiceNumber(work.invoiceNumber) : null,
});

/** Returns one line of the caller's statement. */
async function myLine(db: Db, { actor }: Scope, { entryId }: { entryId: string }): Promise<StatementDetail> {
  return detail(db, await workerAccount(db, actor.accountId), entryId);
}

/** Returns one line of a business's statement. For owners, managers and finance. */
async function businessLine(
  db: Db,
  { actor }: Scope,
  { businessId, entryId }: { businessId: string; entryId: string },
): Promise<StatementDetail> {
  return detail(db, await businessAccount(db, businessId, actor.accountId), entryId);
}

async function detail(db: Db, { holder }: Account, entryId: string): Promise<StatementDetail> {
  const entry = await entryLines(db, entryId);
  const row = entry && (await findLine(db, holder, { currency: entry.currency, entryId }));
  if (!row) throw new AppError('statement/not-found');
  const evidence = await findEvidence(db, row.engagementId, entryId);
  const works = holder.side === 'business' ? await findPaidWork(db, holder, [entryId]) : null;
  const lines = entry.lines.map(({ account, amountMinor }) => ({ kind: account.kind, amountMinor }));
  return {
    ...lineOf(row, holder.side, entry.currency),
    parts: statementParts(row, lines, holder.side),
    evidence: {
      startsAt: evidence?.startsAt?.toISOString() ?? null,
      endsAt: evidence?.endsAt?.toISOString() ?? null,
      checkedInAt: evidence?.checkedInAt?.toISOString() ?? null,
      checkedOutAt: evidence?.checkedOutAt?.toISOString() ?? null,
      paidMinutes: evidence?.paidMinutes ?? null,
      approvedAt: evidence?.approvedAt?.toISOString() ?? null,
      approvedBy: evidence?.approvedBy ?? null,
      timeZone: evidence?.timeZone ?? null,
    },
    receiptId: holder.side === 'worker' && evidence?.isSelfEmployed ? null : (evidence?.receiptId ?? null),
    invoiceId: holder.side === 'business' ? (evidence?.invoiceId ?? null) : null,
    ...bookingOf(works?.get(entryId)),
  };
}

type EvidenceRow = {
  startsAt: Date | null;
  endsAt: Date | null;
  checkedInAt: Date | null;
  checkedOutAt: Date | null;
  paidMinutes: number | null;
  approvedAt: Date | null;
  approvedBy: string | null;
  timeZone: string;
  receiptId: string | null;
  isSelfEmployed: boolean;
  invoiceId: string | null;
};

async function findEvidence(
  db: Db,
  engagementId: string | null,
  entryId: string,
): Promise<EvidenceRow | undefined> {
  if (engagementId === null) return undefined;
  const { rows } = await sql<EvidenceRow>`
    select engagement.starts_at, engagement.ends_at, engagement.checked_in_at, engagement.checked_out_at,
      case when engagement.kind <> 'shift' then null
        when release.id is not null then ${paidMinutes}
        else (select paid_minutes from hours_claims where engagement_id = engagement.id order by at desc, id desc limit 1)
      end as paid_minutes,
      engagement.approved_at, approver.name as approved_by, engagement.terms ->> 'timeZone' as time_zone,
      receipt.id as receipt_id, ${isSelfEmployed} as is_self_employed, invoiced.invoice_id
    from engagements engagement
    left join ledger_entries entry on entry.id = ${entryId}
    left join releases release on release.id = entry.about
    left join pay_receipts receipt on receipt.entry_id = ${entryId}
    left join invoiced_entries invoiced on invoiced.entry_id = ${entryId}
    left join lateral (
      select actor from engagement_moves where engagement_id = engagement.id and to_status = 'approved'
      order by at desc, id desc limit 1) move on true
    left join accounts approver
      on approver.id = case when move.actor ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then move.actor::uuid end
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

/** A business's spending on people in a month `YYYY-MM`, in minor units. */
type MonthSpend = {
  month: string;
  payMinor: number;
  feesMinor: number;
  tipsMinor: number;
  paidMinutes: number;
  shiftCostMinor: number;
};

/**
 * Returns the currency and zone of a business. For owners, managers and finance.
 * @throws business/not-found, business/not-allowed
 */
export async function businessBooks(
  db: Db,
  businessId: string,
  accountId: string,
  requested?: Currency,
): Promise<{ currency: Currency; currencies: Currency[]; timeZone: string }> {
  const { currency, currencies, timeZone } = await businessAccount(db, businessId, accountId, requested);
  return { currency, currencies, timeZone };
}

/** A business's spending on people by month, only months with any. Days are inclusive. */
export async function spendByMonth(
  db: Db,
  businessId: string,
  { currency, timeZone, from, to }: { currency: Currency; timeZone: string; from: string; to: string },
): Promise<MonthSpend[]> {
  const rows = await sumSpend(db, businessId, {
    currency,
    timeZone,
    span: spanOf(timeZone, { from, to }),
  });
  return rows.map((row) => ({
    month: row.month,
    payMinor: row.pay,
    feesMinor: row.fees,
    tipsMinor: row.tips,
    paidMinutes: row.minutes,
    shiftCostMinor: row.shiftCost,
  }));
}

type SpendRow = {
  month: string;
  pay: number;
  fees: number;
  tips: number;
  minutes: number;
  shiftCost: number;
};

async function sumSpend(
  db: Db,
  businessId: string,
  { currency, timeZone, span }: { currency: Currency; timeZone: string; span: Span },
): Promise<SpendRow[]> {
  const { rows } = await sql<SpendRow>`
    with paid as (
      select entry.at, line.kind, engagement.kind as job_kind, line.paid as gross, line.fees as fee,
        case when release.id is null then 0 else sign(line.paid) * ${paidMinutes} end as minutes
      from (${linesOf({ side: 'business', businessId }, currency)}) line
      join ledger_entries entry on entry.id = line.entry_id
      left join releases release on release.id = entry.about
      left join engagements engagement on engagement.id = release.engagement_id
      where line.entry_id >= ${span.from}::uuid and line.entry_id < ${span.before}::uuid
        and line.kind in ('release', 'compensation', 'tip', 'bonus')
    )
    select to_char(at at time zone ${timeZone}, 'YYYY-MM') as month,
      coalesce(sum(gross) filter (where kind in ('release', 'compensation')), 0)::bigint as pay,
      coalesce(sum(fee), 0)::bigint as fees,
      coalesce(sum(gross) filter (where kind in ('tip', 'bonus')), 0)::bigint as tips,
      coalesce(sum(minutes), 0)::int as minutes,
      coalesce(sum(gross + fee) filter (where kind = 'release' and job_kind = 'shift'), 0)::bigint as shift_cost
    from paid group by 1`.execute(db);
  return rows;
}

/** @throws Error if there is no such release */
export async function findPaidMinutes(db: Db, releaseId: string): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select ${paidMinutes} as minutes from releases release
    join engagements engagement on engagement.id = release.engagement_id where release.id = ${releaseId}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no release ${releaseId}`);
  return row.minutes;
}

export const statementsTasks = [carryTask, checkRollupTask];

export const statementsRoutes = {
  mine: read(statements.mine, myStatement),
  line: read(statements.line, myLine),
  forBusiness: read(statements.forBusiness, businessStatement),
  businessLine: read(statements.businessLine, businessLine),
  year: read(statements.year, myYear),
};
