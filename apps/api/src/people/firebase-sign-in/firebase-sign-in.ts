import { minuteMs } from '@nearhand/contract/durations';
import { type Language, languageOfHeader } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { AuthCode } from '@nearhand/contract/people/auth-codes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import {
  createFirebaseAccounts,
  type FirebaseAccount,
  type FirebaseChange,
  FirebaseRefusedError,
  FirebaseUnreachableError,
} from '../../platform/firebase/firebase-accounts.ts';
import { createTokenReader, TokenRefusedError } from '../../platform/firebase/firebase-tokens.ts';
import type { Actor, ClockScope } from '../../platform/http/scope.ts';
import type { Log } from '../../platform/log.ts';
import { findCommonHashes, hashPrefix } from '../../platform/passwords/guessable-passwords.ts';
import { setSignUpLanguage } from '../account-settings/account-settings.ts';
import { addAccount, correctUnverifiedEmail, replaceAccountEmail } from '../accounts/accounts.ts';
import { endSessions, recordSignIn } from '../sessions/sessions.ts';
import { AuthFailure } from '../sign-in/auth-failures.ts';
import {
  accountOfResetToken,
  confirmMailbox,
  deleteOwnCredentials,
  onPasswordChanged,
  recordPasswordProof,
  restorePassword,
} from '../sign-in/credentials.ts';
import { correctEmail, requireProofOf } from '../sign-in/other-sign-in.ts';
import type { AccountStanding, ExternalIdentity } from '../sign-in/provider.ts';
import {
  chosenPassword,
  emailShape,
  headersFor,
  linkToken,
  readBody,
  requireUncommon,
} from '../sign-in/requests.ts';
import { deleteLinksOf, findAccountByEmail, findSignInTime, isHeldForUndo } from '../sign-in/sign-in.sql.ts';
import { type MoreSignIn, type SignInCalls, userAgentOf } from '../sign-in/sign-in-calls.ts';
import {
  changeAddress,
  findIdentityOf,
  lockedOut,
  lockLinked,
  pushEmailTask,
  removeTask,
  updateIdentity,
  upsertFirebaseIdentity,
} from './firebase-identities.ts';

/** Maximum age of a sign-in that counts as entering the password again. */
const proofMs = 5 * minuteMs;
const tokenMax = 8_000;
const withToken = z.object({ idToken: z.string().min(1).max(tokenMax) });

/** Built-in routes that Firebase replaces for browsers. */
const replacedRoutes = ['/sign-up/email', '/request-password-reset', '/change-password', '/sign-in/social'];

/** Exchanges Firebase ID tokens for our session; also handles the console and mail links (ADR 10, 224). */
export const firebaseSignIn =
  (identity: FirebaseIdentity): MoreSignIn =>
  (app, calls) => {
    registerExchange(app, calls, identity);
    registerProofs(app, calls, identity);
    registerLinks(app, calls, identity);
    for (const path of replacedRoutes)
      app.post(path, async () => {
        throw new AuthFailure('auth/operation-not-allowed');
      });
  };

function registerExchange(app: FastifyInstance, calls: SignInCalls, identity: FirebaseIdentity): void {
  const { config, db, clock } = calls.parts;

  async function exchange(request: FastifyRequest, reply: FastifyReply, idToken: string) {
    const vouched = await identity.vouch(idToken);
    await identity.withCodes(() => removeUnprovenSignIns(db, identity.accounts.change, vouched));
    const current = await calls.findSession(request);
    const language = languageOfHeader(request.headers['accept-language']);
    const accept = () =>
      db.transaction().execute((tx) => acceptIdentity(tx, { clock, language }, vouched, current));
    const accountId = await accept().catch((error: { code?: unknown }) => {
      // Someone else signed in first with the same address and now has an account.
      if (error.code === '23505') return accept();
      throw error;
    });
    const session = current?.id === accountId ? await calls.findSession(request) : undefined;
    if (session) return calls.grantOf(session);
    const headers = new Headers(headersFor(request, config.PUBLIC_URL));
    headers.delete('cookie');
    for (const [name, value] of trustedDeviceOf(request)) headers.set(name, value);
    const body = { accountId };
    const response = await calls.provider.api.openExternalSession({ headers, body, asResponse: true });
    return calls.grantFrom(request, response, reply);
  }

  app.post('/firebase/session', async (request, reply) => {
    const { idToken } = readBody(withToken, request.body);
    await calls.limit(request, 'sign-in', null);
    return exchange(request, reply, idToken);
  });

  // The console has no SDK, so it sends the password.
  app.post('/sign-in/email', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: z.string().min(1) }), request.body);
    await calls.limit(request, 'sign-in', body.email);
    try {
      const idToken = await identity.withCodes(() => identity.accounts.signIn(body.email, body.password));
      return await exchange(request, reply, idToken);
    } catch (failure) {
      if (failure instanceof AuthFailure && failure.code === 'auth/invalid-credential')
        await calls.recordFailure(request, body.email);
      throw failure;
    }
  });
}

