import type { Currency } from '@nearhand/contract/currencies';
import type { SellerQuarter, SellerYear } from '@nearhand/contract/money/seller-reports';
import { type ReportingLaw, reportingLawOf } from '@nearhand/contract/money/seller-reports.rules';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import type { Db } from '../../platform/db.ts';
import type { ConfigScope } from '../../platform/http/scope.ts';
import { firstIdOf } from '../ledger/ledger.rules.ts';
import { isSelfEmployed, payKinds, statementFacts } from '../statements/changed-statements.sql.ts';
import type { ReportedSeller } from './seller-report-files.ts';

/** The company that reports, with the law it reports by; null if nothing is to be reported. */
export function reporterOf({ config }: ConfigScope): { company: PlatformCompany; law: ReportingLaw } | null {
  const company = config.PLATFORM_COMPANY;
  const law = company ? reportingLawOf(company.countryCode) : null;
  return company && law ? { company, law } : null;
}

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
export const payBetween = (from: Date, to: Date): RawBuilder<unknown> => sql`
  select holder, entry_id, paid, fees from (${statementFacts(sql`select * from ledger_entries
    where id >= ${firstIdOf(from)}::uuid and id < ${firstIdOf(to)}::uuid and kind = any(${payKinds}::text[])`)}) fact
  where holder ^@ 'worker:'`;

/**
 * Payments for self-employed work. An entry is reversed once and whole, so a reversed payment is left out with
 * its reversal, in the quarter in which it was paid.
 */
export const reportablePay = (lines: RawBuilder<unknown>, timeZone: string): RawBuilder<unknown> => sql`
  select split_part(line.holder, ':', 2)::uuid as account_id, entry.currency, line.paid, line.fees,
    entry.at at time zone ${timeZone} as paid_at,
    coalesce((select engagement_id from releases where id = entry.about),
      (select engagement_id from tips where id = entry.about)) as engagement_id
  from (${lines}) line join ledger_entries entry on entry.id = line.entry_id
  where entry.reverses is null and line.paid <> 0 and ${isSelfEmployed}
    and not exists (select from ledger_entries reversal where reversal.reverses = entry.id)`;

type QuarterRow = SellerQuarter & { accountId: string; currency: Currency; year: number; quarter: number };

export async function sumQuarters(
  db: Db,
  lines: RawBuilder<unknown>,
  timeZone: string,
): Promise<QuarterRow[]> {
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
export function yearsFrom(rows: readonly QuarterRow[]): SellerYear[] {
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

export const findYears = async (db: Db, accountId: string, timeZone: string): Promise<SellerYear[]> =>
  yearsFrom(await sumQuarters(db, payOfWorker(accountId), timeZone));

export const newestFirst = (years: readonly SellerYear[]): SellerYear[] =>
  years.toSorted((a, b) => b.year - a.year || a.currency.localeCompare(b.currency));

export type Reporter = NonNullable<ReturnType<typeof reporterOf>>;
export type Row = { accountId: string; currency: Currency; content: ReportedSeller };

/** A row that was sent to the tax office, with the id of its report. */
export type SentRow = Row & {
  reportId: string;
  year: number;
  countryCode: string;
  documentNo: number;
  sentAt: Date | null;
};

/** The last row of each person, year and currency that the tax office has, unless that deleted the person. */
export async function findSentRows(
  db: Db,
  filter: { accountId: string } | { year: number },
): Promise<SentRow[]> {
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
