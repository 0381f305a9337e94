import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { addDays, dayIn } from '@nearhand/contract/durations';
import { type Invoice, invoices } from '@nearhand/contract/money/invoices';
import type { PageInput } from '@nearhand/contract/operation';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { findRole } from '../../people/businesses/members.sql.ts';
import { findCurrentAnswer } from '../../people/businesses/vat-ids.ts';
import { AppError } from '../../platform/app-error.ts';
import type { PlatformCompany } from '../../platform/config/config-company.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Invoices } from '../../platform/tables.gen.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { requireMoneyRole } from '../money-access.ts';
import { closeFeeLines } from '../statements/balance-rollup.ts';
import { openFeesOf } from '../statements/changed-statements.sql.ts';
import { paidMinutes } from '../statements/statement-export.ts';
import { feeSeries, invoiceNumber } from '../statements/statements.rules.ts';
import { type VatSum, type VatTreatment, vatBreakdown, vatOf } from './vat.rules.ts';

/** One side of an invoice, as of its issue. */
export type InvoiceParty = {
  name: string;
  street: string;
  postcode: string;
  town: string;
  countryCode: string;
  registrationNumber: string;
  register: string;
  vatId: string;
  email: string;
};

/** The fees of one branch at one rate. Minor units. */
export type InvoiceLine = VatTreatment & {
  branch: string | null;
  feeBasisPoints: number;
  payMinor: number;
  paidMinutes: number;
  netMinor: number;
};

/** The content of an invoice, frozen. Amounts in minor units; days are `2026-11-30`. */
export type InvoiceContent = {
  seller: InvoiceParty;
  buyer: InvoiceParty;
  iban: string;
  issuedOn: string;
  /** The days of the first and last payment. */
  from: string;
  to: string;
  lines: InvoiceLine[];
  vat: VatSum[];
  /** Null if nothing is left to pay. */
  dueOn: string | null;
  corrects: { number: string; issuedOn: string } | null;
};

type InvoiceRow = Omit<Selectable<Invoices>, 'content'> & { content: InvoiceContent };

/** Days to pay the open amount of an invoice. */
const paymentDays = 14;

type Fee = {
  entryId: string;
  at: Date;
  currency: Currency;
  feeMinor: number;
  payMinor: number;
  paidMinutes: number;
  branch: string | null;
  feeBasisPoints: number;
  /** The invoice and line of the reversed payment; null for a payment. */
  corrects: string | null;
  line: number | null;
};

/**
 * The fees that are on no invoice: payments, and reversals of invoiced ones. A payment that was reversed
 * before it was invoiced is left out with its reversal. The ledger's lines decide, so that invoices add up to
 * it.
 */
const uninvoicedFees = (holders: string) => sql`
  select fee.holder, fee.entry_id, fee.fees, entry.at, entry.currency, entry.about, original.invoice_id as corrects, original.line
  from (${openFeesOf(holders)}) fee
  join ledger_entries entry on entry.id = fee.entry_id
  left join invoiced_entries original on original.entry_id = entry.reverses
  where not exists (select from invoiced_entries invoiced where invoiced.entry_id = fee.entry_id)
    and case when entry.reverses is null
      then not exists (select from ledger_entries reversal where reversal.reverses = entry.id)
      else original.invoice_id is not null end`;

const holdersOf = (businessId: string): string => `business:${businessId}:`;

async function findFees(db: Db, businessId: string): Promise<Fee[]> {
  const { rows } = await sql<Fee>`
    select fee.entry_id, fee.at, fee.currency, abs(fee.fees)::bigint as fee_minor, release.amount_minor as pay_minor,
      ${paidMinutes} as paid_minutes, branch.name as branch,
      (engagement.terms ->> 'businessFeeBasisPoints')::int as fee_basis_points, fee.corrects, fee.line
    from (${uninvoicedFees(holdersOf(businessId))}) fee
    join releases release on release.id = fee.about
    join engagements engagement on engagement.id = release.engagement_id
    join jobs job on job.id = engagement.job_id
    left join branches branch on branch.id = job.branch_id
    order by fee.entry_id`.execute(db);
  return rows;
}

type BusinessFacts = InvoiceParty & { timeZone: string };

/**
 * An invoice has the address of the business until a registered address is entered. A VAT id that VIES
 * refuses is omitted.
 */
