/** A stored text; null if there is none or storage is blocked. */
export function readStored(key: string, storage = () => globalThis.localStorage): string | null {
  try {
    return storage()?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Stores a text, or removes it with null. Returns whether it worked: storage can be full, blocked or absent. */
export function writeStored(
  key: string,
  value: string | null,
  storage = () => globalThis.localStorage,
): boolean {
  try {
    const store: Storage | undefined = storage();
    if (value === null) store?.removeItem(key);
    else store?.setItem(key, value);
    return store !== undefined;
  } catch {
    return false;
  }
}

/** A flag in the browser's storage, which may be full or forbidden. */
export const storageFlag = (storage: () => Storage, key: string) => ({
  set: (on: boolean): void => void writeStored(key, on ? '1' : null, storage),
  get: (): boolean => readStored(key, storage) !== null,
});
