import type { Currency } from '@nearhand/contract/currencies';
import { type Invoice, invoices } from '@nearhand/contract/money/invoices';
import { id } from '@nearhand/contract/operation';
import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import { companyLines } from '../../platform/config/config-company.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Invoices } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { requireTreasurer } from '../cards/cards.ts';
import { findPaidMinutes } from '../statements/statements.ts';

type Request = { entryId: string; businessId: string };

/** Writes the document of an entry in its own transaction. */
export async function runDocument(scope: TaskScope, request: Request): Promise<void> {
  await scope.db.transaction().execute((tx) => writeDocument(tx, scope, request));
}

/** Writes the document of an entry under the business's next number; a failure leaves no gap. Idempotent. */
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
      ? await findPaidMinutes(tx, facts.releaseId)
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
  config: Pick<Config, 'PLATFORM_COMPANY'>,
): DocumentContent => ({
  sender: config.PLATFORM_COMPANY ? companyLines(config.PLATFORM_COMPANY) : [],
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
  currency: Currency;
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

/** Replaces a removed account's name in documents. Numbers, amounts and dates stay. */
export async function eraseDocuments(tx: Tx, accountId: string, name: string): Promise<void> {
  await sql`update invoices set content = jsonb_set(content, '{workerName}', to_jsonb(${name}::text))
    where engagement_id in (select id from engagements where worker_id = ${accountId})`.execute(tx);
}

/** The content, names and addresses frozen when the document is written. Minor units. */
type DocumentContent = {
  sender: string[];
  business: { name: string; legalName: string; address: string; area: string; registrationNumber: string };
  workerName: string;
  jobTitle: string;
  what: 'work' | 'compensation' | 'tip' | 'bonus';
  jobKind: 'shift' | 'task';
  startsAt: string | null;
  endsAt: string | null;
  timeZone: string;
  paidMinutes: number | null;
  merchantFeeBasisPoints: number;
  feeVersion: number | null;
};

/** An invoice includes our fee. Money that goes to the worker in full gets a receipt. */
const documentKind = (feeMinor: number): Invoice['kind'] => (feeMinor > 0 ? 'invoice' : 'receipt');

/** `NH-000042`. Each business has one series for invoices and receipts. */
export const printedNumber = (number: number): string => `NH-${String(number).padStart(6, '0')}`;

const documentFileName = ({ kind, number }: { kind: string; number: number }): string =>
  `${kind}-${printedNumber(number)}.pdf`;

/**
 * Lists documents of a business. For owners, managers and finance.
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

export type PrintedInvoice = InvoiceRow & { printedNumber: string; fileName: string };

/** Returns one document. For owners, managers and finance. @throws statement/not-found, business/not-allowed */
export async function invoiceOf(db: Db, { actor }: Scope, invoiceId: string): Promise<PrintedInvoice> {
  const row = await openInvoice(db, invoiceId);
  if (!row || !(await findRole(db, row.businessId, actor.accountId)))
    throw new AppError('statement/not-found');
  await requireTreasurer(db, actor.accountId, row.businessId);
  return row;
}

export async function openInvoice(db: Db, invoiceId: string): Promise<PrintedInvoice | null> {
  const row = await findInvoice(db, invoiceId);
  return row ? { ...row, printedNumber: printedNumber(row.number), fileName: documentFileName(row) } : null;
}

const viewOf = (row: InvoiceRow): Invoice => ({
  ...row,
  kind: row.kind,
  number: printedNumber(row.number),
  issuedAt: row.issuedAt.toISOString(),
  about: row.content.jobTitle,
  party: row.content.workerName,
  currency: row.currency,
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

const documentTask = {
  name: 'statements.document',
  payload: z.object({ entryId: id, businessId: id }),
};

/** Queues the document of an entry. The task's own transaction takes the number, so payments don't wait (ADR 80). */
export async function wantDocument(
  tx: Tx,
  { at, ...request }: { entryId: string; businessId: string; at?: Date | undefined },
): Promise<void> {
  await enqueue(tx, documentTask, request, {
    key: `document/${request.entryId}`,
    ...(at ? { runAt: at } : {}),
  });
}

export const invoicesTasks = [defineTask({ ...documentTask, queue: 'housekeeping', run: runDocument })];

export const invoicesRoutes = {
  list: read(invoices.list, listInvoices),
};
