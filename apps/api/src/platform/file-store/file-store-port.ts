import type { Readable } from 'node:stream';

/** Stores the bytes of files; the `files` slice knows what they are and who may read them. */
export type FileStore = {
  /** Stores bytes under a key that is never overwritten. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** The same for a large file on this machine, streamed. */
  putFile(key: string, file: string, mediaType: string): Promise<void>;
  /** The bytes, or null for an unknown key. */
  get(key: string): Promise<Uint8Array | null>;
  /** The same as a stream. The caller reads or destroys it. */
  open(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
};
