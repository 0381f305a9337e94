import { clear, createStore, del, delMany, get, keys, set, type UseStore, update } from 'idb-keyval';

/** Of the messages that `talk/messages/message-store.api.ts` keeps. */
export const readPrefix = 'chat ';

let opened: UseStore | null = null;
const store = () => {
  opened ??= createStore('nearhand-shelf', 'kept');
  return opened;
};

/**
 * What is on the device apart from queries and drafts: messages to read offline, and those waiting to be sent with their files. Cleared at
 * sign-out (`lib/api/query.ts`). Rejects if the browser provides no database.
 */
export const deviceShelf = {
  get: <Value>(key: string) => get<Value>(key, store()),
  set: (key: string, value: unknown) => set(key, value, store()),
  del: (key: string) => del(key, store()),
  /** Reads and writes atomically, across windows too. */
  update: <Value>(key: string, change: (before: Value | undefined) => Value) =>
    update<Value>(key, change, store()),
  clear: () => clear(store()),
  /** Removes what can be read; what waits to be sent stays, under the account it belongs to. */
  clearRead: async () => {
    const all = await keys<string>(store());
    await delMany(
      all.filter((key) => key.startsWith(readPrefix)),
      store(),
    );
  },
};
