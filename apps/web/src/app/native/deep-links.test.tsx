import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DeepLinks } from './deep-links.tsx';

const { push, job } = vi.hoisted(() => ({ push: vi.fn(), job: vi.fn() }));
vi.mock('react-router', () => ({ useNavigate: () => push }));

vi.mock('../../lib/api/api.ts', () => ({ api: { publicPages: { job } } }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  push.mockClear();
});

it("opens only the phone's own links inside the app", async () => {
  let received: (opened: { url?: unknown }) => void = () => {};
  const remove = vi.fn();
  vi.stubGlobal('Capacitor', {
    Plugins: {
      App: {
        addListener: (_event: string, listener: typeof received) => {
          received = listener;
          return Promise.resolve({ remove });
        },
      },
    },
  });
  const { unmount } = render(<DeepLinks />);
  for (const url of [
    'nearhand://job-desc/42',
    'https://evil.com/job-desc/42',
    'javascript:alert(1)',
    undefined,
  ]) {
    act(() => received({ url }));
  }
  expect(push.mock.calls.map(([path]) => path)).toEqual([
    '/job-desc/42',
    '/tabs/menu/explore',
    '/tabs/menu/explore',
    '/tabs/menu/explore',
  ]);
  unmount();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledOnce(), 10_000);
});

it("opens the job of a public page's address inside the app, and home without one", async () => {
  let received: (opened: { url?: unknown }) => void = () => {};
  vi.stubGlobal('Capacitor', {
    Plugins: {
      App: {
        addListener: (_event: string, listener: typeof received) => {
          received = listener;
          return { remove: vi.fn() };
        },
      },
    },
  });
  vi.stubGlobal('location', new URL('https://nearhand.com/'));
  job.mockResolvedValueOnce({ jobId: 'the-job' }).mockRejectedValueOnce(new Error('not found'));
  render(<DeepLinks />);
  act(() => received({ url: 'https://nearhand.com/j/barista-0123456789?s=qr' }));
  await vi.waitFor(() => expect(push).toHaveBeenLastCalledWith('/job-desc/the-job'));
  act(() => received({ url: 'https://nearhand.com/j/gone-0123456789' }));
  await vi.waitFor(() => expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore'));
  expect(job.mock.calls).toEqual([[{ shortId: '0123456789' }], [{ shortId: '0123456789' }]]);
  act(() => received({ url: 'https://evil.com/j/barista-0123456789' }));
  expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore');
  expect(job).toHaveBeenCalledTimes(2);
});

it("returns a sign-in from the phone's browser to the page it began from", async () => {
  let received: (opened: { url?: unknown }) => void = () => {};
  const close = vi.fn(async () => {});
  vi.stubGlobal('Capacitor', {
    Plugins: {
      App: {
        addListener: (_event: string, listener: typeof received) => {
          received = listener;
          return { remove: vi.fn() };
        },
      },
      Browser: { close },
    },
  });
  localStorage.setItem('nearhand-return-to', '/favorite');
  render(<DeepLinks />);
  act(() => received({ url: 'nearhand://sign-in?provider=google&code=a%26b&state=s' }));
  const answer = encodeURIComponent('provider=google&code=a%26b&state=s');
  await vi.waitFor(() =>
    expect(push).toHaveBeenLastCalledWith(`/loading?next=%2Ffavorite&answer=${answer}`, { replace: true }),
  );
  expect(close).toHaveBeenCalledOnce();
  expect(localStorage.getItem('nearhand-return-to')).toBeNull();
  act(() => received({ url: 'https://evil.com/sign-in?provider=google&code=a&state=s' }));
  expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore');
});

it("opens the server's website pages in the phone's browser, and never in a loop", async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z'), toFake: ['Date'] });
  vi.stubEnv('VITE_APP_HOSTS', 'jobs.example.org');
  let received: (opened: { url?: unknown }) => void = () => {};
  const open = vi.fn(async (_: { url: string }) => {});
  vi.stubGlobal('Capacitor', {
    Plugins: {
      App: {
        addListener: (_event: string, listener: typeof received) => {
          received = listener;
          return { remove: vi.fn() };
        },
      },
      Browser: { open },
    },
  });
  render(<DeepLinks />);
  const pages = ['/api/unsubscribe/x', '/b/x', '/jobs/x'].map((path) => `https://jobs.example.org${path}`);
  for (const url of pages) act(() => received({ url }));
  expect(open.mock.calls).toEqual(pages.map((url) => [{ url }]));
  expect(push).not.toHaveBeenCalled();
  // Android returns the link at once if no browser opens it.
  act(() => received({ url: pages[2] }));
  expect(open).toHaveBeenCalledTimes(3);
  expect(push.mock.calls).toEqual([['/tabs/menu/explore']]);
  vi.setSystemTime(Date.parse('2026-11-21T12:01:00Z'));
  open.mockRejectedValueOnce(new Error('Unable to display URL'));
  act(() => received({ url: pages[2] }));
  expect(open).toHaveBeenCalledTimes(4);
  await vi.waitFor(() => expect(push).toHaveBeenCalledTimes(2));
  expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore');
  act(() => received({ url: 'https://evil.com/b/x' }));
  expect(open).toHaveBeenCalledTimes(4);
});

it('does nothing in a browser', () => {
  render(<DeepLinks />).unmount();
  expect(push).not.toHaveBeenCalled();
});
