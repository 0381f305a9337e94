import { currencies } from '@nearhand/contract/currencies';
import { languages } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import { type InvoiceFormat, invoiceFormats } from '@nearhand/contract/money/invoices';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { businessGroups, workerGroups } from '@nearhand/contract/money/statements.rules';
import { isProForma } from '@nearhand/contract/money/worker-invoices.rules';
import { day, id, month } from '@nearhand/contract/operation';
import { z } from 'zod';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { isSessionOpen } from '../../people/sessions/sessions.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeTicket, readTicket } from '../../platform/sign.ts';
import { findMonthInvoices, getPrintedInvoice } from '../invoices/invoices.ts';
import { requireMoneyRole } from '../money-access.ts';
import { findMonthReceipts, requireReceipt } from '../receipts/receipts.ts';
import { countStatement } from '../statements/statement-export.ts';
import { type Account, businessAccount, workerAccount } from '../statements/statement-span.ts';
import { findMonthWorkerInvoices, requireWorkerInvoice } from '../worker-invoices/worker-invoices.ts';

type Filter<Kind extends Ticket['kind']> = Omit<
  Extract<Ticket, { kind: Kind }>,
  'kind' | 'id' | 'session' | 'language'
>;
type Wanted = Ticket extends infer Member
  ? Member extends Ticket
    ? Omit<Member, 'session' | 'language'>
    : never
  : never;
type Link = { path: string; expiresAt: string; fileName: string };
type Signing = Pick<Scope, 'clock' | 'sign'>;

/** Returns a link to the caller's statement as a file. */
export async function statementLink(db: Tx, scope: Scope, input: Filter<'worker'>): Promise<Link> {
  const account = await workerAccount(db, scope.actor.accountId, input.currency);
  await requireShort(db, account, input);
  return linkOf(db, scope, { ...input, kind: 'worker', id: scope.actor.accountId }, statementFileName(input));
}

/** Returns a link to a business's statement. For owners, managers and finance. */
export async function businessStatementLink(
  db: Tx,
  scope: Scope,
  { businessId, ...input }: Filter<'business'> & { businessId: string },
): Promise<Link> {
  const account = await businessAccount(db, businessId, scope.actor.accountId, input.currency);
  await requireShort(db, account, input);
  return linkOf(db, scope, { ...input, kind: 'business', id: businessId }, statementFileName(input));
}

export async function invoiceLink(
  db: Tx,
  scope: Scope,
  { invoiceId, format }: { invoiceId: string; format: InvoiceFormat },
): Promise<Link> {
  const row = await getPrintedInvoice(db, scope, invoiceId);
  return linkOf(db, scope, { kind: 'invoice', id: row.id, format }, invoiceFileName(row, format));
}

export const invoiceFileName = (
  { printedNumber }: { printedNumber: string },
  format: InvoiceFormat,
): string => (format === 'cii' ? `${printedNumber}-cii.xml` : `${printedNumber}.${format}`);

/** Returns a link to the documents of a month. For owners, managers and finance. */
export async function monthLink(
  db: Tx,
  scope: Scope,
  { businessId, month }: { businessId: string; month: string },
): Promise<Link> {
  await requireMoneyRole(db, scope.actor.accountId, businessId);
  const { invoices, workerInvoices, receipts } = await monthDocuments(db, businessId, month);
  if (invoices.length + workerInvoices.length + receipts.length === 0)
    throw new AppError('statement/not-found');
  return linkOf(db, scope, { kind: 'month', id: businessId, month }, monthFileName(month));
}

export const monthFileName = (month: string): string => `nearhand-books-${month}.zip`;

