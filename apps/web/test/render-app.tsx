import { act, type RenderResult, render } from '@testing-library/react';
import { App } from '../src/app/app.tsx';
import { openDevice, type RenderOptions } from './device.ts';
import type { FakeApi } from './fake-api.ts';

/** Renders the whole app at an address; only the server is fake. */
export function renderApp(path: string, options: RenderOptions = {}): RenderResult & { api: FakeApi } {
  const api = openDevice(options);
  window.history.replaceState(null, '', path);
  return { api, ...render(<App />) };
}

export const address = (): string => window.location.pathname + window.location.search;

export async function goBack(): Promise<void> {
  await act(async () => {
    const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    window.history.back();
    await popped;
  });
}
