import { languages } from '@nearhand/contract/languages';
import { z } from 'zod';
import { type Mail, MailRefused } from '../../platform/mail/mail.ts';
import { composeMail, say } from '../../platform/mail/mail-layout.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
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

/** The link opens the login page, which confirms with a POST, so a mail scanner that opens links verifies nothing. */
const verificationMail = (publicUrl: string, to: string, token: string, key: string) =>
  composeMail(to, key, {
    subject: say('Verify your email address'),
    heading: say('Verify your email address'),
    paragraphs: [say('Confirm that this is your address, then log in. The link works for 24 hours.')],
    action: { label: say('Verify my email'), url: `${publicUrl}/login?verify=${encodeURIComponent(token)}` },
    footnote: say(
      "You're receiving this because an account was created with this address. If that wasn't you, ignore this email. If you follow the link all the same, the account is yours: whoever created it is signed out, and you choose a new password.",
    ),
  });

const passwordResetMail = (publicUrl: string, to: string, token: string, key: string) =>
  composeMail(to, key, {
    subject: say('Reset your password'),
    heading: say('Choose a new password'),
    paragraphs: [say('Follow the link to choose a new password. It works once, for one hour.')],
    action: {
      label: say('Choose a new password'),
      url: `${publicUrl}/login?reset=${encodeURIComponent(token)}`,
    },
    footnote: say(
      "You're receiving this because someone asked to reset this account's password. If that wasn't you, ignore this email. Your password stays the same.",
    ),
  });

/** Sent after a password change, so that an unwanted one is noticed. */
const passwordChangedMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: say('Your password was changed'),
    heading: say('Your password was changed'),
    paragraphs: [
      say("You've been signed out on your other devices. If you didn't change it, reset your password now."),
    ],
    action: { label: say('Log in'), url: `${publicUrl}/login` },
    footnote: say("You're receiving this because your account's password was changed."),
  });

/** Sent once a day at most, when strangers used up the password tries of an account. */
const lockoutMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: say('Too many wrong passwords for your account'),
    heading: say('Too many wrong passwords for your account'),
    paragraphs: [
      say(
        'Someone entered several wrong passwords for your account. Nobody got in. We stop tries from new devices for a minute each time; devices where you have logged in before still work.',
      ),
      say(
        "If that wasn't you, make sure your password is one that you use nowhere else, and turn on the second step in your account settings.",
      ),
    ],
    action: { label: say('Check your account'), url: `${publicUrl}/account-settings` },
    footnote: say("You're receiving this because of failed tries to log in to your account."),
  });
