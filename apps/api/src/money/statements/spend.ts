import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { linesOf } from './changed-statements.sql.ts';
import { businessAccount, spanOf } from './statement-span.ts';
import type { Span } from './statements.rules.ts';

/** What a business spent on people in a month `YYYY-MM`, in minor units. */
export type MonthSpend = {
  month: string;
  payMinor: number;
  feesMinor: number;
  tipsMinor: number;
  /** Paid minutes of shifts, and their cost with fees. */
  paidMinutes: number;
  shiftCostMinor: number;
};

/**
 * For the analytics slice: the currency and zone of a business, as on its statement; owners, managers and finance.
 * @throws business/not-found, business/not-allowed
 */
export async function businessBooks(
  db: Db,
  businessId: string,
  accountId: string,
  asked?: Currency,
): Promise<{ currency: Currency; currencies: Currency[]; timeZone: string }> {
  const { currency, currencies, timeZone } = await businessAccount(db, businessId, accountId, asked);
  return { currency, currencies, timeZone };
}

/** For the analytics slice: a business's spending on people by month, from its statement's entries; only months with any. Days are inclusive. */
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

/** For invoices: the paid minutes of a release; 0 for a task. */
export const paidMinutesOf = (db: Db, releaseId: string): Promise<number> => findPaidMinutes(db, releaseId);

type SpendRow = {
  month: string;
  /** Gross pay for work and compensation, our fees on it, tips and bonuses. */
  pay: number;
  fees: number;
  tips: number;
  /** Shifts only: paid minutes, and their pay and fee. */
  minutes: number;
  shiftCost: number;
};

/** What a business spent on people, by month in a zone; a reversal is deducted in the month it was made. Empty months are left out. */
async function sumSpend(
  db: Db,
  businessId: string,
  { currency, timeZone, span }: { currency: string; timeZone: string; span: Span },
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

/**
 * The minutes of work that release `release` of engagement `engagement` paid, in a query with these aliases; 0 for a task or a
 * compensation. Hours are agreed per engagement and paid in parts, so a part gets its share, rounded so that the parts add up (product.md, Charts of a business).
 */
export const paidMinutes = sql<number>`coalesce((
  select round(claim.paid_minutes * so_far.amount / nullif(claim.amount_minor, 0))
    - round(claim.paid_minutes * (so_far.amount - release.amount_minor) / nullif(claim.amount_minor, 0))
  from (select paid_minutes, amount_minor from hours_claims
      where engagement_id = engagement.id order by at desc, id desc limit 1) claim,
    (select sum(amount_minor) as amount from releases part
      where part.engagement_id = engagement.id and part.state = 'released' and part.kind <> 'compensation'
        and (part.at, part.id) <= (release.at, release.id)) so_far
  where engagement.kind = 'shift' and release.kind <> 'compensation'), 0)::int`;

/** The same for one release. */
async function findPaidMinutes(db: Db, releaseId: string): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select ${paidMinutes} as minutes from releases release
    join engagements engagement on engagement.id = release.engagement_id where release.id = ${releaseId}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no release ${releaseId}`);
  return row.minutes;
}
