import { createApp } from '@nearhand/api/src/app.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.service.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { type Db, openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { dayMs } from '@nearhand/contract/durations';
import pg from 'pg';
import { onThrowAwayDatabase } from './throw-away-database.ts';
import { withoutLocks } from './without-locks.ts';

const secret = 'the secret of the experiments, thirty-two and more';
const config = readConfig({
  NODE_ENV: 'test',
  SECRET: secret,
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  APPLICATIONS_PER_DAY: '10000',
});

/** One race: each worker's result, and the database's state afterwards. */
type Race = { outcomes: string[]; hired: number; engagements: number; applications: number };

/** Invariants after a race for one spot; empty if they hold. The negative control shows that this can fail. */
function faultsOf({ outcomes, hired, engagements, applications }: Race): string[] {
  const winners = outcomes.filter((outcome) => outcome === 'hired').length;
  const notified = outcomes.filter((outcome) => outcome === 'job/filled').length;
  return [
    ...(winners === 1 ? [] : [`${winners} winners`]),
    ...(notified === outcomes.length - 1
      ? []
      : [`${outcomes.length - winners - notified} told something else`]),
    ...(hired === 1 ? [] : [`hired_count ${hired}`]),
    ...(engagements === 1 ? [] : [`${engagements} engagements`]),
    ...(applications === 1 ? [] : [`${applications} applications`]),
  ];
}

/**
 * `npm run experiments -- race`: workers race over HTTP for the one seat of an instant-hire job, job after job: exactly one wins each, the others get a 409
 * job/filled, and nothing of theirs is written. Then the same without row locks and without the constraint, where the check must fail.
 */
export async function instantHireRace(say: (line: string) => void): Promise<boolean> {
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const database = openPool(url, 40, () => {});
    try {
      const real = await races(database.db, url, { jobs: 200, workers: 50, firstDay: 2 });
      say(notified('with locks', real));
      await database.pool.query('alter table jobs drop constraint jobs_seats');
      const db = database.db.withPlugin(withoutLocks);
      const control = await races(db, url, { jobs: 20, workers: 50, firstDay: 300 });
      say(notified('negative control, no locks', control));
      right = real.faulty.length === 0 && real.deadlocks === 0 && control.faulty.length > 0;
    } finally {
      await database.close();
    }
  });
  say(right ? 'race: as it must be' : 'race: NOT as it must be');
  return right;
}

type Result = Awaited<ReturnType<typeof races>>;
const notified = (name: string, { jobs, workers, faulty, deadlocks, seconds }: Result) =>
  `race, ${name}: ${jobs} jobs x ${workers} workers, ${jobs - faulty.length} with exactly one winner, ${faulty.length} faulty, ${deadlocks} deadlocks, ` +
  `${seconds.toFixed(1)} s${faulty[0] ? `; the first: ${faulty[0]}` : ''}`;

async function races(db: Db, url: string, options: { jobs: number; workers: number; firstDay: number }) {
  const clock = systemClock;
  const log = createLog({ LOG_LEVEL: 'silent' });
  const mailer = { send: async () => {} };
  // No file is stored in a race.
  const fileStore = null as never;
  const provider = createSandbox({ db, clock, secret, config, log });
  const server = await createApp({
    config,
    secret,
    log,
    db,
    clock,
    mailer,
    fileStore,
    provider,
    webFolder: null,
  });
  const watcher = new pg.Client(url);
  await watcher.connect();
  try {
    await server.ready();
    const scopeOf = (accountId: string) => ({
      actor: { accountId, sessionId: accountId, emailVerified: true },
      clock,
      config,
      fileStore,
      log,
      provider,
      sign: createSign(secret),
      requestId: 'experiment',
    });
    const owner = await makeAccount(db, clock, secret);
    const business = await makeBusiness(db, scopeOf(owner.accountId));
    const workers = [];
    for (let index = 0; index < options.workers; index += 1)
      workers.push(await makeAccount(db, clock, secret, { name: `Worker ${index}` }));
    const faulty: string[] = [];
    const started = performance.now();
    for (let index = 0; index < options.jobs; index += 1) {
      const startsAt = clock.now().getTime() + (options.firstDay + index) * dayMs;
      const job = await makeJob(db, scopeOf(owner.accountId), business.id, {
        headCount: 1,
        instantHire: true,
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + dayMs / 4).toISOString(),
      });
      const outcomes = await Promise.all(
        workers.map(async ({ token }) => {
          const response = await server.inject({
            method: 'POST',
            url: `/api/jobs/${job.id}/applications`,
            headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
            payload: { book: true },
          });
          const body = response.json() as { status?: string; code?: string };
          return response.statusCode < 300 ? String(body.status) : String(body.code);
        }),
      );
      const { rows } = await watcher.query(
        `select hired_count as hired, (select count(*) from engagements where job_id = $1) as engagements,
          (select count(*) from applications where job_id = $1) as applications from jobs where id = $1`,
        [job.id],
      );
      const faults = faultsOf({ outcomes, ...rows[0] });
      if (faults.length > 0) faulty.push(faults.join(', '));
    }
    const seconds = (performance.now() - started) / 1_000;
    const { rows } = await watcher.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return { ...options, faulty, deadlocks: Number(rows[0].deadlocks), seconds };
  } finally {
    await watcher.end();
    await server.close();
  }
}
