import { api } from '../api/api.ts';
import { side, startSide } from '../device/device-setting.ts';
import { session } from '../session.ts';
import { homePath } from './home-path.ts';

const hirePath = '/tabs/menu/business';
export const registerBusinessPath = '/register-business';

/**
 * The arrival page without a return path: the person's business if they hire, otherwise nearby jobs. The
 * saved start side decides, then the device's side.
 */
export const arrivalPath = (): string => {
  const storedSide = startSide.get();
  return (storedSide === 'last' ? side.get() : storedSide) === 'hire' ? hirePath : homePath;
};

const askWithinMs = 3_000;

/**
 * Returns the path that the person was opening when they signed up (ADR 194) and clears it; otherwise their
 * side's page. Sets the device's side from the account unless one was chosen. Never rejects. The caller
 * checks the path.
 */
export async function arrive(): Promise<string> {
  const asker = session.user()?.id;
  const ask = async () => {
    // A direct call: a signal may restart a cached read.
    const { intent, returnTo, memberships } = await api.accounts.me();
    if (session.user()?.id !== asker) return null;
    if (intent !== null && !side.isSet()) side.set(intent === 'both' ? side.get() : intent);
    if (returnTo !== null) {
      // If this fails, they are redirected there once more.
      void api.accounts.update({ returnTo: null }).catch(() => {});
      return returnTo;
    }
    return arrivalPath() === hirePath && memberships.length === 0 ? registerBusinessPath : null;
  };
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), askWithinMs));
  return (await Promise.race([ask().catch(() => null), late])) ?? arrivalPath();
}
