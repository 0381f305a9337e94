import { randomBytes } from 'node:crypto';
import { addMs, dayMs, minuteMs } from '@nearhand/contract/durations';
import { languages } from '@nearhand/contract/languages';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { SignInEventKind } from '@nearhand/contract/people/sessions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import { sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';
import { createSign, isAccepted, type Mac, type Sign } from '../../platform/sign.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { hashSessionToken } from '../sessions/session-store.ts';
import { logLockout, recordSignIn } from '../sessions/sessions.ts';
import { signAccessToken } from './access-tokens.ts';
import {
  AccountLocked,
  type AttemptKind,
  isFirstLockoutOfDay,
  isWrongCodeToMail,
  limitAttempt,
} from './attempt-limits.ts';
import { AuthFailure, codeOf } from './auth-failures.ts';
import { logFailedSignIn, newResetToken, onPasswordChanged, sendPasswordChangedTask } from './credentials.ts';
import { createProvider, type ProviderParts } from './provider.ts';
import { headersFor } from './requests.ts';
import { deleteExpired, findAccountByEmail, findGrant } from './sign-in.sql.ts';

export type SignInParts = Omit<ProviderParts, 'sendVerification' | 'passwordReset'>;

type Provider = ReturnType<typeof createProvider>;

export type SignInCalls = ReturnType<typeof createSignInCalls>;

export type MoreSignIn = (app: FastifyInstance, calls: SignInCalls) => void;

const agentMax = 400;
export const userAgentOf = (request: FastifyRequest): string =>
  (request.headers['user-agent'] ?? '').slice(0, agentMax);

/** Wraps the identity provider's handlers with limits, mail and history, for the sign-in routes. */
export function createSignInCalls(parts: SignInParts) {
  const { config, db, clock } = parts;
  const provided: ProviderParts = {
    ...parts,
    sendVerification: (account, token, language = null) =>
      db.transaction().execute((tx) =>
        enqueue(tx, sendVerificationTask, {
          email: account.email,
          token,
          language,
          key: `verify-${newId(clock.now())}`,
        }),
      ),
    passwordReset: (tx, account, userAgent) =>
      onPasswordChanged(tx, { clock }, account, { kind: 'password-reset', userAgent }),
  };
  const provider = createProvider(provided);
  const attempts = createAttempts(parts);

  const { grantOf, findSession, grantInCookie } = createGrants(parts, provider);

  const record = (request: FastifyRequest, accountId: string, kind: SignInEventKind) =>
    db
      .transaction()
      .execute((tx) => recordSignIn(tx, { clock }, { accountId, kind, userAgent: userAgentOf(request) }));

  /** @throws AuthFailure auth/multi-factor-auth-required, auth/user-disabled */
  async function openedBy(request: FastifyRequest, response: Response, reply: FastifyReply) {
    const body = await passOn(response, reply);
    if (body.twoFactorRedirect === true) throw new AuthFailure('auth/multi-factor-auth-required');
    if (typeof body.token !== 'string') throw new AuthFailure('auth/internal-error');
    const grant = await findGrant(db, hashSessionToken(body.token), clock.now());
    // The account was removed or disabled in the meantime.
    if (!grant) throw new AuthFailure('auth/user-disabled');
    attempts.rememberDevice(request, reply, grant.email);
    return grant;
  }

  async function grantFrom(request: FastifyRequest, response: Response, reply: FastifyReply) {
    const grant = await openedBy(request, response, reply);
    await record(request, grant.id, 'signed-in');
    return grantOf(grant);
  }

  return {
    parts: provided,
    provider,
    grantOf,
    findSession,

    limit: attempts.limit,
    rememberDevice: attempts.rememberDevice,

    forward: (
      request: FastifyRequest,
      path: string,
      body: unknown,
      to = provider,
      headers: Record<string, string> = headersFor(request, config.PUBLIC_URL),
    ) =>
      to.handler(
        new Request(`${config.PUBLIC_URL}/api/auth${path}`, {
          method: request.method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(request.method === 'POST' ? { body: JSON.stringify(body) } : {}),
        }),
      ),

    /** Sends the cookie to the browser; the token stays on the server. */
    grantFrom,
    openedBy,

    record,

    async recordFrom(request: FastifyRequest, response: Response) {
      const grant = await grantInCookie(response);
      if (grant) await record(request, grant.id, 'signed-in');
    },

    grantInCookie,

    /** Queues the attempt, so that an unknown address takes as long as a known one. */
    recordFailure: (request: FastifyRequest, email: string) =>
      db
        .transaction()
        .execute((tx) => enqueue(tx, recordFailedSignInTask, { email, userAgent: userAgentOf(request) })),

    /** Records a wrong code of the second step, and mails the owner about several of them once a day. */
    async noteWrongCode(request: FastifyRequest, { id, email }: { id: string; email: string }) {
      const toMail = await isWrongCodeToMail(db, clock, id);
      await db.transaction().execute(async (tx) => {
        await enqueue(tx, recordFailedSignInTask, { email, userAgent: userAgentOf(request) });
        if (toMail)
          await enqueue(tx, sendWrongCodesTask, { email, key: `wrong-codes-${newId(clock.now())}` });
      });
    },

    /** @throws AuthFailure auth/user-token-expired without a valid session */
    async requireSession(request: FastifyRequest, reply?: FastifyReply) {
      const grant = await findSession(request, reply);
      if (!grant) throw new AuthFailure('auth/user-token-expired');
      return grant;
    },
  };
}

