import { dayMs } from '@nearhand/contract/durations';
import { api } from '../../lib/api/api.ts';
import type { SessionUser } from '../../lib/session.ts';

const key = (userId: string) => `nearhand-first-steps:${userId}`;
const newMs = dayMs;

/** Returns whether a social sign-in just created this account, with the sign-up steps unseen. True once per device. */
export async function startsFirstSteps(user: SessionUser): Promise<boolean> {
  try {
    if (globalThis.localStorage.getItem(key(user.id)) !== null) return false;
    // Fetched without the cache, which a signal may restart or which may hold the last user's response.
    const account = await api.accounts.me();
    if (account.intent !== null || Date.now() - Date.parse(account.createdAt) > newMs) return false;
    globalThis.localStorage.setItem(key(user.id), 'led');
    return true;
  } catch {
    return false;
  }
}
