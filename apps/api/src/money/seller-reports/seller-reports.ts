import { isDeepStrictEqual } from 'node:util';
import { taxOfficePath } from '@nearhand/contract/app-paths';
import { dayIn, dayMs, subtractMs } from '@nearhand/contract/durations';
import { moneyLimits } from '@nearhand/contract/money/limits';
import {
  type MissingSeller,
  type SellerDetails,
  type SellerReport,
  type SellerReportFormat,
  sellerReportFormats,
  sellerReports,
} from '@nearhand/contract/money/seller-reports';
import { sellerReminderDays } from '@nearhand/contract/money/seller-reports.rules';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { ConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { SellerReports } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import {
  findSentRows,
  payBetween,
  type Reporter,
  type Row,
  reporterOf,
  type SentRow,
  sumQuarters,
  yearsFrom,
} from './reportable-pay.ts';
import {
  askSellers,
  type DailyScope,
  daysBefore,
  purgeSellers,
  saveSellerDetails,
  viewMine,
} from './seller-details.ts';
import {
  documentIdOf,
  type ReportedRow,
  type ReportedSeller,
  rowsIn,
  sellerReportCsv,
  sellerReportXml,
} from './seller-report-files.ts';

type ReportRow = Selectable<SellerReports>;

/**
 * Adds the files of each report. A report that can't be sent yet has none; a correction has only those with
 * rows.
 */
async function toReports(db: Db, scope: ConfigScope, reports: readonly ReportRow[]): Promise<SellerReport[]> {
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
async function viewReport(db: Db, scope: ConfigScope, sellerReportId: string): Promise<SellerReport> {
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

/** The differences of a correction: new rows, changed rows, and rows to delete, with the amounts that were reported. */
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
