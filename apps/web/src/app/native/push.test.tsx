import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RenderOptions } from '../../../test/device.ts';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import type { PushBridge } from '../../lib/device/native-push.ts';
import { session } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { sampleNotice } from '../../talk/notifications/notifications.fixtures.ts';
import { dismissToast, showToast } from '../../ui/overlays/toast.tsx';
import Push from './push.tsx';

const webPush = vi.hoisted(() => ({
  unregisterWebPush: vi.fn(() => Promise.resolve()),
  renewWebPush: vi.fn(() => Promise.resolve()),
}));
const nativePushBridge = vi.hoisted(() => vi.fn());
const newVersion = vi.hoisted(() => ({ current: () => {} }));
vi.mock('../../lib/device/web-push.ts', async (original) => ({ ...(await original()), ...webPush }));
vi.mock('../../lib/device/native-push.ts', async (original) => ({ ...(await original()), nativePushBridge }));
vi.mock('../../lib/device/service-worker.ts', async (original) => ({
  ...(await original()),
  registerWhenStable: ({ onNewVersion }: { onNewVersion: () => void }) => {
    newVersion.current = onNewVersion;
  },
}));

const notificationId = '0193aaaa-0000-7000-8000-0000000000c1';
let workers = new EventTarget();

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}
const address = () => screen.getByTestId('address').textContent;

const open = (options: RenderOptions & { path?: string } = {}) =>
  renderPart(
    <>
      <Address />
      <Push />
    </>,
    {
      path: '/tabs/menu/explore',
      session: 'worker',
      ...options,
      api: { 'notifications.open': ({ notificationId: id }) => ({ ...sampleNotice(), id }), ...options.api },
    },
  );

async function tap(data: unknown): Promise<unknown[]> {
  const heard: unknown[] = [];
  const event = Object.assign(new Event('message'), {
    data,
    ports: [{ postMessage: (said: unknown) => heard.push(said) }],
  });
  await act(async () => void workers.dispatchEvent(event));
  return heard;
}

beforeEach(() => {
  workers = new EventTarget();
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: workers } }));
  nativePushBridge.mockResolvedValue(null);
  webPush.unregisterWebPush.mockClear();
  webPush.renewWebPush.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a new version', () => {
  afterEach(() => {
    act(dismissToast);
    vi.useRealTimers();
  });
  const ready = () => screen.queryByText('A new version of Nearhand is ready.');

  it('is announced once nothing else needs attention', () => {
    vi.useFakeTimers();
    renderPart(<Push />, { session: 'worker' });
    const undo = vi.fn();
    act(() => showToast('Removed', { label: 'Undo', run: undo }));
    act(newVersion.current);
    act(() => vi.advanceTimersByTime(60_000));
    expect(ready()).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    act(() => vi.advanceTimersByTime(2_000));
    expect(ready()).not.toBeNull();
    expect(undo).toHaveBeenCalledTimes(1);
  });
});

describe('a tap on a push', () => {
  it('opens its screen, announces it, and notifies the server once', async () => {
    const { api } = open();
    const heard = await tap({ kind: 'push-tap', path: '/job-desc/42?lat=1', notificationId });
    expect([address(), heard]).toEqual(['/job-desc/42?lat=1', ['shown']]);
    await waitFor(() => expect(api.inputs('notifications.open')).toEqual([{ notificationId }]));
  });

  it.each([
    '//evil.example',
    'https://evil.example/toc',
    'javascript:alert(1)',
    '/\\evil.example',
    '/no/such/page',
    undefined,
    { toString: () => '/toc' },
  ])('opens the inbox for an invalid path: %s', async (path) => {
    open();
    await tap({ kind: 'push-tap', path, notificationId: '' });
    expect(address()).toBe(typeof path === 'object' ? '/toc' : '/notifications');
  });

  it.each(['', 'c1', '../c1', null])(
    'with the id %j opens its screen without notifying the server',
    async (id) => {
      const { api } = open();
      await tap({ kind: 'push-tap', path: '/toc', notificationId: id });
      expect(address()).toBe('/toc');
      expect(api.calls('notifications.open')).toEqual([]);
    },
  );

  it('notifies the server only for a verified user', async () => {
    const { api } = open({ session: 'unverified' });
    await tap({ kind: 'push-tap', path: '/toc', notificationId });
    expect(address()).toBe('/toc');
    expect(api.calls('notifications.open')).toEqual([]);
  });

  it('opens its screen even if the server rejects the notification', async () => {
    const { api } = open({
      api: {
        'notifications.open': () => {
          throw refuse('notification/not-found');
        },
      },
    });
    await tap({ kind: 'push-tap', path: '/toc', notificationId });
    await waitFor(() => expect(api.calls('notifications.open')).toHaveLength(1));
    expect(address()).toBe('/toc');
  });

  it("isn't confused with other messages", async () => {
    open();
    for (const data of [null, 'push-tap', { kind: 'other', path: '/toc' }]) {
      expect(await tap(data)).toEqual([]);
    }
    expect(address()).toBe('/tabs/menu/explore');
  });

  it('is ignored after the app has unmounted', async () => {
    const { unmount } = open();
    unmount();
    expect(await tap({ kind: 'push-tap', path: '/toc', notificationId })).toEqual([]);
  });
});

