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
      select entry.at, coalesce(undone.kind, entry.kind) as kind, engagement.kind as job_kind,
        lines.paid + sign(lines.paid) * coalesce(release.worker_fee_minor, 0) as gross,
        lines.taken - sign(lines.paid) * coalesce(release.worker_fee_minor, 0) as fee,
        case when release.id is null then 0 else sign(lines.paid) * ${paidMinutes} end as minutes
      from (${linesOf({ side: 'business', businessId }, currency)}) touched
      join ledger_entries entry on entry.id = touched.entry_id
      left join ledger_entries undone on undone.id = entry.reverses
      left join releases release on release.id = entry.about
      left join engagements engagement on engagement.id = release.engagement_id
      cross join lateral (
        select coalesce(sum(amount) filter (where account_id ^@ 'worker_'), 0) as paid,
          coalesce(sum(amount) filter (where account_id ^@ 'platform_fees'), 0) as taken
        from ledger_postings where entry_id = touched.entry_id
      ) lines
      where touched.entry_id >= ${span.from}::uuid and touched.entry_id < ${span.before}::uuid
        and coalesce(undone.kind, entry.kind) in ('release', 'compensation', 'tip', 'bonus')
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
