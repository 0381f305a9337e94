import { guestTicketPath } from '@nearhand/contract/app-paths';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import type { Page, PageInput } from '@nearhand/contract/operation';
import type { FilePurpose } from '@nearhand/contract/people/files';
import type { Ticket, TicketRef, TicketThread } from '@nearhand/contract/trust/tickets';
import { nextTicketStatus, type TicketCategory, ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { z } from 'zod';
import { ownAccount } from '../../people/accounts/accounts.ts';
import { storedFileOf } from '../../people/files/files.sql.ts';
import { findOwnFile } from '../../people/files/files.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { confirmToken, guestLink, purgeUnconfirmedTickets } from './guest-tickets.ts';
import { confirmationMail, confirmMailTask, guestMail, guestMailTask } from './ticket-mails.ts';
import {
  areFilesSent,
  countGuestMessages,
  countTicketMessages,
  countTickets,
  findOwnTickets,
  findTicket,
  findTicketFiles,
  findTicketMessages,
  insertTicket,
  insertTicketMessage,
  lockTicket,
  moveTicket,
  setHelpful,
  type TicketRow,
} from './tickets.sql.ts';

type Written = {
  category: TicketCategory;
  subject: string;
  body: string;
  page: string;
  refs: TicketRef[];
  fileIds: string[];
};

const dayBefore = (now: Date) => subtractMs(now, dayMs);

/** Writes to staff; no files until the email is verified. */
export async function createTicket(tx: Tx, scope: Scope, input: Written): Promise<TicketThread> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const limit = ticketLimits.perDay;
  if ((await countTickets(tx, 'accountId', accountId, dayBefore(now))) >= limit)
    throw new AppError('ticket/too-many', { limit });
  await requireFiles(tx, accountId, input.fileIds);
  const { name } = await ownAccount(tx, scope);
  const { category, subject, page, refs } = input;
  const ticket = { id: newId(now), accountId };
  await insertTicket(tx, {
    ...ticket,
    email: null,
    networks: null,
    name,
    category,
    subject,
    page,
    refs,
    status: 'open',
    openSince: now,
    createdAt: now,
    updatedAt: now,
  });
  await insertTicketMessage(tx, ticket, {
    id: newId(now),
    ticketId: ticket.id,
    author: 'requester',
    accountId,
    body: input.body,
    at: now,
    fileIds: input.fileIds,
  });
  return toTicketThread(tx, await requireTicket(tx, accountId, ticket.id, findTicket));
}

/** Lists the caller's requests, last changed first. */
export async function listTickets(db: Db, scope: Scope, input: PageInput): Promise<Page<Ticket>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findOwnTickets(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.updatedAt.toISOString(), row.id]);
  return { items: page.items.map(toTicket), nextCursor: page.nextCursor };
}

/** Returns one of the caller's requests. */
export async function getTicket(db: Db, scope: Scope, input: { ticketId: string }): Promise<TicketThread> {
  return toTicketThread(db, await requireTicket(db, scope.actor.accountId, input.ticketId, findTicket));
}

/** Replies to staff; reopens a solved request. */
export async function replyToTicket(
  tx: Tx,
  scope: Scope,
  input: { ticketId: string; body: string; fileIds: string[] },
): Promise<TicketThread> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const ticket = await requireTicket(tx, accountId, input.ticketId, lockTicket);
  requireAlone(ticket);
  await requireFewReplies(tx, ticket, now);
  await requireFiles(tx, accountId, input.fileIds);
  await addReply(tx, ticket, { accountId, body: input.body, fileIds: input.fileIds }, now);
  return toTicketThread(tx, await requireTicket(tx, accountId, ticket.id, findTicket));
}

/** Marks the caller's request as solved. */
export async function solveTicket(tx: Tx, scope: Scope, input: { ticketId: string }): Promise<TicketThread> {
  const { accountId } = scope.actor;
  const ticket = await requireTicket(tx, accountId, input.ticketId, lockTicket);
  await solveByAuthor(tx, ticket, scope.clock.now());
  return toTicketThread(tx, await requireTicket(tx, accountId, ticket.id, findTicket));
}

/**
 * Closes a locked ticket for its author. Idempotent.
 * @throws ticket/merged
 */
export async function solveByAuthor(tx: Tx, ticket: TicketRow, now: Date): Promise<void> {
  requireAlone(ticket);
  const to = nextTicketStatus(ticket.status, 'solve', 'requester');
  if (to !== null && to !== ticket.status)
    await moveTicket(
      tx,
      ticket,
      { action: 'solve', to, side: 'requester', accountId: ticket.accountId },
      now,
    );
}

