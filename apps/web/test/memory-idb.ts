/** `idb-keyval` without IndexedDB, which happy-dom lacks. */
export type UseStore = Map<string, unknown>;

const stores = new Map<string, UseStore>();

export function createStore(database: string, name: string): UseStore {
  const key = `${database}/${name}`;
  const store = stores.get(key) ?? new Map();
  stores.set(key, store);
  return store;
}

const standard = createStore('keyval-store', 'keyval');

export const get = async (key: string, store = standard) => structuredClone(store.get(key));
export const set = async (key: string, value: unknown, store = standard) =>
  void store.set(key, structuredClone(value));
export const del = async (key: string, store = standard) => void store.delete(key);
export const keys = async (store = standard) => [...store.keys()];
export const delMany = async (keys: string[], store = standard) => {
  for (const key of keys) store.delete(key);
};
export const clear = async (store = standard) => store.clear();
export const update = async (key: string, change: (before: unknown) => unknown, store = standard) =>
  void store.set(key, structuredClone(change(structuredClone(store.get(key)))));

export function emptyDatabases(): void {
  for (const store of stores.values()) store.clear();
}
