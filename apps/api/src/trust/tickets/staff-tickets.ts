import { ticketPath } from '@nearhand/contract/app-paths';
import { cutText } from '@nearhand/contract/talk/topics/notice-facts';
import type { StaffThread } from '@nearhand/contract/trust/case-facts';
import type { AskableKind } from '@nearhand/contract/trust/cases.rules';
import type { StaffTicketMessage } from '@nearhand/contract/trust/tickets';
import {
  nextTicketStatus,
  type TicketAction,
  type TicketCategory,
  ticketLimits,
} from '@nearhand/contract/trust/tickets.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { guestMailTask } from './ticket-mails.ts';
import {
  findClosings,
  findMergedSubjects,
  findMessageOrigins,
  findOthers,
  findTicket,
  findTicketMessages,
  findTicketsOfCase,
  insertTicket,
  insertTicketMessage,
  lockTicket,
  moveTicket,
  setDue,
  setMerged,
  setUrgency,
  type TicketRow,
} from './tickets.sql.ts';
import {
  replyAddress,
  requesterOf,
  requireAlone,
  requireFiles,
  toTicket,
  toTicketThread,
} from './tickets.ts';

/** Returns a confirmed request with its messages. For operators with the role. */
export async function staffTicket(db: Db, scope: Scope, input: { ticketId: string }): Promise<StaffThread> {
  return staffThread(db, await requireForStaff(db, scope, input.ticketId, findTicket));
}

/**
 * Answers a request and notifies its author, a guest by mail; `solve` closes it too. For operators with the role.
 * @throws ticket/stale if there is a message after `lastMessageId`, the last one that the operator has read
 */
export async function answerTicket(
  tx: Tx,
  scope: Scope,
  input: { ticketId: string; body: string; fileIds: string[]; solve?: boolean; lastMessageId?: string },
): Promise<StaffThread> {
  const now = scope.clock.now();
  const ticket = await requireForStaff(tx, scope, input.ticketId, lockTicket);
  requireAlone(ticket);
  if (input.lastMessageId !== undefined) await requireLastRead(tx, ticket, input.lastMessageId);
  await requireFiles(tx, scope.actor.accountId, input.fileIds);
  const messageId = newId(now);
  await insertTicketMessage(tx, ticket, {
    id: messageId,
    ticketId: ticket.id,
    author: 'staff',
    accountId: scope.actor.accountId,
    body: input.body,
    at: now,
    fileIds: input.fileIds,
  });
  await move(tx, scope, ticket, 'reply');
  if (input.solve) await move(tx, scope, { ...ticket, status: 'waiting' }, 'solve');
  await notifyAuthor(tx, scope, ticket, {
    variant: 'answered',
    event: messageId,
    body: input.body,
    files: input.fileIds.length,
  });
  return staffThread(tx, await requireForStaff(tx, scope, ticket.id, findTicket));
}

async function requireLastRead(tx: Tx, ticket: TicketRow, lastMessageId: string): Promise<void> {
  const [newest] = await findTicketMessages(tx, ticket.id, 1);
  if (newest?.id !== lastMessageId) throw new AppError('ticket/stale');
}

/**
 * Closes a request as solved. For operators with the role.
 * @throws ticket/stale if there is a message after `lastMessageId`, the last one that the operator has read
 */
export async function closeTicket(
  tx: Tx,
  scope: Scope,
  input: { ticketId: string; lastMessageId?: string },
): Promise<StaffThread> {
  const ticket = await requireForStaff(tx, scope, input.ticketId, lockTicket);
  if (input.lastMessageId !== undefined) await requireLastRead(tx, ticket, input.lastMessageId);
  if (ticket.status !== 'solved') {
    await move(tx, scope, ticket, 'solve');
    await notifyAuthor(tx, scope, ticket, {
      variant: 'solved',
      event: scope.clock.now().toISOString(),
      body: '',
    });
  }
  return staffThread(tx, await requireForStaff(tx, scope, ticket.id, findTicket));
}

