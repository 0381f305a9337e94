import { api } from '../api/api.ts';
import { side, startSide } from '../device/device-setting.ts';
import { session } from '../session.ts';
import { homePath } from './home-path.ts';

const hirePath = '/tabs/menu/business';

/**
 * Where someone without a return path arrives: at their business, or registering one, if they came to hire; otherwise at nearby jobs. The
 * chosen start side decides, else the device's: signing up sets it from the intent, signing in on another device reads it from the account (`takeSide`).
 */
export const arrivalPath = (): string => {
  const chosen = startSide.get();
  return (chosen === 'last' ? side.get() : chosen) === 'hire' ? hirePath : homePath;
};

/** The maximum wait for the side; then they arrive at nearby jobs. */
const askWithinMs = 3_000;

/** Sets the side from a new sign-in's intent, unless one was chosen on this device. Never rejects. */
export async function takeSide(): Promise<void> {
  if (side.isSet()) return;
  const asker = session.user()?.id;
  const take = async () => {
    // A direct call: a signal may restart a cached read.
    const { intent } = await api.accounts.me();
    if (intent === null || side.isSet() || session.user()?.id !== asker) return;
    // Those who want both start where everyone does.
    side.set(intent === 'both' ? side.get() : intent);
  };
  await Promise.race([take().catch(() => {}), new Promise((resolve) => setTimeout(resolve, askWithinMs))]);
}
