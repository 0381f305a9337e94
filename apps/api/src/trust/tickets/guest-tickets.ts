import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { isId } from '@nearhand/contract/ids';
import type { guestTicket } from '@nearhand/contract/trust/tickets';
import { nextTicketStatus, ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { readSigned, signText } from '../../platform/sign.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { confirmMailTask, guestMailTask } from './ticket-mails.ts';
import {
  countTickets,
  deleteUnconfirmed,
  findTicketMessages,
  insertTicket,
  insertTicketMessage,
  lockTicket,
  moveTicket,
  type TicketRow,
} from './tickets.sql.ts';

export type GuestScope = Pick<Scope<Actor | null>, 'clock' | 'sign'>;

/**
 * Stores a guest's request and mails a confirmation link. The response is the same for every address. Idempotent.
 * @param networks hashed, each with its multiple of a single network's limit
 * @throws ticket/too-many (data: limit) for an address or a network
 */
export async function createGuestTicket(
  tx: Tx,
  { clock }: GuestScope,
  input: z.output<typeof guestTicket>,
  networks: readonly { hash: string; share: number }[],
): Promise<void> {
  const now = clock.now();
  const since = subtractMs(now, dayMs);
  const email = input.email.toLowerCase();
  const { id, name, category, subject, page, language } = input;
  const ticket = { id, accountId: null };
  const inserted = await insertTicket(tx, {
    ...ticket,
    email,
    networks: networks.map(({ hash }) => hash),
    name,
    category,
    subject,
    page,
    language,
    refs: [],
    status: 'unconfirmed',
    openSince: now,
    createdAt: now,
    updatedAt: now,
  });
  if (!inserted) return;
  // Counts including this request; above the limit, the transaction rolls back.
  const requireFewer = async (by: 'email' | 'networks', value: string, limit: number) => {
    if ((await countTickets(tx, by, value, since)) > limit) throw new AppError('ticket/too-many', { limit });
  };
  await requireFewer('email', email, ticketLimits.perDayOfAddress);
  for (const { hash, share } of networks)
    await requireFewer('networks', hash, ticketLimits.perDayOfNetwork * share);
  await insertTicketMessage(tx, ticket, {
    id: newId(now),
    ticketId: id,
    author: 'requester',
    accountId: null,
    body: input.body,
    at: now,
    fileIds: [],
  });
  await enqueue(tx, confirmMailTask, { ticketId: id }, { key: `ticket-confirm/${id}` });
}

/** The signed token in the mail that confirms a guest's address. */
export const confirmToken = (sign: Scope['sign'], ticketId: string): string =>
  signText(sign, 'ticket-confirm', ticketId);

/**
 * Confirms a guest's request, which then opens for staff. Idempotent.
 * @throws ticket/not-found for a bad or old link
 */
export async function confirmGuestTicket(tx: Tx, { clock, sign }: GuestScope, token: string): Promise<void> {
  const ticketId = readSigned(sign, 'ticket-confirm', token);
  if (!isId(ticketId)) throw new AppError('ticket/not-found');
  const ticket = await lockTicket(tx, ticketId);
  const now = clock.now();
  if (!ticket || ticket.accountId !== null) throw new AppError('ticket/not-found');
  const to = nextTicketStatus(ticket.status, 'confirm', 'requester');
  if (to === null) return;
  if (ticket.createdAt < confirmableSince(now)) throw new AppError('ticket/not-found');
  await moveTicket(tx, ticket, { action: 'confirm', to, side: 'requester', accountId: null }, now);
  const [first] = await findTicketMessages(tx, ticketId, 1);
  const key = `ticket-received/${ticketId}`;
  await enqueue(
    tx,
    guestMailTask,
    { ticketId, variant: 'received', body: first?.body ?? '', files: 0, key },
    { key },
  );
}

const confirmableSince = (now: Date) => subtractMs(now, (ticketLimits.confirmHours / 24) * dayMs);

/** Deletes guests' tickets whose address was not confirmed in time. */
export const purgeUnconfirmedTickets = ({ db, clock }: { db: Db; clock: Scope['clock'] }): Promise<void> =>
  deleteUnconfirmed(db, confirmableSince(clock.now()));

const linkPurpose = 'ticket-link';

/**
 * Makes the value of a mailed link, which opens a guest's request until it expires or a new one replaces it
 * (ADR 379).
 */
export function guestLink(
  { clock, sign }: GuestScope,
  { id, linkVersion }: Pick<TicketRow, 'id' | 'linkVersion'>,
): string {
  const until = clock.now().getTime() + ticketLimits.linkDays * dayMs;
  return signText(sign, linkPurpose, [id, linkVersion, until].join('_'));
}

export type GuestLink = { ticketId: string; version: number; until: number };

/**
 * Reads a link, expired or not.
 * @throws ticket/not-found unless it is ours
 */
export function readGuestLink({ sign }: Pick<GuestScope, 'sign'>, link: unknown): GuestLink {
  const [ticketId, version, until] = readSigned(sign, linkPurpose, link)?.split('_') ?? [];
  if (!isId(ticketId)) throw new AppError('ticket/not-found');
  return { ticketId, version: Number(version), until: Number(until) };
}
