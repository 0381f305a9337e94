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
  objectUntil,
} from '@nearhand/contract/money/worker-invoices.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { type InvoiceParty, lockCustomer, nextNumber } from '../invoices/invoices.ts';
import {
  type VatSum,
  type VatTreatment,
  vatBreakdown,
  vatOf,
  withoutVatMinor,
} from '../invoices/vat.rules.ts';
import { notifyMoneyRoles } from '../money-access.ts';
import { closePayLines } from '../statements/balance-rollup.ts';
import {
  findInvoice,
  findObjection,
  findPay,
  findReplaceable,
  type InvoiceRow,
  type ListedRow,
  type Pair,
  printed,
  uninvoicedPay,
  type WorkerInvoiceContent,
  type WorkLine,
} from './worker-invoices.sql.ts';

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
    const entryIds = group.map(({ entryId }) => entryId);
    const original = first.corrects === null ? null : await findInvoice(tx, first.corrects);
    if (original) {
      const lines = group.map((pay) => ({ ...originalLine(original, pay.line), paidOn: pay.paidOn }));
      await issueCreditNote(tx, scope, company, { original, lines, entryIds });
      continue;
    }
    await issueInvoice(tx, scope, company, {
      workerId,
      businessId,
      currency: first.currency,
      entryIds,
      replaces: null,
      content: {
        seller: sellerParty(seller),
        buyer,
        lines: withNet(
          group.map(
            ({ entryId: _entry, corrects: _corrects, line: _line, currency: _currency, ...work }) => work,
          ),
        ),
        selfBilling: agreement ? selfBillingFacts(company, agreement) : null,
      },
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
  await issueCreditNote(tx, scope, company, { original, lines: replaced, entryIds: [] });
  const groups = Map.groupBy(
    lines.map((line, index) => ({ line, entryId: entries[index]?.entryId ?? '' })),
    ({ line }) => line.category === 'O',
  );
  for (const group of groups.values())
    await issueInvoice(tx, scope, company, {
      workerId,
      businessId,
      currency,
      entryIds: group.map(({ entryId }) => entryId),
      replaces: original.id,
      content: {
        ...sides,
        lines: withNet(group.map(({ line }) => line)),
        selfBilling: selfBillingFacts(company, agreement),
      },
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

type IssuedContent = Pick<WorkerInvoiceContent, 'seller' | 'buyer' | 'lines' | 'selfBilling'>;

/** Issues an invoice or, without an agreement, a pro forma, which states no VAT. */
const issueInvoice = (
  tx: Tx,
  scope: Pick<TaskScope, 'clock'>,
  company: PlatformCompany,
  invoice: Pair & {
    currency: Currency;
    entryIds: string[];
    /** The document whose payments this one takes over. */
    replaces: string | null;
    content: IssuedContent;
  },
): Promise<void> => {
  const vat = invoice.content.selfBilling ? vatBreakdown(invoice.content.lines) : [];
  return insertDocument(tx, scope, company, { ...invoice, original: null, vat });
};

/** Issues the document that takes these lines of another one back. */
async function issueCreditNote(
  tx: Tx,
  scope: Pick<TaskScope, 'clock'>,
  company: PlatformCompany,
  { original, lines, entryIds }: { original: InvoiceRow; lines: WorkLine[]; entryIds: string[] },
): Promise<void> {
  const { workerId, businessId, currency } = original;
  const vatRows = original.content.vat.length > 0 ? vatBreakdown(lines) : [];
  await insertDocument(tx, scope, company, {
    workerId,
    businessId,
    currency,
    entryIds,
    original,
    replaces: null,
    content: { ...original.content, lines },
    vat: await creditVat(tx, original, vatRows),
  });
}

async function insertDocument(
  tx: Tx,
  scope: Pick<TaskScope, 'clock'>,
  company: PlatformCompany,
  document: Pair & {
    currency: Currency;
    entryIds: string[];
    original: InvoiceRow | null;
    replaces: string | null;
    content: IssuedContent;
    vat: VatSum[];
  },
): Promise<void> {
  const { workerId, businessId, currency, entryIds, original, replaces, vat } = document;
  const { seller, buyer, lines, selfBilling } = document.content;
  const isInvoice = selfBilling !== null;
  const series = `${isInvoice ? 'NH' : 'PF'}${await workerSeriesOf(tx, workerId)}`;
  const { now, issuedOn, year, number } = await nextNumber(tx, scope.clock, {
    series,
    timeZone: company.timeZone,
  });
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
    corrects: original && {
      number: printed(original).printedNumber,
      issuedOn: original.content.issuedOn,
    },
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
