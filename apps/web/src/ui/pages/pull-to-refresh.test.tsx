import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PullToRefresh } from './screen.tsx';

const refresh = vi.fn<() => Promise<unknown>>();

function Page() {
  const host = useRef<HTMLElement>(null);
  return (
    <I18nProvider i18n={i18n}>
      <main ref={host}>
        <PullToRefresh host={host} onRefresh={refresh} />
      </main>
    </I18nProvider>
  );
}

const page = () => screen.getByRole('main');
const ring = () => page().querySelector('.pull');
const touches = (...heights: number[]) => ({ touches: heights.map((clientY) => ({ clientY })) });
const pull = (...heights: number[]) => {
  const [from = 0, ...rest] = heights;
  fireEvent.touchStart(page(), touches(from));
  for (const height of rest) fireEvent.touchMove(page(), touches(height));
};
const drop = () => act(async () => void fireEvent.touchEnd(page()));

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  refresh.mockReset();
  refresh.mockResolvedValue(undefined);
  render(<Page />);
});
afterEach(cleanup);

describe('pulling a page down', () => {
  it('reloads it after a long enough pull, and shows it until it is done', async () => {
    const { promise, resolve } = Promise.withResolvers();
    refresh.mockReturnValue(promise);
    pull(100, 180, 260);
    expect([ring() !== null, screen.queryByRole('status')]).toEqual([true, null]);
    await drop();
    expect(refresh).toHaveBeenCalledOnce();
    expect(screen.getByRole('status').textContent).toBe('Loading');
    await act(async () => resolve(undefined));
    expect(ring()).toBeNull();
  });

  it('does nothing when it is released early, pushed back up or interrupted', async () => {
    pull(100, 180);
    expect(ring()).not.toBeNull();
    await drop();
    pull(100, 300, 90);
    await drop();
    expect([refresh.mock.calls.length, ring()]).toEqual([0, null]);
  });

  it.each([
    ['by two fingers', () => fireEvent.touchStart(page(), touches(100, 120))],
    [
      'from a page that is scrolled down',
      () => Object.assign(page(), { scrollTop: 30 }) && fireEvent.touchStart(page(), touches(100)),
    ],
  ])('does nothing %s', async (_how, start) => {
    start();
    fireEvent.touchMove(page(), touches(400));
    await drop();
    expect([refresh.mock.calls.length, ring()]).toEqual([0, null]);
  });

  it('can be repeated after a failure', async () => {
    const failed = Promise.reject(new Error('no network'));
    failed.catch(() => {});
    refresh.mockReturnValueOnce(failed);
    pull(100, 300);
    await drop();
    expect(ring()).toBeNull();
    pull(100, 300);
    await drop();
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});
