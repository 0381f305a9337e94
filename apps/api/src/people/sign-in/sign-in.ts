import { peopleLimits } from '@nearhand/contract/people/limits';
import { type SecondStep, type SignInOptions, signIn } from '@nearhand/contract/people/sign-in';
import { invitationTokenShape } from '@nearhand/contract/people/team.rules';
import { createEmailVerificationToken } from 'better-auth/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errors } from 'jose';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { firebaseApp } from '../../platform/firebase/firebase-app.ts';
import { read } from '../../platform/http/bind.ts';
import { showsMailbox } from '../../platform/http/dev-mailbox.ts';
import { isUnavailable } from '../../platform/http/error-mapper.ts';
import { limitNetworks, networkLimit } from '../../platform/http/overload/caller-limits.ts';
import { recordFailure } from '../../platform/http/refusals.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { registerNativeSessions } from '../../platform/native-apps/native-sessions.ts';
import {
  aheadOfStrangers,
  hashPassword,
  matchesHash,
  readFirebaseHash,
} from '../../platform/passwords/password-hashes.ts';
import { emit } from '../../platform/realtime/publish.ts';
import { sha256 } from '../../platform/sign.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { peopleHooks } from '../hooks.ts';
import { storeFailure } from '../sessions/session-store.ts';
import { endSessions, recordSessionUse, revokeSession } from '../sessions/sessions.ts';
import { statusOf } from '../team/invitation-views.ts';
import { findByTokenHash } from '../team/team-invitations.sql.ts';
import { countPasswordTry } from './attempt-limits.ts';
import { AuthFailure } from './auth-failures.ts';
import { registerHostCookies } from './cookies/host-cookies.ts';
import { confirmMailbox, findNewestPasswordChange, onPasswordChanged, replaceHash } from './credentials.ts';
import { correctEmail, requireProofOf } from './other-sign-in.ts';
import { hashIdentifier, type ProviderParts, resetIdentifier, verificationLinkSeconds } from './provider.ts';
import {
  chosenPassword,
  emailShape,
  headersFor,
  knownPassword,
  linkToken,
  readBody,
  requireOurOrigin,
  requireUncommon,
} from './requests.ts';
import { readJwt } from './rotation/jwt.ts';
import { keyBytes, providerSecrets, renewedCookies } from './rotation/renewed-cookies.ts';
import { registerSecondStep } from './second-step.ts';
import {
  findAccountByEmail,
  findPasswordHash,
  findPasswordHashAt,
  findPendingStep,
  findSecondStep,
  insertPasswordCheck,
  isHeldForUndo,
} from './sign-in.sql.ts';
import {
  createSignInCalls,
  type MoreSignIn,
  passOn,
  passwordChangedTask,
  purgeExpiredTask,
  recordFailedSignInTask,
  type SignInCalls,
  type SignInParts,
  sendLockoutTask,
  sendPasswordResetTask,
  sendVerificationTask,
  sendWrongCodesTask,
  userAgentOf,
} from './sign-in-calls.ts';
import { socialOptions } from './social/social.ts';
import { registerSocialSignIn } from './social/social-sign-in.ts';

/** Serves `/api/auth` (ADR 10). The session token is only in the cookie, or a native header (ADR 218). */
export async function registerSignIn(
  app: FastifyInstance,
  parts: SignInParts,
  more: readonly MoreSignIn[],
): Promise<void> {
  const calls = createSignInCalls(parts);
  readJsonOnly(app);
  answerWithOurCodes(app);
  // Limits calls without an attempt limit, such as renewing a token.
  limitNetworks(
    app,
    networkLimit(
      parts.config.READS_PER_MINUTE,
      (seconds) => new AuthFailure('auth/too-many-requests', seconds),
    ),
  );
  guardEveryRequest(app, parts.config);
  registerNativeSessions(app, parts.config);
  registerHostCookies(app, parts.config);
  renewCookies(app, parts);
  registerSessions(app, calls);
  registerSecondStep(app, calls);
  // An external identity provider has its own routes for these.
  if (!parts.external) {
    registerBuiltIn(app, calls);
    registerVerification(app, calls);
    registerPasswords(app, calls);
    registerSocialSignIn(app, calls);
  }
  for (const register of more) register(app, calls);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The database error that the library hides. */
    storeFailure: { error: unknown } | null;
  }
  interface FastifyContextConfig {
    /** Accepts posts from other sites: the route uses no cookie and changes nothing. */
    postedFromElsewhere?: boolean;
  }
}

