import type { Invoice } from '@nearhand/contract/money/invoices';
import { roleIn } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireTreasurer } from '../cards/payers.service.ts';
import { documentFileName, printedNumber } from './documents.rules.ts';
import { findInvoice, findInvoices, findZone, type InvoiceRow } from './invoices.sql.ts';

/**
 * Invoices and receipts of a business, newest first, for one year in its zone or all. Owners, managers and finance only.
 * @throws business/not-found, business/not-allowed, request/bad-cursor
 */
export async function listInvoices(
  db: Db,
  { actor }: Scope,
  input: { businessId: string; year?: number | undefined; cursor?: string | undefined; limit: number },
) {
  await requireTreasurer(db, actor.accountId, input.businessId);
  const rows = await findInvoices(db, input.businessId, {
    year: input.year ?? null,
    timeZone: (await findZone(db, input.businessId)) ?? 'UTC',
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
  });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.issued_at.toISOString(), row.id]);
  return { items: items.map(viewOf), nextCursor };
}

/** An invoice or receipt with the number and the file name it is printed under. */
export type PrintedInvoice = InvoiceRow & { printedNumber: string; fileName: string };

/**
 * One document, for owners, managers and finance of its business.
 * @throws statement/not-found for strangers too, business/not-allowed for members with a lesser role
 */
export async function invoiceOf(db: Db, { actor }: Scope, invoiceId: string): Promise<PrintedInvoice> {
  const row = await openInvoice(db, invoiceId);
  if (!row || !(await roleIn(db, row.business_id, actor.accountId)))
    throw new AppError('statement/not-found');
  await requireTreasurer(db, actor.accountId, row.business_id);
  return row;
}

/** The same without a caller, for a signed link. */
export async function openInvoice(db: Db, invoiceId: string): Promise<PrintedInvoice | null> {
  const row = await findInvoice(db, invoiceId);
  return row ? { ...row, printedNumber: printedNumber(row.number), fileName: documentFileName(row) } : null;
}

const viewOf = (row: InvoiceRow): Invoice => ({
  id: row.id,
  kind: row.kind as Invoice['kind'],
  number: printedNumber(row.number),
  issuedAt: row.issued_at.toISOString(),
  about: row.content.jobTitle,
  party: row.content.workerName,
  payMinor: row.pay_minor,
  feeMinor: row.fee_minor,
  totalMinor: row.total_minor,
  currency: row.currency as Invoice['currency'],
  engagementId: row.engagement_id,
});
