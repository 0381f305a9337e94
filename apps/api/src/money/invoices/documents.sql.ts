import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Invoices } from '../../platform/tables.gen.ts';
import type { DocumentContent } from './documents.rules.ts';

/** Locks a business's counter and returns the last number taken. */
export async function lockCounter(tx: Tx, businessId: string): Promise<number> {
  await sql`insert into invoice_counters (business_id) values (${businessId}) on conflict do nothing`.execute(
    tx,
  );
  const { last_number } = await tx
    .selectFrom('invoice_counters')
    .select('last_number')
    .where('business_id', '=', businessId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return last_number;
}

export async function setCounter(tx: Tx, businessId: string, number: number): Promise<void> {
  await tx
    .updateTable('invoice_counters')
    .set({ last_number: number })
    .where('business_id', '=', businessId)
    .execute();
}

export async function insertInvoice(tx: Tx, row: Insertable<Invoices>): Promise<void> {
  await tx.insertInto('invoices').values(row).execute();
}

export async function hasDocument(db: Db, entryId: string): Promise<boolean> {
  const row = await db.selectFrom('invoices').select('id').where('entry_id', '=', entryId).executeTakeFirst();
  return row !== undefined;
}

export type DocumentFacts = {
  release_id: string | null;
  engagement_id: string;
  currency: string;
  pay_minor: number;
  fee_minor: number;
  legal_name: string;
  name: string;
  address: string;
  area: string;
  registration_number: string;
  worker_name: string;
  what: DocumentContent['what'];
  job_kind: 'shift' | 'task';
  job_title: string;
  starts_at: Date | null;
  ends_at: Date | null;
  time_zone: string;
  merchant_fee_basis_points: number;
  fee_version: number | null;
};

/** The facts for an entry's document; undefined when the entry pays nobody for this business. */
export async function findDocumentFacts(
  db: Db,
  entryId: string,
  businessId: string,
): Promise<DocumentFacts | undefined> {
  const { rows } = await sql<DocumentFacts>`
    select engagement.id as engagement_id, release.id as release_id, entry.currency,
      coalesce(release.amount_minor, tip.amount_minor) as pay_minor, coalesce(release.fee_minor, 0) as fee_minor,
      business.legal_name, business.name, business.address, business.area, business.registration_number,
      worker.name as worker_name,
      case when release.kind = 'compensation' then 'compensation' else coalesce(tip.kind, 'work') end as what,
      engagement.kind as job_kind, engagement.terms ->> 'title' as job_title, engagement.starts_at, engagement.ends_at,
      engagement.terms ->> 'timeZone' as time_zone,
      (engagement.terms ->> 'merchantFeeBasisPoints')::int as merchant_fee_basis_points,
      (engagement.terms ->> 'feeVersion')::int as fee_version
    from ledger_entries entry
    left join releases release on release.id = entry.about
    left join tips tip on tip.id = entry.about
    join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id)
    join businesses business on business.id = engagement.business_id
    join accounts worker on worker.id = engagement.worker_id
    where entry.id = ${entryId} and business.id = ${businessId}`.execute(db);
  return rows[0];
}

/** For a removed account: documents about its work name a former member. Numbers, amounts and dates stay. */
export async function forgetDocuments(tx: Tx, accountId: string, name: string): Promise<void> {
  await sql`update invoices set content = jsonb_set(content, '{workerName}', to_jsonb(${name}::text))
    where engagement_id in (select id from engagements where worker_id = ${accountId})`.execute(tx);
}
