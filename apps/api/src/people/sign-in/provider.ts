import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { type Language, languageOfHeader } from '@nearhand/contract/languages';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { expireCookie, setSessionCookie } from 'better-auth/cookies';
import { type GenericOAuthConfig, genericOAuth, twoFactor } from 'better-auth/plugins';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { hashPassword, matchesHash } from '../../platform/passwords/password-hashes.ts';
import type { Keys } from '../../platform/sign.ts';
import { sha256 } from '../../platform/sign.ts';
import { setSignUpLanguage } from '../account-settings/account-settings.ts';
import { sessionStore } from '../sessions/session-store.ts';
import { emailShape } from './requests.ts';
import { providerSecrets } from './rotation/renewed-cookies.ts';
import { isDisabled, isHeldForUndo } from './sign-in.sql.ts';

export type ProviderParts = {
  config: Config;
  keys: Keys;
  db: Db;
  clock: Clock;
  log: Log;
  sendVerification(
    account: { id: string; email: string },
    token: string,
    language?: Language | null,
  ): Promise<void>;
  passwordReset(tx: Tx, account: { id: string; email: string }, userAgent: string): Promise<void>;
  /** Set if accounts and passwords are kept elsewhere. */
  external?: ExternalIdentity | null;
};

export type AccountStanding = 'good' | 'ended' | 'unknown';

/** An identity provider other than the built-in one (ADR 224). */
export type ExternalIdentity = {
  standing(accountId: string, since: Date | null): Promise<AccountStanding>;
  /** @throws AuthFailure auth/wrong-password, auth/too-many-requests, auth/network-request-failed */
  checkPassword(email: string, password: string): Promise<void>;
};

export type SocialParts = { configs: GenericOAuthConfig[]; plugins: BetterAuthPlugin[] };

const daySeconds = 86_400;

/** better-auth (ADR 10). Its required verification is off because it fakes success for a repeated sign-up. */
export function createProvider(parts: ProviderParts, social: SocialParts = { configs: [], plugins: [] }) {
  const { config, keys, db, clock, log } = parts;
  return betterAuth({
    appName: 'Nearhand',
    baseURL: config.PUBLIC_URL,
    basePath: '/api/auth',
    secrets: providerSecrets(keys),
    trustedOrigins: [new URL(config.PUBLIC_URL).origin],
    telemetry: { enabled: false },
    // Its warnings contain email addresses; failures are logged by code instead.
    logger: { level: 'error', log: (_level, message) => log.warn({ provider: message }, 'sign-in provider') },
    database: sessionStore(db),
    ...tables,
    rateLimit: { enabled: false },
    // Rethrows errors that are not a library response, such as a lost database connection.
    onAPIError: {
      onError(error) {
        if (!(error instanceof APIError)) throw error;
      },
    },
    emailAndPassword: passwordRules(parts),
    emailVerification: {
      expiresIn: verificationLinkSeconds,
      sendVerificationEmail: ({ user, token }, request) =>
        parts.sendVerification(user, token, languageOf(request?.headers)),
    },
    databaseHooks: {
      user: {
        create: {
          before: (user, context) => refuseAddress(parts, user.email, context?.path),
          after: (user, context) =>
            db
              .transaction()
              .execute((tx) => setSignUpLanguage(tx, { clock }, user.id, languageOf(context?.headers))),
        },
        // A provider verifies only new accounts, because an older one may belong to someone else.
        update: { before: async (user) => ({ data: { ...user, emailVerified: undefined } }) },
      },
      session: {
        create: { before: (session, context) => refuseEnded(parts, session.userId, context?.path) },
      },
    },
    plugins: [
      secondStepPlugin({ withoutPassword: Boolean(parts.external) }),
      sessionPlugin(),
      ...(social.configs.length > 0 ? [genericOAuth({ config: social.configs })] : []),
      ...social.plugins,
    ],
    advanced: {
      cookiePrefix: 'nearhand',
      // `registerHostCookies` adds the names and attributes for HTTPS.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/api/auth' },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: ['x-nearhand-address'] },
      database: { generateId: () => newId(clock.now()) },
    },
  });
}

const languageOf = (headers: Headers | undefined) => languageOfHeader(headers?.get('accept-language'));

export type Provider = ReturnType<typeof createProvider>;

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

const tables = {
  user: { modelName: 'accounts', fields: { emailVerified: 'email_verified', ...times } },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'account_id',
      token: 'token_hash',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...times,
    },
    expiresIn: 60 * daySeconds,
    updateAge: daySeconds,
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'account_id',
      accountId: 'subject',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...times,
    },
    encryptOAuthTokens: true,
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', ...times },
    storeIdentifier: { hash: async (identifier) => hashIdentifier(identifier) },
  },
} satisfies Partial<BetterAuthOptions>;

