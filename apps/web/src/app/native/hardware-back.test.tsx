import { act, cleanup, render } from '@testing-library/react';
import { BrowserRouter, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { BrowserBack, HardwareBack } from '../app.tsx';

let press: () => void = () => {};
let navigate: ReturnType<typeof useNavigate>;
const minimizeApp = vi.fn(() => Promise.resolve());
const remove = vi.fn();
const close = vi.fn();

function Page({ layer }: { layer: boolean }) {
  navigate = useNavigate();
  useBackButton(layer, close);
  return null;
}

const app = (layer: boolean) => (
  <BrowserRouter useTransitions={false}>
    <Page layer={layer} />
    <HardwareBack />
    <BrowserBack />
  </BrowserRouter>
);

beforeEach(() => {
  history.replaceState(null, '', '/one');
  vi.stubGlobal('Capacitor', {
    Plugins: {
      App: {
        addListener: (event: string, listener: () => void) => {
          if (event === 'backButton') press = listener;
          return { remove };
        },
        minimizeApp,
      },
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  for (const mock of [minimizeApp, remove, close]) mock.mockClear();
});

it('closes the top layer, then goes back, then leaves the app', () => {
  const { rerender } = render(app(false));
  act(() => void navigate('/two'));
  rerender(app(true));
  act(() => press());
  expect([close.mock.calls.length, location.pathname]).toEqual([1, '/two']);
  rerender(app(false));
  act(() => press());
  expect([location.pathname, minimizeApp.mock.calls.length]).toEqual(['/one', 0]);
  act(() => press());
  expect([location.pathname, minimizeApp.mock.calls.length]).toEqual(['/one', 1]);
});

it('listens as long as the app runs', async () => {
  render(app(false)).unmount();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledOnce());
});
