import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { Invoices } from '../../platform/tables.gen.ts';
import type { DocumentContent } from './documents.rules.ts';

export type InvoiceRow = Omit<Selectable<Invoices>, 'content'> & { content: DocumentContent };

export async function findInvoices(
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

export async function findInvoice(db: Db, invoiceId: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`select * from invoices where id = ${invoiceId}`.execute(db);
  return rows[0];
}

export async function findZone(db: Db, businessId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('businesses')
    .select('time_zone')
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row?.time_zone;
}