function passwordRules(parts: ProviderParts) {
  const { config, db } = parts;
  return {
    enabled: true,
    requireEmailVerification: false,
    minPasswordLength: peopleLimits.passwordMin,
    maxPasswordLength: peopleLimits.passwordMax,
    revokeSessionsOnPasswordReset: true,
    resetPasswordTokenExpiresIn: resetLinkSeconds,
    password: { hash: hashPassword, verify: (tried) => matchesHash(config, tried) },
    onPasswordReset: async ({ user }, request) => {
      // Does the same as `revokeSessionsOnPasswordReset`, but also notifies open devices.
      await db
        .transaction()
        .execute((tx) => parts.passwordReset(tx, user, request?.headers.get('user-agent') ?? ''));
    },
  } satisfies BetterAuthOptions['emailAndPassword'];
}

const signUpPath = '/sign-up/email';

/** @throws APIError INVALID_EMAIL, or USER_ALREADY_EXISTS while a former owner may still undo a change */
async function refuseAddress({ db, clock }: ProviderParts, email: string, path: string | undefined) {
  // A sign-up is checked before its transaction, where a second connection could exhaust the pool.
  if (path === signUpPath) return;
  if (!emailShape.safeParse(email).success) throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL' });
  if (await isHeldForUndo(db, email, clock.now()))
    throw new APIError('UNPROCESSABLE_ENTITY', { code: 'USER_ALREADY_EXISTS' });
}

/**
 * Runs after a correct password, so it reveals nothing (spec §8).
 * @throws APIError
 */
async function refuseEnded({ db, external }: ProviderParts, accountId: string, path: string | undefined) {
  if (path === signUpPath) return;
  if (await isDisabled(db, accountId)) throw new APIError('FORBIDDEN', { code: 'BANNED_USER' });
  const standing = await external?.standing(accountId, null);
  if (standing === 'ended') throw new APIError('FORBIDDEN', { code: 'BANNED_USER' });
  if (standing === 'unknown') throw new APIError('SERVICE_UNAVAILABLE', { code: 'IDENTITY_UNREACHABLE' });
}

export const verificationLinkSeconds = 24 * 3_600;
export const resetLinkSeconds = 3_600;

export const resetIdentifier = (token: string): string => `reset-password:${token}`;
/** The table stores only this hash, so it never holds a usable link. */
export const hashIdentifier = (identifier: string): string => sha256(identifier);

/** No route has this path; the library asks for the second factor because of it. */
const externalSessionPath = '/external-session';

const seconds = (ms: number) => ms / 1_000;

/**
 * The library requires a second step only after a password; ours does so after other providers too (ADR 158).
 */
function secondStepPlugin({ withoutPassword }: { withoutPassword: boolean }) {
  const plugin = twoFactor({
    issuer: 'Nearhand',
    allowPasswordless: withoutPassword,
    trustDeviceMaxAge: seconds(peopleLimits.trustedDeviceDays * dayMs),
    twoFactorCookieMaxAge: seconds(peopleLimits.secondStepMinutes * minuteMs),
    backupCodeOptions: { amount: peopleLimits.recoveryCodes, storeBackupCodes: 'encrypted' },
    accountLockout: {
      enabled: true,
      maxFailedAttempts: peopleLimits.secondStepTries,
      durationSeconds: seconds(peopleLimits.secondStepLockMinutes * minuteMs),
    },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'second_factors',
        fields: {
          backupCodes: 'backup_codes',
          userId: 'account_id',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      hook.matcher(context) ||
      context.path?.startsWith('/callback/') === true ||
      context.path === externalSessionPath,
  }));
  return { ...plugin, hooks: { after } };
}

/** Opens sessions for accounts proven by passkey (ADR 169); no request reaches it. */
function sessionPlugin() {
  return {
    id: 'nearhand-session',
    endpoints: {
      openSession: createAuthEndpoint(
        { method: 'POST', body: z.object({ accountId: z.string(), endStep: z.boolean() }) },
        async (context) => {
          const { accountId, endStep } = context.body;
          const { internalAdapter, createAuthCookie, secret } = context.context;
          if (endStep) {
            const cookie = createAuthCookie('two_factor');
            const step = await context.getSignedCookie(cookie.name, secret);
            const used = step ? await internalAdapter.consumeVerificationValue(step) : null;
            if (used?.value !== accountId)
              throw new APIError('UNAUTHORIZED', { code: 'INVALID_TWO_FACTOR_COOKIE' });
            expireCookie(context, cookie);
          }
          const user = await internalAdapter.findUserById(accountId);
          if (!user) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' });
          const session = await internalAdapter.createSession(accountId);
          await setSessionCookie(context, { session, user });
          return context.json({ token: session.token });
        },
      ),
      openExternalSession: createAuthEndpoint(
        externalSessionPath,
        { method: 'POST', body: z.object({ accountId: z.string() }) },
        async (context) => {
          const { internalAdapter } = context.context;
          const user = await internalAdapter.findUserById(context.body.accountId);
          if (!user) throw new APIError('FORBIDDEN', { code: 'BANNED_USER' });
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(context, { session, user });
          return context.json({ token: session.token });
        },
      ),
    },
  };
}
