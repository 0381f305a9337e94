import { sumOf } from '@nearhand/contract/arithmetic';
import { minuteMs } from '@nearhand/contract/durations';
import { type GuestThread, type guestReply, guestThread } from '@nearhand/contract/trust/tickets';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import type { z } from 'zod';
import { dropUpload, prepareGuestUpload, readGuestFile, uploadFile } from '../../people/files/files.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import type { GuestLink, GuestScope } from './guest-tickets.ts';
import { guestMailTask } from './ticket-mails.ts';
import {
  findTicket,
  findTicketFiles,
  lockTicket,
  renewGuestLinkToken,
  type TicketRow,
} from './tickets.sql.ts';
import {
  addReply,
  mainTicketId,
  rateByAuthor,
  requireFewReplies,
  roomForGuest,
  solveByAuthor,
  toTicketThread,
} from './tickets.ts';

async function findGuestTicket<D extends Db>(
  db: D,
  { ticketId }: GuestLink,
  find: (db: D, ticketId: string) => Promise<TicketRow | undefined>,
): Promise<TicketRow> {
  const ticket = await find(db, ticketId);
  if (!ticket || ticket.accountId !== null || ticket.status === 'unconfirmed')
    throw new AppError('ticket/not-found');
  return ticket;
}

/**
 * Opens the request of a link, or the request it was merged into.
 * @throws ticket/not-found, ticket/link-expired
 */
async function openGuestTicket<D extends Db>(
  db: D,
  { clock }: Pick<GuestScope, 'clock'>,
  link: GuestLink,
  find: (db: D, ticketId: string) => Promise<TicketRow | undefined>,
): Promise<TicketRow> {
  const ticket = await findGuestTicket(db, link, find);
  if (link.until <= clock.now().getTime() || link.version !== ticket.linkVersion)
    throw new AppError('ticket/link-expired');
  if (ticket.mergedInto === null) return ticket;
  return findGuestTicket(db, { ...link, ticketId: mainTicketId(ticket) }, find);
}

/**
 * Returns the request that a link opens.
 * @throws ticket/not-found, ticket/link-expired
 */
export async function readGuestThread(db: Db, scope: GuestScope, link: GuestLink): Promise<GuestThread> {
  const ticket = await openGuestTicket(db, scope, link, findTicket);
  const thread = await toTicketThread(db, ticket);
  return guestThread.parse({ ...thread, linkExpiresAt: new Date(link.until).toISOString() });
}

/**
 * Replies to staff with a link; reopens a solved request. Idempotent by the id that the device made.
 * @throws ticket/not-found, ticket/link-expired, ticket/too-many, request/invalid for too many files, and as uploads
 */
export async function replyAsGuest(
  db: Db,
  scope: Scope<Actor | null>,
  link: GuestLink,
  input: z.output<typeof guestReply>,
): Promise<GuestThread> {
  await openGuestTicket(db, scope, link, findTicket);
  const maxBytes = ticketLimits.replyBytesOfGuest;
  if (sumOf(input.files, ({ size }) => size) > maxBytes) throw new AppError('file/too-large', { maxBytes });
  const rows: Awaited<ReturnType<typeof prepareGuestUpload>>[] = [];
  let isAdded = false;
  try {
    for (const file of input.files) rows.push(await prepareGuestUpload(scope, file));
    isAdded = await db.transaction().execute(async (tx) => {
      const ticket = await openGuestTicket(tx, scope, link, lockTicket);
      const now = scope.clock.now();
      const repeat = (await toTicketThread(tx, ticket)).messages.some(({ id }) => id === input.id);
      if (repeat) return false;
      await requireFewReplies(tx, ticket, now);
      if (rows.length > (await roomForGuest(tx, ticket.id)))
        throw new AppError('request/invalid', {
          issues: [{ path: 'files', message: `at most ${ticketLimits.filesOfGuestMax} for a request` }],
        });
      for (const row of rows) await uploadFile(tx, scope, {}, row);
      const { id, body } = input;
      return addReply(tx, ticket, { id, accountId: null, body, fileIds: rows.map((row) => row.id) }, now);
    });
  } finally {
    if (!isAdded) for (const row of rows) await dropUpload(scope, row);
  }
  return readGuestThread(db, scope, link);
}

/**
 * Closes the request that a link opens. Idempotent.
 * @throws ticket/not-found, ticket/link-expired
 */
export async function solveAsGuest(tx: Tx, scope: GuestScope, link: GuestLink): Promise<GuestThread> {
  await solveByAuthor(tx, await openGuestTicket(tx, scope, link, lockTicket), scope.clock.now());
  return readGuestThread(tx, scope, link);
}

/**
 * Rates whether the closed request was helpful.
 * @throws ticket/not-found, ticket/link-expired, ticket/not-solved
 */
export async function rateAsGuest(
  tx: Tx,
  scope: GuestScope,
  link: GuestLink,
  helpful: boolean,
): Promise<GuestThread> {
  await rateByAuthor(tx, await openGuestTicket(tx, scope, link, lockTicket), helpful);
  return readGuestThread(tx, scope, link);
}

/**
 * Mails a new link to the guest and ends the earlier links, including merged requests'. Accepts an expired
 * link. At most one an hour.
 * @throws ticket/not-found
 */
export async function renewGuestLink(tx: Tx, scope: GuestScope, link: GuestLink): Promise<void> {
  const mainId = mainTicketId(await findGuestTicket(tx, link, findTicket));
  const { id: ticketId, linkRenewedAt } = await findGuestTicket(
    tx,
    { ...link, ticketId: mainId },
    lockTicket,
  );
  const now = scope.clock.now();
  if (linkRenewedAt && now.getTime() - linkRenewedAt.getTime() < ticketLimits.linkMinutes * minuteMs) return;
  await renewGuestLinkToken(tx, ticketId, now);
  const key = `ticket-link/${ticketId}/${now.toISOString()}`;
  await enqueue(tx, guestMailTask, { ticketId, variant: 'link', body: '', files: 0, key }, { key });
}

/**
 * Reads a file of the request that a link opens.
 * @throws ticket/not-found, ticket/link-expired, file/not-found
 */
export async function readFileAsGuest(
  db: Db,
  scope: Scope<Actor | null>,
  link: GuestLink,
  fileId: string,
): ReturnType<typeof readGuestFile> {
  const ticket = await openGuestTicket(db, scope, link, findTicket);
  const files = await findTicketFiles(db, ticket.id);
  if (!files.some(({ id }) => id === fileId)) throw new AppError('file/not-found');
  return readGuestFile(db, scope, fileId);
}
