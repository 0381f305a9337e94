import { limits } from '@nearhand/contract/limits';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { GenericOAuthConfig } from 'better-auth/plugins';
import { genericOAuth } from 'better-auth/plugins';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { hashIdentifier, resetLinkSeconds, verificationLinkSeconds } from './accounts.links.ts';
import { deleteSessions, isDisabled, markEmailVerified } from './accounts.sql.ts';
import { takeBackHandedOut } from './handed-out.service.ts';
import { confirmMailbox } from './mailbox.service.ts';

export type ProviderParts = {
  config: Config;
  secret: string;
  db: Db;
  clock: Clock;
  log: Log;
  /** Called with the token of a verification link; enqueues the mail. */
  sendVerification(account: { id: string; email: string }, token: string): Promise<void>;
};

const daySeconds = 86_400;

/**
 * The built-in sign-in provider (ADR 0010): better-auth on our tables. Its own limiter is off, because ours counts by account as well and by our
 * clock (`accounts.limiter.ts`); its verification demand is off, because with it a second sign-up would be answered with a fake success.
 * `socialProviders` are handed in apart: reaching Google at start must not hold up sign-in by password.
 */
export function createProvider(parts: ProviderParts, socialProviders: GenericOAuthConfig[] = []) {
  const { config, secret, db, clock, log } = parts;
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Nearhand',
    baseURL: config.PUBLIC_URL,
    basePath: '/api/auth',
    secret: `sign-in ${secret}`,
    trustedOrigins: [new URL(config.PUBLIC_URL).origin],
    telemetry: { enabled: false },
    // Its warnings name email addresses; what went wrong is in its answers, which the adapter logs by code.
    logger: { level: 'error', log: (_level, message) => log.warn({ provider: message }, 'sign-in provider') },
    database: { db, type: 'postgres', transaction: true },
    user: { modelName: 'accounts', fields: { emailVerified: 'email_verified', ...times } },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'account_id',
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
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: false,
      minPasswordLength: limits.passwordMin,
      maxPasswordLength: limits.passwordMax,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: resetLinkSeconds,
      // Whoever holds the link reads that mailbox.
      onPasswordReset: async ({ user }) => {
        await markEmailVerified(db, user.id, clock.now());
        // As `revokeSessionsOnPasswordReset` does, but telling the devices that are open.
        await db.transaction().execute(async (tx) => {
          await deleteSessions(tx, user.id);
          await takeBackHandedOut(tx, user.id);
        });
        await confirmMailbox(db, user.email);
      },
    },
    emailVerification: {
      expiresIn: verificationLinkSeconds,
      sendVerificationEmail: ({ user, token }) => parts.sendVerification(user, token),
    },
    databaseHooks: {
      session: {
        create: {
          // Reached only after a right password or a provider's word, so a stranger learns nothing from it (spec §8).
          // Sign-up holds a connection in a transaction, so asking on a second one would let a few at once exhaust the pool; an account
          // that was made a moment ago is not disabled.
          before: async (session, context) => {
            if (context?.path === '/sign-up/email') return;
            if (await isDisabled(db, session.userId))
              throw new APIError('FORBIDDEN', { code: 'BANNED_USER' });
          },
        },
      },
    },
    plugins: socialProviders.length > 0 ? [genericOAuth({ config: socialProviders })] : [],
    advanced: {
      cookiePrefix: 'nearhand',
      useSecureCookies: config.PUBLIC_URL.startsWith('https:'),
      // Nothing but sign-in ever needs the cookie, so nothing else is sent it.
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/api/auth' },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: ['x-nearhand-address'] },
      database: { generateId: () => newId(clock.now()) },
    },
  });
}

export type Provider = ReturnType<typeof createProvider>;
