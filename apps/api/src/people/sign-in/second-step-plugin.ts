import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { twoFactor } from 'better-auth/plugins';

const seconds = (ms: number) => ms / 1_000;

/**
 * The library's second step on our tables: codes of an authenticator app, and recovery codes. The secret and the codes are encrypted with
 * the server's key. It asks after a password; ours also asks after Google and Facebook, whose callback the library lets through (ADR 158).
 */
export function secondStepPlugin() {
  const plugin = twoFactor({
    issuer: 'Nearhand',
    trustDeviceMaxAge: seconds(limits.trustedDeviceDays * dayMs),
    twoFactorCookieMaxAge: seconds(limits.secondStepMinutes * minuteMs),
    backupCodeOptions: { amount: limits.recoveryCodes, storeBackupCodes: 'encrypted' },
    accountLockout: {
      enabled: true,
      maxFailedAttempts: limits.secondStepTries,
      durationSeconds: seconds(limits.secondStepLockMinutes * minuteMs),
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
      hook.matcher(context) || context.path?.startsWith('/callback/') === true,
  }));
  return { ...plugin, hooks: { after } };
}