function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      try {
        done(null, body === '' ? {} : JSON.parse(body as string));
      } catch {
        done(new AuthFailure('auth/argument-error'));
      }
    },
  );
}

function answerWithOurCodes(app: FastifyInstance): void {
  app.decorateRequest('storeFailure', null);
  app.addHook('preHandler', (request, _reply, done) => {
    request.storeFailure = { error: null };
    storeFailure.run(request.storeFailure, done);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const failure = signInFailure(error, request);
    if (failure.code === 'auth/internal-error')
      request.log.error({ err: error }, 'sign-in failed unexpectedly');
    const wait = {
      'auth/too-many-requests': 60,
      'auth/network-request-failed': 5,
      'auth/quota-exceeded': 5,
    }[failure.code as string];
    if (wait !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds ?? wait));
    recordFailure(request, failure);
    return reply
      .code(failure.status)
      .send({ code: failure.code, message: failure.code, requestId: request.id });
  });
}

/** A lost database is reported as retryable. */
function signInFailure(error: Error & { statusCode?: number }, request: FastifyRequest): AuthFailure {
  if (error instanceof AuthFailure && error.code !== 'auth/internal-error') return error;
  // The API is unavailable if too many passwords wait to be hashed.
  if (error instanceof AppError && error.code === 'request/unavailable')
    return new AuthFailure('auth/quota-exceeded');
  const { statusCode = 500 } = error;
  if (
    !(error instanceof AuthFailure) &&
    statusCode >= 400 &&
    statusCode < 500 &&
    !request.storeFailure?.error
  )
    return new AuthFailure('auth/argument-error');
  return new AuthFailure(
    isUnavailable(request.storeFailure?.error ?? error)
      ? 'auth/network-request-failed'
      : 'auth/internal-error',
  );
}

/** Accepts cookies signed with an earlier SECRET (ADR 12). */
function renewCookies(app: FastifyInstance, { keys }: Pick<ProviderParts, 'keys'>): void {
  const secrets = providerSecrets(keys);
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.cookie !== undefined) headers.cookie = renewedCookies(headers.cookie, secrets);
  });
}

function guardEveryRequest(app: FastifyInstance, config: ProviderParts['config']): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { postedFromElsewhere } = request.routeOptions.config;
    if (request.method === 'POST' && !postedFromElsewhere) requireOurOrigin(request, config);
  });
}

function registerBuiltIn(app: FastifyInstance, calls: SignInCalls): void {
  const { db, clock } = calls.parts;

  app.post('/sign-up/email', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: chosenPassword }), request.body);
    await calls.limit(request, 'sign-up', body.email);
    await requireUncommon(body.password, body.email);
    if (await isHeldForUndo(db, body.email, clock.now())) throw new AuthFailure('auth/email-already-in-use');
    const response = await calls.forward(request, '/sign-up/email', { ...body, name: '' });
    // The provider fails the later of two racing sign-ups without a reason.
    if (response.status >= 400 && (await findAccountByEmail(db, body.email)))
      throw new AuthFailure('auth/email-already-in-use');
    return calls.grantFrom(request, response, reply);
  });

  app.post('/sign-in/email', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: z.string().min(1) }), request.body);
    const isKnownDevice = await calls.limit(request, 'sign-in', body.email);
    const signIn = () =>
      whilePasswordStays(calls, body, () => calls.forward(request, '/sign-in/email', body));
    try {
      if (!knownPassword.safeParse(body.password).success) throw new AuthFailure('auth/invalid-credential');
      const response = await (isKnownDevice ? aheadOfStrangers(signIn) : signIn());
      const granted = await calls.grantFrom(request, response, reply);
      // The session is open already. If the queue for hashing is full, the next sign-in stores the hash.
      await aheadOfStrangers(() => rehashAsOurs(db, granted.user.id, body.password)).catch((failure) => {
        if (!(failure instanceof AppError) || failure.code !== 'request/unavailable') throw failure;
      });
      return granted;
    } catch (failure) {
      if (failure instanceof AuthFailure && failure.code === 'auth/invalid-credential')
        await calls.recordFailure(request, body.email);
      throw failure;
    }
  });
}

