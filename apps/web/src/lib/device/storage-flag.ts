export const mark = (storage: () => Storage, key: string) => ({
  set(on: boolean): void {
    try {
      if (on) storage().setItem(key, '1');
      else storage().removeItem(key);
    } catch {
      // Storage is blocked: the flag is lost with the page.
    }
  },
  get(): boolean {
    try {
      return storage().getItem(key) !== null;
    } catch {
      return false;
    }
  },
});
