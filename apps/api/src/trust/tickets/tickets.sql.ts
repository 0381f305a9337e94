import type { TicketRef } from '@nearhand/contract/trust/tickets';
import type {
  TicketAction,
  TicketCategory,
  TicketMover,
  TicketStatus,
} from '@nearhand/contract/trust/tickets.rules';
import { type InferResult, type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { TicketMessages, Tickets } from '../../platform/tables.gen.ts';

const columns = [
  'tickets.id',
  'tickets.accountId',
  'tickets.email',
  'tickets.language',
  'tickets.name',
  'tickets.category',
  'tickets.subject',
  'tickets.page',
  'tickets.refs',
  'tickets.status',
  'tickets.openSince',
  'tickets.caseKind',
  'tickets.caseSubject',
  'tickets.dueAt',
  'tickets.helpful',
  'tickets.mergedInto',
  'tickets.linkVersion',
  'tickets.linkRenewedAt',
  'tickets.createdAt',
  'tickets.updatedAt',
] as const;

type SelectedTicket = InferResult<ReturnType<typeof selectTickets>>[number];
export type TicketRow = Omit<SelectedTicket, 'category' | 'status' | 'refs'> & {
  category: TicketCategory;
  status: TicketStatus;
  refs: TicketRef[];
};

const selectTickets = (db: Db) =>
  db
    .selectFrom('tickets')
    .leftJoin('accounts', 'accounts.id', 'tickets.accountId')
    .select(columns)
    .select('accounts.email as accountEmail');

const readTickets = async (query: ReturnType<typeof selectTickets>): Promise<TicketRow[]> =>
  (await query.execute()) as TicketRow[];

export async function findTicket(db: Db, ticketId: string): Promise<TicketRow | undefined> {
  const [ticket] = await readTickets(selectTickets(db).where('tickets.id', '=', ticketId));
  return ticket;
}

/** The questions asked about a case, oldest first. */
export async function findTicketsOfCase(
  db: Db,
  { kind, subjectId }: { kind: string; subjectId: string },
): Promise<TicketRow[]> {
  return readTickets(
    selectTickets(db)
      .where('caseKind', '=', kind)
      .where('caseSubject', '=', subjectId)
      .orderBy('tickets.createdAt')
      .orderBy('tickets.id'),
  );
}

/** Stores the rating of a locked, solved ticket, and with its last closing, where it stays after a reply. */
export async function setHelpful(
  tx: Tx,
  ticket: Pick<TicketRow, 'id' | 'accountId'>,
  helpful: boolean,
): Promise<void> {
  await tx.updateTable('tickets').set({ helpful }).where('id', '=', ticket.id).execute();
  await sql`update ticket_moves set helpful = ${helpful} where id = (select id from ticket_moves
    where ticket_id = ${ticket.id} and to_status = 'solved' order by at desc, id desc limit 1)`.execute(tx);
  emitRecord(tx, 'ticket', { id: ticket.id, workerId: ticket.accountId });
}

export async function setDue(tx: Tx, ticketId: string, dueAt: Date): Promise<void> {
  await tx.updateTable('tickets').set({ dueAt }).where('id', '=', ticketId).execute();
}

/** Ends the earlier links of a locked ticket and of those merged into it. */
export async function renewGuestLinkToken(tx: Tx, ticketId: string, now: Date): Promise<void> {
  await tx
    .updateTable('tickets')
    .set(({ eb }) => ({ linkVersion: eb('linkVersion', '+', 1), linkRenewedAt: now }))
    .where('id', 'in', withMerged(tx, ticketId))
    .execute();
}

/** Merges a locked, solved ticket into another, with its records and the tickets merged into it before. */
export async function setMerged(
  tx: Tx,
  ticket: Pick<TicketRow, 'id' | 'accountId' | 'refs'>,
  into: Pick<TicketRow, 'id' | 'refs'>,
): Promise<void> {
  const isNew = ({ kind, id }: TicketRef) => !into.refs.some((ref) => ref.kind === kind && ref.id === id);
  const refs = JSON.stringify([...into.refs, ...ticket.refs.filter(isNew)]);
  await tx.updateTable('tickets').set({ refs }).where('id', '=', into.id).execute();
  await tx
    .updateTable('tickets')
    .set({ mergedInto: into.id })
    .where(({ eb, or }) => or([eb('id', '=', ticket.id), eb('mergedInto', '=', ticket.id)]))
    .execute();
  emitRecord(tx, 'ticket', { id: ticket.id, workerId: ticket.accountId });
}

export async function setUrgency(
  tx: Tx,
  { id, accountId, openSince, category }: Pick<TicketRow, 'id' | 'accountId' | 'openSince' | 'category'>,
): Promise<void> {
  await tx.updateTable('tickets').set({ openSince, category }).where('id', '=', id).execute();
  emitRecord(tx, 'ticket', { id, workerId: accountId });
}

/** The subjects of the requests that are part of this one, oldest first. */
export async function findMergedSubjects(db: Db, ticketId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tickets')
    .select('subject')
    .where('mergedInto', '=', ticketId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ subject }) => subject);
}

