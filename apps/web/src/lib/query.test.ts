import { beforeEach, expect, it, vi } from 'vitest';

const kept = new Map<string, string>();
vi.mock('idb-keyval', () => ({
  get: async (key: string) => kept.get(key),
  set: async (key: string, value: string) => void kept.set(key, value),
  del: async (key: string) => void kept.delete(key),
}));

const { persistence, queryClient } = await import('./query.ts');
const { session } = await import('./session.ts');

const person = (id: string) => ({
  user: { id, email: `${id}@x.test`, emailVerified: true, name: id },
  accessToken: 'token',
});
const client = { buster: '1', timestamp: Date.now(), clientState: { queries: [], mutations: [] } };

beforeEach(() => {
  kept.clear();
  session.clear();
});

it('reads back what was kept for the same person only', async () => {
  session.start(person('leila'));
  await persistence.persister.persistClient(client);
  await vi.waitFor(() => expect(kept.size).toBe(1));
  expect(await persistence.persister.restoreClient()).toEqual(client);
  session.clear();
  expect(await persistence.persister.restoreClient()).toBeUndefined();
  session.start(person('sam'));
  expect(await persistence.persister.restoreClient()).toBeUndefined();
});

it('forgets what was loaded for the last person as soon as it is another', () => {
  session.start(person('leila'));
  queryClient.setQueryData(['profile'], 'Leila');
  session.update({ accessToken: 'renewed' });
  expect(queryClient.getQueryData(['profile'])).toBe('Leila');
  session.start(person('sam'));
  expect(queryClient.getQueryData(['profile'])).toBeUndefined();
});
