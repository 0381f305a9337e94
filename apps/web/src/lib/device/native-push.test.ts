import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../session.ts';
import { demoLocalNotice } from './local-notice.ts';
import { nativePushBridge, nativePushState, type PushBridge, registerNativePush } from './native-push.ts';

const leila = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
const signIn = () => session.start({ user: leila, accessToken: 'token' });

function fakeBridge(
  receive: 'prompt' | 'granted' | 'denied' = 'prompt',
  permission: 'granted' | 'denied' = 'granted',
) {
  const received = new Map<string, (event: never) => void>();
  return {
    received,
    send: (name: string, event: object) => received.get(name)?.(event as never),
    bridge: {
      checkPermissions: vi.fn(async () => ({ receive })),
      requestPermissions: vi.fn(async () => ({ receive: permission })),
      register: vi.fn(async () => {}),
      unregister: vi.fn(async () => {}),
      addListener: vi.fn(async (name: string, listener: (event: never) => void) => {
        received.set(name, listener);
        return { remove: async () => void received.delete(name) };
      }),
    },
  };
}

async function start(fake: ReturnType<typeof fakeBridge>) {
  const parts = {
    add: vi.fn(async () => ({ id: 'd1' })),
    remove: vi.fn(async () => {}),
    onTap: vi.fn(),
    onShown: vi.fn(),
  };
  const push = await registerNativePush({
    bridge: fake.bridge as unknown as PushBridge,
    kind: 'android',
    ...parts,
  });
  return { ...parts, ...push };
}
const settle = () => vi.waitFor(() => {});

afterEach(() => {
  session.clear();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe('registerNativePush', () => {
  it('asks, registers and sends the token to the server after a sign-in, once', async () => {
    const fake = fakeBridge();
    const push = await start(fake);
    expect(fake.bridge.requestPermissions).not.toHaveBeenCalled();
    signIn();
    session.update({ accessToken: 'newer' });
    await vi.waitFor(() => expect(fake.bridge.register).toHaveBeenCalledTimes(1));
    fake.send('registration', { value: 'fcm-token-of-this-phone' });
    expect(push.add).toHaveBeenCalledExactlyOnceWith({
      kind: 'android',
      token: 'fcm-token-of-this-phone',
      label: 'Nearhand on Android',
    });
    push.stop();
    await settle();
    expect(fake.received.size).toBe(0);
  });

  it("doesn't register or ask again after permission is denied", async () => {
    const refused = fakeBridge('prompt', 'denied');
    signIn();
    const push = await start(refused);
    expect(refused.bridge.register).not.toHaveBeenCalled();
    push.stop();
    const before = fakeBridge('denied');
    (await start(before)).stop();
    expect(before.bridge.requestPermissions).not.toHaveBeenCalled();
    expect(await nativePushState(before.bridge as unknown as PushBridge)).toBe('denied');
  });

  it('ends with the session: the server deletes the device, the phone its token', async () => {
    const fake = fakeBridge('granted');
    signIn();
    const push = await start(fake);
    fake.send('registration', { value: 'fcm-token-of-this-phone' });
    await settle();
    await push.leave();
    expect(push.remove).toHaveBeenCalledWith('d1');
    expect(fake.bridge.unregister).toHaveBeenCalled();
    // A late token belongs to nobody.
    session.clear();
    fake.send('registration', { value: 'late-token-of-this-phone' });
    expect(push.add).toHaveBeenCalledTimes(1);
    push.stop();
  });

  it('passes on taps, and pushes that arrive while the app is open', async () => {
    const fake = fakeBridge('granted');
    signIn();
    const push = await start(fake);
    const data = { path: '/withdraw', notificationId: 'n1' };
    fake.send('pushNotificationActionPerformed', { notification: { title: 'x', data } });
    expect(push.onTap).toHaveBeenCalledWith('/withdraw', 'n1');
    fake.send('pushNotificationActionPerformed', { notification: { data: null } });
    expect(push.onTap).toHaveBeenLastCalledWith('', '');
    fake.send('pushNotificationReceived', { title: '€99', body: 'from Kopi', data });
    expect(push.onShown).toHaveBeenCalledExactlyOnceWith({ title: '€99', body: 'from Kopi', ...data });
    push.stop();
  });

  it("doesn't exist on the web", async () => {
    expect(await nativePushBridge()).toBeNull();
  });

  it('stays off on Android without Firebase, where its plugin would crash the app', async () => {
    const phone = (kind: string) =>
      vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => kind });
    phone('android');
    vi.stubEnv('VITE_ANDROID_PUSH', '');
    expect(await nativePushBridge()).toBeNull();
    vi.stubEnv('VITE_ANDROID_PUSH', 'true');
    expect(await nativePushBridge()).toMatchObject({ kind: 'android' });
    vi.stubEnv('VITE_ANDROID_PUSH', '');
    phone('ios');
    expect(await nativePushBridge()).toMatchObject({ kind: 'ios' });
  });
});

describe('demoLocalNotice', () => {
  const words = { title: 'A test', body: 'From this device', path: '/notification-settings' };
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  it('schedules it on the phone for five seconds later', async () => {
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
    const schedule = vi.fn(async () => {});
    const bridge = async () => ({ requestPermissions: async () => ({ display: 'granted' }), schedule });
    expect(await demoLocalNotice(words, { bridge, inApp: vi.fn() })).toBe('phone');
    expect(schedule).toHaveBeenCalledWith({
      notifications: [
        expect.objectContaining({ title: 'A test', schedule: { at: new Date('2026-11-21T12:00:05Z') } }),
      ],
    });
  });

  it('shows it in the browser if allowed, asking on the tap', async () => {
    const createPush = vi.fn();
    class FakeNotification {
      static permission = 'default';
      static async requestPermission() {
        FakeNotification.permission = 'granted';
      }
      constructor(...args: unknown[]) {
        createPush(...args);
      }
    }
    vi.stubGlobal('Notification', FakeNotification);
    const inApp = vi.fn();
    expect(await demoLocalNotice(words, { inApp })).toBe('browser');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(createPush).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(createPush).toHaveBeenCalledWith('A test', expect.objectContaining({ body: 'From this device' }));
    expect(inApp).not.toHaveBeenCalled();
  });

  it('shows it in the app if neither is allowed', async () => {
    vi.stubGlobal('Notification', { permission: 'denied' });
    const inApp = vi.fn();
    expect(await demoLocalNotice(words, { inApp })).toBe('in-app');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(inApp).toHaveBeenCalledExactlyOnceWith(words);
  });
});