/** The times a request was closed by its author (`by` null) or an operator, with its ratings, newest first. */
export async function findClosings(
  db: Db,
  ticket: Pick<TicketRow, 'id' | 'accountId'>,
  limit: number,
): Promise<{ by: string | null; at: Date; helpful: boolean | null }[]> {
  const { rows } = await sql<{ by: string | null; at: Date; helpful: boolean | null }>`
    select case when move.account_id is distinct from ${ticket.accountId} then account.name end as by, move.at, move.helpful
    from ticket_moves move left join accounts account on account.id = move.account_id
    where move.ticket_id = ${ticket.id} and move.to_status = 'solved' order by move.at desc, move.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Other requests of the same account or address, last changed first, except questions about cases. */
export async function findOthers(
  db: Db,
  { id, accountId, email }: Pick<TicketRow, 'id' | 'accountId' | 'email'>,
  limit: number,
): Promise<TicketRow[]> {
  const author =
    accountId === null
      ? sql<boolean>`tickets.email = ${email}`
      : sql<boolean>`tickets.account_id = ${accountId}`;
  return readTickets(
    selectTickets(db)
      .where(author)
      .where('tickets.id', '<>', id)
      .where('tickets.status', '<>', 'unconfirmed')
      .where('tickets.mergedInto', 'is', null)
      .where('tickets.caseKind', 'is', null)
      .orderBy('tickets.updatedAt', 'desc')
      .orderBy('tickets.id', 'desc')
      .limit(limit),
  );
}

/** Locks a ticket, to serialize its moves and messages. */
export async function lockTicket(tx: Tx, ticketId: string): Promise<TicketRow | undefined> {
  await tx.selectFrom('tickets').select('id').where('id', '=', ticketId).forNoKeyUpdate().executeTakeFirst();
  return findTicket(tx, ticketId);
}

/**
 * Closes the questions about a case that an operator decided, or a timer ended (`accountId` null). Nobody is notified,
 * since the decision has its own notice.
 */
export async function solveQuestions(
  tx: Tx,
  { kind, subjectId }: { kind: string; subjectId: string },
  { accountId, now }: { accountId: string | null; now: Date },
): Promise<void> {
  const questions = selectTickets(tx)
    .where('caseKind', '=', kind)
    .where('caseSubject', '=', subjectId)
    .where('tickets.status', 'in', ['open', 'waiting'])
    .orderBy('tickets.id')
    .forNoKeyUpdate('tickets');
  const side = accountId === null ? 'timer' : 'staff';
  for (const ticket of await readTickets(questions))
    await moveTicket(tx, ticket, { action: 'solve', to: 'solved', side, accountId }, now);
}

/** Inserts a ticket; returns false if one with this id already exists. */
export async function insertTicket(
  tx: Tx,
  row: Insertable<Tickets> & { id: string; accountId: string | null; refs: readonly TicketRef[] },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('tickets')
    .values({ ...row, refs: JSON.stringify(row.refs) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  emitRecord(tx, 'ticket', { id: row.id, workerId: row.accountId });
  return numInsertedOrUpdatedRows === 1n;
}

/** Inserts a ticket's message; returns false if this mail or the guest's reply was stored before. */
export async function insertTicketMessage(
  tx: Tx,
  ticket: Pick<TicketRow, 'id' | 'accountId'>,
  message: Insertable<TicketMessages> & { id: string; fileIds: readonly string[] },
): Promise<boolean> {
  const { fileIds, ...row } = message;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('ticket_messages')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return false;
  if (fileIds.length > 0)
    await tx
      .insertInto('ticket_files')
      .values(fileIds.map((fileId, place) => ({ fileId, messageId: row.id, place })))
      .execute();
  emitRecord(tx, 'ticket', { id: ticket.id, workerId: ticket.accountId });
  return true;
}

/** Moves a ticket on from the status it was read with; returns false if it was moved in the meantime. */
export async function moveTicket(
  tx: Tx,
  ticket: Pick<TicketRow, 'id' | 'accountId' | 'status' | 'openSince'>,
  move: { action: TicketAction; to: TicketStatus; side: TicketMover; accountId: string | null },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tickets')
    .set({
      status: move.to,
      updatedAt: now,
      helpful: null,
      openSince: move.to === 'open' && ticket.status !== 'open' ? now : ticket.openSince,
    })
    .where('id', '=', ticket.id)
    .where('status', '=', ticket.status)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .insertInto('ticket_moves')
    .values({
      id: newId(now),
      ticketId: ticket.id,
      action: move.action,
      fromStatus: ticket.status,
      toStatus: move.to,
      side: move.side,
      accountId: move.accountId,
      at: now,
    })
    .execute();
  emitRecord(tx, 'ticket', { id: ticket.id, workerId: ticket.accountId });
  return true;
}

type Page = { after: readonly [string, string] | null; limit: number };

export const findOwnTickets = (db: Db, accountId: string, { after, limit }: Page): Promise<TicketRow[]> =>
  readTickets(
    selectTickets(db)
      .where(
        sql<boolean>`tickets.account_id = ${accountId} ${andBefore(sql`tickets.updated_at, tickets.id`, after)}`,
      )
      .where('tickets.mergedInto', 'is', null)
      .orderBy('tickets.updatedAt', 'desc')
      .orderBy('tickets.id', 'desc')
      .limit(limit),
  );

/** The ticket and the tickets merged into it. */
const withMerged = (db: Db, ticketId: string) =>
  db
    .selectFrom('tickets')
    .select('tickets.id')
    .where(({ eb, or }) => or([eb('tickets.id', '=', ticketId), eb('tickets.mergedInto', '=', ticketId)]));

export async function findTicketMessages(db: Db, ticketId: string, limit: number) {
  const rows = await db
    .selectFrom('ticket_messages')
    .select(['id', 'author', 'body', 'mailId', 'filesRefused', 'at'])
    .where('ticketId', 'in', withMerged(db, ticketId))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** The operators who wrote the newest messages of a ticket, and the subjects of the merged requests they were sent in. */
export async function findMessageOrigins(
  db: Db,
  ticketId: string,
  limit: number,
): Promise<{ id: string; by: string | null; sentIn: string | null }[]> {
  const { rows } = await sql<{ id: string; by: string | null; sentIn: string | null }>`
    select message.id, case when message.author = 'staff' then nullif(account.name, '') end as by,
      case when ticket.id <> ${ticketId} then ticket.subject end as sent_in
    from ticket_messages message
    join tickets ticket on ticket.id = message.ticket_id
    left join accounts account on account.id = message.account_id
    where message.ticket_id in ${withMerged(db, ticketId)}
    order by message.at desc, message.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findTicketFiles(db: Db, ticketId: string) {
  return db
    .selectFrom('ticket_files')
    .innerJoin('ticket_messages', 'ticket_messages.id', 'ticket_files.messageId')
    .innerJoin('files', 'files.id', 'ticket_files.fileId')
    .select([
      'messageId',
      'files.id',
      'files.accountId',
      'files.purpose',
      'files.name',
      'files.mediaType',
      'files.bytes',
    ])
    .where('ticket_messages.ticketId', 'in', withMerged(db, ticketId))
    .orderBy('place')
    .execute();
}

export async function areFilesSent(db: Db, fileIds: readonly string[]): Promise<boolean> {
  if (fileIds.length === 0) return false;
  const row = await db
    .selectFrom('ticket_files')
    .select('fileId')
    .where('fileId', 'in', fileIds)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts recent requests by account, address or network, for the daily limits. */
export async function countTickets(
  db: Db,
  by: 'accountId' | 'email' | 'networks',
  value: string,
  since: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('tickets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(
      by === 'networks' ? sql<boolean>`networks @> array[${value}]` : sql<boolean>`${sql.ref(by)} = ${value}`,
    )
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countTicketMessages(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('ticket_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countGuestMessages(db: Db, email: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('ticket_messages')
    .innerJoin('tickets', 'tickets.id', 'ticket_messages.ticketId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tickets.email', '=', email)
    .where('tickets.accountId', 'is', null)
    .where('author', '=', 'requester')
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteUnconfirmed(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('tickets')
    .where('status', '=', 'unconfirmed')
    .where('createdAt', '<', before)
    .execute();
}

export async function deleteTicketsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('tickets').where('accountId', '=', accountId).execute();
}