/** Keeps only the trusted-device cookie: with an earlier session's, the library would return that session. */
function trustedDeviceOf(request: FastifyRequest): [string, string][] {
  const cookie = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .filter((cookie) => cookie !== '' && !cookie.includes('session_token='))
    .join('; ');
  return cookie === '' ? [] : [['cookie', cookie]];
}

function registerProofs(app: FastifyInstance, calls: SignInCalls, identity: FirebaseIdentity): void {
  const { config, db, clock } = calls.parts;

  /** @throws AuthFailure auth/user-mismatch, auth/requires-recent-login */
  async function provedAgain(request: FastifyRequest, idToken: string) {
    const grant = await calls.requireSession(request);
    await calls.limit(request, 'sign-in', grant.email);
    const { account, signedInAt } = await identity.vouch(idToken);
    if ((await findIdentityOf(db, grant.id))?.uid !== account.uid)
      throw new AuthFailure('auth/user-mismatch');
    if (signedInAt.getTime() < clock.now().getTime() - proofMs)
      throw new AuthFailure('auth/requires-recent-login');
    return grant;
  }

  app.post('/firebase/proof', async (request) => {
    const { idToken } = readBody(withToken, request.body);
    const { sessionId } = await provedAgain(request, idToken);
    await recordPasswordProof(db, { clock }, sessionId);
    return {};
  });

  // The browser compares the rest itself: this server must not receive the password.
  app.post('/firebase/common-passwords', async (request) => {
    const { prefix } = readBody(z.object({ prefix: z.string().regex(hashPrefix) }), request.body);
    return { hashes: await findCommonHashes(prefix) };
  });

  app.post('/firebase/password-changed', async (request, reply) => {
    const { idToken } = readBody(withToken, request.body);
    const before = await provedAgain(request, idToken);
    await db.transaction().execute(async (tx) => {
      await onPasswordChanged(tx, { clock }, before, {
        kind: 'password-changed',
        userAgent: userAgentOf(request),
      });
    });
    const headers = new Headers(headersFor(request, config.PUBLIC_URL));
    const body = { accountId: before.id, endStep: false };
    const response = await calls.provider.api.openSession({ headers, body, asResponse: true });
    return calls.grantOf(await calls.openedBy(request, response, reply));
  });

  app.post('/verify-password', async (request) => {
    const body = readBody(z.object({ email: emailShape, password: z.string().min(1) }), request.body);
    const grant = await calls.requireSession(request);
    if (body.email.toLowerCase() !== grant.email) throw new AuthFailure('auth/user-mismatch');
    await calls.limit(request, 'sign-in', grant.email);
    await identity.checkPassword(grant.email, body.password);
    await recordPasswordProof(db, { clock }, grant.sessionId);
    return {};
  });
}

