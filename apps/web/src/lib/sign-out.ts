import { auth } from './api/auth-provider.ts';
import { clearCache } from './api/query.ts';
import { dropOperatorTexts } from './device/device-draft.ts';
import { appLock, side, startSide } from './device/device-setting.ts';

let leaving = false;

/** During a deliberate sign-out no guard sets a return path, and no alert explains it. */
export const isLeaving = (): boolean => leaving;

const leavings = new Set<() => Promise<unknown>>();
const leaveWithinMs = 3_000;

/** Registers work that needs the session, such as ending push to this device. Returns a function to unregister it. */
export function beforeSignOut(run: () => Promise<unknown>): () => void {
  leavings.add(run);
  return () => leavings.delete(run);
}

/**
 * Ends the session, clears its data, and goes to /getting-started (spec §4). `endSession` is a request that ends
 * this session at the server; if it fails, the person stays signed in.
 */
export async function signOut(
  go: (path: string) => void,
  endSession?: () => Promise<unknown>,
): Promise<void> {
  leaving = true;
  try {
    await endSession?.();
    await Promise.race([
      Promise.allSettled([...leavings].map((run) => run())),
      new Promise((resolve) => setTimeout(resolve, leaveWithinMs)),
    ]);
    dropOperatorTexts();
    try {
      await auth().signOut();
    } finally {
      // Runs even if the server could not be reached: none of this person's data stays on the device.
      side.reset();
      startSide.reset();
      appLock.reset();
      await clearCache();
      go('/getting-started');
    }
  } finally {
    // The guards of the screens being left still render once more.
    setTimeout(() => {
      leaving = false;
    }, 1_000);
  }
}
