import { expect, it } from 'vitest';
import type work from './work-thread.fixtures.ts';
import { createWorkThread, WorkCutOff } from './work-thread.ts';
import type neverLoads from './work-thread-broken.fixtures.ts';

const startThread = ({ waiting = 8, patienceMs = 20_000, heapMb = 64 } = {}) =>
  createWorkThread<typeof work>(new URL('./work-thread.fixtures.ts', import.meta.url), {
    ...{ waiting, patienceMs, heapMb },
  });

it('answers, passes failures on, and goes on after one', async () => {
  const run = startThread();
  expect(await run('answer')).toBe('done');
  await expect(run('fail')).rejects.toThrow(RangeError);
  expect(await run('answer')).toBe('done');
});

it('cuts off what never ends, and not what waited for that', async () => {
  const run = startThread({ patienceMs: 6_000 });
  const [endless, behind] = await Promise.allSettled([run('never-end'), run('answer')]);
  expect(endless).toMatchObject({ status: 'rejected', reason: expect.any(WorkCutOff) });
  expect(behind).toEqual({ status: 'fulfilled', value: 'done' });
});

it('cuts off what takes too much memory, and goes on', async () => {
  const run = startThread();
  await expect(run('fill-memory')).rejects.toThrow(WorkCutOff);
  expect(await run('answer')).toBe('done');
});

it('says why a thread cannot start, and stays in service', async () => {
  const url = new URL('./work-thread-broken.fixtures.ts', import.meta.url);
  const run = createWorkThread<typeof neverLoads>(url, { waiting: 8, patienceMs: 20_000, heapMb: 64 });
  for (let time = 0; time < 2; time += 1) await expect(run(null)).rejects.toThrow('cannot be loaded');
});

it('refuses more than may wait', async () => {
  const run = startThread({ waiting: 1 });
  const asked = [run('answer'), run('answer'), run('answer')];
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(asked[2]).rejects.toMatchObject({ code: 'request/unavailable' });
});