/**
 * Ends a session whose password changed while it was opened.
 * @throws AuthFailure auth/invalid-credential
 */
async function whilePasswordStays(
  { parts: { db, config }, grantInCookie }: SignInCalls,
  { email, password }: { email: string; password: string },
  signIn: () => Promise<Response>,
): Promise<Response> {
  const before = await findPasswordHashAt(db, email);
  const response = await signIn();
  if (!response.ok) return response;
  const hash = await findPasswordHashAt(db, email);
  // A different hash may still be of this password, because `rehashAsOurs` replaces it at sign-in.
  if (hash !== null && (hash === before || (await matchesHash(config, { hash, password })))) return response;
  const opened = await grantInCookie(response);
  if (opened) await db.transaction().execute((tx) => revokeSession(tx, opened.id, opened.sessionId));
  throw new AuthFailure('auth/invalid-credential');
}

function registerSessions(app: FastifyInstance, calls: SignInCalls): void {
  const { db, clock, external } = calls.parts;

  app.post('/access-token', async (request, reply) => {
    const grant = await calls.requireSession(request, reply);
    // If the external provider is unreachable, the session continues. The provider is asked again before money moves.
    if (external && (await external.standing(grant.id, grant.openedAt)) === 'ended') {
      await db.transaction().execute((tx) => endSessions(tx, grant.id));
      throw new AuthFailure('auth/user-token-expired');
    }
    await recordSessionUse(db, { clock }, grant.sessionId);
    calls.rememberDevice(request, reply, grant.email);
    return calls.grantOf(grant);
  });

  app.post('/sign-out', async (request, reply) => {
    const grant = await calls.findSession(request);
    // Ends every session of the account (ADR 12).
    if (grant) await db.transaction().execute((tx) => endSessions(tx, grant.id));
    await passOn(await calls.forward(request, '/sign-out', {}), reply);
    return {};
  });
}

function registerVerification(app: FastifyInstance, calls: SignInCalls): void {
  const { db, keys, clock, sendVerification } = calls.parts;
  const secrets = providerSecrets(keys);

  const linkFor = (address: string) =>
    createEmailVerificationToken(secrets[0]?.value ?? '', address, undefined, verificationLinkSeconds);

  /** @throws AuthFailure auth/invalid-action-code, auth/expired-action-code */
  async function openLink(token: string): Promise<{ email: string; madeAt: Date }> {
    try {
      const rules = { algorithms: ['HS256'], currentDate: clock.now() };
      const { email, iat } = await readJwt(token, secrets.map(keyBytes), rules);
      return { email: emailShape.parse(email), madeAt: new Date(z.number().parse(iat) * 1_000) };
    } catch (error) {
      const expired = error instanceof errors.JWTExpired;
      throw new AuthFailure(expired ? 'auth/expired-action-code' : 'auth/invalid-action-code');
    }
  }

  app.post('/send-verification-email', async (request, reply) => {
    const { id, email: to, emailVerified } = await calls.requireSession(request);
    await calls.limit(request, 'mail', to);
    if (!emailVerified)
      await passOn(await calls.forward(request, '/send-verification-email', { email: to }), reply);
    // The provider creates no link for a verified address, but this one has rejected mail since (ADR 95).
    else if (await peopleHooks.needs.isAddressRefused(db, id))
      await sendVerification({ id, email: to }, await linkFor(to));
    return {};
  });

  app.post('/correct-email', async (request) => {
    const email = readBody(z.object({ email: emailShape }), request.body).email.toLowerCase();
    const grant = await calls.requireSession(request);
    await calls.limit(request, 'sign-up', grant.email);
    await calls.limit(request, 'mail', email);
    if (email !== grant.email) {
      await requireProofOf(calls, grant.sessionId);
      await correctEmail(calls.parts, grant.id, email);
    }
    await sendVerification({ id: grant.id, email }, await linkFor(email));
    return {};
  });

  app.post('/verify-email', async (request) => {
    const { token, replacePassword } = readBody(
      z.object({ token: linkToken, replacePassword: z.boolean().default(false) }),
      request.body,
    );
    await calls.limit(request, 'link', null);
    const { email, madeAt } = await openLink(token);
    const account = await findAccountByEmail(db, email);
    const newestChange =
      account?.emailVerified === false ? await findNewestPasswordChange(db, account.id) : undefined;
    // A new password invalidates stateless links.
    if (!account || (newestChange && newestChange.happenedAt > madeAt))
      throw new AuthFailure('auth/invalid-action-code');
    const grant = await calls.findSession(request);
    const isSignedIn = grant?.id === account.id;
    // Someone who signs in with the password of the sign-up loses nothing, so the page asks for it first (ADR 364).
    if (!isSignedIn && !account.emailVerified && !replacePassword && (await hasPassword(db, account.id)))
      return { signInFirst: account.email };
    return db.transaction().execute((tx) => confirmMailbox(tx, calls.parts, account, isSignedIn));
  });

  // Only the mail to the invited address had the token, so it proves the address as the link of our own mail does.
  app.post('/verify-email-by-invitation', async (request) => {
    const body = z.object({ invitation: z.string().regex(invitationTokenShape) });
    const { invitation } = readBody(body, request.body);
    await calls.limit(request, 'link', null);
    const { id, email } = await calls.requireSession(request);
    const row = await findByTokenHash(db, sha256(invitation));
    if (row?.email !== email || statusOf(row, clock.now()) !== 'open')
      throw new AuthFailure('auth/invalid-action-code');
    return db.transaction().execute((tx) => confirmMailbox(tx, calls.parts, { id, email }, true));
  });
}

