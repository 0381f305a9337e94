import { expect, it } from 'vitest';
import type work from './work-process.fixtures.ts';
import { createWorkProcess, WorkCutOffError } from './work-process.ts';
import type neverLoads from './work-process-broken.fixtures.ts';

const startProcess = ({ waiting = 8, patienceMs = 20_000, heapMb = 64 } = {}) =>
  createWorkProcess<typeof work>(new URL('./work-process.fixtures.ts', import.meta.url), {
    waiting,
    patienceMs,
    heapMb,
  });

it('returns results, passes failures on, and continues after one', async () => {
  const run = startProcess();
  expect(await run('answer')).toBe('done');
  await expect(run('fail')).rejects.toMatchObject({ name: 'RangeError', message: 'as asked' });
  await expect(run('fail')).rejects.toThrow(Error);
  expect(await run('answer')).toBe('done');
});

it('kills endless work, but not what waited for it', async () => {
  const run = startProcess({ patienceMs: 6_000 });
  const [endless, behind] = await Promise.allSettled([run('never-end'), run('answer')]);
  expect(endless).toMatchObject({ status: 'rejected', reason: expect.any(WorkCutOffError) });
  expect(behind).toEqual({ status: 'fulfilled', value: 'done' });
});

it('kills work that takes too much memory, and continues', async () => {
  const run = startProcess();
  await expect(run('fill-memory')).rejects.toThrow(WorkCutOffError);
  expect(await run('answer')).toBe('done');
});

it("reports that a process can't start, and stays in service", async () => {
  const url = new URL('./work-process-broken.fixtures.ts', import.meta.url);
  const run = createWorkProcess<typeof neverLoads>(url, { waiting: 8, patienceMs: 20_000, heapMb: 64 });
  for (let time = 0; time < 2; time += 1) await expect(run(null)).rejects.toThrow('exited unexpectedly');
});

it('sees none of our settings and secrets', async () => {
  process.env.A_SECRET = 'which a document must not read';
  expect(await startProcess()('environment')).toBe('TINYPOOL_WORKER_ID');
  delete process.env.A_SECRET;
});

it('rejects work above the queue limit', async () => {
  const run = startProcess({ waiting: 1 });
  const runs = [run('answer'), run('answer'), run('answer')];
  const answers = await Promise.allSettled(runs);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(runs[2]).rejects.toMatchObject({ code: 'request/unavailable' });
});
