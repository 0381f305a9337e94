import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';

const app = useTestApp();

describe('GET /health/ready', () => {
  it('returns 200 when the server is ready', async () => {
    const response = await app.raw({ url: '/health/ready' });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: 'ready', lateQueues: [], fileStore: 'ok' },
    ]);
  });

  it('queries the database once for concurrent callers, and again a second later', async () => {
    let acquired = 0;
    app.pool.on('acquire', () => {
      acquired += 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const before = acquired;
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.raw({ url: '/health/ready' })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
    expect(acquired - before).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await app.raw({ url: '/health/ready' });
    expect(acquired - before).toBe(2);
  });
});
