import type { Currency } from '@nearhand/contract/currencies';
import { type Receipt, receipts } from '@nearhand/contract/money/receipts';
import { id, type PageInput } from '@nearhand/contract/operation';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import { companyLines } from '../../platform/config/config-company.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { PayReceipts } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { requireMoneyRole } from '../money-access.ts';
import { isSelfEmployed } from '../statements/changed-statements.sql.ts';
import { findPaidMinutes } from '../statements/statements.ts';

type Request = { entryId: string; businessId: string };

/** Writes the receipt of an entry in its own transaction. */
export async function issueReceipt(scope: TaskScope, request: Request): Promise<void> {
  await scope.db.transaction().execute((tx) => writeReceipt(tx, scope, request));
}

/** Writes the receipt of an entry under the business's next number; a failure leaves no gap. Idempotent. */
export async function writeReceipt(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'config'>,
  { entryId, businessId }: Request,
): Promise<void> {
  const last = await lockCounter(tx, businessId);
  const inserted = await tx
    .selectFrom('pay_receipts')
    .select('id')
    .where('entryId', '=', entryId)
    .executeTakeFirst();
  if (inserted) return;
  const facts = await findReceiptFacts(tx, entryId, businessId);
  if (!facts) throw new Error(`the entry ${entryId} pays nobody for the business ${businessId}`);
  const paidMinutes =
    facts.releaseId !== null && facts.kind === 'work' && facts.jobKind === 'shift'
      ? await findPaidMinutes(tx, facts.releaseId)
      : null;
  const now = scope.clock.now();
  const row = {
    id: newId(now),
    businessId,
    number: last + 1,
    entryId,
    engagementId: facts.engagementId,
    content: JSON.stringify(receiptContent(facts, paidMinutes, scope.config)),
    amountMinor: facts.amountMinor,
    currency: facts.currency,
    issuedAt: now,
  };
  await tx.insertInto('pay_receipts').values(row).execute();
  await tx
    .updateTable('pay_receipt_counters')
    .set({ lastNumber: last + 1 })
    .where('businessId', '=', businessId)
    .execute();
}

const receiptContent = (
  facts: ReceiptFacts,
  paidMinutes: number | null,
  config: Pick<Config, 'PLATFORM_COMPANY'>,
): ReceiptContent => ({
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
  kind: facts.kind,
  jobKind: facts.jobKind,
  startsAt: facts.startsAt?.toISOString() ?? null,
  endsAt: facts.endsAt?.toISOString() ?? null,
  timeZone: facts.timeZone,
  paidMinutes,
});

async function lockCounter(tx: Tx, businessId: string): Promise<number> {
  await sql`insert into pay_receipt_counters (business_id) values (${businessId}) on conflict do nothing`.execute(
    tx,
  );
  const { lastNumber } = await tx
    .selectFrom('pay_receipt_counters')
    .select('lastNumber')
    .where('businessId', '=', businessId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return lastNumber;
}

type ReceiptFacts = {
  releaseId: string | null;
  engagementId: string;
  currency: Currency;
  amountMinor: number;
  legalName: string;
  name: string;
  address: string;
  area: string;
  registrationNumber: string;
  workerName: string;
  kind: ReceiptContent['kind'];
  jobKind: 'shift' | 'task';
  jobTitle: string;
  startsAt: Date | null;
  endsAt: Date | null;
  timeZone: string;
};

async function findReceiptFacts(
  db: Db,
  entryId: string,
  businessId: string,
): Promise<ReceiptFacts | undefined> {
  const { rows } = await sql<ReceiptFacts>`
    select engagement.id as engagement_id, release.id as release_id, entry.currency,
      coalesce(release.amount_minor, tip.amount_minor) as amount_minor,
      business.legal_name, business.name, business.address, business.area, business.registration_number,
      worker.name as worker_name,
      case when release.kind = 'compensation' then 'compensation' else coalesce(tip.kind, 'work') end as kind,
      engagement.kind as job_kind, engagement.terms ->> 'title' as job_title, engagement.starts_at, engagement.ends_at,
      engagement.terms ->> 'timeZone' as time_zone
    from ledger_entries entry
    left join releases release on release.id = entry.about
    left join tips tip on tip.id = entry.about
    join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id)
    join businesses business on business.id = engagement.business_id
    join accounts worker on worker.id = engagement.worker_id
    where entry.id = ${entryId} and business.id = ${businessId}`.execute(db);
  return rows[0];
}

/** Replaces a removed account's name in receipts. Numbers, amounts and dates stay. */
export async function eraseReceipts(tx: Tx, accountId: string, name: string): Promise<void> {
  await sql`update pay_receipts set content = jsonb_set(content, '{workerName}', to_jsonb(${name}::text))
    where engagement_id in (select id from engagements where worker_id = ${accountId})`.execute(tx);
}

/** The content, names and addresses frozen when the receipt is written. Minor units. */
type ReceiptContent = {
  sender: string[];
  business: { name: string; legalName: string; address: string; area: string; registrationNumber: string };
  workerName: string;
  jobTitle: string;
  kind: 'work' | 'compensation' | 'tip' | 'bonus';
  jobKind: 'shift' | 'task';
  startsAt: string | null;
  endsAt: string | null;
  timeZone: string;
  paidMinutes: number | null;
};

/** `NH-000042`, in the series of its business. */
export const receiptNumber = (number: number): string => `NH-${String(number).padStart(6, '0')}`;

const receiptFileName = (number: number): string => `receipt-${receiptNumber(number)}.pdf`;

/** Lists receipts of a business. For owners, managers and finance. */
async function listReceipts(
  db: Db,
  { actor }: Scope,
  input: { businessId: string; year?: number } & PageInput,
) {
  await requireMoneyRole(db, actor.accountId, input.businessId);
  const rows = await findReceipts(db, input.businessId, {
    year: input.year ?? null,
    timeZone: await findBusinessZone(db, input.businessId),
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
  });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.issuedAt.toISOString(), row.id]);
  return { items: items.map(toReceipt), nextCursor };
}

