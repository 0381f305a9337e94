import { limits } from '@nearhand/contract/limits';
import type { Db, Tx } from '../../platform/db.ts';
import type { FirebaseAccount, FirebaseChange } from '../../platform/firebase/firebase-accounts.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { addAccount, correctUnverifiedEmail, replaceAccountEmail } from '../accounts/accounts.ts';
import { recordSignIn } from '../sessions/sessions.ts';
import { AuthFailure, findAccountByEmail, isHeldForUndo } from '../sign-in/other-sign-in.ts';
import { confirmMailbox, endLinks, forgetPassword, restorePassword } from '../sign-in/sign-in.service.ts';
import { lockedOut, lockLinked, updateIdentity, upsertIdentity } from './firebase-identities.ts';

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
    await followAddress(tx, scope, vouched, linked);
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

/** What Firebase and we know of the address of a linked account. */
function compareAddress({ account, email, provider }: Vouched, linked: Linked) {
  const moved = email !== linked.agreedEmail && email !== linked.email;
  const isNews = account.emailVerified && (moved || (email === linked.email && !linked.emailVerified));
  // A new password came from Firebase's own link to this address. Whoever followed one to a new address may have been led to it by a stranger.
  const isProof = isNews && (provesMailbox.includes(provider) || (provider === 'password' && !moved));
  return { moved, isNews, isProof };
}

type Linked = NonNullable<Awaited<ReturnType<typeof lockLinked>>>;

/**
 * Firebase may say that an address is verified which is not verified here: its own link set a new password, or changed the address. Whatever a
 * stranger may have added at Firebase before is removed there (ADR 364), before anything changes here, so that a failure in between lets nobody in.
 * @throws AuthFailure auth/account-exists-with-different-credential for an account of Facebook that was linked before the proof
 */
export async function settleAtFirebase(
  db: Db,
  change: (uid: string, change: FirebaseChange) => Promise<void>,
  vouched: Vouched,
): Promise<void> {
  const { account, provider } = vouched;
  const linked = await db.transaction().execute((tx) => lockLinked(tx, account.uid));
  if (!linked) return;
  const { moved, isNews, isProof } = compareAddress(vouched, linked);
  if (!isNews) return;
  if (moved && !isProof) return change(account.uid, { emailVerified: false });
  const deleteProvider = account.providers.filter(
    (one) => one !== 'password' && (!isProof || one !== provider),
  );
  const lockPassword = isProof && provider !== 'password' && account.providers.includes('password');
  if (deleteProvider.length > 0 || lockPassword)
    await change(account.uid, {
      deleteProvider,
      ...(lockPassword ? { password: lockedOut().password ?? '' } : {}),
    });
  if (!isProof) throw new AuthFailure('auth/account-exists-with-different-credential');
}

/** The address of a linked account may have changed at Firebase, or may have been verified there. */
async function followAddress(tx: Tx, scope: LinkScope, vouched: Vouched, linked: Linked): Promise<void> {
  const { account, email } = vouched;
  const { moved, isProof } = compareAddress(vouched, linked);
  let own = linked.email;
  if (moved) {
    const now = scope.clock.now();
    const free = !(await findAccountByEmail(tx, email)) && !(await isHeldForUndo(tx, email, now));
    if (free && account.emailVerified) {
      await replaceAccountEmail(tx, scope, linked.id, email);
      await endLinks(tx, linked.id);
      await recordSignIn(tx, scope, { accountId: linked.id, kind: 'email-changed', userAgent: '' });
      own = email;
    } else if (free && (await correctUnverifiedEmail(tx, scope, linked.id, email))) own = email;
  }
  if (email !== linked.agreedEmail) await updateIdentity(tx, account.uid, { email });
  if (isProof && email === own) await confirmMailbox(tx, scope, { id: linked.id, email: own }, null);
}

const nameOf = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, limits.nameMax)
    .toWellFormed();
