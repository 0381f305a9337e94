import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { expireCookie, setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins';
import { z } from 'zod';

/** No route leads here; the path makes the second step ask. */
const externalSessionPath = '/external-session';

const seconds = (ms: number) => ms / 1_000;

/**
 * The library's second step on our tables: codes of an authenticator app, and recovery codes. The secret and the codes are encrypted with
 * the server's key. It asks after a password; ours also asks after Google and Facebook, whose callback the library lets through (ADR 158), and
 * after an external identity provider, which also has the password (`withoutPassword`).
 */
export function secondStepPlugin({ withoutPassword }: { withoutPassword: boolean }) {
  const plugin = twoFactor({
    issuer: 'Nearhand',
    allowPasswordless: withoutPassword,
    trustDeviceMaxAge: seconds(limits.trustedDeviceDays * dayMs),
    twoFactorCookieMaxAge: seconds(limits.secondStepMinutes * minuteMs),
    backupCodeOptions: { amount: limits.recoveryCodes, storeBackupCodes: 'encrypted' },
    accountLockout: {
      enabled: true,
      maxFailedAttempts: limits.secondStepTries,
      durationSeconds: seconds(limits.secondStepLockMinutes * minuteMs),
    },
    schema: {
      twoFactor: { modelName: 'second_factors', fields: { userId: 'accountId' } },
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

/**
 * Opens sessions with the provider's cookie. `openSession` is for an account that a passkey proved (ADR 169); without a path, so that no request reaches it.
 * `endStep` also uses up the pending second step of the request's cookie, which must be of the same account.
 */
export function sessionPlugin() {
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
      /** For an account that an external identity provider vouched for. The second step asks, if it is on. */
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
