import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Span } from './statements.rules.ts';
import { type Holder, touchedBy } from './touched.sql.ts';

export type TotalsRow = {
  opening: number;
  came: number;
  went: number;
  closing: number;
  /** What the holds of a business held at the end. */
  held: number;
  /** What workers got in the span, by what for; fees are those of the side that is told. */
  earned: number;
  tips: number;
  fees: number;
  withdrawn: number;
};

/** Totals of a span, over all lines whatever is filtered; a reversal counts as less of what it takes back. */
export async function sumTotals(db: Db, holder: Holder, currency: string, span: Span): Promise<TotalsRow> {
  const business = holder.side === 'business';
  const { rows } = await sql<TotalsRow>`
    with touched as materialized (${touchedBy(holder, currency)}),
    inside as (
      select touched.entry_id, touched.moved, coalesce(undone.kind, entry.kind) as kind,
        ${business ? sql`lines.paid + lines.sign * coalesce(release.worker_fee_minor, 0)` : sql`lines.paid`} as paid,
        ${
          business
            ? sql`lines.taken - lines.sign * coalesce(release.worker_fee_minor, 0)`
            : sql`case when release.id is null then lines.taken else lines.sign * release.worker_fee_minor end`
        } as fees
      from touched
      join ledger_entries entry on entry.id = touched.entry_id
      left join ledger_entries undone on undone.id = entry.reverses
      left join releases release on release.id = entry.about
      cross join lateral (
        select coalesce(sum(amount) filter (where account_id ^@ 'worker_'), 0) as paid,
          coalesce(sum(amount) filter (where account_id ^@ 'platform_fees'), 0) as taken,
          coalesce(sign(sum(amount) filter (where account_id ^@ 'worker_')), 0) as sign
        from ledger_postings where entry_id = touched.entry_id
      ) lines
      where touched.entry_id >= ${span.from}::uuid and touched.entry_id < ${span.before}::uuid
    )
    select
      coalesce((select sum(moved) from touched where entry_id < ${span.from}::uuid), 0)::bigint as opening,
      coalesce((select sum(moved) from inside where moved > 0), 0)::bigint as came,
      coalesce((select -sum(moved) from inside where moved < 0), 0)::bigint as went,
      coalesce((select sum(moved) from touched where entry_id < ${span.before}::uuid), 0)::bigint as closing,
      coalesce((select sum(held) from touched where entry_id < ${span.before}::uuid), 0)::bigint as held,
      coalesce((select sum(paid) from inside where kind in ('release', 'compensation')), 0)::bigint as earned,
      coalesce((select sum(paid) from inside where kind in ('tip', 'bonus')), 0)::bigint as tips,
      coalesce((select sum(fees) from inside), 0)::bigint as fees,
      coalesce((select -sum(moved) from inside where kind in ('paid_out', 'payout_returned')), 0)::bigint as withdrawn`.execute(
    db,
  );
  return rows[0] as TotalsRow;
}

/** How many lines a statement would have at most; it stops counting at `most`. */
export async function countTouched(
  db: Db,
  holder: Holder,
  currency: string,
  span: Span,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from (${touchedBy(holder, currency)}) touched
      where entry_id >= ${span.from}::uuid and entry_id < ${span.before}::uuid limit ${most}) some_lines`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The currencies that money of a holder ever was in. */
export async function listCurrencies(db: Db, holder: Holder): Promise<string[]> {
  const names =
    holder.side === 'worker'
      ? ['worker_available', 'worker_pending', 'worker_reserved'].map((kind) => `${kind}:${holder.accountId}`)
      : [`business_balance:${holder.businessId}`];
  const { rows } = await sql<{ currency: string }>`
    select right(part.id, 3) as currency from unnest(${names}::text[]) as account (name)
    cross join lateral (
      select id from ledger_accounts where id > name || ':' and id < name || ';'
      union select account_id from ledger_deferred where account_id > name || ':' and account_id < name || ';'
    ) part
    ${
      holder.side === 'business'
        ? sql`union select currency from holds where business_id = ${holder.businessId}
          union select currency from tips where business_id = ${holder.businessId}`
        : sql``
    }
    order by currency`.execute(db);
  return [...new Set(rows.map((row) => row.currency))];
}
