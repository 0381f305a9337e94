import { minuteMs } from '@nearhand/contract/durations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { commonHashes, hashPrefix } from '../../platform/passwords/guessable-passwords.ts';
import {
  AuthFailure,
  agentOf,
  chosenPassword,
  correctEmail,
  emailShape,
  findAccountByEmail,
  headersFor,
  linkToken,
  type MoreSignIn,
  readBody,
  requireProofOf,
  requireUncommon,
  type SignInCalls,
} from '../sign-in/other-sign-in.ts';
import {
  accountOfResetToken,
  confirmMailbox,
  followNewPassword,
  notePasswordProof,
} from '../sign-in/sign-in.service.ts';
import { changeAddress, identityOf, lockedOut } from './firebase-identities.ts';
import type { FirebaseIdentity } from './firebase-identity.ts';
import { acceptIdentity, settleAtFirebase } from './linking.ts';

/** How recent a sign-in must be to count as the password entered again. */
const proofMs = 5 * minuteMs;
const tokenMax = 8_000;
const withToken = z.object({ idToken: z.string().min(1).max(tokenMax) });

/** Of the built-in provider: with Firebase, browsers ask Firebase for these. */
const closed = ['/sign-up/email', '/request-password-reset', '/change-password', '/sign-in/social'];

/**
 * Sign-in by Firebase Authentication (ADR 224): its ID tokens are exchanged for our own session. What needs more than a browser may do
 * at Firebase goes through here too: a password typed in the console, and links of mails (ADR 10).
 */
export const firebaseSignIn =
  (identity: FirebaseIdentity): MoreSignIn =>
  (app, calls) => {
    registerExchange(app, calls, identity);
    registerProofs(app, calls, identity);
    registerLinks(app, calls, identity);
    for (const path of closed)
      app.post(path, async () => {
        throw new AuthFailure('auth/operation-not-allowed');
      });
  };

/** Opens our session for a valid ID token, or refreshes what we know in the session that the browser has. */
function registerExchange(app: FastifyInstance, calls: SignInCalls, identity: FirebaseIdentity): void {
  const { config, db, clock } = calls.parts;

  async function exchange(request: FastifyRequest, reply: FastifyReply, idToken: string) {
    const vouched = await identity.vouch(idToken);
    await identity.withCodes(() => settleAtFirebase(db, identity.accounts.change, vouched));
    const current = await calls.findSession(request);
    const accept = () => db.transaction().execute((tx) => acceptIdentity(tx, { clock }, vouched, current));
    const accountId = await accept().catch((error: { code?: unknown }) => {
      // Two first sign-ins at once: the second one finds what the first one made.
      if (error.code === '23505') return accept();
      throw error;
    });
    const kept = current?.id === accountId ? await calls.findSession(request) : undefined;
    if (kept) return calls.grantOf(kept);
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

  // The console has no SDK, and signs in with the password itself.
  app.post('/sign-in/email', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: z.string().min(1) }), request.body);
    await calls.limit(request, 'sign-in', body.email);
    try {
      const idToken = await identity.withCodes(() => identity.accounts.signIn(body.email, body.password));
      return await exchange(request, reply, idToken);
    } catch (failure) {
      if (failure instanceof AuthFailure && failure.code === 'auth/invalid-credential')
        await calls.noteFailure(request, body.email);
      throw failure;
    }
  });
}

/** The cookie of a trusted device, without the session of an earlier sign-in, which the library would answer with. */
function trustedDeviceOf(request: FastifyRequest): [string, string][] {
  const cookie = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .filter((one) => one !== '' && !one.includes('session_token='))
    .join('; ');
  return cookie === '' ? [] : [['cookie', cookie]];
}

