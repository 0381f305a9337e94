import { dayMs } from '@nearhand/contract/durations';

/** Where a person who signs up was going. The link in the verification mail opens another tab, whose address does not say. */
const key = 'nearhand-next';

export function keepNext(path: string | null): void {
  try {
    if (path !== null)
      globalThis.localStorage?.setItem(key, JSON.stringify({ path, until: Date.now() + dayMs }));
  } catch {
    // If storage is full or blocked, the mail's link leads home.
  }
}

/** The kept path for a day, or null. */
export function keptNext(): string | null {
  try {
    const { path, until } = JSON.parse(globalThis.localStorage?.getItem(key) ?? '{}');
    return typeof path === 'string' && until > Date.now() ? path : null;
  } catch {
    return null;
  }
}

export function forgetNext(): void {
  try {
    globalThis.localStorage?.removeItem(key);
  } catch {
    // Nothing was kept then.
  }
}
