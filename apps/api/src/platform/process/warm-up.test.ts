import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { frequentReads } from '../../frequent-reads.ts';
import { createLog } from '../log.ts';
import { collectAtRest, warmUp } from './warm-up.ts';

const app = useTestApp({ READS_PER_MINUTE: '5' });
const log = createLog({ LOG_LEVEL: 'silent' });
const counted = async () => {
  const { body } = await app.raw({ url: '/metrics', remoteAddress: '127.0.0.1' });
  return body.split('\n').filter((line) => /^http_requests_total\{operation="(?!GET)/.test(line));
};
const rows = async () =>
  (
    await app.pool.query(
      `select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as written from pg_stat_xact_user_tables`,
    )
  ).rows[0];

it('calls frequent reads without a trace in metrics, limits or tables', async () => {
  const urls = await frequentReads(app.db, app.config);
  expect(urls).toContainEqual(expect.stringContaining('/api/jobs/nearby?'));
  const before = [await counted(), await rows()];
  const answered: number[] = [];
  const spied = Object.assign(Object.create(app.server), {
    async inject(request: { url: string; remoteAddress: string }) {
      const answer = await app.server.inject(request);
      answered.push(answer.statusCode);
      return answer;
    },
  });
  await warmUp(spied, async () => urls, 2, log);
  expect(answered.length).toBeGreaterThanOrEqual(urls.length);
  expect(new Set(answered)).toEqual(new Set([200]));
  expect([await counted(), await rows()]).toEqual(before);
  expect((await app.raw({ url: '/api/settings', remoteAddress: '127.0.0.1' })).statusCode).toBe(200);
  expect(await counted()).not.toEqual(before[0]);
});

it('starts even if warm-up fails', async () => {
  await warmUp(app.server, () => Promise.reject(new Error('no database')), 1, log);
  expect(app.server.warming.on).toBe(false);
});

it('collects garbage once, when requests are few', () => {
  vi.useFakeTimers();
  try {
    const server = new EventEmitter();
    const collect = vi.fn();
    const pass = (requests: number) => {
      for (let request = 0; request < requests; request += 1) server.emit('request');
      vi.advanceTimersByTime(1_000);
      return collect.mock.calls.length;
    };
    collectAtRest(server, collect, 1_000);
    expect([20, 4, 2, 0].map(pass)).toEqual([0, 0, 1, 1]);
    expect(server.listenerCount('request')).toBe(0);
    collectAtRest(server, collect, 1_000);
    server.emit('close');
    expect(pass(0)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
