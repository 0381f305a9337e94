import { languages } from '@nearhand/contract/languages';
import { z } from 'zod';
import { type Mail, MailRefused } from '../../platform/mail/mail.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { lockoutMail, passwordChangedMail, passwordResetMail, verificationMail } from './sign-in.mails.ts';
import { newResetToken, noteFailedSignIn, noteLockout, sendPasswordChangedTask } from './sign-in.service.ts';
import { deleteExpired, findAccountByEmail } from './sign-in.sql.ts';

/**
 * A hard refusal ends the task without a note about the address, since anyone may enter any address.
 * Temporary failures (no answer, full mailbox, greylisting) are thrown and retried.
 */
async function sendOnce({ mailer, log }: Pick<TaskScope, 'mailer' | 'log'>, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.info({ key: mail.key }, "a mail server rejected an account's address");
  }
}

export const sendVerification = defineTask({
  name: 'sign-in.send-verification',
  queue: 'messages',
  payload: z.object({
    email: z.string(),
    token: z.string(),
    key: z.string(),
    /** Of the browser that signed up: the account knows none yet. */
    language: z.enum(languages).nullable(),
  }),
  async run({ config, mailer, log }, { email, token, key, language }) {
    const mail = verificationMail(config.PUBLIC_URL, email, token, key);
    await sendOnce({ mailer, log }, language ? mail.in(language) : mail);
  },
});

/**
 * The address is looked up here, not in the request, which therefore does the same work for every address (ADR 10).
 * A retry creates a second link; both work until one is used or expires.
 */
export const sendPasswordReset = defineTask({
  name: 'sign-in.send-password-reset',
  queue: 'messages',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ db, clock, config, mailer, log }, { email, key }) {
    const account = await findAccountByEmail(db, email);
    if (!account || account.disabledAt !== null) return;
    const token = await db.transaction().execute((tx) => newResetToken(tx, { clock }, account.id));
    await sendOnce({ mailer, log }, passwordResetMail(config.PUBLIC_URL, account.email, token, key));
  },
});

export const sendPasswordChanged = defineTask({
  ...sendPasswordChangedTask,
  queue: 'messages',
  async run({ config, mailer, log }, { email, key }) {
    await sendOnce({ mailer, log }, passwordChangedMail(config.PUBLIC_URL, email, key));
  },
});

/** An address without an account gets no mail. */
export const sendLockout = defineTask({
  name: 'sign-in.send-lockout',
  queue: 'messages',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ db, config, mailer, log }, { email, key }) {
    const account = await findAccountByEmail(db, email);
    if (!account || account.disabledAt !== null) return;
    await noteLockout(db, account.id);
    await sendOnce({ mailer, log }, lockoutMail(config.PUBLIC_URL, account.email, key));
  },
});

/** Looked up here, not in the request, so that a failed try takes as long for every address (ADR 10). */
export const recordFailedSignIn = defineTask({
  name: 'sign-in.record-failure',
  payload: z.object({ email: z.string(), userAgent: z.string() }),
  async run({ db, clock }, { email, userAgent }) {
    await noteFailedSignIn(db, { clock }, email, userAgent);
  },
});

/** Removes expired sessions and links. */
export const purgeExpired = defineTask({
  name: 'sign-in.purge-expired',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteExpired(db, clock.now()),
});

export const signInTasks = [
  sendVerification,
  sendPasswordReset,
  sendPasswordChanged,
  sendLockout,
  recordFailedSignIn,
  purgeExpired,
];
