/** A shelf on which nothing ever stands, for tests that look at something else. */
export const deviceShelf = {
  get: async () => undefined,
  set: async () => {},
  del: async () => {},
  update: async () => {},
};