function createGrants({ config, db, clock, keys: { secret } }: SignInParts, provider: Provider) {
  async function grantOf(grant: NonNullable<Awaited<ReturnType<typeof findGrant>>>) {
    const { sessionId, openedAt: _, leaving, ...known } = grant;
    const user = leaving ? { ...known, leaving } : known;
    const token = await signAccessToken(secret, clock, { sessionId, accountId: user.id });
    const expiresAt = addMs(clock.now(), peopleLimits.accessTokenMinutes * minuteMs).toISOString();
    return { token, expiresAt, user };
  }

  async function findSession(request: FastifyRequest, reply?: FastifyReply) {
    const { headers, response } = await provider.api.getSession({
      headers: new Headers(headersFor(request, config.PUBLIC_URL)),
      returnHeaders: true,
    });
    if (reply) copyCookies(headers, reply);
    return response ? findGrant(db, hashSessionToken(response.session.token), clock.now()) : undefined;
  }

  const grantInCookie = async (response: Response) => {
    const token = sessionTokenOf(response.headers);
    return token === null ? undefined : findGrant(db, hashSessionToken(token), clock.now());
  };

  return { grantOf, findSession, grantInCookie };
}

/** Counts attempts of known devices separately (ADR 12). */
function createAttempts({ config, db, clock, keys }: SignInParts) {
  const sign = createSign(keys);
  const allowed = { perMinute: config.SIGN_INS_PER_MINUTE, mailsPerDay: config.MAILS_PER_DAY };

  /** The task looks up the address, so that an unknown one takes as long as a known one (ADR 10). */
  async function mailLockoutOnce(email: string): Promise<void> {
    if (!(await isFirstLockoutOfDay(db, clock, email))) return;
    await db
      .transaction()
      .execute((tx) => enqueue(tx, sendLockoutTask, { email, key: `lockout-${newId(clock.now())}` }));
  }

  return {
    /**
     * Counts an attempt, and mails the owner of a locked account once a day.
     * @returns true on a device where the account signed in before
     * @throws AuthFailure
     */
    async limit(request: FastifyRequest, kind: AttemptKind, account: string | null): Promise<boolean> {
      const device = account === null ? null : knownDevice(sign, request.headers.cookie, account);
      try {
        await limitAttempt(db, clock, allowed, { kind, account, address: request.ip, device });
      } catch (failure) {
        if (failure instanceof AccountLocked && kind === 'sign-in') await mailLockoutOnce(failure.account);
        throw failure;
      }
      return device !== null;
    },

    rememberDevice(request: FastifyRequest, reply: FastifyReply, email: string): void {
      const cookie = knownDeviceCookie(sign, request.headers.cookie, email);
      if (cookie !== null) reply.header('set-cookie', cookie);
    },
  };
}

