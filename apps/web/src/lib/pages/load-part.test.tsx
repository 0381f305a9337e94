import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyPart, loadWhenUsed, page } from './load-part.ts';

// The bundler's own script comes first, and is the same in every version.
const runtime = '/assets/runtime-one.js';
const pageOf = (script: string) =>
  `<!doctype html><script src="/start.js"></script>${[runtime, script].map((src) => `<script type="module" crossorigin src="${src}"></script>`).join('')}`;

class Caught extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render = () => (this.state.failed ? 'failed' : this.props.children);
}

const reload = vi.spyOn(page, 'reload').mockImplementation(() => {});
const respond = vi.fn<() => Promise<Response>>();

function show(load: () => Promise<{ default: () => ReactNode }>) {
  const Part = lazyPart(load);
  render(
    <Caught>
      <Suspense fallback="waiting">
        <Part />
      </Suspense>
    </Caught>,
  );
}
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('lazyPart', () => {
  beforeEach(() => {
    sessionStorage.clear();
    reload.mockClear();
    respond.mockReset();
    vi.stubGlobal('fetch', respond);
    const scripts = [runtime, '/assets/index-one.js'].map((src) => ({ getAttribute: () => src }));
    vi.spyOn(document, 'querySelectorAll').mockReturnValue(scripts as unknown as NodeListOf<Element>);
  });
  afterEach(() => {
    cleanup();
    // React also reports errors that a boundary catches.
    vi.mocked(console.error).mockClear();
    vi.mocked(document.querySelectorAll).mockRestore();
    vi.unstubAllGlobals();
  });

  it('shows the part', async () => {
    show(async () => ({ default: () => 'the part' }));
    expect(await screen.findByText('the part')).toBeTruthy();
    expect(respond).not.toHaveBeenCalled();
  });

  it('reloads the page for a newer version, without an error in the meantime', async () => {
    respond.mockResolvedValue(new Response(pageOf('/assets/index-two.js')));
    show(gone);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    await settled();
    expect(document.body.textContent).toContain('waiting');
  });

  it('reloads once and shows a second failure', async () => {
    respond.mockImplementation(async () => new Response(pageOf('/assets/index-two.js')));
    show(gone);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    cleanup();
    show(gone);
    expect(await screen.findByText('failed')).toBeTruthy();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => Promise<Response>]>([
    ['the same version is served', async () => new Response(pageOf('/assets/index-one.js'))],
    ['there is no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server fails', async () => new Response(pageOf('/assets/index-two.js'), { status: 502 })],
    ['something else answers', async () => new Response('<h1>Sign in to this network</h1>')],
  ])('shows a failure if %s', async (_case, response) => {
    respond.mockImplementation(response);
    show(gone);
    expect(await screen.findByText('failed')).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
  });

  it('creates all lazy components of the app', () => {
    const source = join(import.meta.dirname, '../..');
    const others = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !file.includes('load-part') &&
        /\blazy\(/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(others).toEqual([]);
  });
});

describe('loadWhenUsed', () => {
  it.each(['pointerdown', 'keydown'])('loads once, at the first %s', (type) => {
    const load = vi.fn(async () => {});
    loadWhenUsed(load);
    document.dispatchEvent(new Event('scroll'));
    expect(load).not.toHaveBeenCalled();
    document.body.dispatchEvent(new Event(type, { bubbles: true }));
    document.body.dispatchEvent(new Event(type, { bubbles: true }));
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('loads nothing once its part is unmounted, or on a connection that saves data', () => {
    const load = vi.fn(async () => {});
    loadWhenUsed(load)();
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }));
    loadWhenUsed(load);
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
    vi.unstubAllGlobals();
    expect(load).not.toHaveBeenCalled();
  });
});
