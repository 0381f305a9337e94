import { i18n } from '@lingui/core';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { alertSignedOut } from '../app/start-sync.ts';
import { side } from './device/device-setting.ts';
import { homePath } from './pages/next-path.ts';
import { landingPath } from './pages/post-login-redirect.ts';
import { isLeaving, signOut } from './sign-out.ts';

const leave = vi.hoisted(() => vi.fn());
const showAlert = vi.hoisted(() => vi.fn());
vi.mock('../ui/overlays/alert.tsx', () => ({ showAlert }));
vi.mock('./api/auth-provider.ts', () => ({ auth: () => ({ signOut: leave }) }));
vi.mock('./api/query.ts', () => ({ clearCache: async () => {} }));

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => side.reset());

it.each([
  ['told', () => Promise.resolve()],
  ['out of reach', () => Promise.reject(new Error('no network'))],
])('resets the side for the next person on this device, the server %s', async (_, respond) => {
  leave.mockImplementation(respond);
  side.set('hire');
  localStorage.setItem('nearhand-operator:guest:case-reason 1', 'About a customer');
  const go = vi.fn();
  await signOut(go).catch(() => {});
  expect(go).toHaveBeenCalledWith('/getting-started');
  expect(side.isSet()).toBe(false);
  expect(localStorage.getItem('nearhand-side')).toBeNull();
  expect(localStorage.getItem('nearhand-operator:guest:case-reason 1')).toBeNull();
  expect(landingPath()).toBe(homePath);
});

it('stays signed in when the request that ends the session fails', async () => {
  const go = vi.fn();
  leave.mockClear();
  await expect(signOut(go, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect([leave.mock.calls, go.mock.calls]).toEqual([[], []]);
});

it("isn't announced as one by another device, however soon the server ends the session", async () => {
  leave.mockResolvedValue(undefined);
  const endSession = async () => alertSignedOut();
  await signOut(() => {}, endSession);
  expect(showAlert).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(isLeaving()).toBe(false), 5_000);
  await alertSignedOut();
  expect(showAlert).toHaveBeenCalledOnce();
});
