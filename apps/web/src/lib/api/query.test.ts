import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';

const store = new Map<string, string>();
vi.mock('idb-keyval', () => ({
  get: async (key: string) => store.get(key),
  set: async (key: string, value: string) => void store.set(key, value),
  del: async (key: string) => void store.delete(key),
}));

const { queryClient, storeQueriesNow } = await import('./query.ts');
const { persister, restoreQueries, storeQueries } = await import('./query-persistence.ts');
const { persisted } = await import('./query-owner.ts');
const { session } = await import('../session.ts');

const person = (id: string) => ({
  user: { id, email: `${id}@x.test`, emailVerified: true, name: id },
  accessToken: 'token',
});
const client = { buster: '1', timestamp: Date.now(), clientState: { queries: [], mutations: [] } };

beforeEach(() => {
  store.clear();
  persisted.set(false);
  session.clear();
});

it('restores what was stored for the same user only', async () => {
  session.start(person('leila'));
  await persister.persistClient(client);
  await vi.waitFor(() => expect(store.size).toBe(1), 10_000);
  expect(await persister.restoreClient()).toEqual(client);
  session.clear();
  expect(await persister.restoreClient()).toBeUndefined();
  session.start(person('sam'));
  expect(await persister.restoreClient()).toBeUndefined();
});

it('keeps its data after a failed refetch, for the next start without a network', async () => {
  session.start(person('leila'));
  const stop = storeQueries(queryClient);
  queryClient.setQueryData(['work'], 'on Friday');
  await queryClient
    .fetchQuery({
      queryKey: ['work'],
      queryFn: () => Promise.reject(new TypeError('lost')),
      retry: false,
      staleTime: 0,
    })
    .catch(() => {});
  expect(queryClient.getQueryState(['work'])).toMatchObject({ status: 'error', data: 'on Friday' });
  await vi.waitFor(() => expect(store.get('nearhand-queries')).toContain('on Friday'), 10_000);
  stop();
  queryClient.clear();
  await restoreQueries(queryClient);
  expect(queryClient.getQueryState(['work'])).toMatchObject({
    status: 'success',
    data: 'on Friday',
    error: null,
    isInvalidated: true,
  });
  queryClient.clear();
});

it('stores at once before a queue deletes what it sent', async () => {
  session.start(person('leila'));
  queryClient.setQueryData(['work'], 'checked in');
  await storeQueriesNow();
  expect(store.size, 'nothing is stored on a device that keeps nothing').toBe(0);
  persisted.set(true);
  await storeQueriesNow();
  expect(store.get('nearhand-queries')).toContain('checked in');
  expect(store.get('nearhand-queries')).toContain('leila');
  queryClient.clear();
});

it("clears the previous user's data as soon as the user changes", () => {
  session.start(person('leila'));
  queryClient.setQueryData(['profile'], 'Leila');
  session.update({ accessToken: 'renewed' });
  expect(queryClient.getQueryData(['profile'])).toBe('Leila');
  session.start(person('sam'));
  expect(queryClient.getQueryData(['profile'])).toBeUndefined();
});

it('hides what another tab loaded for the previous account', async () => {
  const inAnotherTab = (id: string) => {
    localStorage.setItem('user', JSON.stringify(person(id).user));
    window.dispatchEvent(new StorageEvent('storage', { key: 'user' }));
  };
  session.start(person('leila'));
  const stop = storeQueries(queryClient);
  const answers: ((text: string) => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ['balance'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const unwatch = observer.subscribe(() => {});
  queryClient.setQueryData(['profile'], 'Leila');
  await persister.persistClient(client);
  inAnotherTab('nadia');
  answers[0]?.("Leila's balance");
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(1), 10_000);
  await Promise.resolve();
  expect(queryClient.getQueryData(['profile'])).toBeUndefined();
  expect(queryClient.getQueryData(['balance'])).toBeUndefined();
  answers.at(-1)?.("Nadia's balance");
  await vi.waitFor(() => expect(store.get('nearhand-queries')).toContain("Nadia's balance"), 10_000);
  expect(store.get('nearhand-queries')).not.toContain('Leila');
  unwatch();
  stop();
  queryClient.clear();
  inAnotherTab('leila');
  expect(await persister.restoreClient(), "another person's queries are not restored").toBeUndefined();
});

it('reports at once that the device is offline, and refetches when the network is back', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.resetModules();
  const { queryClient: fresh } = await import('./query.ts');
  const { ApiError } = await import('./api-error.ts');
  const { QueryObserver: Observer } = await import('@tanstack/react-query');
  let isReachable = false;
  const ask = vi.fn(async () => {
    if (!isReachable) throw new ApiError('network/offline');
    return 'there';
  });
  fresh.mount();
  const stop = new Observer(fresh, { queryKey: ['crew'], queryFn: ask }).subscribe(() => {});
  await vi.waitFor(() => expect(fresh.getQueryState(['crew'])?.status).toBe('error'));
  expect(ask).toHaveBeenCalledTimes(1);
  isReachable = true;
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(fresh.getQueryData(['crew'])).toBe('there'));
  stop();
  fresh.unmount();
  online.mockRestore();
});

it('stops a read that started before a write from restoring the old state', async () => {
  const answers: ((status: string) => void)[] = [];
  const read = queryClient.fetchQuery({
    queryKey: ['work'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  await vi.waitFor(() => expect(answers).toHaveLength(1), 10_000);
  queryClient.setQueryData(['work'], 'checked in');
  await vi.waitFor(() => expect(answers).toHaveLength(2), 10_000);
  answers[0]?.('booked');
  await Promise.resolve();
  expect(queryClient.getQueryData(['work'])).toBe('checked in');
  answers[1]?.('checked in, seen by the business');
  expect(await read).toBe('checked in, seen by the business');
  expect(queryClient.getQueryData(['work'])).toBe('checked in, seen by the business');
});

it('refetches nothing when nothing was in flight', async () => {
  const ask = vi.fn(async () => 'booked');
  await queryClient.fetchQuery({ queryKey: ['other work'], queryFn: ask });
  queryClient.setQueryData(['other work'], 'checked in');
  await Promise.resolve();
  expect(ask).toHaveBeenCalledTimes(1);
  expect(queryClient.getQueryData(['other work'])).toBe('checked in');
});

it('refetches what changed during its first read', async () => {
  const answers: ((count: number) => void)[] = [];
  const options = {
    queryKey: ['notices'],
    queryFn: () => new Promise<number>((resolve) => answers.push(resolve)),
  };
  const stop = new QueryObserver(queryClient, options).subscribe(() => {});
  expect(answers).toHaveLength(1);
  void queryClient.invalidateQueries({ queryKey: ['notices'] });
  answers[0]?.(0);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(1);
  await vi.waitFor(() => expect(queryClient.getQueryData(['notices'])).toBe(1));
  expect(queryClient.isFetching()).toBe(0);
  expect(answers).toHaveLength(2);
  stop();
});
