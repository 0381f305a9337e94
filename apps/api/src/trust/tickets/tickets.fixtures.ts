import type { TicketRef, TicketThread } from '@nearhand/contract/trust/tickets';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createTicket } from './tickets.ts';

export const makeTicket = (
  db: Db,
  scope: Scope,
  words: {
    category?: 'payments' | 'safety';
    subject?: string;
    body?: string;
    fileIds?: string[];
    refs?: TicketRef[];
  } = {},
): Promise<TicketThread> =>
  db.transaction().execute((tx) =>
    createTicket(tx, scope, {
      category: 'payments',
      subject: 'My pay is missing',
      body: 'Where is it?',
      page: '/withdraw',
      refs: [],
      fileIds: [],
      ...words,
    }),
  );
