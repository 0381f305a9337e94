import { isDeepStrictEqual } from 'node:util';
import { taxOfficePath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { addMs, dayIn, dayMs, subtractMs } from '@nearhand/contract/durations';
import { moneyLimits } from '@nearhand/contract/money/limits';
import {
  type MissingSeller,
  type SellerDetails,
  type SellerQuarter,
  type SellerReport,
  type SellerReportFormat,
  type SellerRequest,
  type SellerView,
  type SellerYear,
  sellerReportFormats,
  sellerReports,
} from '@nearhand/contract/money/seller-reports';
import {
  type ReportingLaw,
  reportingLawOf,
  sellerProblems,
  sellerReminderDays,
  sellerWaitDays,
} from '@nearhand/contract/money/seller-reports.rules';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { withoutSeparators } from '@nearhand/contract/people/company-facts.rules';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { ClockConfigScope, ClockScope, ConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { SellerReports } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { firstIdOf } from '../ledger/ledger.rules.ts';
import { isSelfEmployed, payKinds, statementFacts } from '../statements/changed-statements.sql.ts';
import {
  documentIdOf,
  type ReportedRow,
  type ReportedSeller,
  rowsIn,
  sellerReportCsv,
  sellerReportXml,
} from './seller-report-files.ts';

type Configured = ConfigScope;

/** The company that reports, with the law it reports by; null if nothing is to be reported. */
function reporterOf({ config }: Configured): { company: PlatformCompany; law: ReportingLaw } | null {
  const company = config.PLATFORM_COMPANY;
  const law = company ? reportingLawOf(company.countryCode) : null;
  return company && law ? { company, law } : null;
}

// Sums from the ledger

/** All of a worker's lines that are pay. */
const payOfWorker = (accountId: string): RawBuilder<unknown> => {
  const holders = `worker:${accountId}:`;
  return sql`
    select holder, entry_id, paid, fees from statement_lines
    where holder ^@ ${holders} and kind = any(${payKinds}::text[])
    union all
    select holder, entry_id, paid, fees from (${statementFacts(sql`select * from statement_uncarried()`)}) fact
    where holder ^@ ${holders} and kind = any(${payKinds}::text[])`;
};

/** All workers' lines that are pay, of entries written in a span. Ids begin with their time. */
const payBetween = (from: Date, to: Date): RawBuilder<unknown> => sql`
  select holder, entry_id, paid, fees from (${statementFacts(sql`select * from ledger_entries
    where id >= ${firstIdOf(from)}::uuid and id < ${firstIdOf(to)}::uuid and kind = any(${payKinds}::text[])`)}) fact
  where holder ^@ 'worker:'`;

/**
 * Payments for self-employed work. An entry is reversed once and whole, so a reversed payment is left out with
 * its reversal, in the quarter in which it was paid.
 */
const reportablePay = (lines: RawBuilder<unknown>, timeZone: string): RawBuilder<unknown> => sql`
  select split_part(line.holder, ':', 2)::uuid as account_id, entry.currency, line.paid, line.fees,
    entry.at at time zone ${timeZone} as paid_at,
    coalesce((select engagement_id from releases where id = entry.about),
      (select engagement_id from tips where id = entry.about)) as engagement_id
  from (${lines}) line join ledger_entries entry on entry.id = line.entry_id
  where entry.reverses is null and line.paid <> 0 and ${isSelfEmployed}
    and not exists (select from ledger_entries reversal where reversal.reverses = entry.id)`;

type QuarterRow = SellerQuarter & { accountId: string; currency: Currency; year: number; quarter: number };

async function sumQuarters(db: Db, lines: RawBuilder<unknown>, timeZone: string): Promise<QuarterRow[]> {
  const { rows } = await sql<QuarterRow>`
    select account_id, currency, extract(year from paid_at)::int as year, extract(quarter from paid_at)::int as quarter,
      sum(paid)::bigint as paid_minor, sum(fees)::bigint as fee_minor, count(distinct engagement_id)::int as activities
    from (${reportablePay(lines, timeZone)}) pay
    group by account_id, currency, year, quarter order by account_id, currency, year desc, quarter`.execute(
    db,
  );
  return rows;
}

/** The years of one worker in each currency, newest first. */
function yearsFrom(rows: readonly QuarterRow[]): SellerYear[] {
  const years = Map.groupBy(rows, ({ year, currency }) => `${year} ${currency}`);
  return newestFirst(
    [...years.values()].flatMap((quarters) => {
      const [first] = quarters;
      return first
        ? [
            {
              year: first.year,
              currency: first.currency,
              quarters: allQuarters(quarters),
              sentAt: null,
              isOmitted: false,
            },
          ]
        : [];
    }),
  );
}

const allQuarters = (rows: readonly QuarterRow[]): SellerQuarter[] =>
  [1, 2, 3, 4].map((quarter) => {
    const row = rows.find((sum) => sum.quarter === quarter);
    return { paidMinor: row?.paidMinor ?? 0, feeMinor: row?.feeMinor ?? 0, activities: row?.activities ?? 0 };
  });

const findYears = async (db: Db, accountId: string, timeZone: string): Promise<SellerYear[]> =>
  yearsFrom(await sumQuarters(db, payOfWorker(accountId), timeZone));

// Details and requests for them

type RequestRow = { askedAt: Date; remindedAt: Date | null; reminders: number };

const findRequest = (db: Db, accountId: string): Promise<RequestRow | undefined> =>
  db
    .selectFrom('seller_requests')
    .select(['askedAt', 'remindedAt', 'reminders'])
    .where('accountId', '=', accountId)
    .where('answeredAt', 'is', null)
    .executeTakeFirst();

/** The days of the steps of a request: it is made, reminded of twice, and then withdrawals wait. */
const requestDays = [0, ...sellerReminderDays, sellerWaitDays];

/** Days between a step and the one before. A late reminder moves what follows, so nobody has less time. */
const daysBefore = (step: number): number => (requestDays[step] ?? 0) - (requestDays[step - 1] ?? 0);

/** The day from which withdrawals wait, if each reminder that is due is sent on its day. */
const waitsFrom = ({ askedAt, remindedAt, reminders }: RequestRow): Date => {
  const day = sellerReminderDays.slice(0, reminders).at(-1) ?? 0;
  return addMs(remindedAt ?? askedAt, (sellerWaitDays - day) * dayMs);
};

/** True once withdrawals wait: after both reminders, and not before the day that they named. */
const isWaiting = (request: RequestRow, now: Date): boolean =>
  request.reminders >= sellerReminderDays.length && waitsFrom(request) <= now;

/**
 * Requires the details that the law has us collect before a worker's money is paid out, once they were asked
 * and reminded twice (annex V, IV.A.2). The money stays on the balance.
 * @throws payout/details-missing
 */
export async function requireSellerDetails(
  db: Db,
  scope: ClockConfigScope,
  accountId: string,
): Promise<void> {
  if ((await findSellerRequest(db, scope, accountId))?.isWaiting)
    throw new AppError('payout/details-missing');
}

/** The open request for a worker's details; null if none is missing, or no law asks for them any more. */
export async function findSellerRequest(
  db: Db,
  { clock, config }: ClockConfigScope,
  accountId: string,
): Promise<SellerRequest | null> {
  const row = reporterOf({ config }) ? await findRequest(db, accountId) : undefined;
  return row
    ? {
        askedAt: row.askedAt.toISOString(),
        waitsFrom: waitsFrom(row).toISOString(),
        isWaiting: isWaiting(row, clock.now()),
      }
    : null;
}

/** Returns the caller's details, the open request for them, and their pay by quarter. */
async function viewMine(db: Db, scope: Scope): Promise<SellerView> {
  const { accountId } = scope.actor;
  const { rows } = await sql<SellerDetails>`
    select first_name, last_name, born_on::text, street, postcode, town, country_code, tax_number
    from seller_details where account_id = ${accountId}`.execute(db);
  const reporter = reporterOf(scope);
  const years = reporter ? await findYears(db, accountId, reporter.company.timeZone) : [];
  return {
    law: reporter && {
      storedYears: reporter.law.storedYears,
      countryCode: reporter.company.countryCode,
      reportBy: reporter.law.reportBy,
    },
    details: rows[0] ?? null,
    request: await findSellerRequest(db, scope, accountId),
    years: await withSent(db, accountId, years),
  };
}

/**
 * The years of a worker. Where the tax office got a report, it has what that says, also if nothing is left of it; or
 * that it is without them.
 */
async function withSent(db: Db, accountId: string, years: readonly SellerYear[]): Promise<SellerYear[]> {
  const reports = await db
    .selectFrom('seller_reports')
    .select((eb) => ['year', eb.fn.max('sentAt').as('sentAt')])
    .where('sentAt', 'is not', null)
    .groupBy('year')
    .execute();
  const sentYears = (await findSentRows(db, { accountId })).map(({ year, sentAt, currency, content }) => ({
    year,
    currency,
    quarters: content.quarters,
    sentAt: sentAt?.toISOString() ?? null,
    isOmitted: false,
  }));
  const unsentYears = years
    .filter(
      (open) => !sentYears.some(({ year, currency }) => year === open.year && currency === open.currency),
    )
    .map((open) => {
      const sentAt = reports.find(({ year }) => year === open.year)?.sentAt?.toISOString() ?? null;
      return { ...open, sentAt, isOmitted: sentAt !== null };
    });
  return newestFirst([...sentYears, ...unsentYears]);
}

const newestFirst = (years: readonly SellerYear[]): SellerYear[] =>
  years.toSorted((a, b) => b.year - a.year || a.currency.localeCompare(b.currency));

/**
 * Saves the caller's details, which ends the request for them. A report that was made keeps the older ones.
 * @throws invoice/nothing-to-report where no law asks for them
 */
async function saveSellerDetails(tx: Tx, scope: Scope, input: SellerDetails): Promise<SellerView> {
  if (!reporterOf(scope)) throw new AppError('invoice/nothing-to-report');
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const issues = sellerProblems(input, now);
  if (issues.length > 0) throw new AppError('request/invalid', { issues });
  const row = {
    ...input,
    postcode: input.postcode.toUpperCase(),
    taxNumber: withoutSeparators(input.taxNumber),
    updatedAt: now,
  };
  await tx
    .insertInto('seller_details')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
  await tx
    .updateTable('seller_requests')
    .set({ answeredAt: now })
    .where('accountId', '=', accountId)
    .where('answeredAt', 'is', null)
    .execute();
  return viewMine(tx, scope);
}

/** The start of last year, or of this year once last year's report was sent. */
async function unreportedSince(db: Db, { company }: Reporter, now: Date): Promise<Date> {
  const year = Number(dayIn(company.timeZone, now).slice(0, 4));
  const sentReports = await db
    .selectFrom('seller_reports')
    .select('id')
    .where('year', '=', year - 1)
    .where('sentAt', 'is not', null)
    .executeTakeFirst();
  // A zone is at most a day from UTC.
  return new Date(Date.UTC(sentReports ? year - 1 : year - 2, 11, 31));
}

type DailyScope = Pick<TaskScope, 'db' | 'clock' | 'config' | 'log'>;

/**
 * Asks workers with reportable pay for missing details, reminds them twice, and notifies them when
 * withdrawals wait. Each worker has a separate transaction.
 */
export async function askSellers(scope: DailyScope): Promise<void> {
  const { db, clock } = scope;
  const reporter = reporterOf(scope);
  if (!reporter) return;
  const now = clock.now();
  const recent = payBetween(await unreportedSince(db, reporter, now), now);
  const { rows: unasked } = await sql<{ accountId: string }>`
    select distinct account_id from (${reportablePay(recent, reporter.company.timeZone)}) pay
    where not exists (select from seller_details details where details.account_id = pay.account_id)
      and not exists (select from seller_requests request where request.account_id = pay.account_id)
      and not ${isLeavingOrGone(sql`pay.account_id`)}`.execute(db);
  for (const { accountId } of unasked)
    await inTransaction(scope, accountId, async (tx) => {
      await tx
        .insertInto('seller_requests')
        .values({ accountId, askedAt: now, reminders: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await notifySeller(tx, scope, { accountId, request: { askedAt: now, remindedAt: null, reminders: 0 } });
    });
  for (const reminders of [2, 1, 0]) {
    const step = reminders + 1;
    const dueRequests = await db
      .selectFrom('seller_requests')
      .select(['accountId', 'askedAt', 'remindedAt'])
      .where('answeredAt', 'is', null)
      .where('reminders', '=', reminders)
      .where(sql<boolean>`coalesce(reminded_at, asked_at) <= ${subtractMs(now, daysBefore(step) * dayMs)}`)
      .execute();
    for (const row of dueRequests)
      await inTransaction(scope, row.accountId, async (tx) => {
        const remindedAt = step > sellerReminderDays.length ? row.remindedAt : now;
        const { numUpdatedRows } = await tx
          .updateTable('seller_requests')
          .set({ reminders: step, remindedAt })
          .where('accountId', '=', row.accountId)
          .where('answeredAt', 'is', null)
          .where('reminders', '=', reminders)
          .executeTakeFirst();
        if (numUpdatedRows === 1n)
          await notifySeller(tx, scope, {
            accountId: row.accountId,
            request: { askedAt: row.askedAt, remindedAt, reminders: step },
          });
      });
  }
}

const inTransaction = (
  { db, log }: Pick<DailyScope, 'db' | 'log'>,
  accountId: string,
  run: (tx: Tx) => Promise<void>,
): Promise<void> =>
  db
    .transaction()
    .execute(run)
    .catch((error: unknown) =>
      log.error({ err: error, accountId }, 'a worker was not asked for tax details'),
    );

const notifySeller = (
  tx: Tx,
  scope: ClockScope,
  { accountId, request }: { accountId: string; request: RequestRow },
): Promise<void> =>
  notify(tx, scope, {
    accountId,
    topic: 'seller-details-needed',
    path: taxOfficePath,
    dedupeKey: `seller-details-needed/${accountId}/${request.askedAt.getTime()}/${request.reminders}`,
    data: {
      variant: request.reminders > sellerReminderDays.length ? 'waiting' : 'asked',
      by: waitsFrom(request).toISOString().slice(0, 10),
      side: 'worker',
    },
  });

/**
 * Removes the details of an account that is being removed, unless it has reportable pay: then the law has us store
 * them for some years, and `purgeSellers` deletes them after that.
 */
export async function eraseSellerDetails(tx: Tx, scope: Configured, accountId: string): Promise<void> {
  await tx.deleteFrom('seller_requests').where('accountId', '=', accountId).execute();
  const reporter = reporterOf(scope);
  const [last] = reporter ? await findYears(tx, accountId, reporter.company.timeZone) : [];
  if (!reporter || !last) {
    await tx.deleteFrom('seller_details').where('accountId', '=', accountId).execute();
    return;
  }
  await sql`update seller_details set stored_until = make_date(${last.year + reporter.law.storedYears}, 12, 31)
    where account_id = ${accountId}`.execute(tx);
}

/** Deletes details of removed accounts, and reports, that the law no longer has us store. */
export async function purgeSellers({
  db,
  clock,
  config,
}: Pick<TaskScope, 'db' | 'clock' | 'config'>): Promise<void> {
  const today = dayIn('UTC', clock.now());
  await sql`delete from seller_details where stored_until < ${today}::date`.execute(db);
  const reporter = reporterOf({ config });
  if (reporter)
    await db
      .deleteFrom('seller_reports')
      .where('year', '<', Number(today.slice(0, 4)) - reporter.law.storedYears)
      .execute();
}

// Reports

type ReportRow = Selectable<SellerReports>;

/**
 * Adds the files of each report. A report that can't be sent yet has none; a correction has only those with
 * rows.
 */
async function toReports(db: Db, scope: Configured, reports: readonly ReportRow[]): Promise<SellerReport[]> {
  const reporter = reporterOf(scope);
  const { rows: changes } = await sql<{ reportId: string; change: ReportedRow['change'] }>`
    select distinct report_id, change from reported_sellers
    where report_id = any(${reports.flatMap(({ id, corrects }) => (corrects === null ? [] : [id]))}::uuid[])`.execute(
    db,
  );
  const hasFile = (report: ReportRow, format: SellerReportFormat): boolean => {
    if (report.madeAt === null || report.problem !== null) return false;
    if (format === 'csv') return true;
    if (!reporter?.law.xmlCountries.includes(report.countryCode)) return false;
    if (report.corrects === null) return format === 'xml';
    const rows = changes.filter(({ reportId }) => reportId === report.id);
    return rowsIn(format, report, rows).length > 0;
  };
  return reports.map((report) => ({
    ...report,
    madeAt: report.madeAt?.toISOString() ?? null,
    sentAt: report.sentAt?.toISOString() ?? null,
    formats: sellerReportFormats.filter((format) => hasFile(report, format)),
  }));
}

/** @throws statement/not-found */
async function viewReport(db: Db, scope: Configured, sellerReportId: string): Promise<SellerReport> {
  const [report] = await toReports(db, scope, [await requireReport(db, sellerReportId)]);
  if (!report) throw new AppError('statement/not-found');
  return report;
}

/** Returns how complete the details are, and the reports. For operators with payments. */
async function viewOverview(db: Db, scope: Scope) {
  const now = scope.clock.now();
  const reporter = reporterOf(scope);
  const waitingSince = subtractMs(now, daysBefore(sellerReminderDays.length + 1) * dayMs);
  const { rows } = await sql<{ asked: number; missing: number; waiting: number }>`
    select count(*)::int as asked, (count(*) filter (where answered_at is null))::int as missing,
      (count(*) filter (where answered_at is null and reminders >= ${sellerReminderDays.length}
        and coalesce(reminded_at, asked_at) <= ${waitingSince}))::int as waiting
    from seller_requests`.execute(db);
  const reports = await db
    .selectFrom('seller_reports')
    .selectAll()
    .orderBy('year', 'desc')
    .orderBy('id', 'desc')
    .limit(reportsShown)
    .execute();
  return {
    law: reporter && {
      name: reporter.law.name,
      reportBy: reporter.law.reportBy,
    },
    counts: rows[0] ?? { asked: 0, missing: 0, waiting: 0 },
    years: reporter ? endedYears(reporter, now) : [],
    reports: await toReports(db, scope, reports),
  };
}

type Reporter = NonNullable<ReturnType<typeof reporterOf>>;

/** The years that can be reported and are still stored, newest first. */
function endedYears({ company, law }: Reporter, now: Date): number[] {
  const last = Number(dayIn(company.timeZone, now).slice(0, 4)) - 1;
  const first = Math.max(law.firstYear, last - law.storedYears + 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => last - at);
}

/**
 * Begins the report of a year, which a task makes. Replaces one that was not sent; corrects one that was. For operators
 * with payments.
 * @throws invoice/no-issuer, request/invalid for a year that isn't over
 */
async function beginSellerReport(tx: Tx, scope: Scope, { year }: { year: number }): Promise<SellerReport> {
  const reporter = reporterOf(scope);
  if (!reporter) throw new AppError('invoice/no-issuer');
  const now = scope.clock.now();
  await sql`select pg_advisory_xact_lock(hashtext('seller_reports'))`.execute(tx);
  if (!endedYears(reporter, now).includes(year))
    throw new AppError('request/invalid', {
      issues: [{ path: 'year', message: 'a year that is over', rule: 'choice' }],
    });
  await tx.deleteFrom('seller_reports').where('year', '=', year).where('sentAt', 'is', null).execute();
  const sentReports = await tx
    .selectFrom('seller_reports')
    .select('id')
    .where('year', '=', year)
    .orderBy('sentAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const id = newId(now);
  await tx
    .insertInto('seller_reports')
    .values({
      id,
      year,
      countryCode: reporter.company.countryCode,
      corrects: sentReports?.id ?? null,
      sellers: 0,
      missing: 0,
    })
    .execute();
  await enqueue(tx, makeReportTask, { sellerReportId: id });
  return viewReport(tx, scope, id);
}

/** Makes a report that was begun: everyone with reportable pay and details who is resident where the law asks for it. */
export async function makeSellerReport(
  scope: Pick<TaskScope, 'db' | 'clock' | 'config'>,
  { sellerReportId }: { sellerReportId: string },
): Promise<void> {
  const reporter = reporterOf(scope);
  if (!reporter) return;
  await scope.db.transaction().execute(async (tx) => {
    const report = await tx
      .selectFrom('seller_reports')
      .selectAll()
      .where('id', '=', sellerReportId)
      .where('madeAt', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (report) await fillReport(tx, { clock: scope.clock, reporter, report });
  });
}

type Row = { accountId: string; currency: Currency; content: ReportedSeller };

async function fillReport(
  tx: Tx,
  { clock, reporter, report }: { clock: Scope['clock']; reporter: Reporter; report: ReportRow },
): Promise<void> {
  const { id, year, corrects } = report;
  const { company, law } = reporter;
  const finish = (values: { sellers: number; missing: number; problem?: 'too_long' | 'unchanged' }) =>
    tx
      .updateTable('seller_reports')
      .set({ ...values, madeAt: clock.now() })
      .where('id', '=', id)
      .execute();
  // A zone is at most a day from UTC.
  const lines = payBetween(new Date(Date.UTC(year - 1, 11, 30)), new Date(Date.UTC(year + 1, 0, 3)));
  const quarters = (await sumQuarters(tx, lines, company.timeZone)).filter((row) => row.year === year);
  const people = Map.groupBy(quarters, ({ accountId }) => accountId);
  if (people.size > moneyLimits.reportedSellersMax) {
    await finish({ sellers: 0, missing: 0, problem: 'too_long' });
    return;
  }
  const { rows } = await sql<SellerDetails & { accountId: string; vatId: string }>`
    select details.account_id, first_name, last_name, born_on::text, details.street, details.postcode, details.town,
      details.country_code, details.tax_number, coalesce(tax.vat_id, '') as vat_id
    from seller_details details left join tax_details tax using (account_id)
    where details.account_id = any(${[...people.keys()]}::uuid[]) order by details.account_id`.execute(tx);
  const sentRows = corrects === null ? [] : await findSentRows(tx, { year });
  const sentDetails = new Map(
    sentRows.map(({ accountId, content: { quarters, ...details } }) => [accountId, details]),
  );
  const currentDetails = new Map(rows.map(({ accountId, ...details }) => [accountId, details]));
  const current = [...people].flatMap(([accountId, sums]): Row[] => {
    const newest = currentDetails.get(accountId);
    // A later move abroad doesn’t change where a person lived in the year.
    const details =
      newest && law.countries.includes(newest.countryCode) ? newest : sentDetails.get(accountId);
    if (!details) return [];
    return yearsFrom(sums).map(({ currency, quarters }) => ({
      accountId,
      currency,
      content: { ...details, quarters },
    }));
  });
  const reported = corrects === null ? current.map(asNew) : changesOf(sentRows, current);
  const missing = [...people.keys()].filter(
    (accountId) => !currentDetails.has(accountId) && !sentDetails.has(accountId),
  );
  for (let at = 0; at < reported.length; at += rowsAtOnce)
    await tx
      .insertInto('reported_sellers')
      .values(
        reported.slice(at, at + rowsAtOnce).map(({ content, ...row }, index) => ({
          ...row,
          reportId: id,
          documentNo: at + index + 1,
          content: JSON.stringify(content),
        })),
      )
      .execute();
  for (let at = 0; at < missing.length; at += rowsAtOnce)
    await tx
      .insertInto('unreported_sellers')
      .values(missing.slice(at, at + rowsAtOnce).map((accountId) => ({ reportId: id, accountId })))
      .execute();
  const sellers = new Set(reported.map(({ accountId }) => accountId)).size;
  await finish({
    sellers,
    missing: missing.length,
    problem: corrects !== null && sellers === 0 ? 'unchanged' : undefined,
  });
}

type ChangedRow = Row & Pick<ReportedRow, 'change' | 'correctsDocument'>;

const asNew = (row: Row): ChangedRow => ({ ...row, change: 'new', correctsDocument: null });

/** A row that was sent to the tax office, with the id of its report. */
type SentRow = Row & {
  reportId: string;
  year: number;
  countryCode: string;
  documentNo: number;
  sentAt: Date | null;
};

/** The last row of each person, year and currency that the tax office has, unless that deleted the person. */
async function findSentRows(db: Db, filter: { accountId: string } | { year: number }): Promise<SentRow[]> {
  const { rows } = await sql<SentRow>`
    select account_id, currency, content, report_id, year, country_code, document_no, sent_at from (
      select distinct on (report.year, seller.account_id, seller.currency) seller.account_id, seller.currency,
        seller.content, seller.change, report.id as report_id, report.year, report.country_code, seller.document_no,
        report.sent_at
      from reported_sellers seller join seller_reports report on report.id = seller.report_id
      where report.sent_at is not null and ${
        'year' in filter ? sql`report.year = ${filter.year}` : sql`seller.account_id = ${filter.accountId}`
      }
      order by report.year, seller.account_id, seller.currency, report.sent_at desc, report.id desc) last
    where change <> 'deleted' order by account_id, currency, year`.execute(db);
  return rows;
}

/** The differences of a correction: rows that are new, that changed, and that are to be deleted with what they said. */
function changesOf(sentRows: readonly SentRow[], current: readonly Row[]): ChangedRow[] {
  const keyOf = ({ accountId, currency }: Row) => `${accountId} ${currency}`;
  const documentOf = (row: SentRow) => documentIdOf({ ...row, id: row.reportId }, row.documentNo);
  const sentByKey = new Map(sentRows.map((row) => [keyOf(row), row]));
  const differences = current.flatMap((row): ChangedRow[] => {
    const sentRow = sentByKey.get(keyOf(row));
    sentByKey.delete(keyOf(row));
    if (!sentRow) return [asNew(row)];
    return isDeepStrictEqual(sentRow.content, row.content)
      ? []
      : [{ ...row, change: 'corrected', correctsDocument: documentOf(sentRow) }];
  });
  const deletions = [...sentByKey.values()].map((row): ChangedRow => {
    const { accountId, currency, content } = row;
    return { accountId, currency, content, change: 'deleted', correctsDocument: documentOf(row) };
  });
  return [...differences, ...deletions];
}

const rowsAtOnce = 1_000;

/** More years than any law has us store, with their corrections. */
const reportsShown = 60;

async function requireReport(db: Db, sellerReportId: string): Promise<ReportRow> {
  const row = await db
    .selectFrom('seller_reports')
    .selectAll()
    .where('id', '=', sellerReportId)
    .executeTakeFirst();
  if (!row) throw new AppError('statement/not-found');
  return row;
}

/**
 * Returns a report as a file. For operators with payments, with a reason.
 * @throws statement/not-found, seller-report/not-ready, request/invalid for a format that the report doesn't have
 */
async function readReportFile(
  db: Db,
  scope: Scope,
  { sellerReportId, format }: { sellerReportId: string; format: SellerReportFormat },
) {
  const report = await requireReport(db, sellerReportId);
  const { madeAt, problem } = report;
  if (madeAt === null || problem !== null) throw new AppError('seller-report/not-ready');
  const company = scope.config.PLATFORM_COMPANY;
  const { formats } = await viewReport(db, scope, sellerReportId);
  if (!company || !formats.includes(format))
    throw new AppError('request/invalid', {
      issues: [{ path: 'format', message: 'a format of this report', rule: 'choice' }],
    });
  const { rows } = await sql<ReportedRow>`
    select currency, content, change, document_no, corrects_document from reported_sellers
    where report_id = ${sellerReportId} order by document_no`.execute(db);
  const name = `nearhand-${report.countryCode}-${report.year}${report.corrects === null ? '' : `-correction-${report.id.slice(-4)}`}`;
  if (format === 'csv')
    return {
      fileName: `${name}.csv`,
      mediaType: 'text/csv; charset=utf-8',
      content: sellerReportCsv(report, rows),
    };
  const original = await db
    .selectFrom('seller_reports')
    .select('id')
    .where('year', '=', report.year)
    .where('corrects', 'is', null)
    .executeTakeFirst();
  return {
    fileName: `${name}${format === 'xml-new' ? '-new' : ''}.xml`,
    mediaType: 'application/xml; charset=utf-8',
    content: sellerReportXml({ ...report, madeAt, originalId: original?.id ?? report.id }, company, {
      format,
      rows,
    }),
  };
}

/** Lists the people who are not in a report because details were missing. For operators with payments, with a reason. */
async function listMissing(
  db: Db,
  _scope: Scope,
  { sellerReportId, cursor, limit }: { sellerReportId: string } & PageInput,
): Promise<Page<MissingSeller>> {
  await requireReport(db, sellerReportId);
  const [after = null] = decodeCursor(cursor, z.tuple([z.uuid()])) ?? [];
  const { rows } = await sql<Omit<MissingSeller, 'askedAt'> & { askedAt: Date | null }>`
    select missing.account_id, account.name, request.asked_at, coalesce(request.reminders, 0) as reminders,
      details.account_id is not null as has_details
    from unreported_sellers missing join accounts account on account.id = missing.account_id
    left join seller_requests request on request.account_id = missing.account_id
    left join seller_details details on details.account_id = missing.account_id
    where missing.report_id = ${sellerReportId} ${after === null ? sql`` : sql`and missing.account_id > ${after}`}
    order by missing.account_id limit ${limit + 1}`.execute(db);
  const { items, nextCursor } = cutPage(rows, limit, ({ accountId }) => [accountId]);
  return {
    items: items.map((row) => ({ ...row, askedAt: row.askedAt?.toISOString() ?? null })),
    nextCursor,
  };
}

/**
 * Marks a report as sent and tells everyone in it. A no-op for one that was sent. For operators with payments.
 * @throws seller-report/not-ready
 */
async function markReportSent(
  tx: Tx,
  scope: Scope,
  { sellerReportId }: { sellerReportId: string },
): Promise<SellerReport> {
  const { madeAt, problem } = await requireReport(tx, sellerReportId);
  if (madeAt === null || problem !== null) throw new AppError('seller-report/not-ready');
  const { numUpdatedRows } = await tx
    .updateTable('seller_reports')
    .set({ sentAt: scope.clock.now() })
    .where('id', '=', sellerReportId)
    .where('sentAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) await enqueue(tx, tellReportedTask, { sellerReportId });
  return viewReport(tx, scope, sellerReportId);
}

/** Tells everyone in a report that was sent what it says. Each has a transaction of their own. */
async function tellReported(
  scope: DailyScope,
  { sellerReportId }: { sellerReportId: string },
): Promise<void> {
  const report = await requireReport(scope.db, sellerReportId);
  const rows = await scope.db
    .selectFrom('reported_sellers')
    .select(['accountId', 'currency', 'content'])
    .where('reportId', '=', sellerReportId)
    .where('change', '<>', 'deleted')
    .where(sql<boolean>`not ${isLeavingOrGone(sql`account_id`)}`)
    .execute();
  for (const { accountId, currency, content } of rows)
    await scope.db.transaction().execute((tx) =>
      notify(tx, scope, {
        accountId,
        topic: 'seller-reported',
        path: taxOfficePath,
        dedupeKey: `seller-reported/${sellerReportId}/${accountId}/${currency}`,
        data: {
          amountMinor: (content as ReportedSeller).quarters.reduce(
            (sum, { paidMinor }) => sum + paidMinor,
            0,
          ),
          currency,
          year: report.year,
          side: 'worker',
        },
      }),
    );
}

const tellReportedTask = defineTask({
  name: 'sellerReports.tell',
  payload: z.object({ sellerReportId: z.string() }),
  run: tellReported,
});

const makeReportTask = defineTask({
  name: 'sellerReports.make',
  payload: z.object({ sellerReportId: z.string() }),
  run: makeSellerReport,
});

export const sellerReportsTasks = [
  makeReportTask,
  tellReportedTask,
  defineTask({
    name: 'sellerReports.daily',
    payload: z.object({}).loose(),
    daily: true,
    run: async (scope) => {
      await askSellers(scope);
      await purgeSellers(scope);
    },
  }),
];

export const sellerReportsRoutes = {
  mine: read(sellerReports.mine, viewMine),
  saveDetails: write(sellerReports.saveDetails, saveSellerDetails),
  overview: read(sellerReports.overview, viewOverview),
  make: write(sellerReports.make, beginSellerReport),
  file: read(sellerReports.file, readReportFile),
  missing: read(sellerReports.missing, listMissing),
  markSent: write(sellerReports.markSent, markReportSent),
};
