import { dayMs } from '@nearhand/contract/durations';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import PostalMime, { type Address, type Email } from 'postal-mime';
import {
  dropUpload,
  prepareGuestUpload,
  prepareUpload,
  uploadFile,
} from '../../people/files/files.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { textOfHtml } from './html-text.rules.ts';
import { isAutomatic, ownWords } from './inbound-mail.rules.ts';
import { isSigned, readSignature } from './inbound-signature.ts';
import { readReplyAddress } from './reply-address.service.ts';
import { addReply } from './tickets.service.ts';
import {
  countGuestMessages,
  countTicketMessages,
  findTicket,
  findTicketFiles,
  lockTicket,
  type TicketRow,
} from './tickets.sql.ts';

/** Anything deeper or larger is not a reply that a person wrote. */
const parsing = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024 };
const mailIdMax = 300;

/** The fields of a mail that matter here. */
type Reply = { from: string; to: string[]; mailId: string; body: string; files: File[] };

/** Why a mail was left out; logged, since nobody is there to read an answer. */
type Outcome =
  | 'added'
  | 'unreadable'
  | 'automatic'
  | 'no-ticket'
  | 'not-the-author'
  | 'empty'
  | 'too-many'
  | 'known';

/** Before the body is read: that the post claims to be the mail provider's, and of now. @throws webhook/refused */
export function requireInbound(scope: Pick<Scope, 'config' | 'clock'>, header: unknown): void {
  if (!scope.config.INBOUND_MAIL_SECRET || !readSignature(header, scope.clock.now()))
    throw new AppError('webhook/refused');
}

/**
 * A mail that the provider received, as its raw MIME text: the reply of a ticket's author is added to it. What is no such reply is left
 * out and answered with success, or the provider would send it again.
 * @throws webhook/refused for what the mail provider did not sign
 */
export async function takeInboundMail(
  db: Db,
  scope: Scope<Actor | null>,
  header: unknown,
  raw: Buffer,
): Promise<{ taken: boolean }> {
  const secret = scope.config.INBOUND_MAIL_SECRET;
  const given = readSignature(header, scope.clock.now());
  if (!secret || !given || !isSigned(secret, given, raw)) throw new AppError('webhook/refused');
  const outcome = await takeMail(db, scope, raw);
  if (outcome !== 'added') scope.log.info({ outcome }, 'an inbound mail was left out');
  return { taken: outcome === 'added' };
}

async function takeMail(db: Db, scope: Scope<Actor | null>, raw: Buffer): Promise<Outcome> {
  const mail = await parse(raw);
  if (mail === null) return 'unreadable';
  if (isAutomatic(mail.headers)) return 'automatic';
  const reply = readReply(mail);
  const ticketId = readReplyAddress(scope, reply.to);
  const ticket = ticketId === null ? undefined : await findTicket(db, ticketId);
  if (!ticket) return 'no-ticket';
  // The address of a forwarded mail works for others too.
  if (reply.from !== (ticket.account_email ?? ticket.email)?.toLowerCase()) return 'not-the-author';
  if (reply.body === '' && reply.files.length === 0) return 'empty';
  const since = new Date(scope.clock.now().getTime() - dayMs);
  const isOver =
    ticket.account_id === null
      ? (await countGuestMessages(db, reply.from, since)) >= ticketLimits.messagesPerDayOfAddress
      : (await countTicketMessages(db, ticket.account_id, since)) >= ticketLimits.messagesPerDay;
  if (isOver) return 'too-many';
  return store(db, scope, ticket, reply);
}

async function parse(raw: Buffer): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, parsing);
  } catch {
    return null;
  }
}

const addressesOf = (list: readonly Address[] | undefined): string[] =>
  (list ?? []).flatMap((one) =>
    one.address ? [one.address] : (one.group ?? []).map(({ address }) => address),
  );

/** Control characters other than line breaks and tabs, which no text of ours has. */
const control = /[^\P{Cc}\t\n]/gu;

function readReply(mail: Email): Reply {
  const text = (mail.text ?? textOfHtml(mail.html ?? '')).toWellFormed();
  const envelope = mail.headers.filter(({ key }) => key === 'x-original-to').map(({ value }) => value);
  return {
    from: mail.from?.address?.toLowerCase() ?? '',
    to: [
      ...addressesOf(mail.to),
      ...addressesOf(mail.cc),
      ...envelope,
      ...(mail.deliveredTo ? [mail.deliveredTo] : []),
    ],
    mailId: (mail.messageId ?? '').slice(0, mailIdMax),
    body: [...ownWords(text.replaceAll('\r\n', '\n').replace(control, ''))]
      .slice(0, ticketLimits.bodyMax)
      .join(''),
    files: mail.attachments
      .filter(({ related }) => !related)
      .map(
        ({ content, filename, mimeType }) =>
          new File([new Uint8Array(content as ArrayBuffer)], filename ?? 'file', { type: mimeType }),
      ),
  };
}

/** Stores the acceptable attachments as the author's, or without an owner for a guest, then the reply. */
async function store(db: Db, scope: Scope<Actor | null>, ticket: TicketRow, reply: Reply): Promise<Outcome> {
  const { account_id: accountId } = ticket;
  const author: Scope | null =
    accountId === null ? null : { ...scope, actor: { accountId, sessionId: accountId, emailVerified: true } };
  const room = author ? ticketLimits.filesMax : await roomForGuest(db, ticket.id);
  const rows: Awaited<ReturnType<typeof prepareUpload>>[] = [];
  for (const file of reply.files.slice(0, room)) {
    try {
      rows.push(
        author
          ? await prepareUpload(author, { purpose: 'ticket', file }, db)
          : await prepareGuestUpload(scope, file),
      );
    } catch (error) {
      if (error instanceof AppError && error.status < 500) continue;
      // No fault of the file: the provider sends the mail again, with all of its files.
      for (const row of rows) await dropUpload(scope, row);
      throw error;
    }
  }
  const added = await db.transaction().execute(async (tx) => {
    const locked = await lockTicket(tx, ticket.id);
    if (!locked) return false;
    for (const row of rows) await uploadFile(tx, scope, {}, row);
    return addReply(
      tx,
      locked,
      {
        accountId,
        body: reply.body,
        fileIds: rows.map(({ id }) => id),
        mailId: reply.mailId || null,
        filesRefused: reply.files.length - rows.length,
      },
      scope.clock.now(),
    );
  });
  if (!added) for (const row of rows) await dropUpload(scope, row);
  return added ? 'added' : 'known';
}

/** How many more files a guest's request takes: as many in all as two messages of a member. */
const roomForGuest = async (db: Db, ticketId: string): Promise<number> =>
  Math.min(ticketLimits.filesMax, 2 * ticketLimits.filesMax - (await findTicketFiles(db, ticketId)).length);