export async function lockCustomer(tx: Tx, now: Date, businessId: string): Promise<BusinessFacts> {
  const { rows } = await sql<BusinessFacts>`
    select coalesce(nullif(legal_name, ''), name) as name, case when registered_town = '' then address else registered_street end as street,
      registered_postcode as postcode, case when registered_town = '' then area else registered_town end as town, country_code,
      registration_number, '' as register, vat_id, coalesce(email, '') as email, coalesce(time_zone, 'UTC') as time_zone
    from businesses where id = ${businessId} for no key update`.execute(tx);
  const [facts] = rows;
  if (!facts) throw new AppError('business/not-found');
  const answer = await findCurrentAnswer(tx, now, facts.vatId);
  return answer && !answer.valid ? { ...facts, vatId: '' } : facts;
}

/**
 * Issues what is due: per currency an invoice for each month, and a credit note for each invoice with a
 * reversed payment. Locks the business, so two calls at once can't invoice a payment twice.
 * @param options.complete true leaves the current month of the business for later
 * @throws invoice/no-issuer, business/not-found
 */
async function issueDue(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'config'>,
  businessId: string,
  { complete }: { complete: boolean },
): Promise<InvoiceRow[]> {
  const company = scope.config.PLATFORM_COMPANY;
  if (!company) throw new AppError('invoice/no-issuer');
  const { timeZone, ...buyer } = await lockCustomer(tx, scope.clock.now(), businessId);
  const thisMonth = dayIn(timeZone, scope.clock.now()).slice(0, 7);
  const seller = buyerParty(company);
  const issued: InvoiceRow[] = [];
  const fees = (await findFees(tx, businessId))
    .map((fee) => ({ ...fee, day: dayIn(timeZone, fee.at) }))
    .filter(({ day }) => !complete || day.slice(0, 7) < thisMonth)
    .sort((a, b) => a.currency.localeCompare(b.currency));
  const groups = Map.groupBy(
    fees,
    ({ currency, corrects, day }) => `${currency} ${corrects ?? day.slice(0, 7)}`,
  );
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const { corrects, currency } = first;
    const original = corrects === null ? null : await findInvoice(tx, corrects);
    const draft = original
      ? {
          ...creditLines(group, original.content),
          seller: original.content.seller,
          buyer: original.content.buyer,
        }
      : { ...linesFrom(group, ({ day }) => vatOf(seller, buyer, day)), seller, buyer };
    issued.push(
      await insertInvoice(tx, scope, company, { ...draft, businessId, currency, fees: group, original }),
    );
  }
  await closeFeeLines(tx, holdersOf(businessId));
  return issued;
}

type DatedFee = Fee & { day: string };
type Lines = { lines: InvoiceLine[]; lineOf: Map<string, number> };

/** One line per branch, fee and VAT, in the order of the payments. */
function linesFrom(fees: readonly DatedFee[], vat: (fee: DatedFee) => VatTreatment): Lines {
  const groups = Map.groupBy(
    fees.map((fee) => ({ ...fee, ...vat(fee) })),
    ({ branch, feeBasisPoints, rateBasisPoints }) =>
      JSON.stringify([branch, feeBasisPoints, rateBasisPoints]),
  );
  const lineOf = new Map<string, number>();
  const lines = [...groups.values()].flatMap((group, line) => {
    for (const { entryId } of group) lineOf.set(entryId, line);
    const [first] = group;
    if (!first) return [];
    const { branch, feeBasisPoints, category, rateBasisPoints, reason } = first;
    return [{ branch, feeBasisPoints, category, rateBasisPoints, reason, ...sumsOf(group) }];
  });
  return { lines, lineOf };
}

/** The lines of a credit note: those of the invoice whose payments were reversed, with its VAT rates. */
function creditLines(fees: readonly DatedFee[], { lines: originals }: InvoiceContent): Lines {
  const groups = [...Map.groupBy(fees, ({ line }) => line)].sort(([a], [b]) => Number(a) - Number(b));
  const lineOf = new Map<string, number>();
  const lines = groups.map(([no, group], line) => {
    for (const { entryId } of group) lineOf.set(entryId, line);
    const original = originals[Number(no)];
    if (!original) throw new Error(`an invoice has no line ${no}`);
    return { ...original, ...sumsOf(group) };
  });
  return { lines, lineOf };
}

const sumsOf = (fees: readonly DatedFee[]) => ({
  payMinor: sumOf(fees, (fee) => fee.payMinor),
  paidMinutes: sumOf(fees, (fee) => fee.paidMinutes),
  netMinor: sumOf(fees, (fee) => fee.feeMinor),
});

const buyerParty = ({
  legalName,
  register = '',
  iban: _iban,
  timeZone: _zone,
  ...rest
}: PlatformCompany): InvoiceParty => ({
  name: legalName,
  register,
  ...rest,
});

