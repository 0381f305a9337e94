import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { expireJob } from '@nearhand/api/src/hiring/jobs/job-expiry.service.ts';
import { publishJob } from '@nearhand/api/src/hiring/jobs/job-moves.service.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { openServices, secret } from '../../experiments/money/services.ts';

/**
 * `node apps/lab/bench/scale/changes.ts --url URL [--jobs 100]`: what publishing and expiring a job costs the database, in the middle of the
 * largest town of a loaded benchmark database and in the middle of nowhere: processor time of the connection (docs/benchmarks.md).
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, jobs: { type: 'string', default: '100' } },
});

const services = openServices(values.url ?? '', { connections: 1 });
const { db, pool, clock, scopeOf } = services;
const { rows: backends } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
const cpuMs = () => Number(readFileSync(`/proc/${backends[0]?.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
const { rows: towns } = await pool.query<{ lat: number; lng: number }>(
  'select lat, lng from bench_towns order by town limit 1',
);
const places = { 'the largest town': towns[0] ?? { lat: 0, lng: 0 }, nowhere: { lat: -60, lng: -120 } };
console.log('| where | publish, CPU p50, ms | p90 | p99 | expire, CPU p50, ms | p90 | p99 |');
console.log('|---|---|---|---|---|---|---|');
for (const [name, place] of Object.entries(places)) {
  const owner = await makeAccount(db, clock, secret);
  const scope = scopeOf(owner.accountId);
  const business = await makeBusiness(db, scope, { ...place, funded: false });
  const published: number[] = [];
  const expired: number[] = [];
  for (let at = 0; at < Number(values.jobs); at += 1) {
    const draft = await makeJob(db, scope, business.id, { title: `Barista ${at}`, status: 'draft' });
    const before = cpuMs();
    await db.transaction().execute((tx) => publishJob(tx, scope, { jobId: draft.id }));
    const between = cpuMs();
    const { rows } = await pool.query<{ at: Date | null; status: string }>(
      'select expires_at as at, status from jobs where id = $1',
      [draft.id],
    );
    if (rows[0]?.status !== 'open') throw new Error(`a job was not published but ${rows[0]?.status}`);
    const expiresAt = rows[0].at?.toISOString() ?? '';
    const middle = cpuMs();
    await db.transaction().execute((tx) => expireJob(tx, services.taskScope, { jobId: draft.id, expiresAt }));
    published.push(between - before);
    expired.push(cpuMs() - middle);
  }
  const cells = [published, expired].flatMap((all) => [0.5, 0.9, 0.99].map((share) => shareOf(all, share)));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
await services.close();

function shareOf(all: readonly number[], share: number): string {
  return (all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN).toFixed(1);
}
