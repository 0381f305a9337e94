export const mark = (storage: () => Storage, key: string) => ({
  set(on: boolean): void {
    try {
      if (on) storage().setItem(key, '1');
      else storage().removeItem(key);
    } catch {}
  },
  get(): boolean {
    try {
      return storage().getItem(key) !== null;
    } catch {
      return false;
    }
  },
});
