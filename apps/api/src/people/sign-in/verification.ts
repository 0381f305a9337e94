import { createEmailVerificationToken } from 'better-auth/api';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { peopleOutcomes } from '../outcomes.ts';
import { verificationLinkSeconds } from './mail-links.ts';
import { linkToken, readBody } from './requests.ts';
import { passOn, type SignInCalls } from './sign-in-calls.ts';

/** Email verification: requesting the link and following it. */
export function registerVerification(app: FastifyInstance, calls: SignInCalls): void {
  const { db, secret, sendVerification } = calls.parts;

  const linkFor = (address: string) =>
    createEmailVerificationToken(`sign-in ${secret}`, address, undefined, verificationLinkSeconds);

  app.post('/send-verification-email', async (request, reply) => {
    const { id, email: to, emailVerified } = await calls.requireSession(request);
    await calls.limit(request, 'mail', to);
    if (!emailVerified)
      await passOn(await calls.forward(request, '/send-verification-email', { email: to }), reply);
    // The provider makes no link for a verified address, but this one has refused our mail since (ADR 0098).
    else if (await peopleOutcomes.on.isAddressRefused(db, id))
      await sendVerification({ id, email: to }, await linkFor(to));
    return {};
  });

  app.post('/verify-email', async (request, reply) => {
    const { token } = readBody(z.object({ token: linkToken }), request.body);
    await calls.limit(request, 'link', null);
    await passOn(await calls.provider.api.verifyEmail({ query: { token }, asResponse: true }), reply);
    // Following the link proves access to the mailbox; the provider has just checked its signature.
    await peopleOutcomes.on.addressConfirmed(db, String(decodeJwt(token).email));
    return {};
  });
}
