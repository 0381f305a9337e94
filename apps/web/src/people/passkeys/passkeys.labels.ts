import { t } from '@lingui/core/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { PasskeyView } from '@nearhand/contract/people/passkeys';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, isCancelled } from '../../lib/api/auth-provider.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { formatCalendarDay, joined, ownTimeZone } from '../../lib/words/format.ts';

/** The reason why a passkey action failed; null if the person cancelled it. */
export function passkeyProblem(failure: unknown): string | null {
  if (isCancelled(failure)) return null;
  if (!(failure instanceof AuthError)) return errorText(failure);
  return failure.code === 'auth/provider-already-linked'
    ? t`This device already has a passkey for your account.`
    : authText(failure);
}

export function passkeyNote({ createdAt, lastUsedAt }: PasskeyView, now = new Date()): string {
  const zone = ownTimeZone();
  const dayOf = (instant: string) => {
    const day = dayIn(zone, instant);
    // Around midnight a device whose clock is behind would show tomorrow.
    return day >= dayIn(zone, now) ? t`today` : formatCalendarDay(day, { now });
  };
  return joined(
    t`Added ${dayOf(createdAt)}`,
    lastUsedAt ? t`last used ${dayOf(lastUsedAt)}` : t`not used yet`,
  );
}
