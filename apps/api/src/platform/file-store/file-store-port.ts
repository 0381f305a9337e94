/** Stores the bytes of files; the `files` slice knows what they are and who may read them. */
export type FileStore = {
  /** Stores bytes under a key that is never overwritten. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** The bytes, or null for an unknown key. */
  get(key: string): Promise<Uint8Array | null>;
  remove(key: string): Promise<void>;
};
