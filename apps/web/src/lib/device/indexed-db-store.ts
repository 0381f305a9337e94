import { clear, createStore, del, delMany, get, keys, set, type UseStore, update } from 'idb-keyval';

export const readPrefix = 'chat ';

let opened: UseStore | null = null;
const store = () => {
  opened ??= createStore('nearhand-shelf', 'kept');
  return opened;
};

/**
 * Messages to read offline, messages to send, and the files of a message being written. Signing out clears all
 * of them; a session that ended elsewhere clears only those to read. Rejects without a database.
 */
export const deviceStore = {
  get: <Value>(key: string) => get<Value>(key, store()),
  set: (key: string, value: unknown) => set(key, value, store()),
  del: (key: string) => del(key, store()),
  update: <Value>(key: string, change: (before: Value | undefined) => Value) =>
    update<Value>(key, change, store()),
  clear: () => clear(store()),
  /** Removes readable messages; unsent ones stay under their account. */
  clearRead: async () => {
    const all = await keys<string>(store());
    await delMany(
      all.filter((key) => key.startsWith(readPrefix)),
      store(),
    );
  },
};
