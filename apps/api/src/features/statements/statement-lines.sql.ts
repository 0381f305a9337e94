import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { LineRow, Span } from './statements.rules.ts';
import { type Holder, touchedBy } from './touched.sql.ts';

export type LineQuery = {
  currency: string;
  span: Span;
  /** Kinds of entries, a reversal being of the kind that it takes back; null for all. */
  kinds: readonly string[] | null;
  withFee: boolean;
  order: 'newest' | 'oldest';
  limit: number;
};

/**
 * Lines of a statement. The balance after each is a sum over all entries before it, filtered out or not. A worker's withdrawal on its way is told by the entry that
 * reserved it, until one that pays it out takes its place; other entries that leave a worker's money where it was are left out (ADR 0079).
 */
export async function findLines(db: Db, holder: Holder, query: LineQuery): Promise<LineRow[]> {
  const { span, kinds, withFee, order, limit } = query;
  const shown =
    holder.side === 'business'
      ? sql`true`
      : sql`(running.moved <> 0 or (entry.kind = 'reserve' and exists (select from withdrawals underway
          where underway.id = entry.about and underway.paid_entry is null
            and underway.status in ('requested', 'processing', 'in_transit'))))`;
  return selectLines(
    db,
    holder,
    query.currency,
    sql`
    where running.entry_id >= ${span.from}::uuid and running.entry_id < ${span.before}::uuid and ${shown}
      ${kinds === null ? sql`` : sql`and coalesce(undone.kind, entry.kind) = any(${[...kinds]}::text[])`}
      ${
        withFee
          ? sql`and exists (select from ledger_postings fee where fee.entry_id = running.entry_id
              and fee.account_id = ${`platform_fees:${query.currency}`})`
          : sql``
      }
    order by running.entry_id ${order === 'newest' ? sql`desc` : sql`asc`} limit ${limit}`,
    order,
  );
}

/** One line; also of an entry that lists leave out. */
export async function findLine(
  db: Db,
  holder: Holder,
  { currency, entryId }: { currency: string; entryId: string },
): Promise<LineRow | undefined> {
  const rows = await selectLines(
    db,
    holder,
    currency,
    sql`where running.entry_id = ${entryId}::uuid`,
    'newest',
  );
  return rows[0];
}

async function selectLines(
  db: Db,
  holder: Holder,
  currency: string,
  choice: RawBuilder<unknown>,
  order: LineQuery['order'],
): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    with running as (
      select touched.*, (sum(moved) over (order by entry_id))::bigint as balance from (${touchedBy(holder, currency)}) touched
    ),
    page as materialized (
      select running.*, entry.at, entry.kind, entry.about, undone.kind as undone_kind
      from running join ledger_entries entry on entry.id = running.entry_id
      left join ledger_entries undone on undone.id = entry.reverses
      ${choice}
    )
    select page.entry_id, page.at, page.kind, page.undone_kind, page.moved, page.held, page.balance,
      lines.paid, lines.taken, lines.provided,
      release.id as release_id, coalesce(release.worker_fee_minor, 0) as worker_fee_minor, tip.id as tip_id,
      clearing.id is not null as pending,
      hold.status as hold_status, hold.frozen as hold_frozen,
      refund.status as refund_status, charge.chargeback, card.brand || ' •• ' || card.last4 as card,
      withdrawal.id as withdrawal_id, withdrawal.status as withdrawal_status, withdrawal.amount_minor as withdrawal_minor,
      withdrawal.fee_minor as withdrawal_fee_minor, method.bank_name || ' •• ' || method.last4 as bank,
      engagement.id as engagement_id, engagement.status as engagement_status,
      coalesce(engagement.terms ->> 'title', job.title) as job_title, business.name as business_name, worker.name as worker_name
    from page
    cross join lateral (
      select coalesce(sum(amount) filter (where account_id ^@ 'worker_'), 0)::bigint as paid,
        coalesce(sum(amount) filter (where account_id ^@ 'platform_fees'), 0)::bigint as taken,
        coalesce(-sum(amount) filter (where account_id ^@ 'provider_clearing'), 0)::bigint as provided
      from ledger_postings where entry_id = page.entry_id
    ) lines
    left join releases release on release.id = page.about
    left join tips tip on tip.id = page.about
    left join clearings clearing on clearing.id = page.about and clearing.cleared_at is null
    left join card_refunds refund on refund.id = page.about
    left join charges charge on charge.id = coalesce(refund.charge_id, page.about)
    left join cards card on card.id = charge.card_id
    left join withdrawals withdrawal on withdrawal.id = page.about
    left join payout_methods method on method.id = withdrawal.method_id
    left join holds hold on hold.id = coalesce(page.hold_id, (select own.id from holds own where own.id = page.about))
    left join offers offer on offer.id = hold.offer_id
    left join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id, hold.engagement_id)
    left join jobs job on job.id = hold.job_id
    left join businesses business on business.id = engagement.business_id
    left join accounts worker on worker.id = coalesce(engagement.worker_id, offer.worker_id)
    order by page.entry_id ${order === 'newest' ? sql`desc` : sql`asc`}`.execute(db);
  return rows;
}
