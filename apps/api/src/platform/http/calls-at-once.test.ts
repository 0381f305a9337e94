import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';

const app = useTestApp({ CALLS_AT_ONCE: '1' });
const ask = () => app.raw({ url: '/api/jobs/nearby?lat=52.37&lng=4.89' });

it('answers 503 at once while it has as many calls as it may, and health always', async () => {
  const locker = await app.pool.connect();
  const { token } = await app.person();
  // The call that is refused needs neither: its session is not looked up.
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

it('has room again after a call that failed', async () => {
  for (let call = 0; call < 3; call += 1)
    expect((await app.raw({ url: '/api/jobs/nearby?lat=nonsense' })).statusCode).toBe(400);
  expect((await ask()).statusCode).toBe(200);
});
