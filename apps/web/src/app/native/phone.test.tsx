import { i18n } from '@lingui/core';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apiUrl, serverOrigin } from '../../lib/api/server-address.ts';
import { appearance } from '../../lib/device/device-setting.ts';
import { passkeysWork } from '../../lib/device/platform.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { session } from '../../lib/session.ts';
import { locateDevice, PositionError } from '../../people/places/device-position.ts';
import { createBuiltInAuth } from '../../people/sign-in/built-in-auth.ts';
import { shareLink } from '../../ui/overlays/share-link.ts';
import NativeShell from './native-shell.tsx';

const push = vi.hoisted(() => vi.fn());
vi.mock('react-router', () => ({
  useNavigate: () => push,
  useLocation: () => ({ key: history.state?.idx }),
}));

const user = { id: 'a', email: 'leila@x.test', emailVerified: true, name: 'Leila' };
const token = `h.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1_000) + 600 }))}.s`;
const sessionCookie = 'nearhand.session_token=abc.def';

let storedCookie: string | null = null;
let plugins: Record<string, Record<string, unknown>> = {};
let requests: { url: string; headers: Record<string, string> }[] = [];
let respond: () => Response;

const grant = (headers: Record<string, string> = { 'nearhand-session': sessionCookie }) =>
  new Response(JSON.stringify({ token, expiresAt: '', user }), { headers });

beforeEach(() => {
  storedCookie = null;
  requests = [];
  respond = () => grant();
  session.clear();
  plugins = {
    SecureStorage: {
      internalGetItem: vi.fn(async () => ({ data: storedCookie })),
      internalSetItem: vi.fn(async ({ data }: { data: string }) => {
        storedCookie = data;
      }),
      internalRemoveItem: vi.fn(async () => {
        storedCookie = null;
      }),
    },
  };
  vi.resetModules();
  vi.stubEnv('VITE_SERVER', 'https://jobs.example.org');
  vi.stubGlobal('Capacitor', {
    isNativePlatform: () => true,
    getPlatform: () => 'android',
    get Plugins() {
      return plugins;
    },
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, headers: init.headers as Record<string, string> });
    return respond();
  });
});
afterEach(() => {
  cleanup();
  push.mockClear();
  appearance.reset();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

function Layer({ open }: { open: boolean }) {
  useBackButton(open, () => {});
  return null;
}

it("uses the build's server", () => {
  expect(serverOrigin()).toBe('https://jobs.example.org');
  expect(apiUrl('/auth/sign-out')).toBe('https://jobs.example.org/api/auth/sign-out');
  expect(fileUrl('/files/1')).toBe('https://jobs.example.org/api/files/1');
  vi.stubGlobal('Capacitor', undefined);
  expect([serverOrigin(), apiUrl('/x')]).toEqual([location.origin, '/api/x']);
});

it('keeps the session in secure storage only, sends it, and removes it at sign-out', async () => {
  const auth = createBuiltInAuth();
  await auth.signIn('leila@x.test', 'secret1');
  expect(requests).toMatchObject([{ url: 'https://jobs.example.org/api/auth/sign-in/email' }]);
  expect(storedCookie).toBe(sessionCookie);
  expect(plugins.SecureStorage?.internalSetItem).toHaveBeenCalledWith({
    prefixedKey: 'nearhand-session',
    data: sessionCookie,
    sync: false,
    access: 3,
  });
  expect(JSON.stringify({ ...localStorage })).not.toContain('session_token');
  respond = () => grant({});
  await auth.idToken({ fresh: true });
  expect(requests.at(-1)?.headers['nearhand-session']).toBe(sessionCookie);
  expect(storedCookie).toBe(sessionCookie);
  respond = () => {
    throw new TypeError('no network');
  };
  await auth.signOut().catch(() => {});
  await vi.waitFor(() => expect(storedCookie).toBeNull());
});

it('remembers after sign-out that the server knows this phone', async () => {
  const auth = createBuiltInAuth();
  respond = () =>
    grant({ 'nearhand-session': `${sessionCookie}; nearhand.devices=xyz; nearhand.two_factor=1` });
  await auth.signIn('leila@x.test', 'secret1');
  respond = () => grant({});
  await auth.signOut();
  await vi.waitFor(() => expect(storedCookie).toBe('nearhand.devices=xyz'));
});

it('removes a session that the server has ended', async () => {
  const auth = createBuiltInAuth();
  await auth.signIn('leila@x.test', 'secret1');
  respond = () => new Response(JSON.stringify({ code: 'auth/user-token-expired' }), { status: 401 });
  expect(await auth.idToken({ fresh: true })).toBeNull();
  await vi.waitFor(() => expect(storedCookie).toBeNull());
  expect(session.user()).toBeNull();
});

it('signs in even when the phone refuses to store anything', async () => {
  for (const name of ['internalGetItem', 'internalSetItem', 'internalRemoveItem'])
    (plugins.SecureStorage ?? {})[name] = () => Promise.reject(new Error('no keystore'));
  const auth = createBuiltInAuth();
  expect(await auth.signIn('leila@x.test', 'secret1')).toEqual(user);
  await auth.idToken({ fresh: true });
  expect(requests.at(-1)?.headers['nearhand-session']).toBe(sessionCookie);
});

it('hides passkeys, which belong to the server’s own address', () => {
  vi.stubGlobal('PublicKeyCredential', class {});
  expect(passkeysWork()).toBe(false);
});

it("gets the phone's position, and marks an approximate one", async () => {
  const getCurrentPosition = vi.fn(async () => ({
    coords: { latitude: 52.1, longitude: 4.3, accuracy: 2_000.4 },
  }));
  plugins.Geolocation = { getCurrentPosition };
  expect(await locateDevice({ precise: true })).toEqual({ lat: 52.1, lng: 4.3, accuracyM: 2_000 });
  expect(getCurrentPosition).toHaveBeenCalledWith({
    enableHighAccuracy: true,
    timeout: 12_000,
    maximumAge: 5_000,
  });
});

it.each([
  ['OS-PLUG-GLOC-0003', 'denied'],
  ['OS-PLUG-GLOC-0007', 'unavailable'],
  ['OS-PLUG-GLOC-0010', 'timeout'],
  [undefined, 'unavailable'],
])('returns why there is no position: %s is %s', async (code, problem) => {
  plugins.Geolocation = {
    getCurrentPosition: () => Promise.reject(Object.assign(new Error('no'), { code })),
  };
  const failure = await locateDevice().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PositionError);
  expect((failure as PositionError).problem).toBe(problem);
});

it('shares through the phone, and copies nothing when that is closed', async () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const share = vi.fn(() => Promise.reject(new Error('Share canceled')));
  const writeText = vi.fn(async () => {});
  plugins.Share = { share };
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
  const link = { title: 'Barista', text: 'Barista, €15', url: 'https://jobs.example.org/j/1' };
  await shareLink(link);
  expect(share).toHaveBeenCalledWith(link);
  expect(writeText).not.toHaveBeenCalled();
  share.mockImplementation(() => Promise.reject(new Error('no app')));
  await shareLink(link);
  expect(writeText).toHaveBeenCalledWith(link.url);
});

