import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DeepLinks } from './deep-links.tsx';

const { push, job } = vi.hoisted(() => ({ push: vi.fn(), job: vi.fn() }));
vi.mock('react-router', () => ({ useNavigate: () => push }));

vi.mock('../../lib/api/api.ts', () => ({ api: { publicPages: { job } } }));

/** The phone's shell; `open` delivers a link as it does. */
function stubShell(plugins: Record<string, unknown> = {}) {
  const remove = vi.fn();
  let listener: (opened: { url?: unknown }) => void = () => {};
  const addListener = (_event: string, listen: typeof listener) => {
    listener = listen;
    return Promise.resolve({ remove });
  };
  vi.stubGlobal('Capacitor', { Plugins: { App: { addListener }, ...plugins } });
  return { remove, open: (url: unknown) => act(() => listener({ url })) };
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  push.mockClear();
});

it("opens only the phone's own links inside the app", async () => {
  const shell = stubShell();
  const { unmount } = render(<DeepLinks />);
  for (const url of [
    'nearhand://job-desc/42',
    'https://evil.com/job-desc/42',
    'javascript:alert(1)',
    undefined,
  ]) {
    shell.open(url);
  }
  expect(push.mock.calls.map(([path]) => path)).toEqual([
    '/job-desc/42',
    '/tabs/menu/explore',
    '/tabs/menu/explore',
    '/tabs/menu/explore',
  ]);
  unmount();
  await vi.waitFor(() => expect(shell.remove).toHaveBeenCalledOnce(), 10_000);
});

it("opens the job of a public page's address inside the app, and home without one", async () => {
  const shell = stubShell();
  vi.stubGlobal('location', new URL('https://nearhand.com/'));
  job.mockResolvedValueOnce({ jobId: 'the-job' }).mockRejectedValueOnce(new Error('not found'));
  render(<DeepLinks />);
  shell.open('https://nearhand.com/j/barista-0123456789?s=qr');
  await vi.waitFor(() => expect(push).toHaveBeenLastCalledWith('/job-desc/the-job'));
  shell.open('https://nearhand.com/j/gone-0123456789');
  await vi.waitFor(() => expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore'));
  expect(job.mock.calls).toEqual([[{ shortId: '0123456789' }], [{ shortId: '0123456789' }]]);
  shell.open('https://evil.com/j/barista-0123456789');
  expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore');
  expect(job).toHaveBeenCalledTimes(2);
});

it("returns a sign-in from the phone's browser to the page it began from", async () => {
  const close = vi.fn(async () => {});
  const shell = stubShell({ Browser: { close } });
  localStorage.setItem('nearhand-return-to', '/favorite');
  render(<DeepLinks />);
  shell.open('nearhand://sign-in?provider=google&code=a%26b&state=s');
  const answer = encodeURIComponent('provider=google&code=a%26b&state=s');
  await vi.waitFor(() =>
    expect(push).toHaveBeenLastCalledWith(`/loading?next=%2Ffavorite&answer=${answer}`, { replace: true }),
  );
  expect(close).toHaveBeenCalledOnce();
  expect(localStorage.getItem('nearhand-return-to')).toBeNull();
  shell.open('https://evil.com/sign-in?provider=google&code=a&state=s');
  expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore');
});

it("opens the server's website pages in the phone's browser, and never in a loop", async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z'), toFake: ['Date'] });
  vi.stubEnv('VITE_APP_HOSTS', 'jobs.example.org');
  const open = vi.fn(async (_: { url: string }) => {});
  const shell = stubShell({ Browser: { open } });
  render(<DeepLinks />);
  const pages = ['/api/unsubscribe/x', '/b/x', '/jobs/x'].map((path) => `https://jobs.example.org${path}`);
  for (const url of pages) shell.open(url);
  expect(open.mock.calls).toEqual(pages.map((url) => [{ url }]));
  expect(push).not.toHaveBeenCalled();
  // Android returns the link at once if no browser opens it.
  shell.open(pages[2]);
  expect(open).toHaveBeenCalledTimes(3);
  expect(push.mock.calls).toEqual([['/tabs/menu/explore']]);
  vi.setSystemTime(Date.parse('2026-11-21T12:01:00Z'));
  open.mockRejectedValueOnce(new Error('Unable to display URL'));
  shell.open(pages[2]);
  expect(open).toHaveBeenCalledTimes(4);
  await vi.waitFor(() => expect(push).toHaveBeenCalledTimes(2));
  expect(push).toHaveBeenLastCalledWith('/tabs/menu/explore');
  shell.open('https://evil.com/b/x');
  expect(open).toHaveBeenCalledTimes(4);
});

it('does nothing in a browser', () => {
  render(<DeepLinks />).unmount();
  expect(push).not.toHaveBeenCalled();
});