/** @throws statement/too-long */
export async function monthDocuments(db: Db, businessId: string, month: string) {
  const max = moneyLimits.monthDocumentsMax;
  const invoices = await findMonthInvoices(db, businessId, month, max + 1);
  const receipts = await findMonthReceipts(db, businessId, month, max + 1);
  const workerInvoices = await findMonthWorkerInvoices(db, businessId, month, max + 1);
  if (invoices.length + workerInvoices.length + receipts.length > max)
    throw new AppError('statement/too-long', { limit: max });
  return { invoices, workerInvoices, receipts };
}

/** Returns a link to a worker's invoice; a pro forma is a PDF only. */
export async function workerInvoiceLink(
  db: Tx,
  scope: Scope,
  { workerInvoiceId, format }: { workerInvoiceId: string; format: InvoiceFormat },
): Promise<Link> {
  const row = await requireWorkerInvoice(db, scope, workerInvoiceId);
  if (format !== 'pdf' && isProForma(row)) throw new AppError('statement/not-found');
  return linkOf(db, scope, { kind: 'worker-invoice', id: row.id, format }, invoiceFileName(row, format));
}

export async function receiptLink(db: Tx, scope: Scope, { receiptId }: { receiptId: string }): Promise<Link> {
  const row = await requireReceipt(db, scope, receiptId);
  return linkOf(db, scope, { kind: 'receipt', id: row.id }, row.fileName);
}

/** Requires few enough lines. A file contains all lines of the period, in every group. */
async function requireShort(
  db: Db,
  account: Account,
  days: { from?: string; to?: string; format: 'csv' | 'pdf' },
): Promise<void> {
  const max = maxRows(days.format);
  if ((await countStatement(db, account, days, max + 1)) > max)
    throw new AppError('statement/too-long', { limit: max });
}

const purpose = 'statement link';

async function linkOf(db: Db, scope: Scope, target: Wanted, fileName: string): Promise<Link> {
  const language = await languageOfAccount(db, scope.actor.accountId);
  const request = { ...target, session: scope.actor.sessionId, language };
  const ticket = makeTicket(scope, purpose, request, limits.fileLinkMinutes);
  return { path: `/statement/file?ticket=${ticket.ticket}`, expiresAt: ticket.expiresAt, fileName };
}

/**
 * Verifies a link: at most five minutes old, of an active session.
 * @throws file/link-expired
 */
export async function openLink(db: Db, scope: Signing, input: unknown): Promise<Ticket> {
  const opened = readTicket(scope, purpose, input, ticket);
  if (opened === null || !(await isSessionOpen(db, scope, opened.session)))
    throw new AppError('file/link-expired');
  return opened;
}

const filter = {
  currency: z.enum(currencies).optional(),
  from: day.optional(),
  to: day.optional(),
  format: z.enum(['csv', 'pdf']),
};

const language = z.enum(languages).default('en');

const ticket = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('worker'), session: id, id, language, group: z.enum(workerGroups), ...filter }),
  z.object({
    kind: z.literal('business'),
    session: id,
    id,
    language,
    group: z.enum(businessGroups),
    ...filter,
  }),
  z.object({ kind: z.literal('invoice'), session: id, id, language, format: z.enum(invoiceFormats) }),
  z.object({ kind: z.literal('worker-invoice'), session: id, id, language, format: z.enum(invoiceFormats) }),
  z.object({ kind: z.literal('receipt'), session: id, id, language }),
  z.object({ kind: z.literal('month'), session: id, id, language, month }),
]);
export type Ticket = z.infer<typeof ticket>;

export const statementFileName = (request: { from?: string; to?: string; format: 'csv' | 'pdf' }): string => {
  const span = [request.from, request.to].every((edge) => edge === undefined)
    ? 'all'
    : `${request.from ?? 'begin'}-to-${request.to ?? 'now'}`;
  return `nearhand-statement-${span}.${request.format}`;
};

/** The largest statement per format; longer spans are refused with a hint to shorten them. */
export const maxRows = (format: 'csv' | 'pdf'): number =>
  format === 'pdf' ? moneyLimits.statementPdfRowsMax : moneyLimits.statementRowsMax;
