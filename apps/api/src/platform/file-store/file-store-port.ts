import type { Readable } from 'node:stream';

/** Stores bytes only; the `files` slice decides who may read them. */
export type FileStore = {
  /** Stores bytes under a new key; keys are never overwritten. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  putFile(key: string, file: string, mediaType: string): Promise<void>;
  get(key: string): Promise<Uint8Array | null>;
  /** The caller reads or destroys the stream. */
  open(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  /** Deletes leftovers of interrupted writes from before this time. */
  sweep(before: Date): Promise<void>;
  /** Free disk space; null for a bucket, whose provider watches its limits. */
  space(): Promise<FileSpace | null>;
};

/** Sizes in bytes; `problem` is the reason why files cannot be stored. */
export type FileSpace = { free: number; size: number; problem: 'full' | 'not writable' | null };
