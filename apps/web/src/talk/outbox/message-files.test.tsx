import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { StoredFile } from '@nearhand/contract/people/files';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { MessageFiles } from './message-files.tsx';

const fetched = vi.fn<() => Promise<Response>>();
let onLine: MockInstance<() => boolean>;

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  vi.stubGlobal('fetch', (url: string) =>
    url.endsWith('/health/live') ? Promise.resolve(Response.json({ status: 'live' })) : fetched(),
  );
  URL.createObjectURL = () => 'blob:photo';
  URL.revokeObjectURL = () => {};
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
});
afterEach(() => {
  cleanup();
  fetched.mockReset();
  onLine.mockRestore();
  vi.unstubAllGlobals();
});

const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const photo = () => Promise.resolve(new Response('photo'));

function show(name: string): void {
  const file: StoredFile = {
    id: name,
    purpose: 'chat',
    path: `/files/${name}`,
    name,
    mediaType: 'image/png',
    bytes: 5,
  };
  render(
    <I18nProvider i18n={i18n}>
      <MessageFiles files={[file]} from="Nadia" onPhoto={() => {}} />
    </I18nProvider>,
  );
}
const setNetwork = (there: boolean) => {
  onLine.mockReturnValue(there);
  act(() => void window.dispatchEvent(new Event(there ? 'online' : 'offline')));
};
const missing = (name: string) => screen.findByRole('button', { name: `Photo ${name} couldn't be loaded` });
const loaded = () => waitFor(() => expect(document.querySelector('img')?.src).toBe('blob:photo'));

it('retries a failed photo when the network is back, but not when it drops', async () => {
  fetched.mockImplementation(lost);
  show('door.png');
  await missing('door.png');
  setNetwork(false);
  expect(fetched).toHaveBeenCalledTimes(1);
  fetched.mockImplementation(photo);
  setNetwork(true);
  await loaded();
  expect(fetched).toHaveBeenCalledTimes(2);
  setNetwork(false);
  setNetwork(true);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("doesn't request a loading photo twice when the network drops", async () => {
  let respond: (response: Response) => void = () => {};
  fetched.mockImplementation(() => new Promise((resolve) => (respond = resolve)));
  show('till.png');
  setNetwork(false);
  setNetwork(true);
  expect(fetched).toHaveBeenCalledTimes(1);
  respond(new Response('photo'));
  await loaded();
});

it('retries a photo whose attempt fails only after the network is back', async () => {
  let fail: (error: Error) => void = () => {};
  fetched.mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)));
  fetched.mockImplementation(photo);
  show('bar.png');
  setNetwork(false);
  setNetwork(true);
  fail(new TypeError('Failed to fetch'));
  await loaded();
  expect(fetched).toHaveBeenCalledTimes(2);
});

it("doesn't retry a photo that fails with a network", async () => {
  fetched.mockImplementation(lost);
  show('desk.png');
  await missing('desk.png');
  expect(fetched).toHaveBeenCalledTimes(1);
});