export const hasPassword = async (db: Db, accountId: string): Promise<boolean> =>
  (await findPasswordHash(db, accountId)) !== null;

/**
 * Checks the caller's password. Slow, so never call it inside a transaction.
 * @throws account/wrong-password
 */
export async function requirePassword(
  db: Db,
  { actor, clock, config }: Pick<Scope, 'actor' | 'clock' | 'config'>,
  password: string,
): Promise<void> {
  const hash = await findPasswordHash(db, actor.accountId);
  if (hash === null) throw new AppError('account/wrong-password');
  const retryAfterSeconds = await countPasswordTry(db, clock, config.SIGN_INS_PER_MINUTE, actor.sessionId);
  if (retryAfterSeconds !== null) throw new AppError('account/too-many-tries', { retryAfterSeconds });
  const isPossible = password !== '' && password.length <= peopleLimits.passwordMax;
  if (!isPossible || !(await aheadOfStrangers(() => matchesHash(config, { hash, password }))))
    throw new AppError('account/wrong-password');
}

/** Replaces a Firebase hash after a correct password. */
async function rehashAsOurs(db: Db, accountId: string, password: string): Promise<void> {
  const before = await findPasswordHash(db, accountId);
  if (before === null || !readFirebaseHash(before)) return;
  const after = await hashPassword(password);
  await db.transaction().execute((tx) => replaceHash(tx, accountId, { before, after }));
}

