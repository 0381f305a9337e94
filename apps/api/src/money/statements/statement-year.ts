import type { Currency } from '@nearhand/contract/currencies';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayIn } from '../../platform/zoned-day.ts';
import { type Holder, holderIn, linesOf, uncarriedOf } from './changed-statements.sql.ts';
import { paidMinutes } from './spend.ts';
import { type Account, spanOf, workerAccount } from './statement-span.ts';
import type { Span } from './statements.rules.ts';

/** One year of the caller's pay, by month and by business, after the worker's fee. Minor units; all twelve months are included. */
export async function myYear(
  db: Db,
  { actor }: Scope,
  { year, currency: asked }: { year: number; currency?: Currency | undefined },
) {
  const { holder, currency, timeZone } = await workerAccount(db, actor.accountId, asked);
  const digits = String(year).padStart(4, '0');
  const span = spanOf(timeZone, { from: `${digits}-01-01`, to: `${digits}-12-31` });
  const rows = await findYear(db, holder, { currency, timeZone, year, span });
  const months = Array.from({ length: 12 }, (_, at) => {
    const month = `${digits}-${String(at + 1).padStart(2, '0')}`;
    const of = rows.filter((row) => row.month === month);
    return {
      month,
      earnedMinor: sum(of, 'earned'),
      tipsMinor: sum(of, 'tips'),
      feesMinor: sum(of, 'fees'),
      paidMinutes: sum(of, 'minutes'),
    };
  });
  const businesses = [...Map.groupBy(rows, (row) => row.businessId).values()]
    .map((of) => ({
      name: of[0]?.business ?? '',
      earnedMinor: sum(of, 'earned') + sum(of, 'tips'),
      engagements: new Set(of.flatMap((row) => row.engagements)).size,
    }))
    .sort((one, other) => other.earnedMinor - one.earnedMinor);
  return {
    year,
    currency,
    years: await listYears(db, { holder, currency, timeZone }),
    months,
    businesses,
    totalMinor: sum(rows, 'earned') + sum(rows, 'tips'),
  };
}

/** The years in which a worker was paid, latest first: one cheap query per year. */
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
  rows.reduce((total, row) => total + row[key], 0);

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

/**
 * A worker's pay in one year of a zone, by month and business; a reversal is deducted in the month it was made.
 * @param request.span ids around the year, so that no others are read
 */
async function findYear(
  db: Db,
  holder: Holder,
  request: { currency: string; timeZone: string; year: number; span: Span },
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

/** When a worker was last paid before an id; null if never. */
async function lastPaidBefore(
  db: Db,
  holder: Holder,
  request: { currency: string; before: string },
): Promise<Date | null> {
  const { rows } = await lastPaidQuery(holder, request).execute(db);
  return rows[0]?.at ?? null;
}

/** Walks the line index backwards past lines that didn't pay the worker; the few not materialized yet are checked one by one. */
export const lastPaidQuery = (
  holder: Holder,
  { currency, before }: { currency: string; before: string },
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
