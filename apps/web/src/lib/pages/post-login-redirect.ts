import { api } from '../api/api.ts';
import { side, startSide } from '../device/device-setting.ts';
import { session } from '../session.ts';
import { homePath } from './home-path.ts';

const hirePath = '/tabs/menu/business';
export const registerBusinessPath = '/register-business';

/**
 * Where someone without a return path arrives: at their business if they came to hire, otherwise at nearby jobs. The chosen start side decides,
 * else the device's: signing up sets it from the intent, signing in on another device reads it from the account (`arrive`).
 */
export const arrivalPath = (): string => {
  const storedSide = startSide.get();
  return (storedSide === 'last' ? side.get() : storedSide) === 'hire' ? hirePath : homePath;
};

/** The maximum wait for the account; then they arrive by what the device knows. */
const askWithinMs = 3_000;

/**
 * Where a person who just signed in was going when they signed up (ADR 194), which is then forgotten; otherwise their side, or registering a
 * business if they hire and have none. Sets the device's side from the account, unless one was chosen on it. Never rejects. The caller checks the path.
 */
export async function arrive(): Promise<string> {
  const asker = session.user()?.id;
  const ask = async () => {
    // A direct call: a signal may restart a cached read.
    const { intent, returnTo, memberships } = await api.accounts.me();
    if (session.user()?.id !== asker) return null;
    // Those who want both start where everyone does.
    if (intent !== null && !side.isSet()) side.set(intent === 'both' ? side.get() : intent);
    if (returnTo !== null) {
      // Without a network they are led there once more.
      void api.accounts.update({ returnTo: null }).catch(() => {});
      return returnTo;
    }
    return arrivalPath() === hirePath && memberships.length === 0 ? registerBusinessPath : null;
  };
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), askWithinMs));
  return (await Promise.race([ask().catch(() => null), late])) ?? arrivalPath();
}
