export const readPrefix = 'chat ';

/** An always empty store, for tests about something else. */
export const deviceShelf = {
  get: async () => undefined,
  set: async () => {},
  del: async () => {},
  update: async () => {},
};
