import { randomBytes } from 'node:crypto';
import type { AuthCode } from '@nearhand/contract/people/auth-codes';
import { type PasskeyAnswer, passkeyAnswer } from '@nearhand/contract/people/passkeys';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { sha256 } from '../../platform/sign.ts';
import { AuthFailure } from '../sign-in/auth-failures.ts';
import { openSession, pendingStep } from '../sign-in/other-sign-in.ts';
import { readBody } from '../sign-in/requests.ts';
import type { SignInCalls } from '../sign-in/sign-in-calls.ts';
import { findPasskeys } from './passkeys.sql.ts';
import { type Asker, acceptAnswer, askForPasskey, challengeMs, consumeChallenge } from './passkeys.ts';

/** The specification's codes (spec §8) for invalid answers. */
const codes: Partial<Record<string, AuthCode>> = {
  'passkey/expired': 'auth/invalid-auth-event',
  'passkey/wrong-site': 'auth/unauthorized-domain',
  'passkey/unknown': 'auth/no-such-provider',
  'passkey/other-account': 'auth/user-mismatch',
  'passkey/refused': 'auth/rejected-credential',
  'passkey/unavailable': 'auth/operation-not-supported-in-this-environment',
};

async function withAuthCodes<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (failure) {
    const code = failure instanceof AppError ? codes[failure.code] : undefined;
    throw code ? new AuthFailure(code) : failure;
  }
}

/**
 * Consumes the challenge even if the answer is wrong.
 * @returns the passkey's owner
 * @throws AuthFailure
 */
async function accept(
  { parts: { db, ...scope } }: SignInCalls,
  asker: Asker,
  answer: PasskeyAnswer,
  accountId: string | null,
): Promise<string> {
  return withAuthCodes(async () => {
    const challenge = await consumeChallenge(db, scope, asker, answer.response.clientDataJSON);
    return db.transaction().execute((tx) => acceptAnswer(tx, scope, challenge, answer, accountId));
  });
}

const answerShape = z.object({ answer: passkeyAnswer });
const cookieName = 'nearhand.passkey';
const cookieBytes = 24;
/** Routes for a passkey as the only step of a sign-in, and as its second step. */
export function registerPasskeySignIn(app: FastifyInstance, calls: SignInCalls): void {
  registerFirstStep(app, calls);
  registerSecondStep(app, calls);
}

/** A passkey with user verification replaces the password and the second step. */
function registerFirstStep(app: FastifyInstance, calls: SignInCalls): void {
  const { config, db, clock } = calls.parts;
  const scope = { clock, config };
  const cookie = (value: string, seconds: number) =>
    `${cookieName}=${value}; Path=/api/auth; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;

  app.post('/sign-in/passkey/options', async (request, reply) => {
    await calls.limit(request, 'sign-in', null);
    // Binds the challenge to this browser, so that an answer made elsewhere can't sign in here.
    const browser = randomBytes(cookieBytes).toString('base64url');
    const asker = { purpose: 'sign-in' as const, holder: sha256(browser) };
    const question = await withAuthCodes(() => askForPasskey(db, scope, asker));
    reply.header('set-cookie', cookie(browser, challengeMs / 1_000));
    return question;
  });

  app.post('/sign-in/passkey', async (request, reply) => {
    const { answer } = readBody(answerShape, request.body);
    await calls.limit(request, 'code', null);
    const browser = browserOf(request);
    if (browser === undefined) throw new AuthFailure('auth/invalid-auth-event');
    const asker = { purpose: 'sign-in' as const, holder: sha256(browser) };
    const accountId = await accept(calls, asker, answer, null);
    reply.header('set-cookie', cookie('', 0));
    return openSession(calls, request, reply, { accountId, passkey: answer.id, endStep: false });
  });
}

const browserOf = (request: FastifyRequest): string | undefined =>
  /(?:^|;\s*)nearhand\.passkey=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];

/** Accepts a passkey instead of the code; the first step's cookie identifies the sign-in. */
function registerSecondStep(app: FastifyInstance, calls: SignInCalls): void {
  const { config, db, clock } = calls.parts;
  const scope = { clock, config };

  /** @throws AuthFailure auth/invalid-multi-factor-session without a pending step */
  const pending = async (request: FastifyRequest) => {
    const step = await pendingStep(calls, request);
    await calls.limit(request, 'code', step?.email ?? null);
    if (!step) throw new AuthFailure('auth/invalid-multi-factor-session');
    return { ...step, asker: { purpose: 'second-step' as const, holder: step.step } };
  };

  app.post('/sign-in/second-step/methods', async (request) => {
    const step = await pendingStep(calls, request);
    return { passkey: step !== undefined && (await findPasskeys(db, step.id)).length > 0 };
  });

  app.post('/sign-in/second-step/passkey/options', async (request) => {
    const { id, asker } = await pending(request);
    const passkeys = await findPasskeys(db, id);
    if (passkeys.length === 0) throw new AuthFailure('auth/multi-factor-info-not-found');
    return withAuthCodes(() => askForPasskey(db, scope, asker, passkeys));
  });

  app.post('/sign-in/second-step/passkey', async (request, reply) => {
    const { answer } = readBody(answerShape, request.body);
    const { id, email, asker } = await pending(request);
    try {
      const accountId = await accept(calls, asker, answer, id);
      return await openSession(calls, request, reply, { accountId, passkey: answer.id, endStep: true });
    } catch (failure) {
      if (failure instanceof AuthFailure && failure.code === 'auth/rejected-credential')
        await calls.recordFailure(request, email);
      throw failure;
    }
  });
}
