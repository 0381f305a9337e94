import type { FileStore } from '../src/platform/file-store/file-store.ts';

/** Files in memory, for tests. */
export function createMemoryFileStore(): FileStore & { keys(): string[] } {
  const stored = new Map<string, Uint8Array>();
  return {
    put: async (key, bytes) => void stored.set(key, bytes),
    get: async (key) => stored.get(key) ?? null,
    remove: async (key) => void stored.delete(key),
    keys: () => [...stored.keys()],
  };
}
