import { currencies } from '@nearhand/contract/currencies';
import { languages } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import { businessGroups, workerGroups } from '@nearhand/contract/money/statement-groups.rules';
import { day, id } from '@nearhand/contract/operation';
import { z } from 'zod';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { isSessionOpen } from '../../people/sessions/sessions.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeTicket, readTicket } from '../../platform/sign.ts';
import { invoiceOf } from '../invoices/invoices.ts';
import { countStatement } from '../statements/statement-export.ts';
import { type Account, businessAccount, workerAccount } from '../statements/statement-span.ts';

type Filter<Of extends Ticket['of']> = Omit<
  Extract<Ticket, { of: Of }>,
  'of' | 'id' | 'session' | 'language'
>;
/** What a link opens, before the session and language are named. */
type Wanted = Ticket extends infer Of
  ? Of extends Ticket
    ? Omit<Of, 'session' | 'language'>
    : never
  : never;
type Link = { path: string; expiresAt: string; fileName: string };
type Signing = Pick<Scope, 'clock' | 'sign'>;

/**
 * A link to the caller's own statement as a file.
 * @throws statement/too-long, request/invalid
 */
export async function statementLink(db: Tx, scope: Scope, input: Filter<'worker'>): Promise<Link> {
  const account = await workerAccount(db, scope.actor.accountId, input.currency);
  await requireShort(db, account, input);
  return linkOf(db, scope, { ...input, of: 'worker', id: scope.actor.accountId }, statementFileName(input));
}

/**
 * A link to a business's statement as a file, for its owners, managers and finance.
 * @throws business/not-found, business/not-allowed, statement/too-long, request/invalid
 */
export async function businessStatementLink(
  db: Tx,
  scope: Scope,
  { businessId, ...input }: Filter<'business'> & { businessId: string },
): Promise<Link> {
  const account = await businessAccount(db, businessId, scope.actor.accountId, input.currency);
  await requireShort(db, account, input);
  return linkOf(db, scope, { ...input, of: 'business', id: businessId }, statementFileName(input));
}

/** A link to an invoice or receipt. @throws statement/not-found, business/not-allowed */
export async function invoiceLink(db: Tx, scope: Scope, { invoiceId }: { invoiceId: string }): Promise<Link> {
  const row = await invoiceOf(db, scope, invoiceId);
  return linkOf(db, scope, { of: 'invoice', id: row.id }, row.fileName);
}

/** A file is built in one piece, so all lines of the period count, whatever the group. */
async function requireShort(
  db: Db,
  account: Account,
  days: { from?: string | undefined; to?: string | undefined; format: 'csv' | 'pdf' },
): Promise<void> {
  const most = maxRows(days.format);
  if ((await countStatement(db, account, days, most + 1)) > most)
    throw new AppError('statement/too-long', { max: most });
}

const purpose = 'statement link';

async function linkOf(db: Db, scope: Scope, target: Wanted, fileName: string): Promise<Link> {
  const language = await languageOfAccount(db, scope.actor.accountId);
  const request = { ...target, session: scope.actor.sessionId, language };
  const ticket = makeTicket(scope, purpose, request, limits.fileLinkMinutes);
  return { path: `/statement/file?ticket=${ticket.ticket}`, expiresAt: ticket.expiresAt, fileName };
}

/**
 * What a link gives access to, if we signed it less than five minutes ago for a session that goes on.
 * @throws statement/link-expired for any other
 */
export async function openLink(db: Db, scope: Signing, input: unknown): Promise<Ticket> {
  const opened = readTicket(scope, purpose, input, ticket);
  if (opened === null || !(await isSessionOpen(db, scope, opened.session)))
    throw new AppError('statement/link-expired');
  return opened;
}

const filter = {
  currency: z.enum(currencies).optional(),
  from: day.optional(),
  to: day.optional(),
  format: z.enum(['csv', 'pdf']),
};

/** The reader's when the link was made; links of an older server have none. */
const language = z.enum(languages).default('en');

/** What a signed link hands out, while the session that asked for it goes on. */
const ticket = z.discriminatedUnion('of', [
  z.object({ of: z.literal('worker'), session: id, id, language, group: z.enum(workerGroups), ...filter }),
  z.object({
    of: z.literal('business'),
    session: id,
    id,
    language,
    group: z.enum(businessGroups),
    ...filter,
  }),
  z.object({ of: z.literal('invoice'), session: id, id, language }),
]);
export type Ticket = z.infer<typeof ticket>;

/** `nearhand-statement-2026-11-01-to-2026-11-30.csv`, in characters that every file system accepts. */
export const statementFileName = (request: {
  from?: string | undefined;
  to?: string | undefined;
  format: 'csv' | 'pdf';
}): string => {
  const span = [request.from, request.to].every((edge) => edge === undefined)
    ? 'all'
    : `${request.from ?? 'begin'}-to-${request.to ?? 'now'}`;
  return `nearhand-statement-${span}.${request.format}`;
};

/** How many lines a file may have. It is built in one piece, and nobody reads more pages than that. */
export const maxRows = (format: 'csv' | 'pdf'): number =>
  format === 'pdf' ? limits.statementPdfRowsMax : limits.statementRowsMax;