export type PrintedReceipt = ReceiptRow & { printedNumber: string; fileName: string };

/**
 * Returns one receipt. For owners, managers and finance, and the worker unless self-employed: they have
 * invoices (ADR 386).
 * @throws statement/not-found, business/not-allowed
 */
export async function requireReceipt(db: Db, { actor }: Scope, receiptId: string): Promise<PrintedReceipt> {
  const row = await findPrintedReceipt(db, receiptId);
  if (!row) throw new AppError('statement/not-found');
  if (await isPaidWorker(db, row, actor.accountId)) return row;
  if (!(await findRole(db, row.businessId, actor.accountId))) throw new AppError('statement/not-found');
  await requireMoneyRole(db, actor.accountId, row.businessId);
  return row;
}

async function isPaidWorker(
  db: Db,
  { entryId, engagementId }: ReceiptRow,
  accountId: string,
): Promise<boolean> {
  const { rows } = await sql`select from engagements work join ledger_entries entry on entry.id = ${entryId}
    where work.id = ${engagementId} and work.worker_id = ${accountId} and not ${isSelfEmployed}`.execute(db);
  return rows.length > 0;
}

/** Receipts that were written in a month of the business's zone, in the order of their numbers. */
export async function findMonthReceipts(
  db: Db,
  businessId: string,
  month: string,
  limit: number,
): Promise<PrintedReceipt[]> {
  const timeZone = await findBusinessZone(db, businessId);
  const { rows } = await sql<ReceiptRow>`select * from pay_receipts where business_id = ${businessId}
    and issued_at >= ${`${month}-01`}::timestamp at time zone ${timeZone}
    and issued_at < (${`${month}-01`}::timestamp + interval '1 month') at time zone ${timeZone}
    order by number limit ${limit}`.execute(db);
  return rows.map(toPrinted);
}

const toPrinted = (row: ReceiptRow): PrintedReceipt => ({
  ...row,
  printedNumber: receiptNumber(row.number),
  fileName: receiptFileName(row.number),
});

/** Returns a receipt with its number as printed. The caller checks access. */
export async function findPrintedReceipt(db: Db, receiptId: string): Promise<PrintedReceipt | null> {
  const row = await findReceipt(db, receiptId);
  return row ? toPrinted(row) : null;
}

const toReceipt = (row: ReceiptRow): Receipt => ({
  id: row.id,
  number: receiptNumber(row.number),
  issuedAt: row.issuedAt.toISOString(),
  about: row.content.jobTitle,
  party: row.content.workerName,
  amountMinor: row.amountMinor,
  currency: row.currency,
});

type ReceiptRow = Omit<Selectable<PayReceipts>, 'content'> & { content: ReceiptContent };

async function findReceipts(
  db: Db,
  businessId: string,
  query: {
    year: number | null;
    timeZone: string;
    after: readonly [string, string] | null;
    limit: number;
  },
): Promise<ReceiptRow[]> {
  const { year, timeZone, after, limit } = query;
  const { rows } = await sql<ReceiptRow>`
    select * from pay_receipts where business_id = ${businessId}
      ${year === null ? sql`` : sql`and extract(year from issued_at at time zone ${timeZone}) = ${year}`}
      ${andBefore(sql`issued_at, id`, after)}
    order by issued_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

async function findReceipt(db: Db, receiptId: string): Promise<ReceiptRow | undefined> {
  const { rows } = await sql<ReceiptRow>`select * from pay_receipts where id = ${receiptId}`.execute(db);
  return rows[0];
}

/** The business's time zone, used for the dates in its books. */
export async function findBusinessZone(db: Db, businessId: string): Promise<string> {
  const row = await db
    .selectFrom('businesses')
    .select('timeZone')
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row?.timeZone ?? 'UTC';
}

const receiptTask = defineTask({
  name: 'statements.document',
  payload: z.object({ entryId: id, businessId: id }),
  queue: 'housekeeping',
  run: issueReceipt,
});

/** Queues the receipt of an entry. The task's own transaction takes the number, so payments don't wait (ADR 80). */
export async function wantReceipt(
  tx: Tx,
  { at, ...request }: { entryId: string; businessId: string; at?: Date },
): Promise<void> {
  await enqueue(tx, receiptTask, request, {
    key: `receipt/${request.entryId}`,
    runAt: at || undefined,
  });
}

export const receiptsTasks = [receiptTask];

export const receiptsRoutes = {
  list: read(receipts.list, listReceipts),
};