function registerLinks(app: FastifyInstance, calls: SignInCalls, identity: FirebaseIdentity): void {
  const { db, clock } = calls.parts;
  const { accounts, withCodes } = identity;

  app.post('/verify-email', async (request) => {
    const { token } = readBody(z.object({ token: linkToken }), request.body);
    await calls.limit(request, 'link', null);
    const { uid, email } = await withCodes(() => accounts.applyCode(token));
    const account = await findAccountByEmail(db, email);
    const linked = account && (await findIdentityOf(db, account.id));
    // Someone signed up at Firebase but never signed in here. The owner is unknown, so lock out the sign-in methods
    // they chose.
    if (!account || !linked) {
      if (!account && uid !== null) await withCodes(() => accounts.change(uid, lockedOut()));
      return {};
    }
    const grant = await calls.findSession(request);
    const isSignedIn = grant?.id === account.id;
    // Runs before our own confirmation, so that a failure in between leaves the account locked.
    if (!isSignedIn && !account.emailVerified)
      await withCodes(() => accounts.change(linked.uid, lockedOut()));
    return db.transaction().execute((tx) => confirmMailbox(tx, { clock }, account, isSignedIn));
  });

  app.post('/reset-password', async (request) => {
    const body = readBody(z.object({ token: linkToken, newPassword: chosenPassword }), request.body);
    await calls.limit(request, 'link', null);
    const account = await accountOfResetToken(db, { clock }, body.token);
    const linked = account && (await findIdentityOf(db, account.id));
    if (!account || !linked) throw new AuthFailure('auth/invalid-action-code');
    await requireUncommon(body.newPassword, account.email);
    const lockout = account.emailVerified ? {} : lockedOut();
    await withCodes(() =>
      accounts.change(linked.uid, { ...lockout, password: body.newPassword, emailVerified: true }),
    );
    await db.transaction().execute(async (tx) => {
      await confirmMailbox(tx, { clock }, account, false);
      await onPasswordChanged(tx, { clock }, account, {
        kind: 'password-reset',
        userAgent: userAgentOf(request),
      });
    });
    return { email: account.email };
  });

  // Used when the browser is signed in here but no longer at Firebase.
  app.post('/send-verification-email', async (request) => {
    const { email, emailVerified } = await calls.requireSession(request);
    await calls.limit(request, 'mail', email);
    if (!emailVerified) await withCodes(() => accounts.sendVerification(email));
    return {};
  });

  app.post('/correct-email', async (request) => {
    const email = readBody(z.object({ email: emailShape }), request.body).email.toLowerCase();
    const grant = await calls.requireSession(request);
    await calls.limit(request, 'sign-up', grant.email);
    await calls.limit(request, 'mail', email);
    const linked = await findIdentityOf(db, grant.id);
    if (!linked || grant.emailVerified) throw new AuthFailure('auth/operation-not-allowed');
    if (email !== grant.email) {
      await requireProofOf(calls, grant.sessionId);
      if (await findAccountByEmail(db, email)) throw new AuthFailure('auth/email-already-in-use');
      // Changes the address at Firebase first: if the rest fails, the next sign-in takes it over from there.
      await withCodes(() => changeAddress(db, accounts, linked.uid, { email, emailVerified: false }));
      await correctEmail({ db, clock }, grant.id, email);
    }
    await withCodes(() => accounts.sendVerification(email));
    return {};
  });
}

/** Maximum clock difference from Google's before a session counts as revoked. */
const toleranceMs = minuteMs;

const tokenCodes = {
  expired: 'auth/user-token-expired',
  invalid: 'auth/invalid-user-token',
  'other-project': 'auth/app-not-authorized',
  'keys-unreachable': 'auth/network-request-failed',
} as const satisfies Record<TokenRefusedError['problem'], AuthCode>;

/** Firebase's codes for invalid input. Others are configuration errors. */
const refusedCodes: Partial<Record<string, AuthCode>> = {
  INVALID_LOGIN_CREDENTIALS: 'auth/invalid-credential',
  INVALID_PASSWORD: 'auth/invalid-credential',
  EMAIL_NOT_FOUND: 'auth/invalid-credential',
  INVALID_EMAIL: 'auth/invalid-email',
  USER_DISABLED: 'auth/user-disabled',
  USER_NOT_FOUND: 'auth/user-not-found',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'auth/too-many-requests',
  PASSWORD_LOGIN_DISABLED: 'auth/operation-not-allowed',
  OPERATION_NOT_ALLOWED: 'auth/operation-not-allowed',
  EMAIL_EXISTS: 'auth/email-already-in-use',
  INVALID_OOB_CODE: 'auth/invalid-action-code',
  EXPIRED_OOB_CODE: 'auth/expired-action-code',
  WEAK_PASSWORD: 'auth/weak-password',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'auth/password-does-not-meet-requirements',
};

type Parts = { config: Config; db: Db; clock: Clock; log: Log };

/** Revoked by Firebase, other than through a change made here. */
const isRevoked = (since: Date, validSince: Date, ownChangeAt: Date | null): boolean =>
  since.getTime() + toleranceMs < validSince.getTime() &&
  (ownChangeAt === null || validSince.getTime() > ownChangeAt.getTime());

type FirebaseIdentity = ExternalIdentity & ReturnType<typeof createFirebaseIdentity>;

/** Null where another identity provider is configured. */
export const firebaseIdentity = (parts: Parts): FirebaseIdentity | null =>
  parts.config.IDENTITY_PROVIDER === 'firebase' ? createFirebaseIdentity(parts) : null;

