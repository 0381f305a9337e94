import type { FilePurpose } from '@nearhand/contract/people/files';
import type { Ticket, TicketMessage, TicketThread } from '@nearhand/contract/trust/tickets';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { storedFileOf } from '../../people/files/files.ts';
import type { Db } from '../../platform/db.ts';
import { findTicketFiles, findTicketMessages, type TicketRow } from './guest-tickets.ts';

export const viewTicket = (row: Omit<TicketRow, 'account_email'>): Ticket => ({
  id: row.id,
  category: row.category,
  subject: row.subject,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Who wrote it, for staff. */
export const requesterOf = (row: TicketRow) => ({
  accountId: row.account_id,
  name: row.name,
  email: row.account_email ?? row.email ?? '',
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
        .filter((file) => file.message_id === message.id)
        .map(({ message_id: _message, purpose, ...file }) =>
          storedFileOf({ ...file, purpose: purpose as FilePurpose }),
        ),
      filesRefused: message.files_refused,
      byMail: message.mail_id !== null,
      at: message.at.toISOString(),
    })),
  };
}
