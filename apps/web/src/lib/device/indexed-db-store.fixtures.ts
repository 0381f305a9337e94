export const readPrefix = 'chat ';

/** Chosen files are kept, as a test reads them again; stored messages would appear in the next test. */
const chosenFiles = new Map<string, unknown>();

export const deviceStore = {
  get: async (key: string) => chosenFiles.get(key),
  set: async (key: string, value: unknown) => {
    if (key.startsWith('chat-chosen ')) chosenFiles.set(key, value);
  },
  del: async (key: string) => {
    chosenFiles.delete(key);
  },
  update: async () => {},
};
