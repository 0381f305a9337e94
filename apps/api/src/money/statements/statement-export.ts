import type { Currency } from '@nearhand/contract/currencies';
import { reservedWithdrawalStatuses } from '@nearhand/contract/money/payouts';
import type { StatementLine } from '@nearhand/contract/money/statements';
import type { businessGroups, workerGroups } from '@nearhand/contract/money/statements.rules';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { creditOwedIn } from '../credit-limits/credit-limits.ts';
import { type Holder, holderIn, statementFacts, uncarriedOf } from './changed-statements.sql.ts';
import { type Account, countLines, type StatementDays, spanOf, sumTotals } from './statement-span.ts';
import { kindsInGroup, type LineRow, lineOf, type Span } from './statements.rules.ts';

/** The hours, pay and branch of a line that paid for work. */
export type PaidWork = {
  /** Null for a task and for compensation; negative if the pay was reversed. */
  minutes: number | null;
  /** The agreed break of the work, the same for each part of its pay. */
  breakMinutes: number | null;
  /** Pay per hour in minor units. */
  hourMinor: number | null;
  branch: string | null;
  /** The numbers of the business's receipt and of the invoice for its fee; null for the worker. */
  receiptNumber: number | null;
  invoiceNumber: { year: number; number: number } | null;
};

/** `owedMinor`: what the business owes on its credit limit after the line (ADR 397); null without a limit. */
export type ExportedLine = StatementLine & { work: PaidWork | null; owedMinor: number | null };

export type WholeStatement = {
  lines: ExportedLine[];
  sums: Awaited<ReturnType<typeof sumTotals>>;
  /** The debt on the credit limit at the end of the period; null without a limit. */
  owedMinor: number | null;
};

/** Reads at most `limit` lines of a period, with totals. The caller checks access. */
export async function readStatement(
  db: Db,
  account: Account,
  filter: StatementDays & { group: (typeof workerGroups)[number] | (typeof businessGroups)[number] },
  limit: number,
): Promise<WholeStatement> {
  const { holder, currency } = account;
  const span = spanOf(account.timeZone, filter);
  const rows = await findLines(db, holder, {
    currency,
    span,
    kinds: kindsInGroup(filter.group),
    withFee: filter.group === 'fees',
    order: 'oldest',
    limit,
  });
  const works = await findPaidWork(
    db,
    holder,
    rows.filter((row) => row.releaseId !== null || row.tipId !== null).map((row) => row.entryId),
  );
  const credit =
    holder.side === 'business'
      ? await creditOwedIn(db, { businessId: holder.businessId, currency }, span)
      : null;
  const changes = credit?.changes ?? [];
  let next = 0;
  const owedAfter = (entryId: string) => {
    for (let change = changes[next]; change && change.entryId <= entryId; change = changes[next]) next += 1;
    return changes[next - 1]?.owedMinor ?? null;
  };
  return {
    lines: rows.map((row) => ({
      ...lineOf(row, holder.side, currency),
      work: works.get(row.entryId) ?? null,
      owedMinor: owedAfter(row.entryId),
    })),
    sums: await sumTotals(db, holder, currency, span),
    owedMinor: credit?.endMinor ?? null,
  };
}

