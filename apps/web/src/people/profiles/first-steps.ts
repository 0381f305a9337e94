import { dayMs } from '@nearhand/contract/durations';
import { api } from '../../lib/api/api.ts';
import type { SessionUser } from '../../lib/session.ts';

const key = (userId: string) => `nearhand-first-steps:${userId}`;
const newMs = dayMs;

/**
 * Returns whether a social sign-in just created this account, with the sign-up steps unseen. Returns true once per
 * device.
 */
export async function startsFirstSteps(user: SessionUser): Promise<boolean> {
  try {
    if (globalThis.localStorage.getItem(key(user.id)) !== null) return false;
    // Bypasses the cache, which may hold the previous user's response or be refetched by a signal.
    const account = await api.accounts.me();
    if (account.intent !== null || Date.now() - Date.parse(account.createdAt) > newMs) return false;
    globalThis.localStorage.setItem(key(user.id), 'led');
    return true;
  } catch {
    return false;
  }
}