function registerPasswords(app: FastifyInstance, calls: SignInCalls): void {
  const { config, db, clock } = calls.parts;

  /** @throws AuthFailure auth/password-does-not-meet-requirements */
  async function requireNew(account: { id: string; email: string }, password: string): Promise<void> {
    await requireUncommon(password, account.email);
    const hash = await findPasswordHash(db, account.id);
    if (hash !== null && (await matchesHash(config, { hash, password })))
      throw new AuthFailure('auth/password-does-not-meet-requirements');
  }

  /**
   * Counted by session, so strangers can't use it up.
   * @throws AuthFailure auth/too-many-requests
   */
  async function limitSession(sessionId: string): Promise<void> {
    const wait = await countPasswordTry(db, clock, config.SIGN_INS_PER_MINUTE, sessionId);
    if (wait !== null) throw new AuthFailure('auth/too-many-requests', wait);
  }

  app.post('/request-password-reset', async (request) => {
    const body = readBody(z.object({ email: emailShape }), request.body);
    await calls.limit(request, 'mail', body.email);
    await db
      .transaction()
      .execute((tx) =>
        enqueue(tx, sendPasswordResetTask, { email: body.email, key: `reset-${newId(clock.now())}` }),
      );
    return {};
  });

  app.post('/reset-password', async (request, reply) => {
    const body = readBody(z.object({ token: linkToken, newPassword: chosenPassword }), request.body);
    await calls.limit(request, 'link', null);
    const link = hashIdentifier(resetIdentifier(body.token));
    const account = await findPendingStep(db, link, clock.now());
    if (account) await requireNew(account, body.newPassword);
    // The link proves the mailbox. The first proof ends all links of the account, so it returns a new one.
    const { resetToken: token = body.token } = account
      ? await db.transaction().execute((tx) => confirmMailbox(tx, { clock }, account, false))
      : {};
    await passOn(await calls.forward(request, '/reset-password', { ...body, token }), reply);
    return { email: account?.email ?? null };
  });

  app.post('/verify-password', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: z.string().min(1) }), request.body);
    const grant = await calls.requireSession(request);
    if (body.email.toLowerCase() !== grant.email) throw new AuthFailure('auth/user-mismatch');
    await limitSession(grant.sessionId);
    const { password } = body;
    if (!knownPassword.safeParse(password).success) throw new AuthFailure('auth/wrong-password');
    const headers = new Headers(headersFor(request, config.PUBLIC_URL));
    await passOn(
      await aheadOfStrangers(() =>
        calls.provider.api.verifyPassword({ headers, body: { password }, asResponse: true }),
      ),
      reply,
    );
    await insertPasswordCheck(db, grant.sessionId, clock.now());
    return {};
  });

  app.post('/change-password', async (request, reply) => {
    const body = readBody(
      z.object({ currentPassword: knownPassword, newPassword: chosenPassword }),
      request.body,
    );
    const before = await calls.requireSession(request);
    await limitSession(before.sessionId);
    if (body.newPassword === body.currentPassword)
      throw new AuthFailure('auth/password-does-not-meet-requirements');
    await requireUncommon(body.newPassword, before.email);
    const response = await aheadOfStrangers(() =>
      calls.forward(request, '/change-password', { ...body, revokeOtherSessions: true }),
    );
    const grant = await calls.openedBy(request, response, reply);
    await db.transaction().execute(async (tx) => {
      // Notifies devices of ended sessions; others may have been opened with the old password since.
      emit(tx, [`account:${before.id}`], { kind: 'session-ended', sessionId: before.sessionId });
      await onPasswordChanged(tx, { clock }, before, {
        kind: 'password-changed',
        userAgent: userAgentOf(request),
        keeps: grant.sessionId,
      });
    });
    return calls.grantOf(grant);
  });
}

/** Configured sign-in methods, and where to read development mail. For anyone. */
async function signInOptions(_db: Db, { config }: Scope<Actor | null>): Promise<SignInOptions> {
  return {
    provider: config.IDENTITY_PROVIDER,
    ...socialOptions(config),
    firebase: firebaseApp(config),
    mailboxPath: showsMailbox(config) ? '/dev/mailbox' : null,
  };
}

/** Returns whether the caller's sign-in needs a second step. */
async function secondStep(db: Db, { actor, config }: Scope): Promise<SecondStep> {
  const row = await findSecondStep(db, actor.accountId);
  const isExternal = config.IDENTITY_PROVIDER !== 'built-in';
  return {
    on: row?.on ?? false,
    hasPassword: Boolean(isExternal ? row?.hasExternalPassword : row?.hasPassword),
  };
}

export const signInRoutes = {
  options: read(signIn.options, signInOptions),
  secondStep: read(signIn.secondStep, secondStep),
};

export const signInTasks = [
  sendVerificationTask,
  sendPasswordResetTask,
  passwordChangedTask,
  sendLockoutTask,
  sendWrongCodesTask,
  recordFailedSignInTask,
  purgeExpiredTask,
];
