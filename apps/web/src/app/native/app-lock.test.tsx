import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';

const go = vi.hoisted(() => vi.fn());
vi.mock('react-router', () => ({ useNavigate: () => go }));
const signOut = vi.hoisted(() => vi.fn());
vi.mock('../../lib/sign-out.ts', () => ({ signOut }));

const user = { id: 'a', email: 'leila@x.test', emailVerified: true, name: 'Leila' };
const sessionCookie = 'nearhand.session_token=abc.def';
const minute = 60_000;

let answers: { letIn: () => void; refuse: () => void }[] = [];
const internalAuthenticate = vi.fn(
  () =>
    new Promise<void>((resolve, reject) => {
      answers.push({ letIn: resolve, refuse: () => reject(new Error('userCancel')) });
    }),
);
let isHidden = false;
let hidden: MockInstance;

async function start() {
  vi.resetModules();
  const { session } = await import('../../lib/session.ts');
  const { default: AppLock } = await import('./app-lock.tsx');
  const { default: AppLockSetting } = await import('../../people/account-settings/app-lock-setting.tsx');
  const cookies = await import('../../lib/native/native-cookie-store.ts');
  const app = (
    <I18nProvider i18n={i18n}>
      <AppLock />
      <AppLockSetting />
    </I18nProvider>
  );
  return { session, cookies, show: () => render(app, { container: root() }) };
}
const root = () => document.getElementById('root') as HTMLElement;
const locked = () => screen.queryByRole('heading', { name: 'Nearhand is locked' }) !== null;
const answer = async (kind: 'letIn' | 'refuse') => {
  await waitFor(() => expect(answers).toHaveLength(1));
  await act(async () => answers.shift()?.[kind]());
};
function away(forMs: number) {
  for (const hidden of [true, false]) {
    isHidden = hidden;
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    if (hidden) vi.setSystemTime(Date.now() + forMs);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  document.body.innerHTML = '<div id="root"></div>';
  hidden = vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  answers = [];
  localStorage.clear();
  localStorage.setItem('user', JSON.stringify(user));
  vi.stubGlobal('Capacitor', {
    isNativePlatform: () => true,
    Plugins: {
      BiometricAuthNative: {
        checkBiometry: async () => ({ isAvailable: true, deviceIsSecure: true }),
        internalAuthenticate,
      },
      SecureStorage: { internalGetItem: async () => ({ data: sessionCookie }) },
    },
  });
});
afterEach(() => {
  cleanup();
  document.documentElement.removeAttribute('data-locked');
  signOut.mockReset();
  internalAuthenticate.mockClear();
  vi.unstubAllGlobals();
  hidden.mockRestore();
  vi.useRealTimers();
});

it('is off until turned on, which the phone confirms', async () => {
  const { show } = await start();
  show();
  expect(locked()).toBe(false);
  const box = await screen.findByRole('switch', { name: /Lock the app/ });
  fireEvent.click(box);
  await answer('refuse');
  expect((box as HTMLInputElement).checked).toBe(false);
  await waitFor(() => expect((box as HTMLInputElement).disabled).toBe(false));
  fireEvent.click(box);
  await answer('letIn');
  await waitFor(() => expect((box as HTMLInputElement).checked).toBe(true));
  expect(internalAuthenticate).toHaveBeenLastCalledWith({
    reason: 'Lock Nearhand',
    androidTitle: 'Lock Nearhand',
    cancelTitle: 'Cancel',
    allowDeviceCredential: true,
  });
});

it('locks at a cold start, and neither shows the app nor uses the session before', async () => {
  localStorage.setItem('nearhand-app-lock', 'on');
  const { show, cookies } = await start();
  show();
  expect(locked()).toBe(true);
  expect(root().inert).toBe(true);
  expect(document.documentElement.hasAttribute('data-locked')).toBe(true);
  const headers = vi.fn();
  void cookies.sessionHeaders().then(headers);
  await answer('refuse');
  expect(await screen.findByText(/That didn't work/)).toBeTruthy();
  expect(headers).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Unlock' }));
  await answer('letIn');
  await waitFor(() => expect(locked()).toBe(false));
  expect(headers).toHaveBeenCalledWith({ 'nearhand-session': sessionCookie });
  expect(root().inert).toBe(false);
  expect(document.documentElement.hasAttribute('data-locked')).toBe(false);
});

it('locks again after five minutes in the background, not before', async () => {
  localStorage.setItem('nearhand-app-lock', 'on');
  const { show } = await start();
  show();
  await answer('letIn');
  await waitFor(() => expect(locked()).toBe(false));
  away(5 * minute - 1);
  expect(locked()).toBe(false);
  away(5 * minute);
  expect(locked()).toBe(true);
});

it('falls back to the password: the session ends before anything appears', async () => {
  localStorage.setItem('nearhand-app-lock', 'on');
  const { show, cookies, session } = await start();
  show();
  await answer('refuse');
  signOut.mockImplementation(async (next: (path: string) => void) => {
    expect(await cookies.sessionHeaders()).toEqual({ 'nearhand-session': sessionCookie });
    expect(locked()).toBe(true);
    session.clear();
    next('/getting-started');
    throw new TypeError('no network');
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Log in with your password' }));
  await waitFor(() => expect(go).toHaveBeenCalledWith('/login'));
  await waitFor(() => expect(locked()).toBe(false));
  expect(root().inert).toBe(false);
});

it('is hidden on a phone without a screen lock, and in a browser', async () => {
  vi.stubGlobal('Capacitor', {
    isNativePlatform: () => true,
    Plugins: { BiometricAuthNative: { checkBiometry: async () => ({ deviceIsSecure: false }) } },
  });
  const { show } = await start();
  show();
  await act(async () => {});
  expect(screen.queryByRole('switch')).toBeNull();
  cleanup();
  localStorage.setItem('nearhand-app-lock', 'on');
  vi.stubGlobal('Capacitor', undefined);
  const web = await start();
  web.show();
  expect(locked()).toBe(false);
});
