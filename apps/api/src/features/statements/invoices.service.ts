import type { Invoice } from '@nearhand/contract/statements';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { roleIn } from '../businesses/members.service.ts';
import { printedNumber } from './documents.rules.ts';
import { findInvoice, findInvoices, findZone, type InvoiceRow } from './invoices.sql.ts';
import { demandReader } from './statement-readers.service.ts';
import { canReadStatement } from './statements.policy.ts';

/**
 * Invoices and receipts of a business, newest first, of one year in its zone or all; owners, managers and finance.
 * @throws business/not-found, business/not-allowed, request/bad-cursor
 */
export async function listInvoices(
  db: Db,
  { actor }: Scope,
  input: { businessId: string; year?: number | undefined; cursor?: string | undefined; limit: number },
) {
  await demandReader(db, input.businessId, actor.accountId);
  const rows = await findInvoices(db, input.businessId, {
    year: input.year ?? null,
    timeZone: (await findZone(db, input.businessId)) ?? 'UTC',
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
  });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.issued_at.toISOString(), row.id]);
  return { items: items.map(viewOf), nextCursor };
}

/**
 * One document, for whoever may see it.
 * @throws statement/not-found for strangers too, business/not-allowed for a member whose role is too weak
 */
export async function invoiceOf(db: Db, { actor }: Scope, invoiceId: string): Promise<InvoiceRow> {
  const row = await findInvoice(db, invoiceId);
  const role = row && (await roleIn(db, row.business_id, actor.accountId));
  if (!row || !role) throw new AppError('statement/not-found');
  if (!canReadStatement(role)) throw new AppError('business/not-allowed');
  return row;
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