type Question = {
  case: { kind: AskableKind; subjectId: string };
  to: { accountId: string; name: string };
  subject: string;
  body: string;
  dueAt: Date;
};

const categoryOf: Record<AskableKind, TicketCategory> = {
  no_show: 'on_the_job',
  dispute: 'on_the_job',
  report: 'other',
  chat_report: 'other',
  appeal: 'account',
  payout_held: 'payments',
  business_verification: 'account',
};

/**
 * Asks someone about a case, in the app and by mail; once more in the same thread. The caller checks access.
 * @throws case/already-asked for the same words before the answer or the deadline
 */
export async function askAboutCase(tx: Tx, scope: Scope, question: Question): Promise<void> {
  const { subjectId, kind } = question.case;
  const { accountId, name } = question.to;
  const { body, dueAt, subject } = question;
  const now = scope.clock.now();
  const earlier = await findTicketsOfCase(tx, { kind, subjectId });
  const earlierTicket = earlier.find((row) => row.accountId === accountId);
  const isUnanswered = earlierTicket?.status === 'waiting' && (earlierTicket.dueAt ?? now) > now;
  if (isUnanswered && (await findTicketMessages(tx, earlierTicket.id, 1))[0]?.body === body)
    throw new AppError('case/already-asked');
  const ticket = earlierTicket ?? { id: newId(now), accountId, subject };
  if (earlierTicket) await setDue(tx, earlierTicket.id, dueAt);
  else
    await insertTicket(tx, {
      ...ticket,
      email: null,
      networks: null,
      name,
      category: categoryOf[kind],
      page: '',
      refs: [],
      status: 'waiting',
      caseKind: kind,
      caseSubject: subjectId,
      dueAt,
      openSince: now,
      createdAt: now,
      updatedAt: now,
    });
  const messageId = newId(now);
  await insertTicketMessage(tx, ticket, {
    id: messageId,
    ticketId: ticket.id,
    author: 'staff',
    accountId: scope.actor.accountId,
    body,
    at: now,
    fileIds: [],
  });
  if (earlierTicket) await move(tx, scope, earlierTicket, 'reply');
  await notifyAuthor(tx, scope, ticket, { variant: 'asked', event: messageId, body, by: dueAt });
}

async function move(tx: Tx, scope: Scope, ticket: TicketRow, action: TicketAction): Promise<void> {
  const to = nextTicketStatus(ticket.status, action, 'staff');
  if (to === null) throw new AppError('ticket/not-found');
  const { accountId } = scope.actor;
  await moveTicket(tx, ticket, { action, to, side: 'staff', accountId }, scope.clock.now());
}

type News = {
  variant: 'answered' | 'solved' | 'asked';
  event: string;
  body: string;
  files?: number;
  by?: Date;
};

async function notifyAuthor(
  tx: Tx,
  scope: Scope,
  ticket: Pick<TicketRow, 'id' | 'accountId' | 'subject'>,
  { variant, event, body, files = 0, by }: News,
): Promise<void> {
  const key = `ticket-${variant}/${ticket.id}/${event}`;
  if (ticket.accountId === null) {
    if (variant === 'asked') throw new Error('Only members are asked');
    await enqueue(tx, guestMailTask, { ticketId: ticket.id, variant, body, files, key }, { key });
    return;
  }
  const replyTo = replyAddress(scope, ticket.id);
  await notify(tx, scope, {
    accountId: ticket.accountId,
    topic: `ticket-${variant}`,
    data: {
      subject: cutText(ticket.subject, 120),
      reason: body || undefined,
      by: by?.toISOString(),
      ...(replyTo === null ? { mode: 'app' } : { mode: 'mail', replyTo }),
    },
    path: ticketPath(ticket.id),
    dedupeKey: key,
    group: `ticket:${ticket.id}`,
  });
}

/**
 * Merges another request of the same person into this one and closes it without a notice: the answer to this
 * one is for both.
 * @throws ticket/not-found, ticket/merged, ticket/not-mergeable, operator/own-record
 */