/** Rates whether a solved request was helpful. For its author. */
export async function rateTicket(
  tx: Tx,
  scope: Scope,
  input: { ticketId: string; helpful: boolean },
): Promise<TicketThread> {
  const { accountId } = scope.actor;
  const ticket = await requireTicket(tx, accountId, input.ticketId, lockTicket);
  await rateByAuthor(tx, ticket, input.helpful);
  return toTicketThread(tx, await requireTicket(tx, accountId, ticket.id, findTicket));
}

/**
 * Stores whether a locked, solved ticket was helpful.
 * @throws ticket/merged, ticket/not-solved
 */
export async function rateByAuthor(tx: Tx, ticket: TicketRow, helpful: boolean): Promise<void> {
  requireAlone(ticket);
  if (ticket.status !== 'solved') throw new AppError('ticket/not-solved');
  await setHelpful(tx, ticket, helpful);
}

/**
 * The daily limit covers all tickets of an author.
 * @throws ticket/too-many (data: limit)
 */
export async function requireFewReplies(db: Db, ticket: TicketRow, now: Date): Promise<void> {
  const { count, limit } = await countReplies(db, ticket, now);
  if (count >= limit) throw new AppError('ticket/too-many', { limit });
}

/** Counts an author's replies of the last 24 hours, with their limit. */
export async function countReplies(
  db: Db,
  ticket: TicketRow,
  now: Date,
): Promise<{ count: number; limit: number }> {
  const { accountId, email } = ticket;
  const { messagesPerDay, messagesPerDayOfAddress } = ticketLimits;
  return accountId === null
    ? { count: await countGuestMessages(db, email ?? '', dayBefore(now)), limit: messagesPerDayOfAddress }
    : { count: await countTicketMessages(db, accountId, dayBefore(now)), limit: messagesPerDay };
}

/** Returns how many more files a guest may attach to a reply. */
export const roomForGuest = async (db: Db, ticketId: string): Promise<number> =>
  Math.min(
    ticketLimits.filesMax,
    ticketLimits.filesOfGuestMax - (await findTicketFiles(db, ticketId)).length,
  );

type Reply = {
  /** Made by a guest's device, to store the reply once. */
  id?: string;
  accountId: string | null;
  body: string;
  fileIds: readonly string[];
  mailId?: string | null;
  filesRefused?: number;
};

/**
 * Adds a reply to a locked ticket and opens it. Returns false if it was stored before, or the ticket is
 * unconfirmed.
 */
export async function addReply(tx: Tx, ticket: TicketRow, reply: Reply, now: Date): Promise<boolean> {
  const to = nextTicketStatus(ticket.status, 'reply', 'requester');
  if (to === null) return false;
  const ticketMessage = await insertTicketMessage(tx, ticket, {
    id: reply.id ?? newId(now),
    ticketId: ticket.id,
    author: 'requester',
    accountId: reply.accountId,
    body: reply.body,
    mailId: reply.mailId ?? null,
    filesRefused: reply.filesRefused ?? 0,
    at: now,
    fileIds: reply.fileIds,
  });
  if (!ticketMessage) return false;
  return moveTicket(tx, ticket, { action: 'reply', to, side: 'requester', accountId: reply.accountId }, now);
}

/**
 * Requires a ticket that is not merged into another.
 * @throws ticket/merged (data: ticketId)
 */
export function requireAlone({ mergedInto }: Pick<TicketRow, 'mergedInto'>): void {
  if (mergedInto !== null) throw new AppError('ticket/merged', { ticketId: mergedInto });
}

/** The ticket that has the messages: the ticket it was merged into, or itself. */
export const mainTicketId = ({ id, mergedInto }: Pick<TicketRow, 'id' | 'mergedInto'>): string =>
  mergedInto ?? id;

async function requireTicket<D extends Db>(
  db: D,
  accountId: string,
  ticketId: string,
  find: (db: D, ticketId: string) => Promise<TicketRow | undefined>,
): Promise<TicketRow> {
  const row = await find(db, ticketId);
  if (row?.accountId !== accountId) throw new AppError('ticket/not-found');
  return row;
}

/**
 * Requires the account's own files, none of them sent before.
 * @throws file/not-found, file/wrong-type
 */
export async function requireFiles(tx: Tx, accountId: string, fileIds: readonly string[]): Promise<void> {
  for (const fileId of new Set(fileIds)) await findOwnFile(tx, accountId, fileId, 'ticket');
  if (new Set(fileIds).size < fileIds.length || (await areFilesSent(tx, fileIds)))
    throw new AppError('file/not-found');
}