/** A sign-in that was just repeated at Firebase, and a password that was changed there. */
function registerProofs(app: FastifyInstance, calls: SignInCalls, identity: FirebaseIdentity): void {
  const { config, db, clock } = calls.parts;

  /** The session, whose person has just signed in again at Firebase. @throws AuthFailure auth/user-mismatch, auth/requires-recent-login */
  async function provedAgain(request: FastifyRequest, idToken: string) {
    const grant = await calls.requireSession(request);
    await calls.limit(request, 'sign-in', grant.email);
    const { account, signedInAt } = await identity.vouch(idToken);
    if ((await identityOf(db, grant.id))?.uid !== account.uid) throw new AuthFailure('auth/user-mismatch');
    if (signedInAt.getTime() < clock.now().getTime() - proofMs)
      throw new AuthFailure('auth/requires-recent-login');
    return grant;
  }

  app.post('/firebase/proof', async (request) => {
    const { idToken } = readBody(withToken, request.body);
    const { sessionId } = await provedAgain(request, idToken);
    await notePasswordProof(db, { clock }, sessionId);
    return {};
  });

  // The browser compares the rest itself: Firebase gets the password, and this server doesn't.
  app.post('/firebase/common-passwords', async (request) => {
    const { prefix } = readBody(z.object({ prefix: z.string().regex(hashPrefix) }), request.body);
    return { hashes: await commonHashes(prefix) };
  });

  app.post('/firebase/password-changed', async (request, reply) => {
    const { idToken } = readBody(withToken, request.body);
    const before = await provedAgain(request, idToken);
    await db.transaction().execute(async (tx) => {
      await followNewPassword(tx, { clock }, before, {
        kind: 'password-changed',
        userAgent: agentOf(request),
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
    await notePasswordProof(db, { clock }, grant.sessionId);
    return {};
  });
}

/** Links of mails, and another address for an account that has confirmed none. */
function registerLinks(app: FastifyInstance, calls: SignInCalls, identity: FirebaseIdentity): void {
  const { db, clock } = calls.parts;
  const { accounts, withCodes } = identity;

  app.post('/verify-email', async (request) => {
    const { token } = readBody(z.object({ token: linkToken }), request.body);
    await calls.limit(request, 'link', null);
    const { uid, email } = await withCodes(() => accounts.applyCode(token));
    const account = await findAccountByEmail(db, email);
    const linked = account && (await identityOf(db, account.id));
    // Someone signed up at Firebase and never came here: nobody knows who, so nothing that they chose opens the account.
    if (!account || !linked) {
      if (!account && uid !== null) await withCodes(() => accounts.change(uid, lockedOut()));
      return {};
    }
    const grant = await calls.findSession(request);
    const sessionId = grant?.id === account.id ? grant.sessionId : null;
    // Before ours is confirmed, so that a failure in between leaves nobody in.
    if (sessionId === null && !account.emailVerified)
      await withCodes(() => accounts.change(linked.uid, lockedOut()));
    return db.transaction().execute((tx) => confirmMailbox(tx, { clock }, account, sessionId));
  });

  /** For our own links; those of Firebase are answered by its SDK. */
  app.post('/reset-password', async (request) => {
    const body = readBody(z.object({ token: linkToken, newPassword: chosenPassword }), request.body);
    await calls.limit(request, 'link', null);
    const account = await accountOfResetToken(db, { clock }, body.token);
    const linked = account && (await identityOf(db, account.id));
    if (!account || !linked) throw new AuthFailure('auth/invalid-action-code');
    await requireUncommon(body.newPassword, account.email);
    const others = account.emailVerified ? {} : lockedOut();
    await withCodes(() =>
      accounts.change(linked.uid, { ...others, password: body.newPassword, emailVerified: true }),
    );
    await db.transaction().execute(async (tx) => {
      await confirmMailbox(tx, { clock }, account, null);
      await followNewPassword(tx, { clock }, account, {
        kind: 'password-reset',
        userAgent: agentOf(request),
      });
    });
    return {};
  });

  // For a browser that is signed in here and no longer at Firebase.
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
    const linked = await identityOf(db, grant.id);
    if (!linked || grant.emailVerified) throw new AuthFailure('auth/operation-not-allowed');
    if (email !== grant.email) {
      await requireProofOf(calls, grant.sessionId);
      if (await findAccountByEmail(db, email)) throw new AuthFailure('auth/email-already-in-use');
      // Firebase first: if the rest fails, the next sign-in follows the address there.
      await withCodes(() => changeAddress(db, accounts, linked.uid, { email, emailVerified: false }));
      await correctEmail({ db, clock }, grant.id, email);
    }
    await withCodes(() => accounts.sendVerification(email));
    return {};
  });
}
