import type { FilePurpose } from '@nearhand/contract/people/files';
import type { Ticket, TicketMessage, TicketThread } from '@nearhand/contract/trust/tickets';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { storedFileOf } from '../../people/files/files.ts';
import type { Db } from '../../platform/db.ts';
import { findTicketFiles, findTicketMessages, type TicketRow } from './guest-tickets.ts';

export const viewTicket = (row: Omit<TicketRow, 'accountEmail'>): Ticket => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Who wrote it, for staff. */
export const requesterOf = (row: TicketRow) => ({
  accountId: row.accountId,
  name: row.name,
  email: row.accountEmail ?? row.email ?? '',
});

export async function viewThread(db: Db, row: TicketRow): Promise<TicketThread> {
  const messages = await findTicketMessages(db, row.id, ticketLimits.messagesShown);
  const files = await findTicketFiles(db, row.id);
  return {
    ...viewTicket(row),
    page: row.page,
    refs: row.refs,
    messages: messages.map((message) => ({
      id: message.id,
      author: message.author as TicketMessage['author'],
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
