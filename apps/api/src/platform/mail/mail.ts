import { Readable } from 'node:stream';
import type { Language } from '@nearhand/contract/languages';
import { sql } from 'kysely';
import nodemailer from 'nodemailer';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isOutside } from '../config/config-shapes.ts';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';

/** `key` deduplicates: an accepted mail is not sent again, and copies have the same Message-ID. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  key: string;
  /** One-click unsubscribe (RFC 8058), for optional mail. */
  unsubscribeUrl?: string;
  replyTo?: string;
  /** Translates the mail; absent once its language is settled. */
  in?: (language: Language) => Mail;
};

/** The address does not exist, so retrying is pointless. */
export class MailRefusedError extends Error {}

/** A mail server that hangs must not hold a worker for long; a busy one may take half a minute. */
export const smtpTimes = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
};

type SmtpRefusal = { command?: string; responseCode?: number; response?: string };

/** A refusal in reply to RCPT with X.1.X (RFC 3463): not a full mailbox or our fault. */
function isAddressRefused(error: SmtpRefusal): boolean {
  if (error.command !== 'RCPT TO' || ![550, 551, 553, 556].includes(error.responseCode ?? 0)) return false;
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(error.response ?? '')?.[1];
  return detail === undefined || detail.startsWith('5.1.');
}

/** Called from tasks only. Throws to retry, or `MailRefusedError` or `MailUnconfirmedError` if that is pointless. */
export type Mailer = { send(mail: Mail): Promise<void> };

/** A refused address ends the task, since anyone may enter any address. Other failures are retried. */
export async function sendUnlessRefused(
  { mailer, log }: { mailer: Mailer; log: Log },
  mail: Mail,
): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    log.info({ key: mail.key }, 'a mail server refused the address');
  }
}

export const inReadersLanguage = (
  mailer: Mailer,
  languageOf: (address: string) => Promise<Language>,
): Mailer => ({
  send: async (mail) => mailer.send(mail.in ? mail.in(await languageOf(mail.to)) : mail),
});

/** Requires TLS over the internet, against STARTTLS stripping. */
export const smtpOptions = (url: string) => ({ url, requireTLS: isOutside(url) });

/** SMTP, or the development mailbox in the database, shown at `/dev/mailbox`. */
export function createMailer(
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'NODE_ENV' | 'PUBLIC_URL'>,
  db: Db,
  clock: Clock,
  times: typeof smtpTimes = smtpTimes,
): Mailer {
  if (config.SMTP_URL) return createSmtpMailer({ ...config, SMTP_URL: config.SMTP_URL }, db, clock, times);
  if (config.NODE_ENV === 'production') throw new Error('mail needs SMTP_URL in production');
  return {
    async send(mail) {
      const now = clock.now();
      await sql`insert into mailbox_messages (id, recipient, subject, text, html, dedupe_key, created_at)
        values (${newId(now)}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${mail.key}, ${now})
        on conflict (dedupe_key) do nothing`.execute(db);
    },
  };
}

type SmtpSettings = Pick<Config, 'MAIL_FROM' | 'PUBLIC_URL'> & { SMTP_URL: string };

/** Resends a mail without a response once at most, across processes (ADR 95). */
function createSmtpMailer(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL }: SmtpSettings,
  db: Db,
  clock: Clock,
  times: typeof smtpTimes,
): Mailer {
  const domain = new URL(PUBLIC_URL).hostname;
  return {
    async send(mail) {
      if (await wasAccepted(db, mail.key)) return;
      let handedOver = false;
      const transport = nodemailer.createTransport({ ...smtpOptions(SMTP_URL), ...times });
      transport.use('stream', ({ message }, done) => {
        message.processFunc((content) => {
          // The server can't accept the mail without its last piece, so the attempt is counted before that.
          const watched = async function* () {
            let last: unknown;
            for await (const piece of content) {
              if (last !== undefined) yield last;
              last = piece;
            }
            await beginHandover(db, mail.key, clock.now());
            handedOver = true;
            if (last !== undefined) yield last;
          };
          return Readable.from(watched(), { objectMode: false });
        });
        done();
      });
      try {
        await transport.sendMail({
          from: MAIL_FROM,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.key}@${domain}>`,
          headers: unsubscribeHeaders(mail),
          replyTo: mail.replyTo,
          references: threadOf(mail, domain),
        });
      } catch (error) {
        const refusal = error as SmtpRefusal;
        if (handedOver && refusal.responseCode !== undefined) await endHandover(db, mail.key, 'not-taken');
        throw isAddressRefused(refusal) ? new MailRefusedError((error as Error).message) : error;
      }
      await endHandover(db, mail.key, 'accepted');
    },
  };
}

/** Mails with one reply address are one conversation in a mail program. */
const threadOf = ({ replyTo }: Mail, domain: string): string | undefined =>
  replyTo === undefined ? undefined : `<${replyTo.split('@')[0]}@${domain}>`;

const unsubscribeHeaders = ({ unsubscribeUrl }: Mail): Record<string, string> =>
  unsubscribeUrl === undefined
    ? {}
    : {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      };

const handoversMax = 2;

/** The mail server took this mail twice without a response: a third copy is never sent. */
export class MailUnconfirmedError extends Error {
  constructor(key: string) {
    super(`the mail ${key} was handed over twice without an answer, and is not sent again`);
  }
}

/** @throws MailUnconfirmedError if the mail may not be sent again */
async function wasAccepted(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_handovers')
    .select(['unanswered', 'accepted'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (row?.accepted) return true;
  if ((row?.unanswered ?? 0) >= handoversMax) throw new MailUnconfirmedError(key);
  return false;
}

/**
 * Counts before the last piece is sent, so that a killed process counts too.
 * @throws MailUnconfirmedError
 */
async function beginHandover(db: Db, key: string, now: Date): Promise<void> {
  const { rows } =
    await sql`insert into mail_handovers as earlier (key, unanswered, last_at) values (${key}, 1, ${now})
    on conflict (key) do update set unanswered = earlier.unanswered + 1, last_at = excluded.last_at
      where earlier.unanswered < ${handoversMax} and not earlier.accepted
    returning 1`.execute(db);
  if (rows.length === 0) throw new MailUnconfirmedError(key);
}

async function endHandover(db: Db, key: string, outcome: 'accepted' | 'not-taken'): Promise<void> {
  const ended = outcome === 'accepted' ? sql`accepted = true` : sql`unanswered = greatest(unanswered - 1, 0)`;
  await sql`update mail_handovers set ${ended} where key = ${key}`.execute(db);
}
