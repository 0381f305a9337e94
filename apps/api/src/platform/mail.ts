import { sql } from 'kysely';
import nodemailer from 'nodemailer';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import { newId } from './ids.ts';

/** One mail. `key` is its dedupe key: the receiving side sees at most one Message-ID for it. */
export type Mail = { to: string; subject: string; text: string; html: string; key: string };

/** Sends mail; called from tasks only (architecture.md, Rules: Transactions). Throws when the server refuses, so that the task is tried again. */
export type Mailer = { send(mail: Mail): Promise<void> };

/** SMTP when configured, else the development mailbox, which keeps every message in the database and shows it at `/dev/mailbox`. */
export function createMailer(
  config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'NODE_ENV' | 'PUBLIC_URL'>,
  db: Db,
  clock: Clock,
): Mailer {
  if (config.SMTP_URL) {
    const transport = nodemailer.createTransport(config.SMTP_URL);
    const domain = new URL(config.PUBLIC_URL).hostname;
    return {
      async send(mail) {
        await transport.sendMail({
          from: config.MAIL_FROM,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: `<${mail.key}@${domain}>`,
        });
      },
    };
  }
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
