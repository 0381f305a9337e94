import { afterEach, expect, it, vi } from 'vitest';
import { side } from './device/device-setting.ts';
import { homePath } from './pages/home-path.ts';
import { arrivalPath } from './pages/post-login-redirect.ts';
import { signOut } from './sign-out.ts';

const leave = vi.hoisted(() => vi.fn());
vi.mock('./api/auth-provider.ts', () => ({ auth: () => ({ signOut: leave }) }));
vi.mock('./api/query.ts', () => ({ forgetEverything: async () => {} }));

afterEach(() => side.reset());

it.each([
  ['told', () => Promise.resolve()],
  ['out of reach', () => Promise.reject(new Error('no network'))],
])('resets the side for the next person on this device, the server %s', async (_, respond) => {
  leave.mockImplementation(respond);
  side.set('hire');
  const go = vi.fn();
  await signOut(go).catch(() => {});
  expect(go).toHaveBeenCalledWith('/getting-started');
  expect(side.isSet()).toBe(false);
  expect(localStorage.getItem('nearhand-side')).toBeNull();
  expect(arrivalPath()).toBe(homePath);
});
