import type { Invoice } from '@nearhand/contract/money/invoices';
import { type Insertable, sql } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Invoices } from '../../platform/tables.gen.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { paidMinutesOf } from '../statements/spend.ts';

/** Asks for the document of an entry. */
type Request = { entryId: string; businessId: string };

/** Runs the task that writes the document of an entry, in its own transaction. */
export async function runDocument(scope: TaskScope, request: Request): Promise<void> {
  await scope.db.transaction().execute((tx) => writeDocument(tx, scope, request));
}

/**
 * Writes the invoice or receipt of an entry under the next number of its business. The counter is locked first and the number is taken in
 * the same transaction, so a failed document leaves no gap. A repeat is a no-op.
 * @throws Error when the entry pays nobody for this business
 */
export async function writeDocument(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'config'>,
  { entryId, businessId }: Request,
): Promise<void> {
  const last = await lockCounter(tx, businessId);
  if (await hasDocument(tx, entryId)) return;
  const facts = await findDocumentFacts(tx, entryId, businessId);
  if (!facts) throw new Error(`the entry ${entryId} pays nobody for the business ${businessId}`);
  const paidMinutes =
    facts.releaseId !== null && facts.what === 'work' && facts.jobKind === 'shift'
      ? await paidMinutesOf(tx, facts.releaseId)
      : null;
  const now = scope.clock.now();
  await insertInvoice(tx, {
    id: newId(now),
    businessId,
    number: last + 1,
    kind: documentKind(facts.feeMinor),
    entryId,
    engagementId: facts.engagementId,
    content: JSON.stringify(contentOf(facts, paidMinutes, scope.config)),
    payMinor: facts.payMinor,
    feeMinor: facts.feeMinor,
    totalMinor: facts.payMinor + facts.feeMinor,
    currency: facts.currency,
    issuedAt: now,
  });
  await setCounter(tx, businessId, last + 1);
}

const contentOf = (
  facts: DocumentFacts,
  paidMinutes: number | null,
  config: Pick<Config, 'INVOICE_SENDER'>,
): DocumentContent => ({
  sender: senderLines(config.INVOICE_SENDER),
  business: {
    name: facts.name,
    legalName: facts.legalName,
    address: facts.address,
    area: facts.area,
    registrationNumber: facts.registrationNumber,
  },
  workerName: facts.workerName,
  jobTitle: facts.jobTitle,
  what: facts.what,
  jobKind: facts.jobKind,
  startsAt: facts.startsAt?.toISOString() ?? null,
  endsAt: facts.endsAt?.toISOString() ?? null,
  timeZone: facts.timeZone,
  paidMinutes,
  merchantFeeBasisPoints: facts.merchantFeeBasisPoints,
  feeVersion: facts.feeVersion,
});

/** Locks a business's counter and returns the last number taken. */
async function lockCounter(tx: Tx, businessId: string): Promise<number> {
  await sql`insert into invoice_counters (business_id) values (${businessId}) on conflict do nothing`.execute(
    tx,
  );
  const { lastNumber } = await tx
    .selectFrom('invoice_counters')
    .select('lastNumber')
    .where('businessId', '=', businessId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return lastNumber;
}

async function setCounter(tx: Tx, businessId: string, number: number): Promise<void> {
  await tx
    .updateTable('invoice_counters')
    .set({ lastNumber: number })
    .where('businessId', '=', businessId)
    .execute();
}

async function insertInvoice(tx: Tx, row: Insertable<Invoices>): Promise<void> {
  await tx.insertInto('invoices').values(row).execute();
}

async function hasDocument(db: Db, entryId: string): Promise<boolean> {
  const row = await db.selectFrom('invoices').select('id').where('entryId', '=', entryId).executeTakeFirst();
  return row !== undefined;
}

type DocumentFacts = {
  releaseId: string | null;
  engagementId: string;
  currency: string;
  payMinor: number;
  feeMinor: number;
  legalName: string;
  name: string;
  address: string;
  area: string;
  registrationNumber: string;
  workerName: string;
  what: DocumentContent['what'];
  jobKind: 'shift' | 'task';
  jobTitle: string;
  startsAt: Date | null;
  endsAt: Date | null;
  timeZone: string;
  merchantFeeBasisPoints: number;
  feeVersion: number | null;
};

/** The facts for an entry's document; undefined when the entry pays nobody for this business. */
async function findDocumentFacts(
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

/** A document's content, frozen when it is written, with names and addresses as of then. Amounts in minor units of the document's currency. */
export type DocumentContent = {
  /** Nearhand's own lines, as configured. */
  sender: string[];
  business: { name: string; legalName: string; address: string; area: string; registrationNumber: string };
  workerName: string;
  jobTitle: string;
  /** What was paid. */
  what: 'work' | 'compensation' | 'tip' | 'bonus';
  jobKind: 'shift' | 'task';
  startsAt: string | null;
  endsAt: string | null;
  timeZone: string;
  /** Minutes of work it pays; null for tasks and for what is not work. */
  paidMinutes: number | null;
  merchantFeeBasisPoints: number;
  /** Version of the fee schedule the offer was made under. */
  feeVersion: number | null;
};

/** An invoice includes our fee; money that goes to the worker in full gets a receipt. */
const documentKind = (feeMinor: number): Invoice['kind'] => (feeMinor > 0 ? 'invoice' : 'receipt');

/** A number as printed and searched for: `NH-000042`. Each business has one series for invoices and receipts. */
export const printedNumber = (number: number): string => `NH-${String(number).padStart(6, '0')}`;

/** The document's file name: `invoice-NH-000042.pdf`. */
export const documentFileName = ({ kind, number }: { kind: string; number: number }): string =>
  `${kind}-${printedNumber(number)}.pdf`;

/** The sender's lines, which the configuration separates by `|`. */
export const senderLines = (text: string): string[] =>
  text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
