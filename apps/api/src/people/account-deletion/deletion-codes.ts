import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { addMs, dayMs, minuteMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { deletionLimits } from '@nearhand/contract/people/account-deletion.rules';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { formatsOf } from '../../platform/i18n.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { hasPassword } from '../sign-in/sign-in.ts';
import { findLeaver, lockCode, recordDeletionAttempt, upsertCode } from './account-deletion.sql.ts';

const dateText = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(formatsOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(at);

const deletionCodeMail = (to: string, code: string, minutes: number, key: string): Mail =>
  composeMail(to, key, {
    subject: phrase('{code} is your code to delete your account', { code }),
    heading: phrase('Confirm that you want to delete your account'),
    paragraphs: [
      phrase('Enter this code in your account settings. It works for {minutes} minutes.', { minutes }),
      phrase('Never share this code. Nearhand staff will never ask for it.'),
    ],
    facts: [{ label: phrase('Code'), value: code }],
    footnote: phrase(
      "You're receiving this because someone asked to delete this account. If that wasn't you, ignore this email and change how you sign in.",
    ),
  });

const deletedOn = (at: Date) => (language: Language) =>
  phraseIn(language, phrase('Your account will be deleted on {day}', { day: dateText(language, at) }));

const deletionScheduledMail = (publicUrl: string, to: string, deleteAt: Date, key: string): Mail =>
  composeMail(to, key, {
    subject: deletedOn(deleteAt),
    heading: deletedOn(deleteAt),
    paragraphs: [
      phrase(
        "You've been signed out everywhere, and your applications were withdrawn. Businesses can't see your profile any more.",
      ),
      phrase('To keep your account, log in before that day and choose Keep my account.'),
    ],
    action: { label: phrase('Log in'), url: `${publicUrl}/login?next=%2Faccount-settings` },
    footnote: phrase(
      "You're receiving this because you asked to delete your account. If that wasn't you, log in now, keep your account and change your password.",
    ),
  });

const obstacleText: Record<DeletionObstacle['kind'], MailText> = {
  balance: phrase('there is money in your balance'),
  withdrawal: phrase('a withdrawal is on its way'),
  work: phrase("you have work that isn't finished"),
  dispute: phrase('a dispute is open'),
  offer: phrase('an offer is waiting for your answer'),
  business: phrase('you own a business that is still open'),
  operator: phrase('your account has a staff role'),
};
const obstacleKinds = Object.keys(obstacleText) as [DeletionObstacle['kind']];

const deletionPostponedMail = (
  publicUrl: string,
  to: string,
  obstacles: readonly DeletionObstacle['kind'][],
  key: string,
): Mail =>
  composeMail(to, key, {
    subject: phrase("We couldn't delete your account yet"),
    heading: phrase("We couldn't delete your account yet"),
    paragraphs: [
      (language) => {
        const reasons = obstacles.map((kind) => phraseIn(language, obstacleText[kind])).join('; ');
        return phraseIn(language, phrase('Something came up since you asked: {reasons}.', { reasons }));
      },
      phrase(
        "Log in to sort it out. We'll try again every day, and delete your account as soon as nothing is left.",
      ),
    ],
    action: { label: phrase('Log in'), url: `${publicUrl}/login?next=%2Faccount-settings` },
    footnote: phrase("You're receiving this because you asked to delete your account."),
  });

const accountRemovedMail = (to: string, key: string): Mail =>
  composeMail(to, key, {
    subject: phrase('Your account was deleted'),
    heading: phrase('Your account was deleted'),
    paragraphs: [
      phrase(
        'Your name, contact details, photo, CV and profile are gone. Messages and money records that others need stay, without your name.',
      ),
      phrase(
        'If a bank returns a withdrawal to us after this, we keep the money for you. Write to our support to have it paid out.',
      ),
      phrase('You can open a new account with this address at any time.'),
    ],
    footnote: phrase(
      "This is our last message about this account. You're receiving it because you asked to delete it.",
    ),
  });

const hashOfCode = (accountId: string, code: string) =>
  createHash('sha256').update(`deletion ${accountId} ${code}`).digest();

/** Mails a confirmation code that replaces earlier ones. Only for accounts without a password. */
export async function sendCode(tx: Tx, scope: Scope): Promise<{ sentTo: string; expiresAt: string }> {
  const { accountId } = scope.actor;
  if (await hasPassword(tx, accountId)) throw new AppError('account/has-password');
  const leaver = await findLeaver(tx, accountId);
  if (!leaver) throw new AppError('session/expired');
  const now = scope.clock.now();
  const before = await lockCode(tx, accountId);
  const isSameDay = before !== undefined && before.firstAt.getTime() + dayMs > now.getTime();
  if (isSameDay && before.sentCount >= peopleLimits.deletionCodesPerDay)
    throw new AppError('account/too-many-codes', {
      retryAfterSeconds: Math.ceil((before.firstAt.getTime() + dayMs - now.getTime()) / 1_000),
    });
  const code = String(randomInt(10 ** deletionLimits.codeDigits)).padStart(deletionLimits.codeDigits, '0');
  const expiresAt = addMs(now, peopleLimits.deletionCodeMinutes * minuteMs);
  await upsertCode(tx, {
    accountId,
    hash: hashOfCode(accountId, code),
    now,
    expiresAt,
    sentCount: isSameDay ? before.sentCount + 1 : 1,
    firstAt: isSameDay ? before.firstAt : now,
  });
  await enqueue(tx, sendDeletionCodeTask, { to: leaver.email, code, key: `deletion-code-${newId(now)}` });
  return { sentTo: leaver.email, expiresAt: expiresAt.toISOString() };
}

/**
 * Checks a mailed code and counts the attempt.
 * @throws account/wrong-code (data: left)
 */
export async function requireCode(db: Db, scope: Scope, code: string): Promise<void> {
  const { accountId } = scope.actor;
  const row = await recordDeletionAttempt(db, accountId, peopleLimits.deletionCodeTries, scope.clock.now());
  if (row && timingSafeEqual(row.codeHash, hashOfCode(accountId, code))) return;
  throw new AppError('account/wrong-code', { left: row ? peopleLimits.deletionCodeTries - row.tries : 0 });
}

const mail = { to: z.string(), key: z.string() };

export const sendDeletionCodeTask = defineTask({
  name: 'account-deletion.send-code',
  queue: 'messages',
  payload: z.object({ ...mail, code: z.string() }),
  run: (scope, { to, code, key }) =>
    sendUnlessRefused(scope, deletionCodeMail(to, code, peopleLimits.deletionCodeMinutes, key)),
});

export const sendScheduledTask = defineTask({
  name: 'account-deletion.send-scheduled',
  queue: 'messages',
  payload: z.object({ ...mail, deleteAt: z.iso.datetime() }),
  run: (scope, { to, deleteAt, key }) =>
    sendUnlessRefused(scope, deletionScheduledMail(scope.config.PUBLIC_URL, to, new Date(deleteAt), key)),
});

export const sendPostponedTask = defineTask({
  name: 'account-deletion.send-postponed',
  queue: 'messages',
  payload: z.object({ ...mail, reasons: z.array(z.enum(obstacleKinds)) }),
  run: (scope, { to, reasons, key }) =>
    sendUnlessRefused(scope, deletionPostponedMail(scope.config.PUBLIC_URL, to, reasons, key)),
});

export const sendRemovedTask = defineTask({
  name: 'account-deletion.send-removed',
  queue: 'messages',
  payload: z.object(mail),
  run: (scope, { to, key }) => sendUnlessRefused(scope, accountRemovedMail(to, key)),
});

export const removal = {
  name: 'account-deletion.remove',
  payload: z.object({ deletionId: z.uuid() }),
};
export const removalKey = (deletionId: string): string => `account-deletion.remove/${deletionId}`;
