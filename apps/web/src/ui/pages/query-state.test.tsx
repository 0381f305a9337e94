import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { QueryState } from './query-state.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

const refetch = vi.fn();
const fault = 'Something went wrong on our side.';
const away = "You're offline. Try again when you have a connection.";
const base = { data: undefined, error: null, fetchStatus: 'idle' as const, dataUpdatedAt: 0, refetch };

function show(
  query: Partial<Parameters<typeof QueryState<string[]>>[0]['query']>,
  asOf = () => '08:42',
  age: { ageShownAbove?: boolean; isPageAge?: boolean } = {},
) {
  render(
    <I18nProvider i18n={i18n}>
      <QueryState<string[]>
        query={{ ...base, ...query }}
        loading={<p>skeleton</p>}
        errorTitle="We could not load the jobs"
        describe={(error) => ((error as { status?: number }).status === 0 ? away : fault)}
        asOf={asOf}
        {...age}
        isEmpty={(data) => data.length === 0}
        empty={<p>nothing</p>}
      >
        {(data) => <p>{data.join(' ')}</p>}
      </QueryState>
    </I18nProvider>,
  );
}

it('loading', () => {
  show({ fetchStatus: 'fetching' });
  expect(screen.getByText('skeleton')).toBeDefined();
});

it('error, with a retry button and the reference', () => {
  show({ error: Object.assign(new Error('x'), { requestId: 'r-7' }) });
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong on our side.');
  expect(screen.getByText('Reference r-7')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch).toHaveBeenCalledOnce();
});

it('offline before anything was loaded', () => {
  show({ fetchStatus: 'paused' });
  expect(screen.getByText('We could not load the jobs')).toBeDefined();
});

it('offline with loaded data, and its age', () => {
  show({ data: ['a', 'b'], fetchStatus: 'paused' });
  expect(screen.getByText('a b').parentElement?.className).toBe('stale');
  expect(screen.getByRole('status').textContent).toContain('Last updated: 08:42.');
});

it('shows the age of a page that was open when the network dropped', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  show({ data: ['a', 'b'] });
  expect(screen.queryByRole('status')).toBeNull();
  onLine.mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByRole('status').textContent).toContain('Last updated: 08:42.');
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByRole('status')).toBeNull();
  onLine.mockRestore();
});

it("shows an age once, and the page's next to those of its parts", () => {
  show({ data: ['a'], fetchStatus: 'paused' }, undefined, { ageShownAbove: true });
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.getByText('a').parentElement?.className).toBe('stale');
  cleanup();
  show({ data: ['a'], fetchStatus: 'paused' }, undefined, { isPageAge: true });
  expect(screen.getByText('a').parentElement?.className).toBe('stale page-age');
});

it("doesn't call a server error offline", () => {
  show({ data: ['a'], error: Object.assign(new Error('x'), { status: 500 }) });
  expect(screen.getByRole('status').textContent).toContain('Something went wrong on our side.');
  expect(screen.getByRole('status').textContent).not.toContain('offline');
  expect(screen.getByText('a').parentElement?.className).toBe('stale');
});

it("doesn't call a lost connection a server error", () => {
  show({ data: ['a'], error: Object.assign(new Error('x'), { status: 0 }) });
  expect(screen.getByRole('status').textContent).toContain("You're offline.");
});

const before = [
  ['before anything was loaded', undefined],
  ['with loaded data', ['a']],
] as const;

it.each(before)('never shows offline for a response %s', (_, data) => {
  for (const status of [400, 429, 500, 503]) {
    const error = Object.assign(new Error('x'), { status });
    for (const fetchStatus of ['idle', 'fetching'] as const) {
      show({ data: data && [...data], error, failureReason: error, fetchStatus });
      expect(document.body.textContent).toContain(fault);
      expect(document.body.textContent).not.toMatch(/offline|connection/i);
      cleanup();
    }
  }
});

it.each(before)('never blames the server for a lost connection %s', (_, data) => {
  const error = Object.assign(new Error('x'), { status: 0 });
  for (const query of [{ error }, { fetchStatus: 'paused' as const, failureReason: error }]) {
    show({ data: data && [...data], ...query });
    expect(document.body.textContent).toContain("You're offline.");
    expect(document.body.textContent).not.toMatch(/went wrong|our side/i);
    cleanup();
  }
});

it("keeps the data's age current while nothing else re-renders", () => {
  vi.useFakeTimers();
  let words = 'Just now';
  show({ data: ['a'], fetchStatus: 'paused' }, () => words);
  expect(screen.getByRole('status').textContent).toContain('Last updated: just now.');
  words = '1 minute ago';
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByRole('status').textContent).toContain('Last updated: 1 minute ago.');
  vi.useRealTimers();
});

it('empty, and full', () => {
  show({ data: [] });
  expect(screen.getByText('nothing')).toBeDefined();
  cleanup();
  show({ data: ['a'] });
  expect(screen.getByText('a')).toBeDefined();
  expect(screen.queryByRole('status')).toBeNull();
});

it('shows in one sentence that the data is current', () => {
  show({ data: ['a'], fetchStatus: 'paused' }, () => 'Just now');
  expect(screen.getByRole('status').textContent).toContain('Last updated: just now.');
});

it('the focus stays in the page when Retry disappears, with the network or with the banner', async () => {
  const query = { ...base, data: ['a'], error: new Error('x') };
  const part = (error: Error | null) => (
    <I18nProvider i18n={i18n}>
      <div className="page-holder">
        <main>
          <h1>Jobs</h1>
          <QueryState<string[]>
            query={{ ...query, error }}
            loading={null}
            errorTitle=""
            describe={() => fault}
            asOf={() => '08:42'}
          >
            {(data) => <p>{data.join(' ')}</p>}
          </QueryState>
        </main>
      </div>
    </I18nProvider>
  );
  const { rerender } = render(part(query.error));
  for (const main of document.querySelectorAll('main')) main.checkVisibility = () => true;
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const retry = () => screen.getByRole('button', { name: 'Retry' });
  retry().focus();
  onLine.mockReturnValue(false);
  await act(async () => void window.dispatchEvent(new Event('offline')));
  expect(document.activeElement).toBe(screen.getByRole('status'));
  onLine.mockReturnValue(true);
  await act(async () => void window.dispatchEvent(new Event('online')));
  retry().focus();
  await act(async () => rerender(part(null)));
  expect(screen.queryByRole('status')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Jobs' }));
  onLine.mockRestore();
});

it("without a network an error has no button that can't work", () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  show({ error: Object.assign(new Error('x'), { status: 0 }) });
  const again = screen.getByRole('button', { name: 'Try again' });
  expect(again.getAttribute('aria-disabled')).toBe('true');
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(again.getAttribute('aria-disabled')).toBeNull();
  onLine.mockRestore();
});

it('describes the error and the age itself', () => {
  const error = new ApiError('job/not-found', { status: 404, data: undefined });
  const query = { ...base, error, data: ['a'], dataUpdatedAt: Date.now() - 12 * 60_000 };
  render(
    <I18nProvider i18n={i18n}>
      <QueryState query={query} loading={<p>skeleton</p>} errorTitle="We could not load the jobs">
        {(data) => <p>{data.join(' ')}</p>}
      </QueryState>
    </I18nProvider>,
  );
  const banner = screen.getByRole('status').textContent;
  expect(banner).toContain(errorText(error));
  expect(banner).toContain('12 minutes ago');
});
