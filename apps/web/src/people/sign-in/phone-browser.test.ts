import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { answerPath, openProvider } from './phone-browser.ts';

const opened: string[] = [];
let closeBrowser = () => {};
const removed = vi.fn(async () => {});

beforeEach(() => {
  vi.useFakeTimers();
  opened.length = 0;
  removed.mockClear();
  localStorage.clear();
  vi.stubGlobal('Capacitor', {
    Plugins: {
      Browser: {
        open: async ({ url }: { url: string }) => void opened.push(url),
        close: () => Promise.reject(new Error('closed already')),
        addListener: async (_event: string, closed: () => void) => {
          closeBrowser = closed;
          return { remove: removed };
        },
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watch(signIn: Promise<never>) {
  const result: { failure?: unknown } = {};
  signIn.catch((failure: unknown) => {
    result.failure = failure;
  });
  return result;
}

it("opens the provider's page in the phone's browser, and ends when that is closed", async () => {
  const result = watch(openProvider('https://accounts.example/auth?state=app.s', '/favorite'));
  await vi.advanceTimersByTimeAsync(0);
  expect(opened).toEqual(['https://accounts.example/auth?state=app.s']);
  closeBrowser();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(result.failure).toMatchObject({ code: 'auth/user-cancelled' });
  expect(removed).toHaveBeenCalledOnce();
});

it("isn't a cancelled sign-in when the link closes the browser", async () => {
  const result = watch(openProvider('https://accounts.example/auth', '/favorite'));
  await vi.advanceTimersByTimeAsync(0);
  closeBrowser();
  expect(answerPath('code=1')).toBe('/loading?next=%2Ffavorite&answer=code%3D1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(result.failure).toBeUndefined();
  expect(answerPath('code=1')).toBe('/loading?answer=code%3D1');
});

it("shows that an older app can't", async () => {
  vi.stubGlobal('Capacitor', { Plugins: {} });
  await expect(openProvider('https://accounts.example/auth', '/')).rejects.toBeInstanceOf(AuthError);
});
