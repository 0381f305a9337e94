import { clear, createStore, del, get, set, type UseStore, update } from 'idb-keyval';

let opened: UseStore | null = null;
const store = () => {
  opened ??= createStore('nearhand-shelf', 'kept');
  return opened;
};

/**
 * What lies on the device apart from queries and drafts: messages to read without a network, and those that wait to be sent with their files. Emptied at sign-out
 * (`lib/query.ts`). Rejects where the browser has no database to give.
 */
export const deviceShelf = {
  get: <Value>(key: string) => get<Value>(key, store()),
  set: (key: string, value: unknown) => set(key, value, store()),
  del: (key: string) => del(key, store()),
  /** Reads and writes as one step, also between windows. */
  update: <Value>(key: string, change: (before: Value | undefined) => Value) =>
    update<Value>(key, change, store()),
  clear: () => clear(store()),
};
