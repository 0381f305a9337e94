import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import { matchesHash } from '../../platform/passwords/password-hashes.ts';
import { emit } from '../../platform/realtime/publish.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { countPasswordTry } from './attempt-limits.ts';
import { AuthFailure } from './auth-failures.ts';
import { hashIdentifier, resetIdentifier } from './provider.ts';
import {
  chosenPassword,
  emailShape,
  headersFor,
  knownPassword,
  linkToken,
  readBody,
  requireUncommon,
} from './requests.ts';
import { confirmMailbox, followNewPassword } from './sign-in.service.ts';
import { findPasswordHash, findPendingStep, insertPasswordCheck } from './sign-in.sql.ts';
import { sendPasswordReset } from './sign-in.tasks.ts';
import { agentOf, passOn, type SignInCalls } from './sign-in-calls.ts';

/** Password reset, password confirmation and password change. */
export function registerPasswords(app: FastifyInstance, calls: SignInCalls): void {
  const { config, db, clock } = calls.parts;

  /** @throws AuthFailure auth/password-does-not-meet-requirements */
  async function requireNew(account: { id: string; email: string }, password: string): Promise<void> {
    await requireUncommon(password, account.email);
    const hash = await findPasswordHash(db, account.id);
    if (hash !== null && (await matchesHash(config, { hash, password })))
      throw new AuthFailure('auth/password-does-not-meet-requirements');
  }

  /** Strangers cannot use up these tries. @throws AuthFailure auth/too-many-requests */
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
        enqueue(tx, sendPasswordReset, { email: body.email, key: `reset-${newId(clock.now())}` }),
      );
    return {};
  });

  app.post('/reset-password', async (request, reply) => {
    const body = readBody(z.object({ token: linkToken, newPassword: chosenPassword }), request.body);
    await calls.limit(request, 'link', null);
    // Without an account the link is refused below.
    const link = hashIdentifier(resetIdentifier(body.token));
    const account = await findPendingStep(db, link, clock.now());
    if (account) await requireNew(account, body.newPassword);
    // Following the link proves the mailbox that it was sent to. The first proof ends all links of the account, so it brings a new one.
    const { resetToken: token = body.token } = account
      ? await db.transaction().execute((tx) => confirmMailbox(tx, { clock }, account, null))
      : {};
    await passOn(await calls.forward(request, '/reset-password', { ...body, token }), reply);
    return {};
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
      await calls.provider.api.verifyPassword({ headers, body: { password }, asResponse: true }),
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
    const response = await calls.forward(request, '/change-password', { ...body, revokeOtherSessions: true });
    const grant = await calls.openedBy(request, response, reply);
    await db.transaction().execute(async (tx) => {
      // The provider ended the sessions of the old password; notify their open devices. Others may have been opened with it since.
      emit(tx, [`account:${before.id}`], { kind: 'session-ended', sessionId: before.sessionId });
      await followNewPassword(tx, { clock }, before, {
        kind: 'password-changed',
        userAgent: agentOf(request),
        keeps: grant.sessionId,
      });
    });
    return calls.grantOf(grant);
  });
}
