import type { Currency } from '@nearhand/contract/currencies';
import type { ObjectionReason } from '@nearhand/contract/money/worker-invoices.rules';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { WorkerInvoices } from '../../platform/tables.gen.ts';
import type { InvoiceContent } from '../invoices/invoices.ts';
import type { VatTreatment } from '../invoices/vat.rules.ts';
import { isSelfEmployed, openPayOf } from '../statements/changed-statements.sql.ts';
import { findPaidWork } from '../statements/statement-export.ts';

/** One payment for work. Minor units; `paidMinor` includes VAT, `netMinor` does not. */
export type WorkLine = VatTreatment & {
  kind: 'work' | 'compensation' | 'tip' | 'bonus';
  title: string;
  branch: string | null;
  /** The day of a shift where it was; null for a task. */
  workedOn: string | null;
  paidOn: string;
  minutes: number | null;
  breakMinutes: number | null;
  hourMinor: number | null;
  paidMinor: number;
  netMinor: number;
};

/** The content of a worker's invoice, frozen. Amounts in minor units; days are `2026-11-30`. */
export type WorkerInvoiceContent = Pick<
  InvoiceContent,
  'seller' | 'buyer' | 'issuedOn' | 'from' | 'to' | 'vat' | 'corrects'
> & {
  lines: WorkLine[];
  /** The agreement under which it was issued in the worker's name; null for a pro forma. */
  selfBilling: { issuer: string; version: number; agreedOn: string } | null;
};

export type InvoiceRow = Omit<Selectable<WorkerInvoices>, 'content'> & { content: WorkerInvoiceContent };
export type ListedRow = InvoiceRow & { objection: ObjectionReason | null; hasReplacement: boolean };
export type PrintedWorkerInvoice = InvoiceRow & { printedNumber: string };

export const printed = (row: InvoiceRow): PrintedWorkerInvoice => ({
  ...row,
  printedNumber: `${row.series}-${row.year}-${String(row.number).padStart(4, '0')}`,
});

/** The businesses that paid a worker for work on no invoice, by id. */
export async function findUninvoicedBusinesses(db: Db, workerId: string): Promise<string[]> {
  const { rows } = await sql<{ businessId: string }>`select distinct business_id
    from (${uninvoicedPay(`worker:${workerId}:`)}) pay order by business_id`.execute(db);
  return rows.map(({ businessId }) => businessId);
}

type Pay = Omit<WorkLine, keyof VatTreatment | 'netMinor' | 'paidOn'> & {
  entryId: string;
  at: Date;
  currency: Currency;
  /** The invoice and line of the reversed payment; null for a payment. */
  corrects: string | null;
  line: number | null;
};

/** The condition of a payment's document that no other has replaced. */
const isCurrent = (row: RawBuilder<unknown>) => sql`not exists (
  select from worker_invoiced_entries later where later.entry_id = ${row}.entry_id and later.replaces = ${row}.invoice_id)`;

/**
 * Payments for self-employed work on no invoice, and reversals of invoiced ones. A payment reversed before is
 * left out with its reversal.
 */
export const uninvoicedPay = (holders: string) => sql`
  select entry.id as entry_id, entry.at, entry.currency, entry.about, original.invoice_id as corrects, original.line,
    engagement.worker_id, engagement.business_id, engagement.id as engagement_id
  from (${openPayOf(holders)}) pay
  join ledger_entries entry on entry.id = pay.entry_id
  join engagements engagement on engagement.id = coalesce(
    (select engagement_id from releases where id = entry.about), (select engagement_id from tips where id = entry.about))
  left join worker_invoiced_entries original on original.entry_id = entry.reverses and ${isCurrent(sql`original`)}
  where ${isSelfEmployed}
    and not exists (select from worker_invoiced_entries invoiced where invoiced.entry_id = entry.id)
    and case when entry.reverses is null
      then not exists (select from ledger_entries reversal where reversal.reverses = entry.id)
      else original.invoice_id is not null end`;

export async function findPay(db: Db, { workerId, businessId }: Pair): Promise<Pay[]> {
  const { rows } = await sql<Omit<Pay, 'minutes' | 'breakMinutes' | 'hourMinor' | 'branch'>>`
    select pay.entry_id, pay.at, pay.currency, pay.corrects, pay.line,
      coalesce(release.amount_minor, tip.amount_minor)::bigint as paid_minor,
      case when release.kind = 'compensation' then 'compensation' else coalesce(tip.kind, 'work') end as kind,
      engagement.terms ->> 'title' as title,
      (engagement.starts_at at time zone (engagement.terms ->> 'timeZone'))::date::text as worked_on
    from (${uninvoicedPay(`worker:${workerId}:`)}) pay
    join engagements engagement on engagement.id = pay.engagement_id
    left join releases release on release.id = pay.about
    left join tips tip on tip.id = pay.about
    where pay.business_id = ${businessId} order by pay.entry_id`.execute(db);
  const holder = { side: 'worker', accountId: workerId } as const;
  const works = await findPaidWork(
    db,
    holder,
    rows.map(({ entryId }) => entryId),
  );
  return rows.map((row) => {
    const work = works.get(row.entryId);
    const isWork = row.kind === 'work';
    return {
      ...row,
      branch: work?.branch ?? null,
      minutes: isWork && work?.minutes ? Math.abs(work.minutes) : null,
      breakMinutes: isWork ? (work?.breakMinutes ?? null) : null,
      hourMinor: isWork ? (work?.hourMinor ?? null) : null,
    };
  });
}

export type Pair = { workerId: string; businessId: string };

/** The payments on a document that no newer document replaced and no credit note reversed. */
export async function findReplaceable(
  tx: Tx,
  invoiceId: string,
): Promise<{ entryId: string; line: number }[]> {
  const { rows } = await sql<{ entryId: string; line: number }>`
    select document.entry_id, document.line from worker_invoiced_entries document
    where document.invoice_id = ${invoiceId} and ${isCurrent(sql`document`)}
      and not exists (select from ledger_entries reversal
        join worker_invoiced_entries credited on credited.entry_id = reversal.id
        where reversal.reverses = document.entry_id)
    order by document.line`.execute(tx);
  return rows;
}

export async function findObjection(db: Db, invoiceId: string): Promise<ObjectionReason | null> {
  const row = await db
    .selectFrom('invoice_objections')
    .select('reason')
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst();
  return row?.reason ?? null;
}

export async function findInvoice(db: Db, invoiceId: string): Promise<InvoiceRow | null> {
  const { rows } = await sql<InvoiceRow>`select * from worker_invoices where id = ${invoiceId}`.execute(db);
  return rows[0] ?? null;
}
