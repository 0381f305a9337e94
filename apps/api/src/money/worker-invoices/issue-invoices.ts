import { isDeepStrictEqual } from 'node:util';
import { businessInvoicesPath, workerInvoicesPath } from '@nearhand/contract/app-paths';
import { shareOfAmount, sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { WorkerInvoice } from '@nearhand/contract/money/worker-invoices';
import {
  isCredit,
  isProForma,
  mayBeReplaced,
  type ObjectionReason,
  objectUntil,
} from '@nearhand/contract/money/worker-invoices.rules';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { WorkerInvoices } from '../../platform/tables.gen.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { type InvoiceContent, type InvoiceParty, lockCustomer, nextNumber } from '../invoices/invoices.ts';
import {
  type VatSum,
  type VatTreatment,
  vatBreakdown,
  vatOf,
  withoutVatMinor,
} from '../invoices/vat.rules.ts';
import { notifyMoneyRoles } from '../money-access.ts';
import { closePayLines } from '../statements/balance-rollup.ts';
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
const uninvoicedPay = (holders: string) => sql`
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

async function findPay(db: Db, { workerId, businessId }: Pair): Promise<Pay[]> {
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

type Pair = { workerId: string; businessId: string };
type Seller = InvoiceParty & { vatSince: string | null };
type Agreement = { version: number; agreedAt: Date };

/**
 * The seller's tax details under an agreement; without one a document names the worker and nothing else. An
 * agreement of a worker who is unsure about VAT waits for their answer.
 */
async function lockSeller(
  tx: Tx,
  workerId: string,
): Promise<{ seller: Seller; agreement: Agreement | undefined }> {
  const agreement = await tx
    .selectFrom('self_billing_agreements')
    .select(['version', 'agreedAt'])
    .where('accountId', '=', workerId)
    .where('endedAt', 'is', null)
    .where(sql<boolean>`exists (select from tax_details
      where account_id = self_billing_agreements.account_id and vat_status <> 'unsure')`)
    .executeTakeFirst();
  const { rows } = await sql<Seller>`
    select coalesce(details.legal_name, account.name) as name, coalesce(details.street, '') as street,
      coalesce(details.postcode, '') as postcode, coalesce(details.town, '') as town,
      coalesce(details.country_code, '') as country_code, coalesce(details.tax_number, '') as registration_number,
      '' as register, coalesce(details.vat_id, '') as vat_id, '' as email, details.vat_since::text
    from accounts account left join lateral (
      select * from tax_details where account_id = account.id and ${agreement !== undefined} for share) details on true
    where account.id = ${workerId}`.execute(tx);
  const [seller] = rows;
  if (!seller) throw new Error(`the worker ${workerId} has no account`);
  return { seller, agreement };
}

/** A pro forma leaves VAT to the worker. */
const unknownVat: VatTreatment = { category: 'O', rateBasisPoints: 0, reason: null };

/**
 * Issues the documents for a worker's payments by a business: an invoice per month and currency, and a credit
 * note for each invoice with a reversed payment, and notifies the worker. Leaves the current month of the business
 * for later if `onlyPastMonths`. Locks the business, so two calls at once can't invoice a payment twice.
 */
export async function issueWorkerInvoices(
  tx: Tx,
  scope: Pick<TaskScope, 'clock'>,
  company: PlatformCompany,
  { workerId, businessId, onlyPastMonths }: Pair & { onlyPastMonths: boolean },
): Promise<void> {
  const { timeZone, ...buyer } = await lockCustomer(tx, scope.clock.now(), businessId);
  const { seller, agreement } = await lockSeller(tx, workerId);
  const thisMonth = dayIn(timeZone, scope.clock.now()).slice(0, 7);
  const treatmentOn = (day: string): VatTreatment => (agreement ? sellerVat(seller, buyer, day) : unknownVat);
  const lines = (await findPay(tx, { workerId, businessId }))
    .map(({ at, ...pay }) => ({ ...pay, ...treatmentOn(dayIn(timeZone, at)), paidOn: dayIn(timeZone, at) }))
    .filter(({ paidOn }) => !onlyPastMonths || paidOn.slice(0, 7) < thisMonth);
  // EN 16931 allows no other category next to one out of scope (BR-O-11).
  const groups = Map.groupBy(
    lines,
    ({ currency, corrects, paidOn, category }) =>
      `${currency} ${corrects ?? `${paidOn.slice(0, 7)} ${category === 'O'}`}`,
  );
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const original = first.corrects === null ? null : await findInvoice(tx, first.corrects);
    const content = original
      ? {
          ...original.content,
          lines: group.map((pay) => ({ ...originalLine(original, pay.line), paidOn: pay.paidOn })),
          corrects: { number: printed(original).printedNumber, issuedOn: original.content.issuedOn },
        }
      : {
          seller: sellerParty(seller),
          buyer,
          lines: withNet(
            group.map(
              ({ entryId: _entry, corrects: _corrects, line: _line, currency: _currency, ...work }) => work,
            ),
          ),
          corrects: null,
          selfBilling: agreement ? selfBillingFacts(company, agreement) : null,
        };
    await insertInvoice(tx, scope, company, {
      workerId,
      businessId,
      original,
      replaces: null,
      content,
      currency: first.currency,
      entryIds: group.map(({ entryId }) => entryId),
      withVat: original ? original.content.vat.length > 0 : agreement !== undefined,
    });
  }
}

/** The VAT on a worker's payment of a day; before their first day with VAT they are exempt. */
function sellerVat(seller: Seller, buyer: InvoiceParty, day: string): VatTreatment {
  const vatId = seller.vatSince !== null && day < seller.vatSince ? '' : seller.vatId;
  return vatOf({ ...seller, vatId }, buyer, day);
}

const selfBillingFacts = (company: PlatformCompany, { version, agreedAt }: Agreement) => ({
  issuer: company.legalName,
  version,
  agreedOn: dayIn(company.timeZone, agreedAt),
});

/**
 * Replaces an invoice that the caller objected to, other than for its amount, or a pro forma once there is an
 * agreement. A credit note reverses what none has reversed yet, and a new invoice covers the same payments
 * with both sides' current details, which must differ. Both sides are notified.
 */
export async function replaceInvoice(
  tx: Tx,
  scope: Scope,
  { workerInvoiceId }: { workerInvoiceId: string },
): Promise<WorkerInvoice> {
  const { actor, clock, config } = scope;
  const company = config.PLATFORM_COMPANY;
  const original = await findInvoice(tx, workerInvoiceId);
  if (original?.workerId !== actor.accountId) throw new AppError('statement/not-found');
  const { workerId, businessId, currency } = original;
  const { timeZone: _zone, ...buyer } = await lockCustomer(tx, clock.now(), businessId);
  const { seller, agreement } = await lockSeller(tx, workerId);
  const objection = await findObjection(tx, original.id);
  const entries = await findReplaceable(tx, original.id);
  if (!company || !agreement || !mayBeReplaced({ kind: original.kind, objection }) || entries.length === 0)
    throw new AppError('invoice/not-replaceable');
  const replaced = entries.map(({ line }) => originalLine(original, line));
  const lines = replaced.map(({ netMinor: _net, ...line }) => ({
    ...line,
    ...sellerVat(seller, buyer, line.paidOn),
  }));
  const facts = (sides: Pick<WorkerInvoiceContent, 'seller' | 'buyer'>, vat: readonly VatTreatment[]) => [
    sides.seller,
    sides.buyer,
    vat.map(({ category, rateBasisPoints, reason }) => [category, rateBasisPoints, reason]),
  ];
  const sides = { seller: sellerParty(seller), buyer };
  if (
    original.kind === 'invoice' &&
    isDeepStrictEqual(facts(sides, lines), facts(original.content, replaced))
  )
    throw new AppError('invoice/unchanged');
  const shared = { workerId, businessId, currency };
  await insertInvoice(tx, scope, company, {
    ...shared,
    original,
    replaces: null,
    content: {
      ...original.content,
      lines: replaced,
      corrects: { number: printed(original).printedNumber, issuedOn: original.content.issuedOn },
    },
    entryIds: [],
    withVat: original.content.vat.length > 0,
  });
  const groups = Map.groupBy(
    lines.map((line, index) => ({ line, entryId: entries[index]?.entryId ?? '' })),
    ({ line }) => line.category === 'O',
  );
  for (const group of groups.values())
    await insertInvoice(tx, scope, company, {
      ...shared,
      original: null,
      replaces: original.id,
      content: {
        ...sides,
        lines: withNet(group.map(({ line }) => line)),
        corrects: null,
        selfBilling: selfBillingFacts(company, agreement),
      },
      entryIds: group.map(({ entryId }) => entryId),
      withVat: true,
    });
  await notifyMoneyRoles(
    tx,
    scope,
    { businessId, starter: null },
    {
      topic: 'worker-invoice-objected',
      path: businessInvoicesPath(businessId),
      dedupeKey: `worker-invoice-replaced/${original.id}`,
      data: {
        workerName: seller.name,
        amountMinor: original.paidMinor,
        currency,
        variant: 'replaced',
        side: 'business',
      },
    },
  );
  return toWorkerInvoice({ ...original, objection, hasReplacement: true }, clock.now());
}

/** The payments on a document that no newer document replaced and no credit note reversed. */
async function findReplaceable(tx: Tx, invoiceId: string): Promise<{ entryId: string; line: number }[]> {
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

const sellerParty = ({ vatSince: _since, ...party }: Seller): InvoiceParty => party;

function originalLine({ content }: InvoiceRow, line: number | null): WorkLine {
  const original = content.lines[Number(line)];
  if (!original) throw new Error(`an invoice has no line ${line}`);
  return original;
}

/** Splits VAT off what was paid, per category and rate: the lines of one add up to the net of their sum. */
function withNet(lines: readonly Omit<WorkLine, 'netMinor'>[]): WorkLine[] {
  const paidSoFar = new Map<string, number>();
  return lines.map((line) => {
    const key = `${line.category} ${line.rateBasisPoints}`;
    const before = paidSoFar.get(key) ?? 0;
    const after = before + line.paidMinor;
    paidSoFar.set(key, after);
    const netMinor =
      withoutVatMinor(after, line.rateBasisPoints) - withoutVatMinor(before, line.rateBasisPoints);
    return { ...line, netMinor };
  });
}

/** The VAT of a credit note. Credit notes of all lines add up to the VAT of their invoice to the cent. */
async function creditVat(tx: Tx, original: InvoiceRow, vat: readonly VatSum[]): Promise<VatSum[]> {
  const { rows } = await sql<Omit<VatSum, 'reason'>>`
    select vat ->> 'category' as category, (vat ->> 'rateBasisPoints')::int as rate_basis_points,
      sum((vat ->> 'taxableMinor')::bigint)::bigint as taxable_minor, sum((vat ->> 'vatMinor')::bigint)::bigint as vat_minor
    from worker_invoices cross join jsonb_array_elements(content -> 'vat') vat
    where corrects = ${original.id} group by 1, 2`.execute(tx);
  return vat.map((row) => {
    const { category, rateBasisPoints, taxableMinor } = row;
    const before = rows.find(
      (credited) => credited.category === category && credited.rateBasisPoints === rateBasisPoints,
    );
    const creditedMinor = shareOfAmount((before?.taxableMinor ?? 0) + taxableMinor, rateBasisPoints);
    return { ...row, vatMinor: creditedMinor - (before?.vatMinor ?? 0) };
  });
}

async function insertInvoice(
  tx: Tx,
  scope: Pick<TaskScope, 'clock'>,
  company: PlatformCompany,
  invoice: Pair & {
    currency: Currency;
    entryIds: string[];
    /** The document that this one takes lines back from. */
    original: InvoiceRow | null;
    /** The document whose payments this invoice takes over. */
    replaces: string | null;
    content: Pick<WorkerInvoiceContent, 'seller' | 'buyer' | 'lines' | 'corrects' | 'selfBilling'>;
    withVat: boolean;
  },
): Promise<void> {
  const { workerId, businessId, currency, entryIds, original, replaces, withVat } = invoice;
  const isInvoice = invoice.content.selfBilling !== null;
  const series = `${isInvoice ? 'NH' : 'PF'}${await workerSeriesOf(tx, workerId)}`;
  const { now, issuedOn, year, number } = await nextNumber(tx, scope.clock, {
    series,
    timeZone: company.timeZone,
  });
  const { seller, buyer, lines, corrects, selfBilling } = invoice.content;
  const vatRows = withVat ? vatBreakdown(lines) : [];
  const vat = original ? await creditVat(tx, original, vatRows) : vatRows;
  const days = lines.map(({ paidOn }) => paidOn).sort();
  const from = days[0] ?? issuedOn;
  const content: WorkerInvoiceContent = {
    seller,
    buyer,
    issuedOn,
    from,
    to: days.at(-1) ?? issuedOn,
    lines,
    vat,
    corrects,
    selfBilling,
  };
  const id = newId(now);
  const invoiceKind = original ? 'credit_note' : 'invoice';
  const proFormaKind = original ? 'pro_forma_credit' : 'pro_forma';
  await tx
    .insertInto('worker_invoices')
    .values({
      id,
      workerId,
      businessId,
      kind: isInvoice ? invoiceKind : proFormaKind,
      series,
      year,
      number,
      corrects: original?.id ?? null,
      replaces,
      currency,
      content: JSON.stringify(content),
      netMinor: sumOf(lines.map(({ netMinor }) => netMinor)),
      vatMinor: sumOf(vat.map(({ vatMinor }) => vatMinor)),
      paidMinor: sumOf(lines.map(({ paidMinor }) => paidMinor)),
      month: from.slice(0, 7),
      issuedAt: now,
    })
    .execute();
  await sql`insert into worker_invoiced_entries (entry_id, invoice_id, line, replaces)
    select entry_id, ${id}, line - 1, ${replaces}::uuid
      from unnest(${entryIds}::uuid[]) with ordinality as entries (entry_id, line)`.execute(tx);
  if (!isInvoice) return;
  await notify(tx, scope, {
    accountId: workerId,
    topic: 'worker-invoice-issued',
    path: workerInvoicesPath,
    dedupeKey: `worker-invoice-issued/${id}`,
    data: {
      businessName: buyer.name,
      amountMinor: sumOf(lines.map(({ paidMinor }) => paidMinor)),
      currency,
      variant: original ? 'credit_note' : 'invoice',
      by: objectUntil(now).toISOString(),
      timeZone: company.timeZone,
      side: 'worker',
    },
  });
}

async function workerSeriesOf(tx: Tx, accountId: string): Promise<number> {
  await sql`insert into worker_series (account_id) values (${accountId}) on conflict do nothing`.execute(tx);
  const { number } = await tx
    .selectFrom('worker_series')
    .select('number')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return number;
}

/**
 * Issues the invoices of the months that have ended. Each worker and business has its own transaction, and a
 * failure stops none of the others.
 */
export async function issueMonthlyWorkerInvoices(
  scope: Pick<TaskScope, 'db' | 'clock' | 'config' | 'log'>,
): Promise<void> {
  const company = scope.config.PLATFORM_COMPANY;
  if (!company) {
    scope.log.warn("no workers' invoices are issued: PLATFORM_COMPANY is not set");
    return;
  }
  const { rows } = await sql<Pair>`
    select pay.worker_id, pay.business_id
    from (select worker_id, business_id, min(at) as at from (${uninvoicedPay('worker:')}) pay
      group by worker_id, business_id) pay
    join businesses business on business.id = pay.business_id
    cross join lateral (select coalesce(business.time_zone, 'UTC') as name) zone
    where date_trunc('month', pay.at at time zone zone.name)
      < date_trunc('month', ${scope.clock.now()}::timestamptz at time zone zone.name)
    order by pay.worker_id, pay.business_id`.execute(scope.db);
  for (const pair of rows)
    await scope.db
      .transaction()
      .execute((tx) => issueWorkerInvoices(tx, scope, company, { ...pair, onlyPastMonths: true }))
      .catch((error: unknown) =>
        scope.log.error({ err: error, ...pair }, "a worker's invoice was not issued"),
      );
  await closePayLines(scope.db, 'worker:');
}

export function toWorkerInvoice(row: ListedRow, now: Date): WorkerInvoice {
  const sign = isCredit(row) ? -1 : 1;
  const { content } = row;
  const until = objectUntil(row.issuedAt);
  return {
    id: row.id,
    kind: row.kind,
    number: printed(row).printedNumber,
    issuedOn: content.issuedOn,
    from: content.from,
    to: content.to,
    worker: content.seller.name,
    business: content.buyer.name,
    // Adding zero turns -0 into 0.
    netMinor: sign * row.netMinor + 0,
    vatMinor: sign * row.vatMinor + 0,
    paidMinor: sign * row.paidMinor,
    currency: row.currency,
    vat: content.vat.map(({ category, rateBasisPoints }) => ({ category, rateBasisPoints })),
    corrects: content.corrects?.number ?? null,
    objectUntil: isProForma(row) || until <= now ? null : until.toISOString(),
    objection: row.objection,
    hasReplacement: row.hasReplacement,
  };
}

export async function findInvoice(db: Db, invoiceId: string): Promise<InvoiceRow | null> {
  const { rows } = await sql<InvoiceRow>`select * from worker_invoices where id = ${invoiceId}`.execute(db);
  return rows[0] ?? null;
}