export async function mergeTickets(
  tx: Tx,
  scope: Scope,
  { ticketId, otherId }: { ticketId: string; otherId: string },
): Promise<StaffThread> {
  // One order for both, so that two merges can't wait for each other.
  for (const id of [ticketId, otherId].sort()) await lockTicket(tx, id);
  const ticket = await requireForStaff(tx, scope, ticketId, findTicket);
  const other = await requireForStaff(tx, scope, otherId, findTicket);
  if (other.mergedInto === ticketId) return staffThread(tx, ticket);
  requireAlone(ticket);
  requireAlone(other);
  const isSamePerson = ticket.accountId === other.accountId && ticket.email === other.email;
  if (!isSamePerson || ticketId === otherId || ticket.caseKind || other.caseKind)
    throw new AppError('ticket/not-mergeable');
  await move(tx, scope, other, 'merge');
  await setMerged(tx, other, ticket);
  await adoptUrgency(tx, scope, ticket, other);
  return staffThread(tx, await requireForStaff(tx, scope, ticketId, findTicket));
}

/**
 * An unanswered message must stay in the queue, so the ticket that it was merged into opens, with the same
 * waiting time.
 */
async function adoptUrgency(tx: Tx, scope: Scope, ticket: TicketRow, other: TicketRow): Promise<void> {
  const isUnsolvedSafety = other.category === 'safety' && other.status !== 'solved';
  const category = isUnsolvedSafety ? 'safety' : ticket.category;
  if (other.status !== 'open') return setUrgency(tx, { ...ticket, category });
  if (ticket.status === 'open') {
    const openSince = new Date(Math.min(ticket.openSince.getTime(), other.openSince.getTime()));
    return setUrgency(tx, { ...ticket, category, openSince });
  }
  await move(tx, scope, ticket, 'adopt');
  await setUrgency(tx, { ...ticket, category, openSince: other.openSince });
}

const ofStaff = (row: TicketRow) => ({
  from: requesterOf(row),
  openSince: row.openSince.toISOString(),
  ofCase:
    row.caseKind === null || row.caseSubject === null
      ? null
      : { kind: row.caseKind as AskableKind, subjectId: row.caseSubject },
});

/** A ticket's thread with what only operators see of its messages. */
export async function threadForStaff(db: Db, row: TicketRow) {
  const thread = await toTicketThread(db, row);
  const origins = await findMessageOrigins(db, row.id, ticketLimits.messagesShown);
  return {
    ...thread,
    messages: thread.messages.map((message): StaffTicketMessage => {
      const origin = origins.find(({ id }) => id === message.id);
      return { ...message, by: origin?.by ?? null, sentIn: origin?.sentIn ?? null };
    }),
  };
}

const staffThread = async (db: Db, row: TicketRow): Promise<StaffThread> => ({
  ...(await threadForStaff(db, row)),
  ...ofStaff(row),
  merged: await findMergedSubjects(db, row.id, ticketLimits.mergedShown),
  closings: (await findClosings(db, row, ticketLimits.closingsShown)).map(({ by, at, helpful }) => ({
    by,
    at: at.toISOString(),
    helpful,
  })),
  others: row.caseKind ? [] : (await findOthers(db, row, ticketLimits.othersShown)).map(toTicket),
});

async function requireForStaff<D extends Db>(
  db: D,
  scope: Scope,
  ticketId: string,
  find: (db: D, ticketId: string) => Promise<TicketRow | undefined>,
): Promise<TicketRow> {
  const row = await find(db, ticketId);
  if (!row || row.status === 'unconfirmed') throw new AppError('ticket/not-found');
  if (!mayAnswer(scope.actor.accountId, row)) throw new AppError('operator/own-record');
  return row;
}

/** Operators never answer or close their own requests. */
const mayAnswer = (operatorId: string, ticket: { accountId: string | null }): boolean =>
  ticket.accountId !== operatorId;
