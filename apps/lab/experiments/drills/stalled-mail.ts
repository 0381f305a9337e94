import net, { type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { tasks } from '@nearhand/api/src/app.ts';
import { createMailer } from '@nearhand/api/src/platform/mail/mail.ts';
import { leaseTimes } from '@nearhand/api/src/platform/tasks/task-leases.ts';
import { startRunner } from '@nearhand/api/src/platform/tasks/task-runner.ts';
import type { AnyTask } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';

const mails = 100;
/** One of every queue that must not wait for mail. */
const others = ['payments.reconcile', 'statements.carry', 'sessions.purge-history'];
const limitMs = 5_000;
const watchedMs = 15_000;

/**
 * `npm run experiments -- stalled-mail`: a mail server takes connections and says nothing while 100 mails are due. A payment, a timer and a daily
 * task still run within 5 s, and the runner stops within 15 s. The control has all tasks in one queue: they must wait.
 */
export async function stalledMail(say: (line: string) => void): Promise<boolean> {
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const real = await stall(url, say, tasks);
    const control = await stall(
      url,
      say,
      tasks.map((task) => ({ ...task, queue: 'timers' as const })),
    );
    right = real.ranMs < limitMs && real.stopMs < 15_000 && control.ranMs > limitMs;
  });
  say(`stalled-mail: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function stall(url: string, say: (line: string) => void, chosen: readonly AnyTask[]) {
  const services = openServices(url);
  const sockets = new Set<net.Socket>();
  const silent = net.createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const config = { ...services.config, SMTP_URL: `smtp://127.0.0.1:${port}` };
  const mailer = createMailer(config, services.db, services.clock);
  const { pool } = services;
  const add = 'select graphile_worker.add_job($1, $2)';
  await pool.query('truncate graphile_worker._private_jobs');
  for (let mail = 0; mail < mails; mail += 1)
    await pool.query(add, [
      'sign-in.send-verification',
      { email: `a${mail}@example.test`, token: 'token', key: `stalled-${mail}`, language: null },
    ]);
  const runner = await startRunner(pool, chosen, { ...services.taskScope, config, mailer }, leaseTimes(15));
  try {
    for (const until = performance.now() + watchedMs; sockets.size < 2; await wait(20))
      if (performance.now() > until) throw new Error('No mail reached the mail server');
    const at = performance.now();
    const ids: string[] = [];
    for (const name of others) {
      const { rows } = await pool.query(`select id from graphile_worker.add_job($1, '{}')`, [name]);
      ids.push(rows[0].id);
    }
    let ranMs = Number.POSITIVE_INFINITY;
    while (performance.now() - at < watchedMs) {
      const { rowCount } = await pool.query('select from graphile_worker.jobs where id = any($1)', [ids]);
      if (rowCount === 0) {
        ranMs = performance.now() - at;
        break;
      }
      await wait(50);
    }
    const stopping = performance.now();
    await runner.stop();
    const stopMs = performance.now() - stopping;
    say(
      `stalled-mail${chosen === tasks ? '' : ', negative control one queue'}: ${mails} mails due, ${sockets.size} hung; the other tasks ran ${Number.isFinite(ranMs) ? `within ${(ranMs / 1_000).toFixed(1)} s` : `not within ${watchedMs / 1_000} s`}; the runner stopped in ${(stopMs / 1_000).toFixed(1)} s`,
    );
    return { ranMs, stopMs };
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
    await services.close();
  }
}