/**
 * Sends the provider's cookies on and returns its JSON.
 * @throws AuthFailure if it refused
 */
export async function passOn(response: Response, reply: FastifyReply): Promise<Record<string, unknown>> {
  copyCookies(response.headers, reply);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (!response.ok) throw new AuthFailure(codeOf(body?.code, response.status));
  return body ?? {};
}

export function copyCookies(headers: Headers, reply: FastifyReply): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}

function sessionTokenOf(headers: Headers): string | null {
  for (const cookie of headers.getSetCookie()) {
    const match = /session_token=([^;.]+)[.%]/.exec(cookie);
    if (match?.[1]) return decodeURIComponent(match[1]);
  }
  return null;
}

const cookieName = 'nearhand.devices';
const cookieShape = /(?:^|;\s*)nearhand\.devices=([\w-]{22}(?:\.[\w-]{22}){0,5})(?:;|$)/;
const idBytes = 16;
const proofLength = 22;
const accountsMax = 5;

/** Bound to the address, so that a sign-in attempt needs no lookup. */
const proofOf = (mac: Mac, id: string, email: string) =>
  mac('known device', `${id} ${email.toLowerCase()}`).toString('base64url').slice(0, proofLength);

const readCookie = (cookies: string | undefined) => {
  const [id, ...proofs] = cookieShape.exec(cookies ?? '')?.[1]?.split('.') ?? [];
  return id === undefined ? null : { id, proofs };
};

/** Returns the device, if this address signed in on it before (ADR 12). */
function knownDevice(sign: Sign, cookies: string | undefined, email: string): string | null {
  const device = readCookie(cookies);
  if (!device) return null;
  const isProof = (value: string) => isAccepted(sign, value, (mac) => proofOf(mac, device.id, email));
  return device.proofs.some(isProof) ? device.id : null;
}