it('opens the screen of a local notification, but no other site', async () => {
  let tap: (opened: unknown) => void = () => {};
  plugins.LocalNotifications = {
    addListener: async (_event: string, listener: typeof tap) => {
      tap = listener;
      return { remove: async () => {} };
    },
  };
  render(<NativeShell />);
  act(() => tap({ notification: { extra: { path: '/toc' } } }));
  act(() => tap({ notification: { extra: { path: 'https://evil.example/toc' } } }));
  act(() => tap({ notification: { extra: null } }));
  expect(push.mock.calls.map(([path]) => path)).toEqual(['/toc', '/tabs/menu/explore', '/tabs/menu/explore']);
});

it('leaves the back gesture to Android on the first page, unless a layer is open', () => {
  const toggle = vi.fn(async () => {});
  plugins.App = { toggleBackButtonHandler: toggle };
  const agent = (text: string) =>
    vi.stubGlobal('navigator', Object.create(navigator, { userAgent: { value: text } }));
  const shellWith = (open: boolean) => (
    <>
      <NativeShell />
      <Layer open={open} />
    </>
  );
  agent('Mozilla/5.0 (Linux; Android 15; Pixel 8)');
  history.replaceState({ idx: 0 }, '');
  const { rerender, unmount } = render(shellWith(false));
  rerender(shellWith(true));
  rerender(shellWith(false));
  history.replaceState({ idx: 1 }, '');
  rerender(shellWith(false));
  expect(toggle.mock.calls.map(([options]: unknown[]) => (options as { enabled: boolean }).enabled)).toEqual([
    false,
    true,
    false,
    true,
  ]);
  unmount();
  toggle.mockClear();
  agent('Mozilla/5.0 (Linux; Android 12; Pixel 4)');
  render(shellWith(false));
  expect(toggle).not.toHaveBeenCalled();
});

it("gives the phone's bars the app's appearance", async () => {
  const setStyle = vi.fn(async () => {});
  plugins.SystemBars = { setStyle };
  const { unmount } = render(<NativeShell />);
  act(() => appearance.set('dark'));
  unmount();
  act(() => appearance.set('light'));
  expect(setStyle.mock.calls).toEqual([[{ style: 'DEFAULT' }], [{ style: 'DARK' }]]);
});
