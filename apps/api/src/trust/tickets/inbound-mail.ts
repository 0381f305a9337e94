import { createHmac, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { dropUpload, prepareGuestUpload, prepareUpload, uploadFile } from '../../people/files/files.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, ClockConfigScope, ClockScope, Scope } from '../../platform/http/scope.ts';
import { sha256 } from '../../platform/sign.ts';
import { findTicket, lockTicket, type TicketRow } from './tickets.sql.ts';
import { addReply, countReplies, mainTicketId, readReplyAddress, roomForGuest } from './tickets.ts';

/** Limits for mails that a person wrote; anything deeper or larger is automatic. */
const parserOptions = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024 };
const mailIdMax = 300;

type Reply = { from: string; to: string[]; mailId: string; body: string; files: File[] };

type Outcome =
  | 'added'
  | 'unreadable'
  | 'automatic'
  | 'no-ticket'
  | 'not-the-author'
  | 'empty'
  | 'too-many'
  | 'known';

/**
 * Checks that a post claims to be the mail provider's and is recent, before its body is read.
 * @throws webhook/refused
 */
export function requireInbound(scope: ClockConfigScope, header: unknown): void {
  if (!scope.config.INBOUND_MAIL_SECRET || !readSignature(header, scope.clock.now()))
    throw new AppError('webhook/refused');
}

/**
 * Adds a mailed reply to its ticket. Other mail succeeds too, or it would be resent.
 * @throws webhook/refused
 */
export async function receiveInboundMail(
  db: Db,
  scope: Scope<Actor | null>,
  header: unknown,
  raw: Buffer,
): Promise<{ taken: boolean }> {
  const secret = scope.config.INBOUND_MAIL_SECRET;
  const signature = readSignature(header, scope.clock.now());
  if (!secret || !signature || !isSigned(secret, signature, raw)) throw new AppError('webhook/refused');
  const outcome = await receiveMail(db, scope, raw);
  if (outcome !== 'added') scope.log.info({ outcome }, 'an inbound mail was left out');
  return { taken: outcome === 'added' };
}

async function receiveMail(db: Db, scope: Scope<Actor | null>, raw: Buffer): Promise<Outcome> {
  const mail = await parseMail(raw);
  if (mail === null) return 'unreadable';
  if (isAutomatic(mail.headers)) return 'automatic';
  const reply = readReply(mail, raw);
  const ticketId = readReplyAddress(scope, reply.to);
  const addressee = ticketId === null ? undefined : await findTicket(db, ticketId);
  const ticket = addressee && (await findTicket(db, mainTicketId(addressee)));
  if (!ticket) return 'no-ticket';
  // Others may write from the forwarded mail's address.
  if (reply.from !== (ticket.accountEmail ?? ticket.email)?.toLowerCase()) return 'not-the-author';
  if (reply.body === '' && reply.files.length === 0) return 'empty';
  if (await isOverLimit(db, scope, ticket)) return 'too-many';
  return storeMail(db, scope, ticket, reply);
}

async function isOverLimit(db: Db, { clock }: ClockScope, ticket: TicketRow): Promise<boolean> {
  const { count, limit } = await countReplies(db, ticket, clock.now());
  return count >= limit;
}

async function parseMail(raw: Buffer): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, parserOptions);
  } catch {
    return null;
  }
}

const addressesOf = (list: readonly Address[] | undefined): string[] =>
  (list ?? []).flatMap((entry) =>
    entry.address ? [entry.address] : (entry.group ?? []).map(({ address }) => address),
  );

/** Control characters other than line breaks and tabs. */
const control = /[^\P{Cc}\t\n]/gu;

function readReply(mail: Email, raw: Buffer): Reply {
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
    mailId: (mail.messageId ?? `sha256-${sha256(raw)}`).slice(0, mailIdMax),
    body: [...stripQuotedText(text.replaceAll('\r\n', '\n').replace(control, ''))]
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

async function storeMail(
  db: Db,
  scope: Scope<Actor | null>,
  ticket: TicketRow,
  reply: Reply,
): Promise<Outcome> {
  const { accountId } = ticket;
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
      // The file is not at fault, so the provider resends the mail with all of its files.
      for (const row of rows) await dropUpload(scope, row);
      throw error;
    }
  }
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    const locked = await lockTicket(tx, ticket.id);
    if (!locked) return 'no-ticket';
    // Checked again, because mails may arrive together.
    if (await isOverLimit(tx, scope, ticket)) return 'too-many';
    for (const row of rows) await uploadFile(tx, scope, {}, row);
    const isAdded = await addReply(
      tx,
      locked,
      {
        accountId,
        body: reply.body,
        fileIds: rows.map(({ id }) => id),
        mailId: reply.mailId,
        filesRefused: reply.files.length - rows.length,
      },
      scope.clock.now(),
    );
    return isAdded ? 'added' : 'known';
  });
  if (outcome !== 'added') for (const row of rows) await dropUpload(scope, row);
  return outcome;
}

