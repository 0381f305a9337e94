import { dayMs } from '@nearhand/contract/durations';
import { session } from '../session.ts';

export const keepsForMs = 7 * dayMs;

export const currentOwner = () => session.user()?.id ?? 'guest';

const persistedKey = 'nearhand-queries-stored';

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
    // Storage is blocked, so the next visit restores nothing.
  }
}
