import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@nearhand/contract/languages';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const web = join(import.meta.dirname, '../..');
const code = readFileSync(join(web, 'public/start.js'), 'utf8');
const [, body = ''] = /<body>([\s\S]*)<\/body>/.exec(readFileSync(join(web, 'index.html'), 'utf8')) ?? [];

describe('start.js', () => {
  it('has every language of the app', () => {
    const listed = /\[('en'[^\]]*)\]/.exec(code)?.[1]?.split(', ');
    expect(listed).toEqual(languages.map((language) => `'${language}'`));
  });

  const reload = vi.fn();
  let page = new AbortController();
  // Called directly because the test environment's events have a target other than `window`.
  let receive: (event: { target: Window; error: unknown }) => void;

  function start() {
    page.abort();
    page = new AbortController();
    const { signal } = page;
    document.body.innerHTML = body.replace(/<script[^>]*><\/script>/g, '');
    const listen: typeof addEventListener = (type: string, listener: unknown, options?: unknown) => {
      if (type === 'error') receive = listener as typeof receive;
      globalThis.addEventListener(type, listener as EventListener, {
        capture: options === true,
        signal,
      });
    };
    new Function('location', 'addEventListener', code)({ reload }, listen);
  }
  function lose(tag: 'script' | 'img' = 'script') {
    const element = document.createElement(tag);
    document.body.append(element);
    element.dispatchEvent(new Event('error'));
  }
  const problem = () => document.querySelector<HTMLElement>('.boot-problem');

  beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
    reload.mockClear();
  });
  afterEach(() => vi.useRealTimers());

  it('reloads the page once, then shows what is wrong and offers to reload', () => {
    start();
    lose();
    vi.advanceTimersByTime(5_000);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(problem()?.hidden).toBe(true);
    start();
    lose();
    vi.advanceTimersByTime(5_000);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(problem()?.hidden).toBe(false);
    problem()?.querySelector('button')?.click();
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('treats a failed reload as the second attempt, after any time, until the app has rendered', async () => {
    start();
    lose();
    vi.advanceTimersByTime(5_000);
    for (let round = 0; round < 3; round += 1) {
      start();
      vi.advanceTimersByTime(90_000);
      lose();
      vi.advanceTimersByTime(5_000);
    }
    expect(reload).toHaveBeenCalledTimes(1);
    start();
    document.querySelector('.boot')?.replaceWith(document.createElement('main'));
    await vi.waitFor(() => expect(sessionStorage).toHaveLength(0));
    start();
    lose();
    vi.advanceTimersByTime(5_000);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('handles early errors, but not error events without an error', () => {
    start();
    receive({ target: window, error: null });
    vi.advanceTimersByTime(5_000);
    expect(reload).not.toHaveBeenCalled();
    receive({ target: window, error: new SyntaxError('Unexpected token') });
    vi.advanceTimersByTime(5_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('ignores a missing image, and a running app', () => {
    start();
    lose('img');
    document.querySelector('.boot')?.remove();
    lose();
    vi.advanceTimersByTime(5_000);
    expect(reload).not.toHaveBeenCalled();
  });

  it("doesn't reload a page on which the app started after all", () => {
    start();
    lose();
    document.querySelector('.boot')?.remove();
    vi.advanceTimersByTime(5_000);
    expect(reload).not.toHaveBeenCalled();
  });
});
