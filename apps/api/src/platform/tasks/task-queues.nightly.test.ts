import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { useTestApp } from '../../../test/harness.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { createMailer } from '../mail/mail.ts';
import { limitOutsideCalls, recordLimit } from '../process/outside-calls.ts';
import { openSilentServer } from '../test-services/silent-server.fixtures.ts';
import { runInTime } from './task-deadlines.ts';
import { leaseTimes } from './task-leases.ts';
import { startRunner } from './task-runner.ts';
import { atOnce, defineTask, enqueue, type TaskScope } from './tasks.ts';

const app = useTestApp();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function silentServer() {
  const server = await openSilentServer();
  closing.push(server.close);
  return server;
}

const scope = (parts: object): TaskScope =>
  ({
    db: app.db,
    clock: app.clock,
    log: createLog({ LOG_LEVEL: 'silent' }),
    ...parts,
  }) as unknown as TaskScope;
const mail = { to: 'leila@example.test', subject: 'Hi', text: 'Hi', html: 'Hi', key: 'stalled' };
const times = { dnsTimeout: 200, connectionTimeout: 200, greetingTimeout: 200, socketTimeout: 200 };

it('runs payments and audits while the mail server hangs, and the runner still stops', async () => {
  const { port, taken } = await silentServer();
  const config = readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const mailer = createMailer(config, app.db, app.clock, { ...times, greetingTimeout: 2_000 });
  const done: string[] = [];
  const named = (queue: 'money' | 'timers' | 'housekeeping') =>
    defineTask({
      name: `queues-test.${queue}`,
      queue,
      payload: z.object({}),
      run: async () => void done.push(queue),
    });
  const send = defineTask({
    name: 'queues-test.send',
    queue: 'messages',
    payload: z.object({}),
    run: (of) => of.mailer.send(mail),
  });
  const others = [named('money'), named('timers'), named('housekeeping')];
  const runner = await startRunner(app.pool, [send, ...others], scope({ mailer }), leaseTimes(15));
  const add = (tasks: typeof others, times = 1) =>
    app.db.transaction().execute(async (tx) => {
      for (const task of tasks)
        for (let n = 0; n < times; n += 1) await enqueue(tx, task, {}, { runAt: atOnce });
    });
  await add([send], 6);
  await vi.waitFor(() => expect(taken()).toBeGreaterThan(1), { timeout: 10_000 });
  await add(others);
  await vi.waitFor(() => expect(done.toSorted()).toEqual(['housekeeping', 'money', 'timers']), {
    timeout: 1_900,
  });
  await runner.stop();
  await app.pool.query('truncate graphile_worker._private_jobs');
});

it('limits calls to a hanging mail server and sign-in provider', async () => {
  const { port } = await silentServer();
  const config = readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await expect(createMailer(config, app.db, app.clock, times).send(mail)).rejects.toThrow(/Greeting|Timeout/);
  limitOutsideCalls(200);
  const url = `http://127.0.0.1:${port}/.well-known/openid-configuration`;
  await expect(fetch(url)).rejects.toThrow('timeout');
  // A Request always has a signal, which doesn't mean that it has a time limit.
  await expect(fetch(new Request(url))).rejects.toThrow('timeout');
  const timedRequest = recordLimit(new Request(url, { signal: AbortSignal.timeout(600) }));
  const at = performance.now();
  await expect(fetch(timedRequest)).rejects.toThrow('timeout');
  expect(performance.now() - at).toBeGreaterThan(550);
  limitOutsideCalls();
});

it('gives a task up at its deadline, and logs how it ended later', async () => {
  const log = { ...createLog({ LOG_LEVEL: 'silent' }), error: vi.fn() };
  const stuck = defineTask({
    name: 'queues-test.stuck',
    payload: z.object({}),
    async run() {
      await wait(150);
      throw new Error('at last');
    },
  });
  await expect(runInTime(stuck, scope({ log }), {}, 50)).rejects.toThrow('took longer than 0.05 s');
  await wait(200);
  expect(log.error).toHaveBeenCalledOnce();
});

it('shows a stuck queue in readiness and in the metrics', async () => {
  const add = `select graphile_worker.add_job('payments.reconcile', '{}', run_at => now() - interval '10 minutes')`;
  await app.pool.query(add);
  await app.pool.query(
    `update graphile_worker._private_jobs set created_at = now() - interval '10 minutes', attempts = 0`,
  );
  const ready = await app.raw({ url: '/health/ready' });
  expect([ready.statusCode, ready.json()]).toEqual([
    200,
    { status: 'ready', lateQueues: ['money'], fileStore: 'ok' },
  ]);
  const { body } = await app.raw({ url: '/metrics', remoteAddress: '127.0.0.1' });
  const value = (name: string, queue: string) =>
    Number(new RegExp(`^${name}\\{queue="${queue}"\\} (\\S+)$`, 'm').exec(body)?.[1]);
  expect(value('tasks_oldest_waiting_seconds', 'money')).toBeGreaterThan(590);
  expect([value('tasks_waiting', 'money'), value('tasks_waiting', 'messages')]).toEqual([1, 0]);
  await app.pool.query('truncate graphile_worker._private_jobs');
});
