import { api } from './api.ts';
import { side } from './device-setting.ts';
import { homePath } from './home-path.ts';
import { session } from './session.ts';

const hirePath = '/tabs/menu/business';

/**
 * Where somebody arrives who asks for nothing particular: at their business, or at registering one, when they came to hire; else at the jobs nearby. The side
 * of this device says it: signing up sets it with what brings a person here, signing in on another device takes it from the account (`takeSide`).
 */
export const arrivalPath = (): string => (side.get() === 'hire' ? hirePath : homePath);

/** Nobody waits longer than this for the side; they then arrive at the jobs nearby. */
const askWithinMs = 3_000;

/** Takes the side of whoever has just signed in from what they said brings them here, where nobody chose one on this device. Never rejects. */
export async function takeSide(): Promise<void> {
  if (side.isSet()) return;
  const asker = session.user()?.id;
  const take = async () => {
    // Asked by itself: a read in the cache may be begun anew by a signal.
    const { intent } = await api.accounts.me();
    if (intent === null || side.isSet() || session.user()?.id !== asker) return;
    // Who wants both begins where everybody does.
    side.set(intent === 'both' ? side.get() : intent);
  };
  await Promise.race([take().catch(() => {}), new Promise((resolve) => setTimeout(resolve, askWithinMs))]);
}
