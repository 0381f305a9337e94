import { afterEach, expect, it, vi } from 'vitest';
import { AuthError } from './auth-port.ts';
import { post } from './kept-session.ts';

afterEach(() => vi.unstubAllGlobals());

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