async function insertInvoice(
  tx: Tx,
  { clock }: Pick<TaskScope, 'clock'>,
  company: PlatformCompany,
  invoice: Lines & {
    businessId: string;
    currency: Currency;
    fees: readonly DatedFee[];
    seller: InvoiceParty;
    buyer: InvoiceParty;
    original: InvoiceRow | null;
  },
): Promise<InvoiceRow> {
  const { businessId, currency, fees, lines, lineOf, seller, buyer, original } = invoice;
  const { now, issuedOn, ...number } = await nextNumber(tx, clock, {
    series: feeSeries,
    timeZone: company.timeZone,
  });
  const days = fees.map(({ day }) => day).sort();
  const vat = vatBreakdown(lines);
  const netMinor = sumOf(lines, (line) => line.netMinor);
  const vatMinor = sumOf(vat, (row) => row.vatMinor);
  const content: InvoiceContent = {
    seller,
    buyer,
    iban: company.iban ?? '',
    issuedOn,
    from: days[0] ?? issuedOn,
    to: days.at(-1) ?? issuedOn,
    lines,
    vat,
    dueOn: vatMinor === 0 ? null : addDays(issuedOn, paymentDays),
    corrects: original && { number: invoiceNumber(original), issuedOn: original.content.issuedOn },
  };
  const row = {
    id: newId(now),
    businessId,
    kind: original ? ('credit_note' as const) : ('invoice' as const),
    ...number,
    corrects: original?.id ?? null,
    currency,
    netMinor,
    vatMinor,
    issuedAt: now,
  };
  await tx
    .insertInto('invoices')
    .values({ ...row, content: JSON.stringify(content) })
    .execute();
  await sql`insert into invoiced_entries (entry_id, invoice_id, line)
    select entry_id, ${row.id}, line from unnest(${[...lineOf.keys()]}::uuid[], ${[...lineOf.values()]}::int[])
      as entries (entry_id, line)`.execute(tx);
  return { ...row, content };
}

/**
 * Takes the next number of a series in the year, with the time of issue. The counter's row stays locked until
 * the transaction ends, which makes the series gapless. Another transaction may hold the lock for long, so
 * the clock is read after locking: days follow numbers.
 */
export async function nextNumber(
  tx: Tx,
  clock: TaskScope['clock'],
  { series, timeZone }: { series: string; timeZone: string },
): Promise<{ year: number; number: number; now: Date; issuedOn: string }> {
  const readClock = () => {
    const now = clock.now();
    const issuedOn = dayIn(timeZone, now);
    return { now, issuedOn, year: Number(issuedOn.slice(0, 4)) };
  };
  let issue = readClock();
  for (let locked = 0; locked !== issue.year; issue = readClock()) {
    locked = issue.year;
    await sql`insert into invoice_series (series, year) values (${series}, ${locked})
      on conflict (series, year) do update set year = excluded.year`.execute(tx);
  }
  const { rows } = await sql<{ number: number }>`
    update invoice_series set last_number = last_number + 1 where series = ${series} and year = ${issue.year}
    returning last_number as number`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error(`the series ${series} of ${issue.year} gave no number`);
  return { ...issue, number: row.number };
}

/**
 * Issues invoices of a business for what is not invoiced yet, the current month included. For owners,
 * managers and finance.
 */
async function issueInvoices(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<Invoice[]> {
  await requireMoneyRole(tx, scope.actor.accountId, businessId);
  const rows = await issueDue(tx, scope, businessId, { complete: false });
  if (rows.length === 0) throw new AppError('invoice/nothing-to-issue');
  const numbers = await findCorrections(tx, rows);
  return rows.map((row) => toInvoice(row, numbers));
}

/**
 * Issues the invoices of the months that have ended, however long ago. Each business has its own transaction,
 * and a failure stops none of the others.
 */
export async function issueMonthly(scope: Pick<TaskScope, 'db' | 'clock' | 'config' | 'log'>): Promise<void> {
  if (!scope.config.PLATFORM_COMPANY) {
    scope.log.warn('no invoices are issued: PLATFORM_COMPANY is not set');
    return;
  }
  const { rows } = await sql<{ businessId: string }>`
    select business.id as business_id
    from (select holder, min(at) as at from (${uninvoicedFees('business:')}) fee group by holder) oldest
    join businesses business on business.id = split_part(oldest.holder, ':', 2)::uuid
    cross join lateral (select coalesce(business.time_zone, 'UTC') as name) zone
    where date_trunc('month', oldest.at at time zone zone.name)
      < date_trunc('month', ${scope.clock.now()}::timestamptz at time zone zone.name)
    group by business.id`.execute(scope.db);
  for (const { businessId } of rows)
    await scope.db
      .transaction()
      .execute((tx) => issueDue(tx, scope, businessId, { complete: true }))
      .catch((error: unknown) => scope.log.error({ err: error, businessId }, 'an invoice was not issued'));
}

/** Lists invoices and credit notes of a business. For owners, managers and finance. */
export async function listInvoices(
  db: Db,
  { actor }: Scope,
  input: { businessId: string; year?: number } & PageInput,
) {
  const { businessId, year } = input;
  await requireMoneyRole(db, actor.accountId, businessId);
  const after = decodeCursor(input.cursor, newestCursor);
  const { rows } = await sql<InvoiceRow>`
    select * from invoices where business_id = ${businessId}
      ${year === undefined ? sql`` : sql`and year = ${year}`}
      ${andBefore(sql`issued_at, id`, after)}
    order by issued_at desc, id desc limit ${input.limit + 1}`.execute(db);
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.issuedAt.toISOString(), row.id]);
  const corrections = await findCorrections(db, items);
  const uninvoiced = after === null ? await sumUninvoiced(db, businessId) : [];
  return { items: items.map((row) => toInvoice(row, corrections)), nextCursor, uninvoiced };
}

