import { businessInvoicesPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { type WorkerInvoice, workerInvoices } from '@nearhand/contract/money/worker-invoices';
import {
  isProForma,
  type ObjectionReason,
  objectUntil,
} from '@nearhand/contract/money/worker-invoices.rules';
import type { PageInput } from '@nearhand/contract/operation';
import { sql } from 'kysely';
import { z } from 'zod';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { notifyMoneyRoles, requireMoneyRole } from '../money-access.ts';
import { issueMonthlyWorkerInvoices, replaceInvoice, toWorkerInvoice } from './issue-invoices.ts';
import { agreeToSelfBilling, endAgreement, saveTaxDetails, viewSetup } from './tax-details.ts';
import {
  findInvoice,
  findObjection,
  type InvoiceRow,
  type ListedRow,
  type PrintedWorkerInvoice,
  printed,
} from './worker-invoices.sql.ts';

/** `offset 0` keeps PostgreSQL from reading all invoices of the platform for a page (ADR 143). */
const selectInvoices = sql`select invoice.*, objection.reason as objection,
    exists (select from worker_invoices replacement where replacement.replaces = invoice.id offset 0) as has_replacement
  from worker_invoices invoice
  left join invoice_objections objection on objection.invoice_id = invoice.id`;

const pageAfter = (cursor: string | undefined) => {
  const after = decodeCursor(cursor, newestCursor);
  return after === null
    ? sql``
    : sql`and (invoice.issued_at, invoice.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
};

const pageFrom = (rows: readonly ListedRow[], limit: number, now: Date) => {
  const { items, nextCursor } = cutPage(rows, limit, (row) => [row.issuedAt.toISOString(), row.id]);
  return { items: items.map((row) => toWorkerInvoice(row, now)), nextCursor };
};

/** Lists the caller's invoices, credit notes and pro formas. */
async function listMine(db: Db, { actor, clock }: Scope, { cursor, limit }: PageInput) {
  const { rows } =
    await sql<ListedRow>`${selectInvoices} where invoice.worker_id = ${actor.accountId} ${pageAfter(cursor)}
    order by invoice.issued_at desc, invoice.id desc limit ${limit + 1}`.execute(db);
  return pageFrom(rows, limit, clock.now());
}

/** Lists workers' invoices for a month's payments. For owners, managers and finance. */
async function listForBusiness(
  db: Db,
  { actor, clock }: Scope,
  input: { businessId: string; month: string } & PageInput,
) {
  const { businessId, month, cursor, limit } = input;
  await requireMoneyRole(db, actor.accountId, businessId);
  const { rows } = await sql<ListedRow>`${selectInvoices}
    where invoice.business_id = ${businessId} and invoice.month = ${month} ${pageAfter(cursor)}
    order by invoice.issued_at desc, invoice.id desc limit ${limit + 1}`.execute(db);
  return {
    ...pageFrom(rows, limit, clock.now()),
    totals: cursor === undefined ? await sumMonth(db, businessId, month) : [],
  };
}

async function sumMonth(db: Db, businessId: string, month: string) {
  const { rows } = await sql<{ currency: Currency; netMinor: number; vatMinor: number; paidMinor: number }>`
    select currency, sum(sign * net_minor)::bigint as net_minor, sum(sign * vat_minor)::bigint as vat_minor,
      sum(sign * paid_minor)::bigint as paid_minor
    from worker_invoices
    cross join lateral (select case when corrects is null then 1 else -1 end as sign) as signed
    where business_id = ${businessId} and month = ${month} group by currency order by currency`.execute(db);
  return rows;
}

/**
 * Records the caller's objection to an invoice in their name and notifies the business. The invoice stays as
 * it was issued.
 */
export async function objectToInvoice(
  tx: Tx,
  scope: Scope,
  { workerInvoiceId, reason }: { workerInvoiceId: string; reason: ObjectionReason },
): Promise<WorkerInvoice> {
  const { actor, clock } = scope;
  const now = clock.now();
  const row = await findInvoice(tx, workerInvoiceId);
  if (row?.workerId !== actor.accountId) throw new AppError('statement/not-found');
  if (isProForma(row) || objectUntil(row.issuedAt) <= now) throw new AppError('invoice/objection-closed');
  const inserted = await sql`insert into invoice_objections (invoice_id, reason, at)
    values (${workerInvoiceId}, ${reason}, ${now}) on conflict do nothing`.execute(tx);
  const objection = await findObjection(tx, workerInvoiceId);
  if (objection !== reason) throw new AppError('invoice/objection-closed');
  if (inserted.numAffectedRows === 1n)
    await notifyMoneyRoles(
      tx,
      scope,
      { businessId: row.businessId, starter: null },
      {
        topic: 'worker-invoice-objected',
        path: businessInvoicesPath(row.businessId),
        dedupeKey: `worker-invoice-objected/${row.id}`,
        data: {
          workerName: row.content.seller.name,
          amountMinor: row.paidMinor,
          currency: row.currency,
          variant: reason,
          side: 'business',
        },
      },
    );
  const { rows } = await sql<ListedRow>`${selectInvoices} where invoice.id = ${row.id}`.execute(tx);
  return toWorkerInvoice(rows[0] as ListedRow, now);
}

export async function findPrintedWorkerInvoice(
  db: Db,
  invoiceId: string,
): Promise<PrintedWorkerInvoice | null> {
  const row = await findInvoice(db, invoiceId);
  return row && printed(row);
}

/**
 * Returns one invoice. For its worker, and owners, managers and finance of its business.
 * @throws statement/not-found, business/not-allowed
 */
export async function requireWorkerInvoice(
  db: Db,
  { actor }: Scope,
  invoiceId: string,
): Promise<PrintedWorkerInvoice> {
  const row = await findPrintedWorkerInvoice(db, invoiceId);
  if (!row) throw new AppError('statement/not-found');
  if (row.workerId === actor.accountId) return row;
  if (!(await findRole(db, row.businessId, actor.accountId))) throw new AppError('statement/not-found');
  await requireMoneyRole(db, actor.accountId, row.businessId);
  return row;
}

/** Invoices, credit notes and pro formas of workers for a month's payments, in the order of their issue. */
export async function findMonthWorkerInvoices(
  db: Db,
  businessId: string,
  month: string,
  limit: number,
): Promise<PrintedWorkerInvoice[]> {
  const { rows } = await sql<InvoiceRow>`select * from worker_invoices
    where business_id = ${businessId} and month = ${month} order by issued_at, id limit ${limit}`.execute(db);
  return rows.map(printed);
}

export const workerInvoicesTasks = [
  defineTask({
    name: 'workerInvoices.issue',
    payload: z.object({}).loose(),
    daily: true,
    run: issueMonthlyWorkerInvoices,
  }),
];

export const workerInvoicesRoutes = {
  setup: read(workerInvoices.setup, viewSetup),
  saveDetails: write(workerInvoices.saveDetails, saveTaxDetails),
  agree: write(workerInvoices.agree, agreeToSelfBilling),
  endAgreement: write(workerInvoices.endAgreement, endAgreement),
  mine: read(workerInvoices.mine, listMine),
  object: write(workerInvoices.object, objectToInvoice),
  replace: write(workerInvoices.replace, replaceInvoice),
  forBusiness: read(workerInvoices.forBusiness, listForBusiness),
};
