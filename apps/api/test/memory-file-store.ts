import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FileStore } from '../src/platform/file-store/file-store.ts';

export function createMemoryFileStore(): FileStore & { keys(): string[] } {
  const stored = new Map<string, Uint8Array>();
  return {
    put: async (key, bytes) => void stored.set(key, bytes),
    putFile: async (key, file) => void stored.set(key, await readFile(file)),
    get: async (key) => stored.get(key) ?? null,
    open: async (key) => {
      const bytes = stored.get(key);
      return bytes ? Readable.from([Buffer.from(bytes)]) : null;
    },
    remove: async (key) => void stored.delete(key),
    sweep: async () => {},
    space: async () => null,
    keys: () => [...stored.keys()],
  };
}
