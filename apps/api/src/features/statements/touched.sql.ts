import { type RawBuilder, sql } from 'kysely';

/** Whose statement: a worker's or a business'. */
export type Holder = { side: 'worker'; accountId: string } | { side: 'business'; businessId: string };

/** The parts of a worker's money that a statement shows as one balance. */
const workerAccounts = ['worker_pending', 'worker_available', 'worker_reserved'];

/**
 * The entries of the ledger that a statement tells of, as a query: `entry_id`, `moved` (what the balance changed by), `held` (what the holds of a business
 * changed by) and `hold_id`. A business is told of its balance, of its holds, which release pay without touching the balance, and of tips that a card paid past
 * both (ADR 0079).
 */
export function touchedBy(holder: Holder, currency: string): RawBuilder<unknown> {
  if (holder.side === 'worker')
    return sql`select entry_id, sum(amount)::bigint as moved, 0::bigint as held, null::uuid as hold_id
      from ledger_postings
      where account_id = any(${workerAccounts.map((kind) => `${kind}:${holder.accountId}:${currency}`)}::text[])
      group by entry_id`;
  const { businessId } = holder;
  return sql`select entry_id, sum(moved)::bigint as moved, sum(held)::bigint as held, max(hold_id::text)::uuid as hold_id from (
      select entry_id, amount as moved, 0::bigint as held, null::uuid as hold_id
      from ledger_postings where account_id = ${`business_balance:${businessId}:${currency}`}
      union all
      select line.entry_id, 0, line.amount, hold.id
      from holds hold join ledger_postings line on line.account_id = 'hold:' || hold.id || ':' || hold.currency
      where hold.business_id = ${businessId} and hold.currency = ${currency}
      union all
      select entry.id, 0, 0, null
      from tips tip join ledger_entries entry on entry.key = 'tip/' || tip.id
      where tip.business_id = ${businessId} and tip.currency = ${currency}
    ) line group by entry_id`;
}
