import { dayMs } from '@nearhand/contract/durations';
import { api } from '../../lib/api.ts';
import type { SessionUser } from '../../lib/session.ts';

const key = (userId: string) => `nearhand-first-steps:${userId}`;
const newMs = dayMs;

/**
 * Whether this person just made an account by Google or Facebook and has not been led through the steps of sign-up: they never came by the register
 * screen, which leads on to them. True once a device; false whenever it cannot be told.
 */
export async function startsFirstSteps(user: SessionUser): Promise<boolean> {
  if (!user.emailVerified) return false;
  try {
    if (globalThis.localStorage.getItem(key(user.id)) !== null) return false;
    // Asked by itself: a read in the cache may be begun anew by a signal, or ended with what the last person left there.
    const account = await api.accounts.me();
    if (account.intent !== null || Date.now() - Date.parse(account.createdAt) > newMs) return false;
    globalThis.localStorage.setItem(key(user.id), 'led');
    return true;
  } catch {
    return false;
  }
}
