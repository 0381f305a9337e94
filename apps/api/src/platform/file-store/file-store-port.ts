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
  /** Deletes leftovers of interrupted writes from before this time. */
  sweep(before: Date): Promise<void>;
  /** The room on the disk of the files; null for a bucket, whose limits its provider watches. */
  space(): Promise<FileSpace | null>;
};

/** In bytes; `problem` says why files cannot be stored. */
export type FileSpace = { free: number; size: number; problem: 'full' | 'not writable' | null };
