import { auth } from './api/auth-provider.ts';
import { forgetEverything } from './api/query.ts';
import { appLock, side, startSide } from './device/device-setting.ts';

let leaving = false;

/** True while someone signs out deliberately: no guard then sets a return path. */
export const isLeaving = (): boolean => leaving;

const leavings = new Set<() => Promise<unknown>>();
/** The maximum wait for what is sent before the session ends. */
const leaveWithinMs = 3_000;

/** Registers work for while the session is still valid, such as ending push to this device. Returns a function to unregister it. */
export function beforeSignOut(run: () => Promise<unknown>): () => void {
  leavings.add(run);
  return () => leavings.delete(run);
}

/** Ends the session, clears what was loaded for it, and goes to /getting-started (spec §4). `go` is the router's navigation. */
export async function signOut(go: (path: string) => void): Promise<void> {
  leaving = true;
  try {
    await Promise.race([
      Promise.allSettled([...leavings].map((run) => run())),
      new Promise((resolve) => setTimeout(resolve, leaveWithinMs)),
    ]);
    try {
      await auth().signOut();
    } finally {
      // Even if the server could not be reached: nothing of this person stays on the device.
      side.reset();
      startSide.reset();
      appLock.reset();
      await forgetEverything();
      go('/getting-started');
    }
  } finally {
    // The guards of the screens being left still render once more.
    setTimeout(() => {
      leaving = false;
    }, 1_000);
  }
}
