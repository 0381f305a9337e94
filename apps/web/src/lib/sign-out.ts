import { auth } from './auth-port.ts';
import { side } from './device-setting.ts';
import { forgetEverything } from './query.ts';

let leaving = false;

/** True while a person is leaving by their own wish: no guard then keeps the way back. */
export const isLeaving = (): boolean => leaving;

const leavings = new Set<() => Promise<unknown>>();
/** Nobody waits longer than this for what is told before the session ends. */
const leaveWithinMs = 3_000;

/** Something to do while the session still counts, such as ending push to this device. Answers how to take it back. */
export function beforeSignOut(run: () => Promise<unknown>): () => void {
  leavings.add(run);
  return () => leavings.delete(run);
}

/** Ends the session, forgets what was loaded for it, and goes to /getting-started (spec §4). `go` is the router's way there. */
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
      // Also when the server could not be told: nothing of this person stays on the device.
      side.reset();
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
