import { setTimeout as wait } from 'node:timers/promises';
import { createApp } from '@nearhand/api/src/app.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { openServices, secret } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { withoutLocks } from '../without-locks.ts';
import { numbersFrom } from './options.ts';

const workers = 4;

/**
 * `npm run experiments -- apply-close [--jobs 1000]`: four workers apply for a job, each twice, while its owner closes it, job after job. No closed job
 * has a live application, and no worker two. The control has no row locks and no rule against a second application: both must appear.
 */
export async function applyClose(say: (line: string) => void): Promise<boolean> {
  const { jobs } = numbersFrom({ jobs: 1_000 });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const real = await races(url, jobs, say, false);
    const control = await races(url, Math.min(jobs, 200), say, true);
    right = real.live === 0 && real.twice === 0 && control.live > 0;
  });
  say(`apply-close: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function races(url: string, jobs: number, say: (line: string) => void, control: boolean) {
  const services = openServices(url, { connections: 16 });
  const db = control ? services.db.withPlugin(withoutLocks) : services.db;
  const server = await createApp({ ...services, db, secret, webFolder: null });
  try {
    await server.ready();
    const scope = (accountId: string) => services.scopeOf(accountId);
    const owner = await makeAccount(services.db, services.clock, secret);
    const business = await makeBusiness(services.db, scope(owner.accountId));
    const people = [];
    for (let n = 0; n < workers; n += 1)
      people.push(await makeAccount(services.db, services.clock, secret, { name: `Worker ${n}` }));
    const counts = new Map<string, number>();
    const call = async (path: string, token: string, payload: object) => {
      await wait(Math.random() * 6);
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
      const response = await server.inject({ method: 'POST', url: path, headers, payload });
      const code = response.statusCode < 300 ? 'ok' : String((response.json() as { code?: string }).code);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    };
    const started = performance.now();
    const ids: string[] = [];
    for (let n = 0; n < jobs; n += 1) {
      const job = await makeJob(services.db, scope(owner.accountId), business.id, { kind: 'task' });
      ids.push(job.id);
      const application = { coverNote: 'I live around the corner.', answers: [], cvFileId: null };
      await Promise.all([
        call(`/api/jobs/${job.id}/close`, owner.token, {}),
        ...[...people, ...people].map(({ token }) =>
          call(`/api/jobs/${job.id}/applications`, token, application),
        ),
      ]);
    }
    const { rows } = await services.pool.query<{ live: number; twice: number; all: number; open: number }>(
      `select count(*) filter (where status in ('submitted', 'viewed', 'shortlisted', 'interviewing', 'offered'))::int as live,
         (count(*) - count(distinct (job_id, worker_id)))::int as twice, count(*)::int as all,
         (select count(*)::int from jobs where id = any($1) and status <> 'closed') as open
       from applications where job_id = any($1)`,
      [ids],
    );
    const { live = 0, twice = 0, all = 0, open = 0 } = rows[0] ?? {};
    const answers = [...counts].map(([code, times]) => `${times} ${code}`).join(', ');
    say(
      `apply-close${control ? ', negative control without locks' : ''}: ${jobs} jobs in ${((performance.now() - started) / 1_000).toFixed(0)} s; ${answers}; ${all} applications, ${live} live on closed jobs, ${twice} a second one of a worker, ${open} jobs not closed`,
    );
    return { live, twice: twice + open };
  } finally {
    await server.close();
    await services.close();
  }
}
