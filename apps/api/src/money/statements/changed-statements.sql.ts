import type { Currency } from '@nearhand/contract/currencies';
import { type RawBuilder, sql } from 'kysely';
import { earnedKinds, tipKinds } from './statements.rules.ts';

export type Holder = { side: 'worker'; accountId: string } | { side: 'business'; businessId: string };

/** The worker's accounts that a statement shows as one balance. */
export const workerAccounts = ['worker_pending', 'worker_available', 'worker_reserved'];

/** The key of a statement's owner, without the currency. */
export const holderName = (holder: Holder): string =>
  holder.side === 'worker' ? `worker:${holder.accountId}` : `business:${holder.businessId}`;
/** The key of a statement: its owner and currency. */
export const holderIn = (holder: Holder, currency: Currency): string => `${holderName(holder)}:${currency}`;

/**
 * Reads ledger entries as their holders see them (ADR 79): `moved` (balance), `held` (holds), `paid`
 * (workers' pay), `fees`. A worker's three accounts count together; a business sees balance with promotional credit,
 * holds, and tips by card. Its credit limit is not its money (ADR 397).
 */
export const statementFacts = (entries: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select touched.holder, entry.id as entry_id, coalesce(undone.kind, entry.kind) as kind,
    'platform_fees:' || entry.currency = any(entry.accounts) as with_fee,
    touched.hold_id, touched.moved, touched.held,
    (case when touched.holder ^@ 'worker' then lines.paid
      else lines.paid + lines.sign * coalesce(release.worker_fee_minor, 0) end)::bigint as paid,
    (case when touched.holder ^@ 'business' then lines.taken - lines.sign * coalesce(release.worker_fee_minor, 0)
      when release.id is null then lines.taken
      else lines.sign * release.worker_fee_minor end)::bigint as fees
  from (${entries}) entry
  left join ledger_entries undone on undone.id = entry.reverses
  left join releases release on release.id = entry.about
  cross join lateral (
    select coalesce(sum(amount) filter (where account ^@ 'worker_'), 0) as paid,
      coalesce(sum(amount) filter (where account ^@ 'platform_fees'), 0) as taken,
      coalesce(sign(sum(amount) filter (where account ^@ 'worker_')), 0) as sign
    from unnest(entry.accounts, entry.amounts) as line (account, amount)
  ) lines
  cross join lateral (
    select holder || ':' || entry.currency as holder, sum(moved)::bigint as moved, sum(held)::bigint as held,
      max(hold_id::text)::uuid as hold_id
    from (
      select case when account ^@ 'worker_' then 'worker:' else 'business:' end || split_part(account, ':', 2) as holder,
        amount as moved, 0::bigint as held, null::uuid as hold_id
      from unnest(entry.accounts, entry.amounts) as line (account, amount)
      where account ^@ 'worker_' or account ^@ 'business_balance' or account ^@ 'business_promo'
      union all
      select 'business:' || hold.business_id, 0, line.amount, hold.id
      from unnest(entry.accounts, entry.amounts) as line (account, amount)
      join holds hold on hold.id = split_part(line.account, ':', 2)::uuid
      where line.account ^@ 'hold'
      union all
      select 'business:' || tip.business_id, 0, 0, null
      from tips tip where tip.id = entry.about and entry.key = 'tip/' || tip.id
    ) part group by holder
  ) touched`;

/** Entries not materialized yet. Moves between a worker's three accounts are not a line (ADR 79). */
export function uncarriedOf(holder: Holder, currency: Currency): RawBuilder<unknown> {
  const entries =
    holder.side === 'worker'
      ? sql`select * from statement_uncarried()
          where accounts && ${workerAccounts.map((kind) => `${kind}:${holder.accountId}:${currency}`)}::text[]`
      : sql`select * from statement_uncarried() where currency = ${currency}`;
  return sql`select * from (${statementFacts(entries)}) fact
    where fact.holder = ${holderIn(holder, currency)} ${holder.side === 'worker' ? sql`and fact.moved <> 0` : sql``}`;
}

const columns = sql.raw('entry_id, kind, with_fee, hold_id, moved, held, paid, fees');

/** All lines of a holder, without running totals; an id range narrows the query cheaply. */
export const linesOf = (holder: Holder, currency: Currency): RawBuilder<unknown> => sql`
  select ${columns} from statement_lines where holder = ${holderIn(holder, currency)}
  union all
  select ${columns} from (${uncarriedOf(holder, currency)}) uncarried`;

/** The condition of a line with a fee that is on no invoice. */
export const feeIsOpen = sql`line.holder ^@ 'business:' and line.with_fee and line.fees <> 0
  and not exists (select from invoiced_entries invoiced where invoiced.entry_id = line.entry_id)`;

/** Kinds of a worker's lines that are pay for work, their reversals included. */
export const payKinds = [...earnedKinds, ...tipKinds];

/** A condition: the line is a worker's pay that is on no invoice. */
export const payIsOpen = sql`line.holder ^@ 'worker:' and line.kind = any(${payKinds}::text[]) and line.paid <> 0
  and not exists (select from worker_invoiced_entries invoiced where invoiced.entry_id = line.entry_id)`;

/**
 * Workers' lines that may be pay on no invoice. The cost does not grow with the history.
 * @param holders the beginning of their names
 */
export const openPayOf = (holders: string): RawBuilder<unknown> => sql`
  select holder, entry_id from statement_lines where holder ^@ ${holders} and pay_open
  union all
  select holder, entry_id from (${statementFacts(sql`select * from statement_uncarried()`)}) fact
  where holder ^@ ${holders} and kind = any(${payKinds}::text[]) and paid <> 0`;

/** True if the entry `entry` paid for self-employed work, by its terms or, for older terms, by its job. */
export const isSelfEmployed = sql`exists (select from engagements engagement join jobs job on job.id = engagement.job_id
  where coalesce(engagement.terms ->> 'relation', job.relation) = 'self_employed' and engagement.id = coalesce(
    (select engagement_id from releases where id = entry.about), (select engagement_id from tips where id = entry.about)))`;

/**
 * Lines of the holders that may have a fee on no invoice, however long the history.
 * @param holders the beginning of their names
 */
export const openFeesOf = (holders: string): RawBuilder<unknown> => sql`
  select holder, entry_id, fees from statement_lines where holder ^@ ${holders} and fee_open
  union all
  select holder, entry_id, fees from (${statementFacts(sql`select * from statement_uncarried()`)}) fact
  where holder ^@ ${holders} and with_fee and fees <> 0`;
