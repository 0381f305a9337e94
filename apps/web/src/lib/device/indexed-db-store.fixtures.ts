export const readPrefix = 'chat ';

export const deviceShelf = {
  get: async () => undefined,
  set: async () => {},
  del: async () => {},
  update: async () => {},
};