/** The paid work by entry. Entries that paid for no work are missing. */
export async function findPaidWork(
  db: Db,
  holder: Holder,
  entryIds: string[],
): Promise<Map<string, PaidWork>> {
  if (entryIds.length === 0) return new Map();
  const { rows } = await sql<PaidWork & { entryId: string }>`
    select entry.id as entry_id, branch.name as branch,
      case when hourly then (case when entry.reverses is null then 1 else -1 end) * ${paidMinutes} end as minutes,
      case when hourly then (select break_minutes from hours_claims
        where engagement_id = engagement.id order by at desc, id desc limit 1) end as break_minutes,
      case when hourly then (engagement.terms ->> 'payMinor')::bigint end as hour_minor,
      case when ${holder.side === 'business'} then receipt.number end as receipt_number,
      case when ${holder.side === 'business'} and invoice.id is not null
        then json_build_object('year', invoice.year, 'number', invoice.number) end as invoice_number
    from ledger_entries entry
    left join releases release on release.id = entry.about
    left join tips tip on tip.id = entry.about
    join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id)
    cross join lateral (select coalesce(engagement.kind = 'shift' and release.kind <> 'compensation', false) as hourly) paid
    join jobs job on job.id = engagement.job_id
    left join branches branch on branch.id = job.branch_id
    left join pay_receipts receipt on receipt.entry_id = entry.id
    left join invoiced_entries invoiced on invoiced.entry_id = entry.id
    left join invoices invoice on invoice.id = invoiced.invoice_id
    where entry.id = any(${entryIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ entryId, ...work }) => [entryId, work]));
}

/**
 * Hours are agreed per engagement, so each payment gets a share of them, rounded to add up (product.md,
 * Charts of a business).
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

/** The number of lines, counted to `limit` only. */
export const countStatement = (
  db: Db,
  account: Account,
  days: StatementDays,
  limit: number,
): Promise<number> => countLines(db, account.holder, account.currency, spanOf(account.timeZone, days), limit);

type LineQuery = {
  currency: Currency;
  span: Span;
  kinds: readonly string[] | null;
  withFee: boolean;
  order: 'newest' | 'oldest';
  limit: number;
};

/** The entry that reserved a withdrawal represents it until the payout's entry replaces it (ADR 79). */
export async function findLines(db: Db, holder: Holder, query: LineQuery): Promise<LineRow[]> {
  const { rows } = await linesQuery(holder, query).execute(db);
  return rows;
}

/** Reads only the lines it returns and those not materialized yet, however long the history (ADR 64). */
export function linesQuery(holder: Holder, query: LineQuery): RawBuilder<LineRow> {
  const { currency, span, kinds, withFee, limit } = query;
  const order = query.order === 'newest' ? sql`desc` : sql`asc`;
  const inSpan = sql`entry_id >= ${span.from}::uuid and entry_id < ${span.before}::uuid ${withFee ? sql`and with_fee` : sql``}`;
  const kindList = kinds && sql`${[...kinds]}::text[]`;
  // Each kind has its own part of the index, so a rare one is found without reading past the others.
  const carried =
    kindList === null
      ? sql`select entry_id, moved, held, hold_id, balance from statement_lines
          where holder = ${holderIn(holder, currency)} and ${inSpan} order by entry_id ${order} limit ${limit}`
      : sql`select line.* from unnest(${kindList}) as wanted (kind) cross join lateral (
          select entry_id, moved, held, hold_id, balance from statement_lines
          where holder = ${holderIn(holder, currency)} and kind = wanted.kind and ${inSpan}
          order by entry_id ${order} limit ${limit}) line`;
  const reserved =
    holder.side === 'worker' && !withFee && (kinds === null || kinds.includes('reserve'))
      ? sql`union all select reserve_entry, 0, 0, null, null, null from withdrawals
          where account_id = ${holder.accountId} and currency = ${currency} and paid_entry is null
            and status in (${literals(reservedWithdrawalStatuses)})
            and reserve_entry >= ${span.from}::uuid and reserve_entry < ${span.before}::uuid`
      : sql``;
  return wordedLines(
    holder,
    currency,
    sql`
      select entry_id, moved, held, hold_id, balance, null::bigint as sofar from (${carried}) carried
      union all
      select entry_id, moved, held, hold_id, null, sofar from uncarried
      where ${inSpan} ${kindList === null ? sql`` : sql`and kind = any(${kindList})`}
      ${reserved}
      order by entry_id ${order} limit ${limit}`,
    order,
  );
}

export async function findLine(
  db: Db,
  holder: Holder,
  { currency, entryId }: { currency: Currency; entryId: string },
): Promise<LineRow | undefined> {
  const fact = statementFacts(sql`select * from ledger_entries where id = ${entryId}::uuid`);
  const { rows } = await wordedLines(
    holder,
    currency,
    sql`select entry_id, moved, held, hold_id, null::bigint as balance, null::bigint as sofar from (${fact}) fact
      where holder = ${holderIn(holder, currency)}`,
    sql`desc`,
  ).execute(db);
  return rows[0];
}

const wordedLines = (
  holder: Holder,
  currency: Currency,
  selection: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<LineRow> => sql<LineRow>`
    with uncarried as materialized (
      select *, sum(moved) over (order by entry_id) as sofar from (${uncarriedOf(holder, currency)}) fact
    ),
    page as materialized (
      select chosen.entry_id, chosen.moved, chosen.held, chosen.hold_id, entry.at, entry.kind, entry.about, undone.kind as undone_kind,
        (coalesce(chosen.balance, (select line.balance from statement_lines line
            where line.holder = ${holderIn(holder, currency)} and line.entry_id <= chosen.entry_id
            order by line.entry_id desc limit 1), 0)
          + coalesce(chosen.sofar, case when chosen.entry_id >= (select entry_id from uncarried order by entry_id limit 1)
            then (select sum(moved) from uncarried where uncarried.entry_id <= chosen.entry_id) end, 0))::bigint as balance
      from (${selection}) chosen
      join ledger_entries entry on entry.id = chosen.entry_id
      left join ledger_entries undone on undone.id = entry.reverses
    )
    select page.entry_id, page.at, page.kind, page.undone_kind, page.moved, page.held, page.balance,
      lines.paid, lines.taken, lines.provided,
      release.id as release_id, coalesce(release.worker_fee_minor, 0) as worker_fee_minor, tip.id as tip_id,
      clearing.id is not null as pending,
      hold.status as hold_status, hold.frozen as hold_frozen,
      refund.status as refund_status, charge.chargeback, card.brand as card_brand, card.last4 as card_last4,
      withdrawal.id as withdrawal_id, withdrawal.status as withdrawal_status, withdrawal.amount_minor as withdrawal_minor,
      withdrawal.fee_minor as withdrawal_fee_minor, coalesce(method.bank_name, transfer.payer_name) as bank_name,
      coalesce(method.last4, right(transfer.payer_iban, 4)) as bank_last4,
      engagement.id as engagement_id, engagement.status as engagement_status,
      coalesce(engagement.terms ->> 'title', job.title) as job_title,
      coalesce(to_char((engagement.terms ->> 'startsAt')::timestamptz at time zone (engagement.terms ->> 'timeZone'), 'YYYY-MM-DD'),
        to_char(job.starts_at at time zone job.time_zone, 'YYYY-MM-DD')) as work_on,
      business.name as business_name, worker.name as worker_name
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
    left join bank_payments transfer on transfer.id = page.about
    left join holds hold on hold.id = coalesce(page.hold_id, (select own.id from holds own where own.id = page.about))
    left join offers offer on offer.id = hold.offer_id
    left join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id, hold.engagement_id)
    left join jobs job on job.id = hold.job_id
    left join businesses business on business.id = engagement.business_id
    left join accounts worker on worker.id = coalesce(engagement.worker_id, offer.worker_id)
    order by page.entry_id ${order}`;
