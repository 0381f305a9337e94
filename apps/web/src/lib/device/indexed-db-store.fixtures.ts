export const readPrefix = 'chat ';

export const deviceStore = {
  get: async () => undefined,
  set: async () => {},
  del: async () => {},
  update: async () => {},
};
