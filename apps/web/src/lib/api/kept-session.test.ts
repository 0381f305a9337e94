import { afterEach, expect, it, vi } from 'vitest';
import { session } from '../session.ts';
import { AuthError } from './auth-port.ts';
import { keepSession, post } from './kept-session.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('gives up a call whose connection is dead, as a lost connection', async () => {
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: { signal?: AbortSignal }) =>
      new Promise((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  const failure = await post('/access-token', {}, 50).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthError);
  expect((failure as AuthError).code).toBe('auth/network-request-failed');
});

it.each([3_600, 60 * 86_400])('does not renew a token that ends in %i s at once', async (seconds) => {
  vi.useFakeTimers();
  const asked = vi.fn(() => new Promise(() => {}));
  vi.stubGlobal('fetch', asked);
  const payload = btoa(JSON.stringify({ exp: Date.now() / 1_000 + seconds }));
  const user = { id: 'u1', email: 'nadia@example.org', name: 'Nadia', emailVerified: true };
  keepSession(() => {}).start({ token: `header.${payload}.signature`, expiresAt: '', user: user as never });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(asked).toHaveBeenCalled();
  session.clear();
});
