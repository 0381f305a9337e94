// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { insideOnly, readPush, tapAddress } from './push-message.rules.ts';
import { servePush } from './serve-push.ts';
import type { WorkerScope, WorkerWindow } from './worker-scope.ts';

const origin = 'https://nearhand.example';
const push = {
  title: 'Hotel Brouwers offered you the job',
  body: 'Front desk, Thu 10 Dec',
  path: '/tabs/menu/my-work/a1?tab=offer',
  tag: 'offer-a1',
  notificationId: 'n1',
};

describe('insideOnly', () => {
  it.each([
    'https://evil.example/x',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/api/auth/sign-out',
    '/x/../api/auth/sign-out',
    '',
    null,
    7,
    `/${'a'.repeat(2_000)}`,
  ])('replaces %s with the inbox', (path) => {
    expect(insideOnly(path, origin)).toBe('/notifications');
  });
  it('keeps an app path with its query', () => {
    expect(insideOnly('/job-applicants/j1?applicant=a1', origin)).toBe('/job-applicants/j1?applicant=a1');
  });
});

describe('readPush', () => {
  it.each([undefined, '', '{', '[]', 'null', '"x"', '{"title":7,"body":{},"path":"//x"}'])(
    'has a text for %s',
    (raw) => {
      expect(readPush(raw, origin)).toMatchObject({ title: 'Nearhand', path: '/notifications' });
    },
  );
  it('puts the notice into the address that a tap opens', () => {
    expect(tapAddress(readPush(JSON.stringify(push), origin), origin)).toBe(
      `${origin}/tabs/menu/my-work/a1?tab=offer&notice=n1`,
    );
  });
});

function fakeWorker(windows: Partial<WorkerWindow>[] = []) {
  const received = new Map<string, (event: never) => void>();
  const work: Promise<unknown>[] = [];
  const worker = {
    location: { origin },
    navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    registration: { showNotification: vi.fn(async () => {}), pushManager: { subscribe: vi.fn() } },
    clients: {
      matchAll: vi.fn(async () => windows),
      openWindow: vi.fn(async () => null),
      claim: vi.fn(async () => {}),
    },
    skipWaiting: vi.fn(async () => {}),
    addEventListener: (name: string, listener: (event: never) => void) => received.set(name, listener),
  };
  servePush(worker as unknown as WorkerScope);
  return {
    worker,
    received,
    send: async (name: string, event: object) => {
      received.get(name)?.({
        ...event,
        waitUntil: (promise: Promise<unknown>) => work.push(promise),
      } as never);
      await Promise.all(work.splice(0));
    },
  };
}

describe('the service worker', () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 }));
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('handles no fetch of the app: nothing is cached', () => {
    expect([...fakeWorker().received.keys()]).not.toContain('fetch');
  });

  it('shows the push, or a default text if it is unreadable', async () => {
    const { worker, send } = fakeWorker();
    await send('push', { data: { text: () => JSON.stringify(push) } });
    expect(worker.registration.showNotification).toHaveBeenCalledWith(
      push.title,
      expect.objectContaining({ body: push.body, tag: push.tag, data: push }),
    );
    await send('push', { data: null });
    expect(worker.registration.showNotification).toHaveBeenLastCalledWith(
      'Nearhand',
      expect.objectContaining({ body: '' }),
    );
  });

  it('navigates the open window on a tap', async () => {
    const postMessage = vi.fn((_message: unknown, [port]: readonly unknown[] = []) => {
      (port as MessagePort).postMessage('shown');
    });
    const focus = vi.fn(async () => ({}) as WorkerWindow);
    const other = { url: 'https://elsewhere.example/', focused: true, visibilityState: 'visible' };
    const mine = { url: `${origin}/login`, focused: false, visibilityState: 'hidden', focus, postMessage };
    const { worker, send } = fakeWorker([other, mine]);
    const close = vi.fn();
    await send('notificationclick', { notification: { data: push, close } });
    expect(close).toHaveBeenCalled();
    expect(focus).toHaveBeenCalled();
    expect(postMessage.mock.calls[0]?.[0]).toEqual({
      kind: 'push-tap',
      path: push.path,
      notificationId: 'n1',
    });
    expect(worker.clients.openWindow).not.toHaveBeenCalled();
  });

  it("opens a window if none is open, or the open one doesn't respond", async () => {
    const alone = fakeWorker();
    await alone.send('notificationclick', { notification: { data: push, close: vi.fn() } });
    expect(alone.worker.clients.openWindow).toHaveBeenCalledWith(
      `${origin}/tabs/menu/my-work/a1?tab=offer&notice=n1`,
    );
    const silent = fakeWorker([
      {
        url: `${origin}/`,
        focused: true,
        visibilityState: 'visible',
        focus: async () => ({}) as WorkerWindow,
        postMessage: vi.fn(),
      },
    ]);
    await silent.send('notificationclick', { notification: { data: null, close: vi.fn() } });
    expect(silent.worker.clients.openWindow).toHaveBeenCalledWith(`${origin}/notifications`);
  });

  it('sends the server a subscription that the browser changed', async () => {
    const requests: { path: string; body: unknown; headers: Record<string, string> }[] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      requests.push({
        path,
        body: JSON.parse(String(init.body)),
        headers: init.headers as Record<string, string>,
      });
      return Response.json(path.endsWith('access-token') ? { token: 'fresh' } : {});
    });
    const { worker, send } = fakeWorker();
    const key = new Uint8Array([4, 1]).buffer;
    worker.registration.pushManager.subscribe.mockResolvedValue({
      toJSON: () => ({ endpoint: 'https://push.example/2', keys: { p256dh: 'p', auth: 'a' } }),
    });
    await send('pushsubscriptionchange', { oldSubscription: { options: { applicationServerKey: key } } });
    expect(worker.registration.pushManager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: key,
    });
    expect(requests[1]).toMatchObject({
      path: '/api/notifications/devices',
      body: { kind: 'web', endpoint: 'https://push.example/2', label: 'Firefox on Linux' },
      headers: { authorization: 'Bearer fresh' },
    });
  });

  it('does nothing when signed out', async () => {
    vi.stubGlobal('fetch', async () => Response.json({}, { status: 401 }));
    const { worker, send } = fakeWorker();
    await send('pushsubscriptionchange', {});
    expect(worker.registration.pushManager.subscribe).not.toHaveBeenCalled();
  });
});