async function sumUninvoiced(
  db: Db,
  businessId: string,
): Promise<{ currency: Currency; feeMinor: number }[]> {
  const { rows } = await sql<{ currency: Currency; feeMinor: number }>`
    select currency, sum(fees)::bigint as fee_minor from (${uninvoicedFees(holdersOf(businessId))}) fee
    group by currency order by currency`.execute(db);
  return rows;
}

async function findCorrections(db: Db, rows: readonly InvoiceRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const credited = await db
    .selectFrom('invoices')
    .select('corrects')
    .where(
      'corrects',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return new Set(credited.flatMap(({ corrects }) => corrects ?? []));
}

function toInvoice(row: InvoiceRow, credited: ReadonlySet<string>): Invoice {
  const sign = row.kind === 'credit_note' ? -1 : 1;
  const { content } = row;
  return {
    id: row.id,
    kind: row.kind,
    number: invoiceNumber(row),
    issuedOn: content.issuedOn,
    from: content.from,
    to: content.to,
    netMinor: sign * row.netMinor,
    // Adding zero turns -0 into 0.
    vatMinor: sign * row.vatMinor + 0,
    totalMinor: sign * (row.netMinor + row.vatMinor),
    dueMinor: sign * row.vatMinor + 0,
    currency: row.currency,
    vat: content.vat.map(({ category, rateBasisPoints }) => ({ category, rateBasisPoints })),
    corrects: content.corrects?.number ?? null,
    credited: credited.has(row.id),
  };
}

async function findInvoice(db: Db, invoiceId: string): Promise<InvoiceRow | null> {
  const { rows } = await sql<InvoiceRow>`select * from invoices where id = ${invoiceId}`.execute(db);
  return rows[0] ?? null;
}

export type PrintedInvoice = InvoiceRow & { printedNumber: string };

/**
 * Returns one invoice. For owners, managers and finance.
 * @throws statement/not-found, business/not-allowed
 */
export async function getPrintedInvoice(
  db: Db,
  { actor }: Scope,
  invoiceId: string,
): Promise<PrintedInvoice> {
  const row = await findPrintedInvoice(db, invoiceId);
  if (!row || !(await findRole(db, row.businessId, actor.accountId)))
    throw new AppError('statement/not-found');
  await requireMoneyRole(db, actor.accountId, row.businessId);
  return row;
}

/** Invoices and credit notes for payments of a month of the business, in the order of their numbers. */
export async function findMonthInvoices(
  db: Db,
  businessId: string,
  month: string,
  limit: number,
): Promise<PrintedInvoice[]> {
  const { rows } = await sql<InvoiceRow>`select * from invoices
    where business_id = ${businessId} and left(content ->> 'from', 7) = ${month} order by year, number limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, printedNumber: invoiceNumber(row) }));
}

/** Returns an invoice with its number as printed. The caller checks access. */
export async function findPrintedInvoice(db: Db, invoiceId: string): Promise<PrintedInvoice | null> {
  const row = await findInvoice(db, invoiceId);
  return row ? { ...row, printedNumber: invoiceNumber(row) } : null;
}

export const invoicesTasks = [
  defineTask({ name: 'invoices.issue', payload: z.object({}).loose(), daily: true, run: issueMonthly }),
];

export const invoicesRoutes = {
  list: read(invoices.list, listInvoices),
  issue: write(invoices.issue, issueInvoices),
};
