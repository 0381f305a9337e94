import { dayMs } from '@nearhand/contract/durations';
import type { guestTicket } from '@nearhand/contract/trust/tickets';
import { nextTicketStatus, ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { isId, newId } from '../../platform/ids.ts';
import { readSigned, signed } from '../../platform/sign.ts';
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
} from './tickets.sql.ts';

type GuestScope = Pick<Scope<Actor | null>, 'clock' | 'sign'>;

/**
 * Stores a guest's request and mails the address a link that confirms it; staff sees it only then. The answer is the same for every
 * address. A repeat with the same id is a no-op.
 * @param network the caller's, hashed
 * @throws ticket/too-many (data: limit) for an address or a network
 */
export async function createGuestTicket(
  tx: Tx,
  { clock }: GuestScope,
  input: z.output<typeof guestTicket>,
  network: string,
): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - dayMs);
  const email = input.email.toLowerCase();
  const { id, name, category, subject, page } = input;
  const ticket = { id, account_id: null };
  const added = await insertTicket(tx, {
    ...ticket,
    email,
    network,
    name,
    category,
    subject,
    page,
    refs: [],
    status: 'unconfirmed',
    open_since: now,
    created_at: now,
    updated_at: now,
  });
  if (!added) return;
  // Counted with this one; more than allowed rolls it back.
  for (const [by, value, limit] of [
    ['email', email, ticketLimits.perDayOfAddress],
    ['network', network, ticketLimits.perDayOfNetwork],
  ] as const)
    if ((await countTickets(tx, by, value, since)) > limit) throw new AppError('ticket/too-many', { limit });
  await insertTicketMessage(tx, ticket, {
    id: newId(now),
    ticket_id: id,
    author: 'requester',
    account_id: null,
    body: input.body,
    at: now,
    fileIds: [],
  });
  await enqueue(tx, confirmMailTask, { ticketId: id }, { key: `ticket-confirm/${id}` });
}

/** The token of the link in the mail. */
export const confirmToken = (sign: Scope['sign'], ticketId: string): string =>
  signed(sign, 'ticket-confirm', ticketId);

/**
 * Confirms a guest's request, which then opens for staff. A repeat is a no-op.
 * @throws ticket/not-found for a link that we did not make, or that is too old
 */
export async function confirmGuestTicket(tx: Tx, { clock, sign }: GuestScope, token: string): Promise<void> {
  const ticketId = readSigned(sign, 'ticket-confirm', token);
  if (!isId(ticketId)) throw new AppError('ticket/not-found');
  const ticket = await lockTicket(tx, ticketId);
  const now = clock.now();
  if (!ticket || ticket.account_id !== null) throw new AppError('ticket/not-found');
  const to = nextTicketStatus(ticket.status, 'confirm', 'requester');
  if (to === null) return;
  if (ticket.created_at < confirmableSince(now)) throw new AppError('ticket/not-found');
  await moveTicket(tx, ticket, { action: 'confirm', to, accountId: null }, now);
  const [first] = await findTicketMessages(tx, ticketId, 1);
  const key = `ticket-received/${ticketId}`;
  await enqueue(tx, guestMailTask, { ticketId, what: 'received', body: first?.body ?? '', key }, { key });
}

const confirmableSince = (now: Date) => new Date(now.getTime() - (ticketLimits.confirmHours / 24) * dayMs);

/** For the runner, once a day: forgets requests that nobody confirmed in time. */
export const forgetUnconfirmed = ({ db, clock }: { db: Db; clock: Scope['clock'] }): Promise<void> =>
  deleteUnconfirmed(db, confirmableSince(clock.now()));
