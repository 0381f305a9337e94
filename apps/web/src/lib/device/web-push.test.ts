import { browserLabel, labelParts } from '@nearhand/contract/browser-label';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../session.ts';
import {
  ownDeviceId,
  pushUnreachable,
  renewWebPush,
  turnOnWebPush,
  unregisterWebPush,
  webPushState,
} from './web-push.ts';

const leila = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
const key = 'AQID';
const keyOf = (...bytes: number[]) => new Uint8Array(bytes).buffer;

type FakeSubscription = ReturnType<typeof subscriptionOf>;
const subscriptionOf = (endpoint: string, applicationServerKey = keyOf(1, 2, 3)) => ({
  options: { applicationServerKey },
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
  endpoint,
  unsubscribe: vi.fn(async () => {
    now = null;
    return true;
  }),
});

let now: FakeSubscription | null = null;
let permission: NotificationPermission = 'default';
const subscribe = vi.fn(async () => {
  now = subscriptionOf('https://push.example/1');
  return now;
});
const requests: { path: string; body: unknown }[] = [];

function browserWithPush() {
  const registration = { pushManager: { getSubscription: async () => now, subscribe } };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
    requestPermission: vi.fn(async () => permission),
  });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
}

beforeEach(() => {
  session.start({ user: leila, accessToken: 'token' });
  requests.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    const text = await request.text();
    requests.push({ path: new URL(request.url).pathname, body: text ? JSON.parse(text) : null });
    return Response.json({ id: 'd1', kind: 'web', label: 'x', addedAt: '', lastUsedAt: null, devices: [] });
  });
});
afterEach(() => {
  session.clear();
  localStorage.clear();
  now = null;
  permission = 'default';
  subscribe.mockClear();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

describe('webPushState', () => {
  it('detects a browser without push, and an iPhone that needs the app on its home screen', async () => {
    expect(await webPushState()).toBe('unsupported');
    const agent = vi.spyOn(navigator, 'userAgent', 'get');
    agent.mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1');
    expect(await webPushState()).toBe('home-screen');
    agent.mockRestore();
  });

  it('is denied if the user refused, and off before they were asked', async () => {
    browserWithPush();
    expect(await webPushState()).toBe('off');
    permission = 'denied';
    expect(await webPushState()).toBe('denied');
  });
});

describe('turning push on and off', () => {
  it("subscribes with the server's key and registers, then is on", async () => {
    browserWithPush();
    permission = 'granted';
    expect(await turnOnWebPush(key)).toBe('on');
    expect(requests).toEqual([
      {
        path: '/api/notifications/devices',
        body: expect.objectContaining({ kind: 'web', endpoint: 'https://push.example/1' }),
      },
    ]);
    expect(ownDeviceId()).toBe('d1');
    expect(await webPushState()).toBe('on');
  });

  it('replaces a subscription with another key', async () => {
    browserWithPush();
    permission = 'granted';
    const old = subscriptionOf('https://push.example/old', keyOf(9));
    now = old;
    await turnOnWebPush(key);
    expect(old.unsubscribe).toHaveBeenCalled();
    expect(subscribe).toHaveBeenCalledTimes(1);
  });

  it('stops if permission was denied, and reports an unreachable push service', async () => {
    browserWithPush();
    permission = 'denied';
    expect(await turnOnWebPush(key)).toBe('denied');
    expect(subscribe).not.toHaveBeenCalled();
    permission = 'granted';
    subscribe.mockRejectedValueOnce(new Error('AbortError'));
    await expect(turnOnWebPush(key)).rejects.toThrow(pushUnreachable);
    expect(ownDeviceId()).toBeNull();
  });

  it('ends on both sides at sign-out, for this user only', async () => {
    browserWithPush();
    permission = 'granted';
    await turnOnWebPush(key);
    const mine = now;
    await unregisterWebPush();
    expect(mine?.unsubscribe).toHaveBeenCalled();
    expect(requests.at(-1)?.path).toBe('/api/notifications/devices/d1/remove');
    expect(await webPushState()).toBe('off');
    await turnOnWebPush(key);
    session.start({ user: { ...leila, id: 'u2' }, accessToken: 'other' });
    expect(ownDeviceId()).toBeNull();
  });

  it('sends the server only a changed subscription', async () => {
    browserWithPush();
    permission = 'granted';
    await turnOnWebPush(key);
    await renewWebPush();
    expect(requests).toHaveLength(1);
    now = subscriptionOf('https://push.example/2');
    await renewWebPush();
    expect(requests[1]?.body).toMatchObject({ endpoint: 'https://push.example/2' });
  });
});

describe('browserLabel', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['', 'Browser'],
  ])('%s', (agent, label) => {
    expect(browserLabel(agent)).toBe(label);
  });

  it('is split for other languages, unlike names that users entered', () => {
    expect(labelParts('Samsung Internet on Android')).toEqual({
      browser: 'Samsung Internet',
      system: 'Android',
    });
    for (const name of ['Browser', 'My phone', 'Phone on the kitchen table'])
      expect(labelParts(name)).toBeNull();
  });
});
