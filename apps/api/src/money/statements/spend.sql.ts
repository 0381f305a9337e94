import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { paidMinutes } from './paid-minutes.sql.ts';
import type { Span } from './statements.rules.ts';
import { linesOf } from './touched.sql.ts';

export type SpendRow = {
  month: string;
  /** Gross pay for work and compensation, our fees on it, tips and bonuses. */
  pay: number;
  fees: number;
  tips: number;
  /** Shifts only: paid minutes, and their pay and fee. */
  minutes: number;
  shift_cost: number;
};

/** What a business spent on people, by month in a zone; a reversal is deducted in the month it was made. Empty months are left out. */
export async function sumSpend(
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