const mailKey = (key: string): string => key.replaceAll(/[^\w-]/g, '-');

const sendConfirmationTask = defineTask({
  ...confirmMailTask,
  queue: 'messages',
  async run(scope, { ticketId }) {
    const ticket = await findTicket(scope.db, ticketId);
    if (ticket?.status !== 'unconfirmed' || ticket.email === null) return;
    const token = confirmToken(scope.sign, ticketId);
    await sendUnlessRefused(
      scope,
      inGuestsLanguage(
        ticket,
        confirmationMail(scope.config.PUBLIC_URL, ticket.email, token, `ticket-confirm-${ticketId}`),
      ),
    );
  },
});

/**
 * Mails in the guest's language; if none is stored, the mailer uses the language of the address's account.
 */
const inGuestsLanguage = ({ language }: TicketRow, mail: ReturnType<typeof guestMail>): Mail =>
  language === null ? mail : mail.in(language as Language);

const sendGuestMailTask = defineTask({
  ...guestMailTask,
  queue: 'messages',
  async run(scope, { ticketId, variant, body, files, key }) {
    const ticket = await findTicket(scope.db, ticketId);
    if (!ticket || ticket.email === null) return;
    const replyTo = replyAddress(scope, ticketId);
    const url = `${scope.config.PUBLIC_URL}${guestTicketPath(ticketId, guestLink(scope, ticket))}`;
    const news = { ticketId, variant, subject: ticket.subject, body, files, url, replyTo };
    await sendUnlessRefused(scope, inGuestsLanguage(ticket, guestMail(ticket.email, mailKey(key), news)));
  },
});

const purgeUnconfirmedTask = defineTask({
  name: 'tickets.purge-unconfirmed',
  payload: z.object({}),
  daily: true,
  run: purgeUnconfirmedTickets,
});

const prefix = 'help+';
const idHex = 32;
/** 96 bits: the local part of an address has at most 64 characters, and mail servers may change its case. */
const signatureHex = 24;

const signatureOf = (mac: Mac, ticketId: string): string =>
  mac('ticket-reply', ticketId).toString('hex').slice(0, signatureHex);

/** The reply address of a ticket, useless for any other (ADR 162); null if the server receives no mail. */
export function replyAddress(
  { config, sign }: Pick<Scope, 'config' | 'sign'>,
  ticketId: string,
): string | null {
  if (!config.INBOUND_MAIL_DOMAIN) return null;
  return `${prefix}${ticketId.replaceAll('-', '')}${signatureOf(sign, ticketId)}@${config.INBOUND_MAIL_DOMAIN}`;
}

/** Reads a ticket's reply address; null if it isn't ours. */
export function readReplyAddress(
  { config, sign }: Pick<Scope, 'config' | 'sign'>,
  addresses: readonly string[],
): string | null {
  for (const address of addresses) {
    const [local = '', domain, ...rest] = address.toLowerCase().split('@');
    if (domain !== config.INBOUND_MAIL_DOMAIN || rest.length > 0 || !local.startsWith(prefix)) continue;
    const token = local.slice(prefix.length);
    const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]+)$/.exec(
      token,
    );
    if (!parts || token.length !== idHex + signatureHex) continue;
    const ticketId = parts.slice(1, 6).join('-');
    if (isAccepted(sign, parts[6] ?? '', (mac) => signatureOf(mac, ticketId))) return ticketId;
  }
  return null;
}

export const toTicket = (row: Omit<TicketRow, 'accountEmail'>): Ticket => ({
  ...row,
  dueAt: row.dueAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The person who asked; the account's address replaces one typed as a guest. */
export const requesterOf = (row: TicketRow) => ({
  accountId: row.accountId,
  name: row.name,
  email: row.accountEmail ?? row.email ?? '',
});

export async function toTicketThread(db: Db, row: TicketRow): Promise<TicketThread> {
  const messages = await findTicketMessages(db, row.id, ticketLimits.messagesShown);
  const files = await findTicketFiles(db, row.id);
  return {
    ...toTicket(row),
    page: row.page,
    mergedInto: row.mergedInto,
    refs: row.refs,
    messages: messages.map((message) => ({
      id: message.id,
      author: message.author,
      body: message.body,
      files: files
        .filter((file) => file.messageId === message.id)
        .map(({ messageId: _message, purpose, ...file }) =>
          storedFileOf({ ...file, purpose: purpose as FilePurpose }),
        ),
      filesRefused: message.filesRefused,
      byMail: message.mailId !== null,
      at: message.at.toISOString(),
    })),
  };
}

export const ticketsTasks = [sendConfirmationTask, sendGuestMailTask, purgeUnconfirmedTask];
