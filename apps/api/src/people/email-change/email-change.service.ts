import { createHash, randomBytes } from 'node:crypto';
import { hourMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { EmailChangeStep, OpenEmailChange } from '@nearhand/contract/people/email-change';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { changeAccountEmail } from '../accounts/accounts.service.ts';
import { pushEmail } from '../firebase-sign-in/firebase-identities.service.ts';
import { peopleOutcomes } from '../outcomes.ts';
import { endAllSessions, recordSignIn } from '../sessions/sessions.service.ts';
import { endLinks, forgetSignInSince, newResetToken } from '../sign-in/sign-in.service.ts';
import type { ChangeMail } from './email-change.mails.ts';
import {
  cancelOpenChange,
  countChangesOfDay,
  findByToken,
  findByUndoToken,
  findLatestDone,
  findOpenChange,
  insertChange,
  isAddressTaken,
  lockAccount,
  markConfirmed,
  markDone,
  markUndone,
} from './email-change.sql.ts';

/** Sends one mail of a change. The token is in the queue only until it is sent. */
export const sendChangeMailTask = {
  name: 'email-change.send-mail',
  payload: z.object({
    kind: z.enum(['confirm-new', 'confirm-old', 'changed-old', 'undone-new', 'refused-old']),
    token: z.string().nullable(),
    oldEmail: z.string(),
    newEmail: z.string(),
    key: z.string(),
  }),
};

const tokenBytes = 32;
const newToken = () => randomBytes(tokenBytes).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(`email change ${token}`).digest('base64url');

type ChangeRow = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

const viewOf = (row: ChangeRow): OpenEmailChange => ({
  newEmail: row.new_email,
  oldConfirmed: row.old_confirmed_at !== null,
  newConfirmed: row.new_confirmed_at !== null,
  expiresAt: row.expires_at.toISOString(),
});

const mail = (tx: Tx, changeId: string, what: ChangeMail) => {
  const key = `email-change/${what.kind}/${changeId}`;
  return enqueue(tx, sendChangeMailTask, { ...what, key }, { key });
};

/** The caller's open change; null if there is none or it has expired. */
export async function currentEmailChange(db: Db, { actor, clock }: Scope): Promise<OpenEmailChange | null> {
  const row = await findOpenChange(db, actor.accountId, clock.now());
  return row ? viewOf(row) : null;
}

/**
 * Starts to change the caller's email and mails both addresses; an open change is cancelled.
 * @throws email-change/same-address, email-change/taken (as sign-up reveals it too, ADR 10), email-change/too-many
 */
export async function startEmailChange(
  tx: Tx,
  scope: Scope,
  input: { newEmail: string },
): Promise<OpenEmailChange> {
  const { actor, clock } = scope;
  const { accountId } = actor;
  const now = clock.now();
  const newEmail = input.newEmail.toLowerCase();
  const account = await lockAccount(tx, accountId);
  if (!account) throw new AppError('session/expired');
  if (account.email === newEmail) throw new AppError('email-change/same-address');
  // Counted before the address is looked up, so that this is no faster way to find accounts than signing up.
  if ((await countChangesOfDay(tx, accountId, now)) >= limits.emailChangesPerDay)
    throw new AppError('email-change/too-many', { limit: limits.emailChangesPerDay });
  if (await isAddressTaken(tx, newEmail, now, accountId)) throw new AppError('email-change/taken');
  await cancelOpenChange(tx, accountId);
  const tokens = { old: newToken(), new: newToken() };
  const row = await insertChange(tx, {
    id: newId(now),
    accountId,
    oldEmail: account.email,
    newEmail,
    oldTokenHash: hashOf(tokens.old),
    newTokenHash: hashOf(tokens.new),
    now,
    expiresAt: new Date(now.getTime() + limits.emailChangeHours * hourMs),
  });
  const addresses = { oldEmail: account.email, newEmail };
  await mail(tx, row.id, { kind: 'confirm-new', token: tokens.new, ...addresses });
  await mail(tx, row.id, { kind: 'confirm-old', token: tokens.old, ...addresses });
  return viewOf(row);
}

/** Cancels the caller's open change. A no-op without one. */
export async function cancelEmailChange(tx: Tx, { actor }: Scope): Promise<null> {
  await lockAccount(tx, actor.accountId);
  await cancelOpenChange(tx, actor.accountId);
  return null;
}

/**
 * Confirms a change by the link mailed to one of its addresses; the second confirmation changes the email. A repeat is a no-op. Public: the
 * token is the proof; that of the new address only together with a session of the account.
 * @throws email-change/not-found for an unknown or cancelled link, email-change/expired, email-change/sign-in-first, email-change/taken
 */
export async function confirmEmailChange(
  tx: Tx,
  scope: Scope<Actor | null>,
  { token }: { token: string },
): Promise<EmailChangeStep> {
  const now = scope.clock.now();
  const tokenHash = hashOf(token);
  const found = await findByToken(tx, tokenHash);
  if (!found) throw new AppError('email-change/not-found');
  const account = await lockAccount(tx, found.account_id);
  // Read again under the lock.
  let change = await findByToken(tx, tokenHash);
  if (!account || !change) throw new AppError('email-change/not-found');
  if (change.status === 'done') return { status: 'done', waitingFor: null, newEmail: change.new_email };
  if (change.status !== 'open') throw new AppError('email-change/not-found');
  if (change.expires_at <= now) throw new AppError('email-change/expired');
  const side = change.old_token_hash === tokenHash ? 'old' : 'new';
  // Otherwise anyone could attach a stranger's mailbox, who only pressed a button in a mail, to an account that they can open (ADR 364).
  if (side === 'new' && scope.actor?.accountId !== change.account_id)
    throw new AppError('email-change/sign-in-first');
  change = (await markConfirmed(tx, change, side, now)) ?? change;
  if (!change.old_confirmed_at || !change.new_confirmed_at) {
    const waitingFor = change.old_confirmed_at ? 'new' : 'old';
    return { status: 'waiting', waitingFor, newEmail: change.new_email };
  }
  if (await isAddressTaken(tx, change.new_email, now, change.account_id))
    throw new AppError('email-change/taken');
  await apply(tx, scope, change, now);
  return { status: 'done', waitingFor: null, newEmail: change.new_email };
}

async function apply(tx: Tx, scope: Scope<Actor | null>, change: ChangeRow, now: Date): Promise<void> {
  const { account_id: accountId, old_email: oldEmail, new_email: newEmail } = change;
  await changeAccountEmail(tx, scope, accountId, newEmail);
  await pushEmail(tx, accountId);
  // Links mailed to the old address open the account no longer.
  await endLinks(tx, accountId);
  const undoToken = newToken();
  await markDone(tx, change, hashOf(undoToken), now);
  await recordSignIn(tx, scope, { accountId, kind: 'email-changed', userAgent: '' });
  await mail(tx, change.id, { kind: 'changed-old', token: undoToken, oldEmail, newEmail });
  await peopleOutcomes.on.addressConfirmed(tx, newEmail);
}

/**
 * Undoes a change by the link mailed to the old address, also after later changes. Ends all sessions, and removes the password and every
 * way to sign in that was added since: the person who changed the address may know them. Public: the token is the proof.
 * @returns the address, and a token to set a new password with
 * @throws email-change/not-found for an unknown or used link, email-change/expired, email-change/taken
 */
export async function undoEmailChange(
  tx: Tx,
  scope: Scope<Actor | null>,
  { token }: { token: string },
): Promise<{ email: string; resetToken: string }> {
  const now = scope.clock.now();
  const found = await findByUndoToken(tx, hashOf(token));
  if (!found || !(await lockAccount(tx, found.account_id))) throw new AppError('email-change/not-found');
  const change = await findByUndoToken(tx, hashOf(token));
  if (change?.status !== 'done' || !change.done_at || !change.undo_until)
    throw new AppError('email-change/not-found');
  if (change.undo_until <= now) throw new AppError('email-change/expired');
  const { account_id: accountId, old_email: email, new_email: newEmail } = change;
  if (await isAddressTaken(tx, email, now, accountId)) throw new AppError('email-change/taken');
  await changeAccountEmail(tx, scope, accountId, email);
  await pushEmail(tx, accountId, { lockOut: true });
  await markUndone(tx, accountId, change.created_at);
  await forgetSignInSince(tx, accountId, change.created_at);
  await endAllSessions(tx, accountId);
  await recordSignIn(tx, scope, { accountId, kind: 'email-change-undone', userAgent: '' });
  await mail(tx, change.id, { kind: 'undone-new', token: null, oldEmail: email, newEmail });
  return { email, resetToken: await newResetToken(tx, scope, accountId) };
}

/**
 * Undoes an account's latest change: the identity provider has another account with its new address, so nobody could sign in by it. The
 * person keeps the old address and every session, and is mailed why. A no-op if the address has changed again.
 */
export async function takeBackEmailChange(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  { accountId, email: newEmail }: { accountId: string; email: string },
): Promise<void> {
  const account = await lockAccount(tx, accountId);
  const change = await findLatestDone(tx, accountId);
  if (account?.email !== newEmail || change?.new_email !== newEmail) return;
  const { old_email: oldEmail } = change;
  await changeAccountEmail(tx, scope, accountId, oldEmail);
  await markUndone(tx, accountId, change.created_at);
  await recordSignIn(tx, scope, { accountId, kind: 'email-change-undone', userAgent: '' });
  await mail(tx, change.id, { kind: 'refused-old', token: null, oldEmail, newEmail });
}

/** The password changed: an open change may be someone else's, so its links stop working. Undoing a finished one stays possible. */
export const endOpenEmailChange = (tx: Tx, accountId: string): Promise<void> =>
  cancelOpenChange(tx, accountId);

/** For an account that is removed (ADR 160). */
export { deleteChangesOf } from './email-change.sql.ts';