function createFirebaseIdentity({ config, db, clock, log }: Parts) {
  const readToken = createTokenReader(config, clock);
  const accounts = createFirebaseAccounts(config, clock);

  /**
   * Maps Firebase failures to the specification's codes (spec §8).
   * @throws AuthFailure
   */
  async function withCodes<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof TokenRefusedError) {
        log.info({ problem: error.problem, why: (error.cause as Error)?.message }, 'an ID token was refused');
        throw new AuthFailure(tokenCodes[error.problem]);
      }
      if (error instanceof FirebaseRefusedError && refusedCodes[error.code])
        throw new AuthFailure(refusedCodes[error.code] ?? 'auth/internal-error');
      if (error instanceof FirebaseUnreachableError) {
        log.error({ err: error }, 'Firebase could not be reached');
        throw new AuthFailure('auth/network-request-failed');
      }
      throw error;
    }
  }

  return {
    accounts,
    withCodes,

    /**
     * Verifies an ID token and reads its account at Firebase.
     * @throws AuthFailure
     */
    vouch: (idToken: string): Promise<Vouched & { signedInAt: Date }> =>
      withCodes(async () => {
        const { uid, signedInAt, provider, name } = await readToken(idToken);
        const account = await accounts.find(uid);
        if (!account) throw new AuthFailure('auth/user-not-found');
        if (account.disabled) throw new AuthFailure('auth/user-disabled');
        if (signedInAt < account.validSince) throw new AuthFailure('auth/user-token-expired');
        if (account.email === null) throw new AuthFailure('auth/missing-email');
        const namedAccount = { ...account, name: account.name || name };
        return { account: namedAccount, email: account.email, provider, signedInAt };
      }),

    /** Accounts never linked have their standing here. */
    async standing(accountId: string, since: Date | null): Promise<AccountStanding> {
      const linked = await findIdentityOf(db, accountId);
      if (!linked) return 'good';
      try {
        const account = await accounts.find(linked.uid);
        if (!account || account.disabled) return 'ended';
        return since !== null && isRevoked(since, account.validSince, linked.ownChangeAt) ? 'ended' : 'good';
      } catch (error) {
        log.error({ err: error }, 'Firebase could not be asked about an account');
        return 'unknown';
      }
    },

    async checkPassword(email: string, password: string): Promise<void> {
      try {
        await withCodes(() => accounts.signIn(email, password));
      } catch (error) {
        if (error instanceof AuthFailure && error.code === 'auth/invalid-credential')
          throw new AuthFailure('auth/wrong-password');
        throw error;
      }
    },
  };
}

/**
 * Ends sessions that Firebase disabled or revoked.
 * @throws session/expired, request/unavailable
 */
export async function requireStanding(
  identity: FirebaseIdentity | null,
  db: Db,
  actor: Actor,
  meta: OperationMeta,
): Promise<void> {
  if (!identity || !isChecked(meta)) return;
  const standing = await identity.standing(actor.accountId, await findSignInTime(db, actor.sessionId));
  if (standing === 'good') return;
  if (standing === 'unknown') throw new AppError('request/unavailable');
  await db.transaction().execute((tx) => endSessions(tx, actor.accountId));
  throw new AppError('session/expired');
}

const isChecked = ({ effects = [] }: OperationMeta): boolean =>
  effects.some(
    (effect) => effect === 'provider-checked' || effect === 'money' || effect.startsWith('guarded'),
  );

type Current = { id: string; sessionId: string } | undefined;

type Vouched = { account: FirebaseAccount; email: string; provider: string };

/**
 * Providers that verify mailboxes. Facebook does not reveal whether it does, and a password proves nothing.
 */
const provesMailbox: readonly string[] = ['google.com', 'apple.com'];

/** `language` is the language of the page that signs in. */
type LinkScope = ClockScope & { language: Language | null };

/** Finds or creates our account: the linked one, a new one, or one with the same proven address (ADR 224). */
async function acceptIdentity(tx: Tx, scope: LinkScope, vouched: Vouched, current: Current): Promise<string> {
  const { account, email } = vouched;
  // The second of two first sign-ins at once must find the link of the first, not only its account.
  await sql`select pg_advisory_xact_lock(hashtextextended('firebase ' || ${account.uid}, 0))`.execute(tx);
  const linked = await lockLinked(tx, account.uid);
  const hasPassword = account.providers.includes('password');
  if (linked) {
    if (linked.disabledAt !== null) throw new AuthFailure('auth/user-disabled');
    await adoptAddress(tx, scope, vouched, linked);
    await updateIdentity(tx, account.uid, { hasPassword });
    // From now on Firebase has its own hash of the exported account (ADR 224), which it can export.
    if (vouched.provider === 'password') await restorePassword(tx, scope, linked.id, null);
    return linked.id;
  }
  const existing = await findAccountByEmail(tx, email);
  const accountId = existing
    ? await requireProof(tx, scope, vouched, existing, current)
    : await openAccount(tx, scope, vouched);
  const now = scope.clock.now();
  await upsertFirebaseIdentity(tx, { uid: account.uid, accountId, email, hasPassword, now });
  return accountId;
}

