import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportAnswer } from '../device/online.ts';
import { session } from '../session.ts';
import { api } from './api.ts';
import { isApiError, isTimeout } from './api-error.ts';
import { type AuthPort, registerAuth } from './auth-provider.ts';

const user = { id: 'u1', email: 'leila@example.org', emailVerified: true, name: 'Leila' };
const jobId = '019aa000-0000-7000-8000-000000000001';

type Sent = { url: string; method: string; headers: Headers };
let sent: Sent[] = [];

function respondWith(...responses: (Response | Error)[]): void {
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    if (typeof input === 'string') return json({ status: 'live' });
    const request = new Request(input, init);
    sent.push({ url: request.url, method: request.method, headers: request.headers });
    const next = responses.shift();
    if (!(next instanceof Response)) throw next ?? new TypeError('Failed to fetch');
    return next;
  });
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const failure = (code: string, status: number, data?: unknown) =>
  json({ code, message: 'for developers', requestId: 'r-1', data }, status);

beforeEach(() => {
  sent = [];
});
afterEach(() => {
  reportAnswer();
  session.clear();
  vi.unstubAllGlobals();
});

describe('api', () => {
  it('calls /api with the access token, and sends no key with reads', async () => {
    session.start({ user, accessToken: 'secret' });
    respondWith(json([]));
    await api.jobs.similar({ jobId });
    expect(new URL(sent[0]?.url ?? '').pathname).toBe(`/api/jobs/${jobId}/similar`);
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret');
    expect(sent[0]?.headers.get('idempotency-key')).toBeNull();
  });

  it("sends a unique key with every write, or the caller's", async () => {
    respondWith(json({ unread: 0 }), json({ unread: 0 }), json({ unread: 0 }));
    await api.notifications.read({ ids: 'all' });
    await api.notifications.read({ ids: 'all' });
    await api.notifications.read({ ids: 'all' }, { context: { idempotencyKey: 'draft-7' } });
    const keys = sent.map((request) => request.headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe('draft-7');
  });

  it('sends a file as a form', async () => {
    let form: FormData | undefined;
    vi.stubGlobal('fetch', async (request: Request) => {
      form = await request.formData();
      return json({});
    });
    await api.files.upload({ purpose: 'cv', file: new File(['%PDF-1.7'], 'cv.pdf') });
    const file = form?.get('file') as File;
    expect([form?.get('purpose'), file.name, await file.text()]).toEqual(['cv', 'cv.pdf', '%PDF-1.7']);
  });

  it('returns rejections as typed errors', async () => {
    respondWith(failure('job/not-found', 404, { jobId }));
    const error = await api.jobs.similar({ jobId }).catch((caught: unknown) => caught);
    expect(isApiError(error, 'job/not-found')).toBe(true);
    expect(error).toMatchObject({ status: 404, requestId: 'r-1', data: { jobId } });
  });

  it.each([
    [new Response('<html>', { status: 502 }), 'request/unavailable'],
    [new Response('oops', { status: 500 }), 'request/internal'],
    [json({ code: 'teapot' }, 418), 'request/internal'],
    [json({ code: 'of-a/newer-server' }, 409), 'of-a/newer-server'],
    [new TypeError('Failed to fetch'), 'network/failed'],
    [new DOMException('stop', 'AbortError'), 'network/cancelled'],
  ])('treats %s as %s', async (response, code) => {
    respondWith(response);
    await expect(api.jobs.similar({ jobId })).rejects.toMatchObject({ code });
  });

  const portal = () => new Response('<h1>Hotel Wifi</h1>', { headers: { 'content-type': 'text/html' } });

  it("never accepts a captive network's page as a response", async () => {
    respondWith(portal(), portal());
    const key = { context: { idempotencyKey: 'draft-7' } };
    await expect(api.notifications.read({ ids: 'all' }, key)).rejects.toMatchObject({
      code: 'network/failed',
      status: 0,
    });
    await expect(api.jobs.similar({ jobId })).rejects.toMatchObject({ code: 'network/failed' });
  });

  it('aborts a call on a dead connection, and stops when it is cancelled', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', (_request: Request, { signal }: { signal: AbortSignal }) => {
      return new Promise((_answer, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const dead = expect(api.jobs.similar({ jobId })).rejects.toMatchObject({ code: 'network/failed' });
    const cancel = new AbortController();
    const cancelled = expect(api.jobs.similar({ jobId }, { signal: cancel.signal })).rejects.toMatchObject({
      code: 'network/cancelled',
    });
    await vi.advanceTimersByTimeAsync(1_000);
    cancel.abort();
    await cancelled;
    await vi.advanceTimersByTimeAsync(15_000);
    await dead;
    const sent = api.notifications.read({ ids: 'all' }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(39_000);
    expect(await Promise.race([sent, 'on its way'])).toBe('on its way');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isTimeout(await sent)).toBe(true);
    vi.useRealTimers();
  });

  it('detects that it is offline', async () => {
    vi.stubGlobal('navigator', { ...navigator, onLine: false });
    respondWith(new TypeError('Failed to fetch'));
    await expect(api.jobs.similar({ jobId })).rejects.toMatchObject({ code: 'network/offline' });
  });

  it('neither resends a call for a user who signed in during it, nor returns the response to them', async () => {
    const other = { ...user, id: 'u2', email: 'nadia@example.org', name: 'Nadia' };
    session.start({ user, accessToken: 'old' });
    registerAuth({
      // Another tab signed in as Nadia while this one asked for a new token.
      idToken: async () => {
        session.start({ user: other, accessToken: 'hers' });
        return 'hers';
      },
    } as unknown as AuthPort);
    respondWith(failure('session/expired', 401), json({ unread: 0 }));
    await expect(api.notifications.read({ ids: 'all' })).rejects.toMatchObject({ code: 'network/cancelled' });
    expect(sent).toHaveLength(1);

    session.start({ user, accessToken: 'new' });
    respondWith(json([]));
    const late = api.jobs.similar({ jobId });
    session.start({ user: other, accessToken: 'hers' });
    await expect(late).rejects.toMatchObject({ code: 'network/cancelled' });
  });

  it('renews an expired token once and resends the same write with the same key', async () => {
    session.start({ user, accessToken: 'old' });
    registerAuth({
      idToken: async () => {
        session.update({ accessToken: 'new' });
        return 'new';
      },
    } as unknown as AuthPort);
    respondWith(failure('session/expired', 401), json({ unread: 0 }));
    await api.notifications.read({ ids: 'all' });
    expect(sent.map((request) => request.headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
    expect(sent[1]?.headers.get('idempotency-key')).toBe(sent[0]?.headers.get('idempotency-key'));
  });

  it("doesn't retry forever when renewing doesn't help", async () => {
    session.start({ user, accessToken: 'old' });
    registerAuth({ idToken: async () => 'old' } as unknown as AuthPort);
    respondWith(failure('session/expired', 401), failure('session/expired', 401), json({ unread: 0 }));
    await expect(api.notifications.read({ ids: 'all' })).rejects.toMatchObject({ code: 'session/expired' });
    expect(sent).toHaveLength(2);
  });
});

describe('addresses and bodies', () => {
  it('put parameters into the path, and the rest into the query as the server parses it', async () => {
    respondWith(json({}));
    await api.nearby.search({
      lat: 52.37,
      lng: 4.89,
      categories: ['cleaning', 'events'],
      q: 'café & bar',
    } as never);
    const { pathname, searchParams } = new URL(sent[0]?.url ?? '');
    expect(pathname).toMatch(/^\/api\//);
    expect([...searchParams]).toEqual([
      ['lat', '52.37'],
      ['lng', '4.89'],
      ['categories[0]', 'cleaning'],
      ['categories[1]', 'events'],
      ['q', 'café & bar'],
    ]);
  });

  it('omit undefined values, and send no empty body', async () => {
    const bodies: (string | null)[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      bodies.push(request.headers.get('content-type'), await request.text());
      return new Response('');
    });
    await api.jobs.publish({ jobId } as never);
    expect(bodies).toEqual([null, '']);
    await api.notifications.read({ ids: 'all' });
    expect(bodies.slice(2)).toEqual(['application/json', '{"ids":"all"}']);
  });

  it('escape parameters', async () => {
    respondWith(json([]));
    await api.jobs.similar({ jobId: 'a/b?c' } as never);
    expect(sent[0]?.url).toContain('/jobs/a%2Fb%3Fc/similar');
  });

  it('fail like the network when a response breaks off', async () => {
    respondWith(new Response('{"half":', { headers: { 'content-type': 'application/json' } }));
    await expect(api.jobs.similar({ jobId })).rejects.toMatchObject({ code: 'network/failed' });
  });
});
