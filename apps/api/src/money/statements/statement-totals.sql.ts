import { currencies } from '@nearhand/contract/currencies';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { earnedKinds, type Span, tipKinds, withdrawnKinds } from './statements.rules.ts';
import {
  factsOf,
  type Holder,
  holderIn,
  holderName,
  linesOf,
  uncarriedOf,
  workerAccounts,
} from './touched.sql.ts';

export type TotalsRow = {
  opening: number;
  came: number;
  went: number;
  closing: number;
  /** What a business's holds contained at the end. */
  held: number;
  /** What workers earned in the period, by kind; fees are those of the holder's side. */
  earned: number;
  tips: number;
  fees: number;
  withdrawn: number;
};

/**
 * Totals of a period over all lines, ignoring filters; reversals are deducted. They come from the last line before its beginning, the last
 * before its end, and what is not materialized yet (ADR 64).
 */
export async function sumTotals(db: Db, holder: Holder, currency: string, span: Span): Promise<TotalsRow> {
  const { rows } = await totalsQuery(holder, currency, span).execute(db);
  return rows[0] as TotalsRow;
}

export function totalsQuery(holder: Holder, currency: string, span: Span): RawBuilder<TotalsRow> {
  const lastBefore = (entryId: string) => sql`
    select * from statement_lines where holder = ${holderIn(holder, currency)} and entry_id < ${entryId}::uuid
    order by entry_id desc limit 1`;
  return sql<TotalsRow>`
    with uncarried as materialized (${uncarriedOf(holder, currency)}),
    upto as (
      select coalesce(sum(moved), 0) as closing, coalesce(sum(held), 0) as held,
        coalesce(sum(moved) filter (where not inside), 0) as opening,
        coalesce(sum(moved) filter (where inside and moved > 0), 0) as came,
        coalesce(-sum(moved) filter (where inside and moved < 0), 0) as went,
        coalesce(sum(paid) filter (where inside and kind = any(${earnedKinds}::text[])), 0) as earned,
        coalesce(sum(paid) filter (where inside and kind = any(${tipKinds}::text[])), 0) as tips,
        coalesce(sum(fees) filter (where inside), 0) as fees,
        coalesce(-sum(moved) filter (where inside and kind = any(${withdrawnKinds}::text[])), 0) as withdrawn
      from (select *, entry_id >= ${span.from}::uuid as inside from uncarried where entry_id < ${span.before}::uuid) fact
    )
    select
      (upto.opening + coalesce(first.balance, 0))::bigint as opening,
      (upto.came + coalesce(last.came, 0) - coalesce(first.came, 0))::bigint as came,
      (upto.went + coalesce(last.went, 0) - coalesce(first.went, 0))::bigint as went,
      (upto.closing + coalesce(last.balance, 0))::bigint as closing,
      (upto.held + coalesce(last.holding, 0))::bigint as held,
      (upto.earned + coalesce(last.earned, 0) - coalesce(first.earned, 0))::bigint as earned,
      (upto.tips + coalesce(last.tips, 0) - coalesce(first.tips, 0))::bigint as tips,
      (upto.fees + coalesce(last.charged, 0) - coalesce(first.charged, 0))::bigint as fees,
      (upto.withdrawn + coalesce(last.withdrawn, 0) - coalesce(first.withdrawn, 0))::bigint as withdrawn
    from upto
    left join (${lastBefore(span.from)}) first on true
    left join (${lastBefore(span.before)}) last on true`;
}

/** How many lines a statement has; stops counting at `most`. */
export async function countLines(
  db: Db,
  holder: Holder,
  currency: string,
  span: Span,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from (${linesOf(holder, currency)}) line
      where entry_id >= ${span.from}::uuid and entry_id < ${span.before}::uuid limit ${most}) some_lines`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The currencies a holder ever had money in. */
export async function listCurrencies(db: Db, holder: Holder): Promise<string[]> {
  const names =
    holder.side === 'worker'
      ? workerAccounts.map((kind) => `${kind}:${holder.accountId}`)
      : [`business_balance:${holder.businessId}`, `business_promo:${holder.businessId}`];
  // Holds and tips paid by card leave no trace on a balance.
  const past =
    holder.side === 'worker'
      ? sql``
      : sql`union select currency from unnest(${[...currencies]}::text[]) as every (currency)
          where exists (select from statement_lines where holder = ${holderName(holder)} || ':' || currency)
        union select right(fact.holder, 3) from (${factsOf(sql`select * from statement_uncarried()`)}) fact
          where fact.holder ^@ ${`${holderName(holder)}:`}`;
  const { rows } = await sql<{ currency: string }>`
    select right(part.id, 3) as currency from unnest(${names}::text[]) as account (name)
    cross join lateral (
      select id from ledger_accounts where id > name || ':' and id < name || ';'
      union select account_id from ledger_deferred where account_id > name || ':' and account_id < name || ';'
    ) part
    ${past} order by currency`.execute(db);
  return [...new Set(rows.map((row) => row.currency))];
}