describe('an app that a push opened', () => {
  it('notifies the server and removes the notice from the address', async () => {
    const { api } = open({ path: `/job-desc/42?lat=1&notice=${notificationId}` });
    await waitFor(() => expect(address()).toBe('/job-desc/42?lat=1'));
    await waitFor(() => expect(api.inputs('notifications.open')).toEqual([{ notificationId }]));
  });

  it('removes an invalid notice from the address and notifies nobody', async () => {
    const { api } = open({ path: '/toc?notice=%2F%2Fevil' });
    await waitFor(() => expect(address()).toBe('/toc'));
    expect(api.calls('notifications.open')).toEqual([]);
  });

  it('keeps the notice until sign-in', async () => {
    const { api } = open({ path: `/toc?notice=${notificationId}`, session: 'unverified' });
    await act(async () => {});
    expect(address()).toBe(`/toc?notice=${notificationId}`);
    const user = session.user();
    if (!user) throw new Error('nobody is signed in');
    api.verified = true;
    await act(async () => session.update({ user: { ...user, emailVerified: true } }));
    await waitFor(() => expect(address()).toBe('/toc'));
    await waitFor(() => expect(api.calls('notifications.open')).toHaveLength(1));
  });
});

describe('push and the session', () => {
  it('is renewed only for a verified user', () => {
    const { unmount } = open({ session: 'unverified' });
    expect(webPush.renewWebPush).not.toHaveBeenCalled();
    unmount();
    open();
    expect(webPush.renewWebPush).toHaveBeenCalledOnce();
  });

  it('ends before the session does', async () => {
    const order: string[] = [];
    webPush.unregisterWebPush.mockImplementation(async () => {
      order.push(`push ends, signed in: ${session.user() !== null}`);
    });
    open({ api: { 'POST /api/auth/sign-out': () => new Response('{}') } });
    await act(() => signOut((path) => order.push(path)));
    expect(order).toEqual(['push ends, signed in: true', '/getting-started']);
  });
});

describe('push of the native app', () => {
  it('offers to open what arrives while the app is open', async () => {
    const listeners = new Map<string, (event: object) => void>();
    const removed = vi.fn(() => Promise.resolve());
    const bridge = {
      checkPermissions: () => Promise.resolve({ receive: 'granted' }),
      requestPermissions: () => Promise.resolve({ receive: 'granted' }),
      register: () => Promise.resolve(),
      unregister: () => Promise.resolve(),
      addListener: (event: string, listener: (event: object) => void) => {
        listeners.set(event, listener);
        return Promise.resolve({ remove: removed });
      },
    } as unknown as PushBridge;
    nativePushBridge.mockResolvedValue({ bridge, kind: 'android' });
    const { api, unmount } = open();
    await waitFor(() => expect([...listeners.keys()]).toContain('pushNotificationReceived'));
    const data = { path: '/job-desc/42', notificationId };
    await act(async () => listeners.get('pushNotificationReceived')?.({ title: 'You got an offer', data }));
    expect(address()).toBe('/tabs/menu/explore');
    expect(screen.getByText('You got an offer')).toBeTruthy();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Open' })));
    expect(address()).toBe('/job-desc/42');
    await waitFor(() => expect(api.inputs('notifications.open')).toEqual([{ notificationId }]));
    unmount();
    await waitFor(() => expect(removed).toHaveBeenCalled());
  });
});
