import { dayMs } from '@nearhand/contract/durations';
import { session } from '../session.ts';

/** How long queries stay in the cache and on the device. */
export const keepsForMs = 7 * dayMs;

/** Whose data the cache holds. */
export const currentOwner = () => session.user()?.id ?? 'guest';

const persistedKey = 'nearhand-queries-stored';

/** Whether queries may be stored on this device; false on a first visit. */
export function wasPersisted(): boolean {
  try {
    return localStorage.getItem(persistedKey) !== null;
  } catch {
    return false;
  }
}

export function markPersisted(isStored: boolean): void {
  try {
    if (isStored) localStorage.setItem(persistedKey, '1');
    else localStorage.removeItem(persistedKey);
  } catch {
    // Storage is blocked: nothing will be restored on the next visit.
  }
}
