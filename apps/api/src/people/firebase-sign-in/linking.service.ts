import { limits } from '@nearhand/contract/limits';
import type { Tx } from '../../platform/db.ts';
import type { FirebaseAccount } from '../../platform/firebase/firebase-accounts.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { addAccount, changeAccountEmail, correctUnverifiedEmail } from '../accounts/accounts.service.ts';
import { recordSignIn } from '../sessions/sessions.service.ts';
import { AuthFailure, findAccountByEmail, isHeldForUndo } from '../sign-in/other-sign-in.service.ts';
import { confirmMailbox, endLinks, forgetPassword, restorePassword } from '../sign-in/sign-in.service.ts';
import { lockLinked, updateIdentity, upsertIdentity } from './firebase-identities.sql.ts';

/** The session of the browser that signs in, if it has one. */
type Current = { id: string; sessionId: string } | undefined;

/** What Firebase vouched for: the account as it is there now, and how this sign-in was done. */
export type Vouched = { account: FirebaseAccount; email: string; provider: string };

/** Providers that give an address only to who owns its mailbox. Facebook does not say; a password proves nothing about a mailbox. */
const provesMailbox: readonly string[] = ['google.com', 'apple.com'];

type LinkScope = Pick<Scope, 'clock'>;

/**
 * The account of ours for an account at Firebase: the linked one, else a new one, else the one with the same address if the person proved
 * that it is theirs (ADR 224).
 * @throws AuthFailure auth/user-disabled, auth/email-already-in-use, auth/account-exists-with-different-credential
 */
export async function acceptIdentity(
  tx: Tx,
  scope: LinkScope,
  vouched: Vouched,
  current: Current,
): Promise<string> {
  const { account, email } = vouched;
  const linked = await lockLinked(tx, account.uid);
  const hasPassword = account.providers.includes('password');
  if (linked) {
    if (linked.disabledAt !== null) throw new AuthFailure('auth/user-disabled');
    await followAddress(tx, scope, vouched, linked, current);
    await updateIdentity(tx, account.uid, { hasPassword });
    // Of an exported account (ADR 224): from now on Firebase has a hash of its own, which it can export.
    if (vouched.provider === 'password') await restorePassword(tx, scope, linked.id, null);
    return linked.id;
  }
  const existing = await findAccountByEmail(tx, email);
  const accountId = existing
    ? await requireProof(tx, scope, vouched, existing, current)
    : await openAccount(tx, scope, vouched);
  const now = scope.clock.now();
  await upsertIdentity(tx, { uid: account.uid, accountId, email, hasPassword, now });
  return accountId;
}

async function openAccount(tx: Tx, scope: LinkScope, { account, email }: Vouched): Promise<string> {
  if (await isHeldForUndo(tx, email, scope.clock.now())) throw new AuthFailure('auth/email-already-in-use');
  return addAccount(tx, scope, { email, name: nameOf(account.name), emailVerified: account.emailVerified });
}

/** An account with this address is older than its link: both addresses are verified, and the person is signed in to it or owns the mailbox. */
async function requireProof(
  tx: Tx,
  scope: LinkScope,
  { account, provider }: Vouched,
  existing: NonNullable<Awaited<ReturnType<typeof findAccountByEmail>>>,
  current: Current,
): Promise<string> {
  const proved = current?.id === existing.id || provesMailbox.includes(provider);
  if (!account.emailVerified || !existing.emailVerified || !proved)
    throw new AuthFailure('auth/account-exists-with-different-credential');
  if (existing.disabledAt !== null) throw new AuthFailure('auth/user-disabled');
  await forgetPassword(tx, scope, existing.id);
  return existing.id;
}

/** The address of a linked account may have changed at Firebase, or may have been verified there. */
async function followAddress(
  tx: Tx,
  scope: LinkScope,
  { account, email }: Vouched,
  linked: NonNullable<Awaited<ReturnType<typeof lockLinked>>>,
  current: Current,
): Promise<void> {
  let own = linked.email;
  if (email !== linked.agreedEmail && email !== own) {
    const now = scope.clock.now();
    const free = !(await findAccountByEmail(tx, email)) && !(await isHeldForUndo(tx, email, now));
    if (free && account.emailVerified) {
      await changeAccountEmail(tx, scope, linked.id, email);
      await endLinks(tx, linked.id);
      await recordSignIn(tx, scope, { accountId: linked.id, kind: 'email-changed', userAgent: '' });
      own = email;
    } else if (free && (await correctUnverifiedEmail(tx, scope, linked.id, email))) own = email;
  }
  if (email !== linked.agreedEmail) await updateIdentity(tx, account.uid, { email });
  if (account.emailVerified && email === own && !linked.emailVerified)
    // Until now a stranger may have had the account (ADR 10): sessions of other browsers end.
    await confirmMailbox(
      tx,
      scope,
      { id: linked.id, email: own },
      current?.id === linked.id ? current.sessionId : null,
    );
}

const nameOf = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, limits.nameMax)
    .toWellFormed();
