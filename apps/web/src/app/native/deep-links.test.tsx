import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DeepLinks } from './deep-links.tsx';

const push = vi.fn();
vi.mock('react-router', () => ({ useNavigate: () => push }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  push.mockClear();
});

it('opens what the phone hands over inside the app, and nothing else', async () => {
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

it('does nothing in a browser', () => {
  render(<DeepLinks />).unmount();
  expect(push).not.toHaveBeenCalled();
});
