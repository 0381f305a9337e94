import { createEmailVerificationToken } from 'better-auth/api';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { verificationLinkSeconds } from './accounts.links.ts';
import { linkToken, readBody } from './accounts.requests.ts';
import { passOn, type SignInCalls } from './accounts.sign-in-calls.ts';
import { confirmMailbox, mailComesBack } from './mailbox.service.ts';

/** The link by which somebody shows that an email address is theirs: asked for, and followed. */
export function registerVerification(app: FastifyInstance, calls: SignInCalls): void {
  const { db, secret, sendVerification } = calls.parts;

  const linkFor = (address: string) =>
    createEmailVerificationToken(`sign-in ${secret}`, address, undefined, verificationLinkSeconds);

  app.post('/send-verification-email', async (request, reply) => {
    const { id, email: to, emailVerified } = await calls.demandSession(request);
    await calls.limit(request, 'mail', to);
    if (!emailVerified)
      await passOn(await calls.forward(request, '/send-verification-email', { email: to }), reply);
    // The provider has no link for an address that was verified once, and this one refused our mail since (ADR 0098).
    else if (await mailComesBack(db, id)) await sendVerification({ id, email: to }, await linkFor(to));
    return {};
  });

  app.post('/verify-email', async (request, reply) => {
    const { token } = readBody(z.object({ token: linkToken }), request.body);
    await calls.limit(request, 'link', null);
    await passOn(await calls.provider.api.verifyEmail({ query: { token }, asResponse: true }), reply);
    // Whoever followed it reads that mailbox; the provider has just checked who signed the token.
    await confirmMailbox(db, String(decodeJwt(token).email));
    return {};
  });
}
