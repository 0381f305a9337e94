import { randomBytes } from 'node:crypto';
import { addMs, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import {
  type EmailChangeStep,
  emailChange,
  type OpenEmailChange,
} from '@nearhand/contract/people/email-change';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Actor, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';
import { sha256 } from '../../platform/sign.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { changeAccountEmail } from '../accounts/accounts.ts';
import { pushEmail } from '../firebase-sign-in/firebase-identities.ts';
import { peopleHooks } from '../hooks.ts';
import { endSessions, recordSignIn } from '../sessions/sessions.ts';
import { deleteSignInSince, newResetToken } from '../sign-in/credentials.ts';
import { deleteLinksOf } from '../sign-in/sign-in.sql.ts';

async function lockAccount(tx: Tx, accountId: string) {
  return tx
    .selectFrom('accounts')
    .select(['id', 'email', 'emailVerified'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Returns whether an account has the address. Also true if another account changed away from the address and
 * may still undo that.
 */
async function isAddressTaken(db: Db, email: string, now: Date, exceptAccountId: string): Promise<boolean> {
  const owner = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', exceptAccountId)
    .executeTakeFirst();
  if (owner) return true;
  const account = await db
    .selectFrom('email_changes')
    .select('id')
    .where('oldEmail', '=', email)
    .where('accountId', '<>', exceptAccountId)
    .where('status', '=', 'done')
    .where('undoUntil', '>', now)
    .executeTakeFirst();
  return account !== undefined;
}

const columns = [
  'id',
  'accountId',
  'oldEmail',
  'newEmail',
  'status',
  'oldTokenHash',
  'newTokenHash',
  'oldConfirmedAt',
  'newConfirmedAt',
  'createdAt',
  'expiresAt',
  'doneAt',
  'undoUntil',
] as const;

async function findOpenChange(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('status', '=', 'open')
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

async function countChangesOfDay(db: Db, accountId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('email_changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('createdAt', '>', subtractMs(now, dayMs))
    .executeTakeFirstOrThrow();
  return count;
}

async function insertChange(
  tx: Tx,
  change: {
    id: string;
    accountId: string;
    oldEmail: string;
    newEmail: string;
    oldTokenHash: string;
    newTokenHash: string;
    now: Date;
    expiresAt: Date;
  },
) {
  const row = await tx
    .insertInto('email_changes')
    .values({
      id: change.id,
      accountId: change.accountId,
      oldEmail: change.oldEmail,
      newEmail: change.newEmail,
      status: 'open',
      oldTokenHash: change.oldTokenHash,
      newTokenHash: change.newTokenHash,
      createdAt: change.now,
      expiresAt: change.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  emitAccount(tx, change.accountId);
  return row;
}

/** Cancels an open change after a password change, since someone else may have started it. */
export async function cancelOpenEmailChange(tx: Tx, accountId: string): Promise<void> {
  const cancelledChanges = await tx
    .updateTable('email_changes')
    .set({ status: 'cancelled' })
    .where('accountId', '=', accountId)
    .where('status', '=', 'open')
    .returning('id')
    .execute();
  if (cancelledChanges.length > 0) emitAccount(tx, accountId);
}

/** Reads without a lock, because callers lock the account first. */
async function findByToken(db: Db, tokenHash: string) {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where(({ eb, or }) => or([eb('oldTokenHash', '=', tokenHash), eb('newTokenHash', '=', tokenHash)]))
    .executeTakeFirst();
}

async function findByUndoToken(db: Db, tokenHash: string) {
  return db
    .selectFrom('email_changes')
    .select(columns)
    .where('undoTokenHash', '=', tokenHash)
    .executeTakeFirst();
}

async function markConfirmed(
  tx: Tx,
  change: { id: string; accountId: string },
  side: 'old' | 'new',
  now: Date,
) {
  const row = await tx
    .updateTable('email_changes')
    .set(side === 'old' ? { oldConfirmedAt: now } : { newConfirmedAt: now })
    .where('id', '=', change.id)
    .where('status', '=', 'open')
    .where(side === 'old' ? 'oldConfirmedAt' : 'newConfirmedAt', 'is', null)
    .returning(columns)
    .executeTakeFirst();
  if (row) emitAccount(tx, change.accountId);
  return row;
}

async function markDone(
  tx: Tx,
  change: { id: string; accountId: string },
  undoTokenHash: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('email_changes')
    .set({
      status: 'done',
      doneAt: now,
      undoTokenHash,
      undoUntil: addMs(now, peopleLimits.emailUndoDays * dayMs),
    })
    .where('id', '=', change.id)
    .where('status', '=', 'open')
    .execute();
  emitAccount(tx, change.accountId);
}

async function findLatestDone(tx: Tx, accountId: string) {
  return tx
    .selectFrom('email_changes')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('status', '=', 'done')
    .orderBy('doneAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Undoes a change and the account's later ones, and invalidates their links. */
async function markUndone(tx: Tx, accountId: string, since: Date): Promise<void> {
  await tx
    .updateTable('email_changes')
    .set({ status: 'undone' })
    .where('accountId', '=', accountId)
    .where('status', '=', 'done')
    .where('createdAt', '>=', since)
    .execute();
  await cancelOpenEmailChange(tx, accountId);
  emitAccount(tx, accountId);
}

async function deleteOldChanges(db: Db, now: Date): Promise<void> {
  const dead = subtractMs(now, peopleLimits.emailUndoDays * dayMs);
  await db
    .deleteFrom('email_changes')
    .where('status', 'in', ['open', 'cancelled', 'undone'])
    .where('expiresAt', '<', dead)
    .execute();
  await db.deleteFrom('email_changes').where('status', '=', 'done').where('undoUntil', '<', dead).execute();
}

export async function deleteChangesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('email_changes').where('accountId', '=', accountId).execute();
}

/**
 * The token is in the queue only until the mail is sent. A hard rejection ends the task: the change then
 * expires unconfirmed.
 */
const sendChangeMailTask = defineTask({
  name: 'email-change.send-mail',
  payload: z.object({
    kind: z.enum(['confirm-new', 'confirm-old', 'changed-old', 'undone-new', 'refused-old']),
    token: z.string().nullable(),
    oldEmail: z.string(),
    newEmail: z.string(),
    key: z.string(),
  }),
  queue: 'messages',
  async run({ config, mailer, log }, { key, ...mail }) {
    await sendUnlessRefused({ mailer, log }, changeMail(config.PUBLIC_URL, key, mail));
  },
});

const tokenBytes = 32;
const newToken = () => randomBytes(tokenBytes).toString('base64url');
const hashOfToken = (token: string) => sha256(`email change ${token}`);

type ChangeRow = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

const toOpenEmailChange = (row: ChangeRow): OpenEmailChange => ({
  newEmail: row.newEmail,
  oldConfirmed: row.oldConfirmedAt !== null,
  newConfirmed: row.newConfirmedAt !== null,
  expiresAt: row.expiresAt.toISOString(),
});

const enqueueChangeMail = (tx: Tx, changeId: string, kind: ChangeMail) => {
  const key = `email-change/${kind.kind}/${changeId}`;
  return enqueue(tx, sendChangeMailTask, { ...kind, key }, { key });
};

/** Returns the caller's open change of email, or null. */
async function currentEmailChange(db: Db, { actor, clock }: Scope): Promise<OpenEmailChange | null> {
  const row = await findOpenChange(db, actor.accountId, clock.now());
  return row ? toOpenEmailChange(row) : null;
}

/** Starts an email change and mails both addresses. Like sign-up, it reveals taken addresses (ADR 10). */
async function startEmailChange(tx: Tx, scope: Scope, input: { newEmail: string }): Promise<OpenEmailChange> {
  const { actor, clock } = scope;
  const { accountId } = actor;
  const now = clock.now();
  const newEmail = input.newEmail.toLowerCase();
  const account = await lockAccount(tx, accountId);
  if (!account) throw new AppError('session/expired');
  if (account.email === newEmail) throw new AppError('email-change/same-address');
  // Counted before the lookup, so that this is not a faster way to find accounts than signing up.
  if ((await countChangesOfDay(tx, accountId, now)) >= peopleLimits.emailChangesPerDay)
    throw new AppError('email-change/too-many', { limit: peopleLimits.emailChangesPerDay });
  if (await isAddressTaken(tx, newEmail, now, accountId)) throw new AppError('email-change/taken');
  await cancelOpenEmailChange(tx, accountId);
  const tokens = { old: newToken(), new: newToken() };
  const row = await insertChange(tx, {
    id: newId(now),
    accountId,
    oldEmail: account.email,
    newEmail,
    oldTokenHash: hashOfToken(tokens.old),
    newTokenHash: hashOfToken(tokens.new),
    now,
    expiresAt: addMs(now, peopleLimits.emailChangeHours * hourMs),
  });
  const addresses = { oldEmail: account.email, newEmail };
  await enqueueChangeMail(tx, row.id, { kind: 'confirm-new', token: tokens.new, ...addresses });
  await enqueueChangeMail(tx, row.id, { kind: 'confirm-old', token: tokens.old, ...addresses });
  return toOpenEmailChange(row);
}

/** Cancels the caller's open change of email. Idempotent. */
async function cancelEmailChange(tx: Tx, { actor }: Scope): Promise<null> {
  await lockAccount(tx, actor.accountId);
  await cancelOpenEmailChange(tx, actor.accountId);
  return null;
}

/**
 * Confirms by a mailed link; the second confirmation changes the email. Public, except that the new address's
 * link also needs a session of the account.
 */
async function confirmEmailChange(
  tx: Tx,
  scope: Scope<Actor | null>,
  { token }: { token: string },
): Promise<EmailChangeStep> {
  const now = scope.clock.now();
  const tokenHash = hashOfToken(token);
  const changeRow = await findByToken(tx, tokenHash);
  if (!changeRow) throw new AppError('email-change/not-found');
  const account = await lockAccount(tx, changeRow.accountId);
  // Reads again under the lock.
  let change = await findByToken(tx, tokenHash);
  if (!account || !change) throw new AppError('email-change/not-found');
  if (change.status === 'done') return { status: 'done', waitingFor: null, newEmail: change.newEmail };
  if (change.status !== 'open') throw new AppError('email-change/not-found');
  if (change.expiresAt <= now) throw new AppError('email-change/expired');
  const side = change.oldTokenHash === tokenHash ? 'old' : 'new';
  // Otherwise a stranger's click could attach their mailbox to an attacker's account (ADR 364).
  if (side === 'new' && scope.actor?.accountId !== change.accountId)
    throw new AppError('email-change/sign-in-first');
  change = (await markConfirmed(tx, change, side, now)) ?? change;
  if (!change.oldConfirmedAt || !change.newConfirmedAt) {
    const waitingFor = change.oldConfirmedAt ? 'new' : 'old';
    return { status: 'waiting', waitingFor, newEmail: change.newEmail };
  }
  if (await isAddressTaken(tx, change.newEmail, now, change.accountId))
    throw new AppError('email-change/taken');
  await applyEmailChange(tx, scope, change, now);
  return { status: 'done', waitingFor: null, newEmail: change.newEmail };
}

async function applyEmailChange(
  tx: Tx,
  scope: Scope<Actor | null>,
  change: ChangeRow,
  now: Date,
): Promise<void> {
  const { accountId, oldEmail, newEmail } = change;
  await changeAccountEmail(tx, scope, accountId, newEmail);
  await pushEmail(tx, accountId);
  // Links mailed to the old address no longer open the account.
  await deleteLinksOf(tx, accountId);
  const undoToken = newToken();
  await markDone(tx, change, hashOfToken(undoToken), now);
  await recordSignIn(tx, scope, { accountId, kind: 'email-changed', userAgent: '' });
  await enqueueChangeMail(tx, change.id, { kind: 'changed-old', token: undoToken, oldEmail, newEmail });
  await peopleHooks.on.addressConfirmed(tx, newEmail);
}

/**
 * Undoes a change, for anyone with the mailed link. Ends sessions and newer ways to sign in, which may be an
 * attacker's.
 */
async function undoEmailChange(
  tx: Tx,
  scope: Scope<Actor | null>,
  { token }: { token: string },
): Promise<{ email: string; resetToken: string }> {
  const now = scope.clock.now();
  const changeRow = await findByUndoToken(tx, hashOfToken(token));
  if (!changeRow || !(await lockAccount(tx, changeRow.accountId)))
    throw new AppError('email-change/not-found');
  const change = await findByUndoToken(tx, hashOfToken(token));
  if (change?.status !== 'done' || !change.doneAt || !change.undoUntil)
    throw new AppError('email-change/not-found');
  if (change.undoUntil <= now) throw new AppError('email-change/expired');
  const { accountId, oldEmail: email, newEmail } = change;
  if (await isAddressTaken(tx, email, now, accountId)) throw new AppError('email-change/taken');
  await changeAccountEmail(tx, scope, accountId, email);
  await pushEmail(tx, accountId, { lockOut: true });
  await markUndone(tx, accountId, change.createdAt);
  await deleteSignInSince(tx, accountId, change.createdAt);
  await endSessions(tx, accountId);
  await recordSignIn(tx, scope, { accountId, kind: 'email-change-undone', userAgent: '' });
  await enqueueChangeMail(tx, change.id, { kind: 'undone-new', token: null, oldEmail: email, newEmail });
  return { email, resetToken: await newResetToken(tx, scope, accountId) };
}

/** Reverts a change to an address that another account at the identity provider has. Keeps sessions. */
export async function revertEmailChange(
  tx: Tx,
  scope: ClockScope,
  { accountId, email: newEmail }: { accountId: string; email: string },
): Promise<void> {
  const account = await lockAccount(tx, accountId);
  const change = await findLatestDone(tx, accountId);
  if (account?.email !== newEmail || change?.newEmail !== newEmail) return;
  const { oldEmail } = change;
  await changeAccountEmail(tx, scope, accountId, oldEmail);
  await markUndone(tx, accountId, change.createdAt);
  await recordSignIn(tx, scope, { accountId, kind: 'email-change-undone', userAgent: '' });
  await enqueueChangeMail(tx, change.id, { kind: 'refused-old', token: null, oldEmail, newEmail });
}

const purgeChangesTask = defineTask({
  name: 'email-change.purge',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteOldChanges(db, clock.now()),
});

type ChangeMail = {
  kind: 'confirm-new' | 'confirm-old' | 'changed-old' | 'undone-new' | 'refused-old';
  token: string | null;
  oldEmail: string;
  newEmail: string;
};

/** The page confirms with a POST, so a mail scanner that opens links changes nothing. */
const linkTo = (publicUrl: string, action: 'confirm' | 'undo', token: string | null) =>
  `${publicUrl}/tabs/menu/change-email?${action}=${encodeURIComponent(token ?? '')}`;

function changeMail(publicUrl: string, key: string, mail: ChangeMail): Mail {
  const { kind, token, oldEmail, newEmail } = mail;
  const hours = peopleLimits.emailChangeHours;
  switch (kind) {
    case 'confirm-new':
      return composeMail(newEmail, key, {
        subject: phrase('Confirm your new email address'),
        heading: phrase('Confirm your new email address'),
        paragraphs: [
          phrase(
            "Confirm that this is your address, in a browser where you're logged in to your account. We've also emailed your old address, which has to agree. The link works for {hours} hours.",
            { hours },
          ),
        ],
        action: { label: phrase('Confirm new address'), url: linkTo(publicUrl, 'confirm', token) },
        footnote: phrase(
          "You're receiving this because someone asked to use this address for their Nearhand account. If that wasn't you, ignore this email.",
        ),
      });
    case 'confirm-old':
      return composeMail(oldEmail, key, {
        subject: phrase('Do you want to change your email address?'),
        heading: phrase('Do you want to change your email address?'),
        paragraphs: [
          phrase(
            'Someone signed in to your account asked to change its address to {newEmail}. Agree if that was you. The link works for {hours} hours.',
            { newEmail, hours },
          ),
          phrase("If it wasn't you, don't follow the link, and change your password now."),
        ],
        action: { label: phrase('Agree to the change'), url: linkTo(publicUrl, 'confirm', token) },
        footnote: phrase("You're receiving this because this is your Nearhand account's address."),
      });
    case 'changed-old':
      return composeMail(oldEmail, key, {
        subject: phrase('Your email address was changed'),
        heading: phrase('Your email address was changed'),
        paragraphs: [
          phrase("Your account's address is now {newEmail}. We won't send anything else here.", { newEmail }),
          phrase(
            "If you didn't want this, undo it within {days} days. That signs out every device and asks for a new password.",
            { days: peopleLimits.emailUndoDays },
          ),
        ],
        action: { label: phrase('Undo the change'), url: linkTo(publicUrl, 'undo', token) },
        footnote: phrase("You're receiving this because this was your Nearhand account's address."),
      });
    case 'refused-old':
      return composeMail(oldEmail, key, {
        subject: phrase('Your email address was not changed'),
        heading: phrase('Your email address was not changed'),
        paragraphs: [
          phrase(
            'Another account already signs in with {newEmail}, so your account keeps this address. Sign in as before.',
            { newEmail },
          ),
          phrase('To use a different address, start the change again in your account settings.'),
        ],
        footnote: phrase("You're receiving this because this is your Nearhand account's address."),
      });
    case 'undone-new':
      return composeMail(newEmail, key, {
        subject: phrase('Your email change was undone'),
        heading: phrase('Your email change was undone'),
        paragraphs: [
          phrase(
            'The earlier address of this account undid the change. This address no longer belongs to the account.',
          ),
        ],
        footnote: phrase("You're receiving this because this was a Nearhand account's address."),
      });
  }
}

export const emailChangeRoutes = {
  current: read(emailChange.current, currentEmailChange),
  start: write(emailChange.start, startEmailChange),
  cancel: write(emailChange.cancel, cancelEmailChange),
  // The caller may have no account to store a response for.
  confirm: write(emailChange.confirm, confirmEmailChange, { stored: false }),
  undo: write(emailChange.undo, undoEmailChange, { stored: false }),
};

export const emailChangeTasks = [sendChangeMailTask, purgeChangesTask];
