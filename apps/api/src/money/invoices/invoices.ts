import { type Invoice, invoices } from '@nearhand/contract/money/invoices';
import { id } from '@nearhand/contract/operation';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { roleIn } from '../../people/businesses/members.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Invoices } from '../../platform/tables.gen.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { requireTreasurer } from '../cards/payers.ts';
import { type DocumentContent, documentFileName, printedNumber, runDocument } from './document-writing.ts';

/**
 * Invoices and receipts of a business, newest first, for one year in its zone or all. Owners, managers and finance only.
 * @throws business/not-found, business/not-allowed, request/bad-cursor
 */
async function listInvoices(
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
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.issuedAt.toISOString(), row.id]);
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
  if (!row || !(await roleIn(db, row.businessId, actor.accountId))) throw new AppError('statement/not-found');
  await requireTreasurer(db, actor.accountId, row.businessId);
  return row;
}

/** The same without a caller, for a signed link. */
export async function openInvoice(db: Db, invoiceId: string): Promise<PrintedInvoice | null> {
  const row = await findInvoice(db, invoiceId);
  return row ? { ...row, printedNumber: printedNumber(row.number), fileName: documentFileName(row) } : null;
}

const viewOf = (row: InvoiceRow): Invoice => ({
  ...row,
  kind: row.kind as Invoice['kind'],
  number: printedNumber(row.number),
  issuedAt: row.issuedAt.toISOString(),
  about: row.content.jobTitle,
  party: row.content.workerName,
  currency: row.currency as Invoice['currency'],
});

type InvoiceRow = Omit<Selectable<Invoices>, 'content'> & { content: DocumentContent };

async function findInvoices(
  db: Db,
  businessId: string,
  query: {
    year: number | null;
    timeZone: string;
    after: readonly [string, string] | null;
    limit: number;
  },
): Promise<InvoiceRow[]> {
  const { year, timeZone, after, limit } = query;
  const { rows } = await sql<InvoiceRow>`
    select * from invoices where business_id = ${businessId}
      ${year === null ? sql`` : sql`and extract(year from issued_at at time zone ${timeZone}) = ${year}`}
      ${after === null ? sql`` : sql`and (issued_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by issued_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

async function findInvoice(db: Db, invoiceId: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`select * from invoices where id = ${invoiceId}`.execute(db);
  return rows[0];
}

async function findZone(db: Db, businessId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row?.timeZone;
}

/** The task that writes an invoice or a receipt; implemented in `document-writing.ts`. */
const documentTask = {
  name: 'statements.document',
  payload: z.object({ entryId: id, businessId: id }),
};

/**
 * For the holds slice: queues the invoice or receipt of an entry. It runs in its own transaction, because a business's numbers are taken
 * one by one and payments must not wait for each other there (ADR 80). Called in the entry's transaction; a repeat writes no second
 * document.
 * @param request `entryId` an entry of kind release, compensation, tip or bonus, whose `about` is the id of the release or tip; `at` when
 * to write it, now by default; the demo town sets it to fill in its past
 */
export async function wantDocument(
  tx: Tx,
  { at, ...request }: { entryId: string; businessId: string; at?: Date | undefined },
): Promise<void> {
  await enqueue(tx, documentTask, request, {
    key: `document/${request.entryId}`,
    ...(at ? { runAt: at } : {}),
  });
}

/** For an account that is removed (ADR 160). */
export { forgetDocuments } from './document-writing.ts';

export const invoicesTasks = [defineTask({ ...documentTask, queue: 'housekeeping', run: runDocument })];

export const invoicesRoutes = {
  list: read(invoices.list, listInvoices),
};
