import { parseArgs } from 'node:util';
import { createApp, tasks } from '@nearhand/api/src/app.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { runDueTasks } from '@nearhand/api/src/platform/tasks/due-tasks.ts';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { InjectOptions } from 'fastify';
import { hiringTasks, type Person } from './hiring-model/hiring.server.ts';
import { driveHiring, newTally, type Tally } from './hiring-model/hiring-run.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

const secret = 'the secret of the experiments, thirty-two and more';

/**
 * `npm run experiments -- hiring-model [--runs 2000] [--commands 50] [--seed N] [--path P] [--mistake NAME]
 * [--swallow OPERATION]` Random commands drive the server and a model of hiring, which must never differ.
 */
export async function hiringModel(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      runs: text,
      commands: text,
      seed: text,
      path: text,
      mistake: text,
      swallow: text,
      shrinks: text,
    },
  });
  const runs = Number(values.runs ?? 2_000);
  const commands = Number(values.commands ?? 50);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const { mistake, swallow, path } = values;
  const tally = newTally();
  const started = performance.now();
  let divergence: Awaited<ReturnType<typeof driveHiring>> = null;
  await onThrowAwayDatabase(async (url) => {
    const config = readConfig({
      NODE_ENV: 'test',
      SECRET: secret,
      READS_PER_MINUTE: '1000000',
      WRITES_PER_MINUTE: '1000000',
      APPLICATIONS_PER_DAY: '10000',
    });
    const database = openPool(url, 8, () => {});
    const { db, pool } = database;
    let now = new Date('2026-11-21T09:00:00Z');
    const clock = { now: () => new Date(now) };
    const log = createLog({ LOG_LEVEL: 'error' });
    const mailer = { send: async () => {} };
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
      const businesses: { id: string; recruiter: Person }[] = [];
      for (const name of ['Café Lindengracht', 'Bakery Noord']) {
        const recruiter = await makeAccount(db, clock, secret, { name });
        const { id } = await makeBusiness(db, scopeOf(recruiter.accountId), { name });
        businesses.push({ id, recruiter });
      }
      const stage = {
        pool,
        inject: (request: InjectOptions) => server.inject(request),
        setClock: (at: number) => {
          now = new Date(at);
        },
        tokenOf: (person: Person) => signAccessToken(secret, clock, person),
        runTimers: () =>
          runDueTasks(pool, hiringTasks(tasks), {
            db,
            clock,
            config,
            log,
            mailer,
            fileStore,
            provider,
            sign: createSign(secret),
          }),
      };
      const cast = {
        businesses,
        makeWorker: () => makeAccount(db, clock, secret),
        makeJob: async (business: number, overrides: Partial<JobDraft>) => {
          const place = businesses[business] as (typeof businesses)[number];
          return (await makeJob(db, scopeOf(place.recruiter.accountId), place.id, overrides)).id;
        },
      };
      const sabotage = { ...(mistake ? { mistake } : {}), ...(swallow ? { swallow } : {}) };
      const progress = setInterval(() => say(`hiring-model: ${tally.runs} runs so far`), 60_000);
      divergence = await driveHiring(stage, cast, {
        shrinks: Number(values.shrinks ?? 300),
        runs,
        commands,
        seed,
        tally,
        sabotage,
        ...(path ? { path } : {}),
      });
      clearInterval(progress);
    } finally {
      await server.close();
      await database.close();
    }
  });
  const seconds = (performance.now() - started) / 1_000;
  for (const line of figuresOf(tally, seconds, seed)) say(line);
  if (divergence === null) {
    say('hiring-model: no divergence');
    return true;
  }
  const {
    message,
    runs: until,
    ...where
  } = divergence as NonNullable<Awaited<ReturnType<typeof driveHiring>>>;
  say(`hiring-model: DIVERGENCE in run ${until}: ${message}`);
  const options = [mistake ? `--mistake ${mistake}` : '', swallow ? `--swallow ${swallow}` : ''].filter(
    Boolean,
  );
  say(
    `replay: npm run experiments -- hiring-model --seed ${where.seed} --path ${where.path} --commands ${commands} ${options.join(' ')}`.trim(),
  );
  return false;
}

const countsText = (map: ReadonlyMap<string, number>) =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');

function figuresOf({ runs, commands, outcomes, statuses }: Tally, seconds: number, seed: number): string[] {
  const total = sumOf([...commands.values()]);
  return [
    `hiring-model: ${runs} runs, ${total} commands, ${seconds.toFixed(1)} s, seed ${seed}`,
    `by kind: ${countsText(commands)}`,
    `by outcome: ${countsText(outcomes)}`,
    `states reached: ${[...statuses].sort().join(', ')}`,
  ];
}
