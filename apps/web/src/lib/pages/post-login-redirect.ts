import type { Account } from '@nearhand/contract/people/accounts';
import { api } from '../api/api.ts';
import { side, startSide } from '../device/device-setting.ts';
import { session } from '../session.ts';
import { homePath } from './next-path.ts';

const hirePath = '/tabs/menu/business';
export const registerBusinessPath = '/register-business';

/** The arrival page without a return path: by the saved start side, then by the device's side. */
export const landingPath = (): string => {
  const storedSide = startSide.get();
  return (storedSide === 'last' ? side.get() : storedSide) === 'hire' ? hirePath : homePath;
};

const askWithinMs = 3_000;

/**
 * Returns and clears the sign-up's path (ADR 194), otherwise the sign-up step that is left, or the side's
 * page. Never rejects. The caller checks it.
 */
export async function resolveLandingPath(
  leftStep: (me: Account) => Promise<string | null> = async () => null,
): Promise<string> {
  const asker = session.user()?.id;
  const ask = async () => {
    // Calls the API without the cache, because a realtime signal may restart a cached read.
    const me = await api.accounts.me();
    const { intent, returnTo, memberships } = me;
    if (session.user()?.id !== asker) return null;
    if (intent !== null && !side.isSet()) side.set(intent === 'both' ? side.get() : intent);
    if (returnTo !== null) {
      void api.accounts.update({ returnTo: null }).catch(() => {});
      return returnTo;
    }
    if (landingPath() === hirePath && memberships.length === 0) return registerBusinessPath;
    return leftStep(me);
  };
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), askWithinMs));
  return (await Promise.race([ask().catch(() => null), late])) ?? landingPath();
}
