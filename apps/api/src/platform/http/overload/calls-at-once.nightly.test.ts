import type { ErrorBody } from '@nearhand/contract/error-data';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { networkLimit } from './caller-limits.ts';

const native = 'https://localhost';
const app = useTestApp({ CALLS_AT_ONCE: '1', NATIVE_ORIGINS: native });
const ask = () => app.raw({ url: '/api/jobs/nearby?lat=52.37&lng=4.89' });

it('returns 503 at once above the call limit, but never for health checks', async () => {
  const locker = await app.pool.connect();
  const { token } = await app.person();
  // The refused call needs neither lock, because its session is not looked up.
  await locker.query('begin; lock table jobs, sessions in access exclusive mode');
  const first = ask();
  for (let waits = false; !waits; ) {
    const { rowCount } = await app.pool.query('select from pg_locks where not granted');
    waits = rowCount !== 0;
  }
  const headers = { authorization: `Bearer ${token}` };
  const refused = await app.raw({ url: '/api/jobs/nearby?lat=52.37&lng=4.89', headers });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'request/unavailable']);
  expect(refused.headers['retry-after']).toBe('5');
  expect((await app.raw({ url: '/health/live' })).statusCode).toBe(200);
  await locker.query('commit');
  locker.release();
  expect((await first).statusCode).toBe(200);
  expect((await ask()).statusCode).toBe(200);
});

it('rejects before Fastify, with the same response except for the request id, and only contract calls', async () => {
  const connection = await app.pool.connect();
  await connection.query('begin; lock table jobs in access exclusive mode');
  const first = ask();
  for (let waits = false; !waits; )
    waits = (await app.pool.query('select from pg_locks where not granted')).rowCount !== 0;
  const at = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const call = (path: string, init?: RequestInit) => fetch(`${at}${path}`, init);
  const early = await call('/api/jobs/nearby?lat=52.37&lng=4.89', { headers: { origin: native } });
  const late = await app.raw({ url: '/api/jobs/nearby?lat=52.37&lng=4.89', headers: { origin: native } });
  // Only Fastify adds the timing, so a response without it never reached Fastify.
  expect([early.headers.has('server-timing'), 'server-timing' in late.headers]).toEqual([false, true]);
  const own = new Set(['server-timing', 'date', 'connection', 'keep-alive', 'x-request-id']);
  const securityHeaders = (headers: Iterable<[string, unknown]>) =>
    Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
  expect(securityHeaders(early.headers)).toEqual(securityHeaders(Object.entries(late.headers)));
  const body = (await early.json()) as ErrorBody;
  expect(body).toEqual({ ...late.json(), requestId: early.headers.get('x-request-id') });
  expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);

  const write = {
    method: 'POST',
    body: JSON.stringify({ title: 'Barista' }),
    headers: { 'idempotency-key': 'key-of-a-refusal' },
  };
  expect((await call('/api/jobs', write)).headers.has('server-timing')).toBe(false);
  const signIn = await call('/api/auth/sign-in/email', { method: 'POST' });
  expect([signIn.status, signIn.headers.has('server-timing')]).toEqual([400, true]);
  expect([(await call('/health/live')).status, (await call('/api/docs/')).status]).toEqual([200, 200]);
  const preflight = { origin: native, 'access-control-request-method': 'POST' };
  expect((await call('/api/jobs', { method: 'OPTIONS', headers: preflight })).status).toBe(204);
  const metrics = await call('/metrics').then((response) => response.text());
  expect(metrics).toContain('http_requests_total{operation="refused",status="503"} 2');

  await connection.query('commit');
  connection.release();
  expect((await first).statusCode).toBe(200);
  const again = await call('/api/jobs/nearby?lat=52.37&lng=4.89');
  expect([again.status, again.headers.has('server-timing')]).toEqual([200, true]);
});

it('frees its place after a failed call', async () => {
  for (let call = 0; call < 3; call += 1)
    expect((await app.raw({ url: '/api/jobs/nearby?lat=nonsense' })).statusCode).toBe(400);
  expect((await ask()).statusCode).toBe(200);
});

it('forgets who called longest ago, not who called first, beyond 50,000 callers', () => {
  const limit = networkLimit(1);
  const isRefused = (ip: string) => {
    let refused = false;
    const next = (error?: Error) => {
      refused = error !== undefined;
    };
    limit.call({} as FastifyInstance, { ip } as FastifyRequest, {} as FastifyReply, next);
    return refused;
  };
  const call = (n: number) => isRefused(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
  for (let n = 0; n < 50_000; n += 1) call(n);
  expect(call(0)).toBe(true);
  expect([call(50_000), call(0), call(1)]).toEqual([false, true, false]);
});