async function openAccount(tx: Tx, scope: LinkScope, { account, email }: Vouched): Promise<string> {
  if (await isHeldForUndo(tx, email, scope.clock.now())) throw new AuthFailure('auth/email-already-in-use');
  const { emailVerified } = account;
  const accountId = await addAccount(tx, scope, { email, name: personName(account.name), emailVerified });
  await setSignUpLanguage(tx, scope, accountId, scope.language);
  return accountId;
}

/** Requires both addresses verified, and a session of the older account or a proven mailbox. */
async function requireProof(
  tx: Tx,
  scope: LinkScope,
  { account, provider }: Vouched,
  existing: NonNullable<Awaited<ReturnType<typeof findAccountByEmail>>>,
  current: Current,
): Promise<string> {
  const isProved = current?.id === existing.id || provesMailbox.includes(provider);
  if (!account.emailVerified || !existing.emailVerified || !isProved)
    throw new AuthFailure('auth/account-exists-with-different-credential');
  if (existing.disabledAt !== null) throw new AuthFailure('auth/user-disabled');
  await deleteOwnCredentials(tx, scope, existing.id);
  return existing.id;
}

function compareAddress({ account, email, provider }: Vouched, linked: Linked) {
  const hasEmailChanged = email !== linked.agreedEmail && email !== linked.email;
  const isNewlyVerified =
    account.emailVerified && (hasEmailChanged || (email === linked.email && !linked.emailVerified));
  // A Firebase link set the new password, which proves the mailbox. A link to a new address proves nothing: a
  // stranger may send it.
  const isMailboxProven =
    isNewlyVerified && (provesMailbox.includes(provider) || (provider === 'password' && !hasEmailChanged));
  return { hasEmailChanged, isNewlyVerified, isMailboxProven };
}

type Linked = NonNullable<Awaited<ReturnType<typeof lockLinked>>>;

/**
 * Removes what a stranger may have added before Firebase verified an address (ADR 364). Runs first, so
 * that a failure in between leaves the account locked.
 * @throws AuthFailure for Facebook linked before the proof
 */
async function removeUnprovenSignIns(
  db: Db,
  change: (uid: string, change: FirebaseChange) => Promise<void>,
  vouched: Vouched,
): Promise<void> {
  const { account, provider } = vouched;
  const linked = await db.transaction().execute((tx) => lockLinked(tx, account.uid));
  if (!linked) return;
  const { hasEmailChanged, isNewlyVerified, isMailboxProven } = compareAddress(vouched, linked);
  if (!isNewlyVerified) return;
  if (hasEmailChanged && !isMailboxProven) return change(account.uid, { emailVerified: false });
  const deleteProvider = account.providers.filter(
    (method) => method !== 'password' && (!isMailboxProven || method !== provider),
  );
  const shouldLockPassword =
    isMailboxProven && provider !== 'password' && account.providers.includes('password');
  if (deleteProvider.length > 0 || shouldLockPassword)
    await change(account.uid, {
      deleteProvider,
      password: shouldLockPassword ? (lockedOut().password ?? '') : undefined,
    });
  if (!isMailboxProven) throw new AuthFailure('auth/account-exists-with-different-credential');
}

async function adoptAddress(tx: Tx, scope: LinkScope, vouched: Vouched, linked: Linked): Promise<void> {
  const { account, email } = vouched;
  const { hasEmailChanged, isMailboxProven } = compareAddress(vouched, linked);
  let currentEmail = linked.email;
  if (hasEmailChanged) {
    const now = scope.clock.now();
    const isFree = !(await findAccountByEmail(tx, email)) && !(await isHeldForUndo(tx, email, now));
    if (isFree && account.emailVerified) {
      await replaceAccountEmail(tx, scope, linked.id, email);
      await deleteLinksOf(tx, linked.id);
      await recordSignIn(tx, scope, { accountId: linked.id, kind: 'email-changed', userAgent: '' });
      currentEmail = email;
    } else if (isFree && (await correctUnverifiedEmail(tx, scope, linked.id, email))) currentEmail = email;
  }
  if (email !== linked.agreedEmail) await updateIdentity(tx, account.uid, { email });
  if (isMailboxProven && email === currentEmail)
    await confirmMailbox(tx, scope, { id: linked.id, email: currentEmail }, false);
}

const personName = (name: string): string =>
  name
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, limits.nameMax)
    .toWellFormed();

export const firebaseSignInTasks = [pushEmailTask, removeTask];