function knownDeviceCookie(sign: Sign, cookies: string | undefined, email: string): string | null {
  if (knownDevice(sign, cookies, email) !== null) return null;
  const { id, proofs } = readCookie(cookies) ?? {
    id: randomBytes(idBytes).toString('base64url'),
    proofs: [],
  };
  const value = [id, proofOf(sign, id, email), ...proofs.slice(0, accountsMax - 1)].join('.');
  const seconds = (peopleLimits.knownDeviceDays * dayMs) / 1_000;
  return `${cookieName}=${value}; Path=/api/auth; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}

export const sendVerificationTask = defineTask({
  name: 'sign-in.send-verification',
  queue: 'messages',
  payload: z.object({
    email: z.string(),
    token: z.string(),
    key: z.string(),
    /** The browser's language, since a new account has none. */
    language: z.enum(languages).nullable(),
  }),
  async run({ config, mailer, log }, { email, token, key, language }) {
    const mail = verificationMail(config.PUBLIC_URL, email, token, key);
    await sendUnlessRefused({ mailer, log }, language ? mail.in(language) : mail);
  },
});

/** The task looks up the address, so the request takes equally long for every address (ADR 10). */
export const sendPasswordResetTask = defineTask({
  name: 'sign-in.send-password-reset',
  queue: 'messages',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ db, clock, config, mailer, log }, { email, key }) {
    const account = await findAccountByEmail(db, email);
    if (!account || account.disabledAt !== null) return;
    const token = await db.transaction().execute((tx) => newResetToken(tx, { clock }, account.id));
    await sendUnlessRefused({ mailer, log }, passwordResetMail(config.PUBLIC_URL, account.email, token, key));
  },
});

export const passwordChangedTask = defineTask({
  ...sendPasswordChangedTask,
  queue: 'messages',
  async run({ config, mailer, log }, { email, key }) {
    await sendUnlessRefused({ mailer, log }, passwordChangedMail(config.PUBLIC_URL, email, key));
  },
});

export const sendLockoutTask = defineTask({
  name: 'sign-in.send-lockout',
  queue: 'messages',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ db, config, mailer, log }, { email, key }) {
    const account = await findAccountByEmail(db, email);
    if (!account || account.disabledAt !== null) return;
    await logLockout(db, account.id);
    await sendUnlessRefused({ mailer, log }, lockoutMail(config.PUBLIC_URL, account.email, key));
  },
});

export const sendWrongCodesTask = defineTask({
  name: 'sign-in.send-wrong-codes',
  queue: 'messages',
  payload: z.object({ email: z.string(), key: z.string() }),
  async run({ db, config, mailer, log }, { email, key }) {
    const account = await findAccountByEmail(db, email);
    if (!account || account.disabledAt !== null) return;
    await sendUnlessRefused({ mailer, log }, wrongCodesMail(config.PUBLIC_URL, account.email, key));
  },
});

/** Looks up the account in a task, so that a failed attempt takes the same time for every address (ADR 10). */
export const recordFailedSignInTask = defineTask({
  name: 'sign-in.record-failure',
  payload: z.object({ email: z.string(), userAgent: z.string() }),
  async run({ db, clock }, { email, userAgent }) {
    await logFailedSignIn(db, { clock }, email, userAgent);
  },
});

export const purgeExpiredTask = defineTask({
  name: 'sign-in.purge-expired',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteExpired(db, clock.now()),
});

/** The page confirms with a POST, so a mail scanner that opens links verifies nothing. */
const verificationMail = (publicUrl: string, to: string, token: string, key: string) =>
  composeMail(to, key, {
    subject: phrase('Verify your email address'),
    heading: phrase('Verify your email address'),
    paragraphs: [
      phrase('Confirm that this is your address, then log in. The link works for 24 hours.'),
      phrase(
        'You can open it on any device. On one where you aren’t logged in, we ask for the password you chose.',
      ),
    ],
    action: {
      label: phrase('Verify my email'),
      url: `${publicUrl}/login?verify=${encodeURIComponent(token)}`,
    },
    footnote: phrase(
      "You're receiving this because an account was created with this address. If that wasn't you, ignore this email. If you want the account all the same, follow the link and choose a new password: whoever created it is signed out.",
    ),
  });

const passwordResetMail = (publicUrl: string, to: string, token: string, key: string) =>
  composeMail(to, key, {
    subject: phrase('Reset your password'),
    heading: phrase('Choose a new password'),
    paragraphs: [phrase('Follow the link to choose a new password. It works once, for one hour.')],
    action: {
      label: phrase('Choose a new password'),
      url: `${publicUrl}/login?reset=${encodeURIComponent(token)}`,
    },
    footnote: phrase(
      "You're receiving this because someone asked to reset this account's password. If that wasn't you, ignore this email. Your password stays the same.",
    ),
  });

/** Reveals an unwanted change to the owner. */
const passwordChangedMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: phrase('Your password was changed'),
    heading: phrase('Your password was changed'),
    paragraphs: [
      phrase(
        "You've been signed out on your other devices. If you didn't change it, reset your password now.",
      ),
    ],
    action: { label: phrase('Log in'), url: `${publicUrl}/login` },
    footnote: phrase("You're receiving this because your account's password was changed."),
  });

const lockoutMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: phrase('Too many wrong passwords for your account'),
    heading: phrase('Too many wrong passwords for your account'),
    paragraphs: [
      phrase(
        'Someone entered several wrong passwords for your account. Nobody got in. We stop tries from new devices for a minute each time; devices where you have logged in before still work.',
      ),
      phrase(
        "If that wasn't you, make sure your password is one that you use nowhere else, and turn on the second step in your account settings.",
      ),
    ],
    action: { label: phrase('Check your account'), url: `${publicUrl}/account-settings` },
    footnote: phrase("You're receiving this because of failed tries to log in to your account."),
  });

const wrongCodesMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: phrase('Several wrong codes for your account'),
    heading: phrase('Several wrong codes for your account'),
    paragraphs: [
      phrase(
        'Someone entered several wrong codes at the second step of your account, so they have your password or one of your devices. If that was you, no action is needed.',
      ),
      phrase(
        "If it wasn't you: reset your password with “Forgot password?” on the login page, which signs out every device, and contact us.",
      ),
    ],
    action: { label: phrase('Check your account'), url: `${publicUrl}/account-settings` },
    footnote: phrase("You're receiving this because of failed tries to log in to your account."),
  });