/** Tolerance for clock skew; older posts are refused, to prevent replays. */
const toleranceMs = 5 * minuteMs;

/** `t=SECONDS,v1=HEX`: HMAC-SHA256 of `t.body` under INBOUND_MAIL_SECRET. Null if malformed or expired. */
function readSignature(header: unknown, now: Date): { at: string; signature: Buffer } | null {
  const parts = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '');
  const [, at = '', signature = ''] = parts ?? [];
  if (!parts || Math.abs(now.getTime() - Number(at) * 1_000) > toleranceMs) return null;
  return { at, signature: Buffer.from(signature, 'hex') };
}

const signInbound = (secret: string, at: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${at}.`).update(body).digest();

const isSigned = (secret: string, header: { at: string; signature: Buffer }, body: Buffer): boolean =>
  timingSafeEqual(signInbound(secret, header.at, body), header.signature);

type Headers = readonly { key: string; value: string }[];

/** Out of office, bounces and lists; replying could loop forever. */
export function isAutomatic(headers: Headers): boolean {
  return headers.some(({ key, value }) => {
    const text = value.trim().toLowerCase();
    switch (key) {
      case 'auto-submitted':
        return text !== 'no';
      case 'precedence':
        return ['bulk', 'junk', 'list', 'auto_reply'].includes(text);
      case 'return-path':
        return text === '<>';
      default:
        return key === 'x-autoreply';
    }
  });
}

/** Lines that introduce a quoted mail, in the usual languages. Matched per line, cut to this length. */
const lineMax = 300;
const quoteStarts = [
  /^(On|Am|Op|Le|El|Il|Em) .*(wrote|schrieb|schreef|écrit|escribió|scritto|escreveu) ?.*:$/,
  /^-{2,} ?(Original Message|Forwarded message|Ursprüngliche Nachricht|Oorspronkelijk bericht)/i,
  /^_{20,}$/,
  /^(From|Von|Van|De): .*@/,
  /^-- $/,
];

/** The text above the quoted mail; the whole text if nothing is above it. */
export function stripQuotedText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const end = lines.findIndex((line, index) => {
    // Mail programs break the sentence above the quote over two lines.
    const two = `${line} ${lines[index + 1] ?? ''}`.slice(0, lineMax).trimEnd();
    return quoteStarts.some((start) => start.test(line.slice(0, lineMax)) || start.test(two));
  });
  const above = (end === -1 ? lines : lines.slice(0, end)).filter((line) => !line.startsWith('>'));
  return above.join('\n').trim() || text.trim();
}

const hidden = new Set(['script', 'style', 'head', 'title', 'template', 'noscript']);
const breaks = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'blockquote', 'table', 'ul', 'ol']);
const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const codeMax = 0x10ffff;

/** The text of an HTML mail, up to the quoted one. One pass, so that a hostile mail costs no more than a long one. */
export function textOfHtml(html: string): string {
  const lower = html.toLowerCase();
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) return tidyText(text + html.slice(at));
    text += html.slice(at, open);
    if (lower.startsWith('<!--', open)) {
      at = endOfMarker(html, '-->', open);
      continue;
    }
    const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]{0,20})/.exec(lower.slice(open, open + 25)) ?? [];
    if (name === '' && !lower.startsWith('<!', open)) {
      text += '<';
      at = open + 1;
      continue;
    }
    if (slash === '' && name === 'blockquote' && text.trim() !== '') return tidyText(text);
    at = endOfMarker(html, '>', open);
    if (slash === '' && hidden.has(name)) at = endOfMarker(html, '>', indexOrEnd(lower, `</${name}`, at));
    if (breaks.has(name)) text += '\n';
  }
  return tidyText(text);
}

const indexOrEnd = (text: string, marker: string, from: number): number => {
  const index = text.indexOf(marker, from);
  return index === -1 ? text.length : index;
};
const endOfMarker = (text: string, marker: string, from: number): number =>
  indexOrEnd(text, marker, from) + marker.length;

const tidyText = (text: string): string =>
  text
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (match, name: string) => {
      const key = name.toLowerCase();
      if (!key.startsWith('#')) return namedEntities[key] ?? match;
      const code = key[1] === 'x' ? Number.parseInt(key.slice(2), 16) : Number(key.slice(1));
      return code > 0 && code <= codeMax ? String.fromCodePoint(code) : '';
    })
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
