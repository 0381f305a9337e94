import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import { type Mail, MailRefused } from '../../platform/mail.ts';
import { defineTask, type TaskScope } from '../../platform/tasks.ts';
import { hashIdentifier, resetIdentifier, resetLinkSeconds } from './accounts.links.ts';
import { passwordChangedMail, passwordResetMail, verificationMail } from './accounts.mails.ts';
import { deleteExpired, findAccountByEmail, insertVerification } from './accounts.sql.ts';

/**
 * A hard refusal ends the task: no later try will be answered otherwise. Nothing is noted of the address, since anybody may type any: whoever owns the account
 * asks for another mail, and that one is tried again. What may pass (no answer, a full mailbox, greylisting) is thrown and tried again.
 */
async function sendOnce({ mailer, log }: Pick<TaskScope, 'mailer' | 'log'>, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.info({ key: mail.key }, 'a mail of an account was refused by its mail server');
  }
}

export const sendVerification = defineTask({
  name: 'accounts.send-verification',
  payload: z.object({ email: z.string(), token: z.string(), key: z.string() }),
  async run({ config, mailer, log }, { email, token, key }) {
    await sendOnce({ mailer, log }, verificationMail(config.PUBLIC_URL, email, token, key));
  },
});

/**
 * Whether the address is known is found out here and nowhere in the request, which therefore does the same work for every address
 * (spec §8, ADR 0011). Run twice it makes a second link; both work until one is used or an hour has passed.
 */
export const sendPasswordReset = defineTask({
  name: 'accounts.send-password-reset',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ db, clock, config, mailer, log }, { email, key }) {
    const now = clock.now();
    const account = await findAccountByEmail(db, email);
    if (!account || account.disabledAt !== null) return;
    const token = randomBytes(24).toString('base64url');
    await insertVerification(db, {
      id: newId(now),
      identifier: hashIdentifier(resetIdentifier(token)),
      value: account.id,
      expiresAt: new Date(now.getTime() + resetLinkSeconds * 1_000),
      now,
    });
    await sendOnce({ mailer, log }, passwordResetMail(config.PUBLIC_URL, account.email, token, key));
  },
});

export const sendPasswordChanged = defineTask({
  name: 'accounts.send-password-changed',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ config, mailer, log }, { email, key }) {
    await sendOnce({ mailer, log }, passwordChangedMail(config.PUBLIC_URL, email, key));
  },
});

/** Sessions that ran out and links that nobody followed are refused anyway; they are only not kept for ever. */
export const purgeExpired = defineTask({
  name: 'accounts.purge-expired',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteExpired(db, clock.now()),
});

export const accountsTasks = [sendVerification, sendPasswordReset, sendPasswordChanged, purgeExpired];
