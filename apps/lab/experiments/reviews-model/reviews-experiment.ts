import { parseArgs } from 'node:util';
import { createApp } from '@nearhand/api/src/app.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { sumOf } from '@nearhand/contract/arithmetic';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { withoutLocks } from '../without-locks.ts';
import { modelBreaks } from './reviews.model.ts';
import { databaseBreaks } from './reviews-breaks.ts';
import { DivergenceError, newTally, runReviews } from './reviews-run.ts';
import { makeCast } from './reviews-stage.ts';

const secret = 'the secret of the experiments, thirty-two and more';

/**
 * `npm run experiments -- reviews-model [--runs 5000] [--commands 40] [--seed N] [--break NAME]`
 * Random commands drive the services and a model of reviews; results and what others can read must be equal.
 */
export async function reviewsModel(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { runs: text, commands: text, seed: text, break: text },
  });
  const runs = Number(values.runs ?? 5_000);
  const commands = Number(values.commands ?? 40);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
  const broken = values.break;
  const breaks = [...Object.keys(databaseBreaks), ...modelBreaks, 'no-locks'];
  if (broken !== undefined && !breaks.includes(broken))
    throw new Error(`--break is one of ${breaks.join(', ')}`);
  const tally = newTally();
  const started = performance.now();
  let divergence: { seed: number; message: string } | null = null;
  const progress = setInterval(() => say(`reviews-model: ${tally.runs} runs so far`), 60_000);
  await onThrowAwayDatabase(async (url) => {
    const config = readConfig({ NODE_ENV: 'test', SECRET: secret });
    const database = openPool(url, 8, () => {});
    const { pool } = database;
    const db = broken === 'no-locks' ? database.db.withPlugin(withoutLocks) : database.db;
    let now = new Date('2026-11-21T09:00:00Z');
    const clock = { now: () => new Date(now) };
    const log = createLog({ LOG_LEVEL: 'error' });
    const mailer = { send: async () => {} };
    const fileStore = null as never;
    const provider = createSandbox({ db: database.db, clock, secret, config, log });
    const shared = { clock, config, fileStore, log, provider };
    const server = await createApp({ ...shared, secret, db: database.db, mailer, webFolder: null });
    try {
      await server.ready();
      const stage = {
        pool,
        db,
        taskScope: { ...shared, db, mailer, sign: createSign(secret) },
        setClock: (at: number) => {
          now = new Date(at);
        },
        scopeOf: (accountId: string) => ({
          actor: { accountId, sessionId: accountId, emailVerified: true },
          ...shared,
          sign: createSign(secret),
          requestId: 'experiment',
        }),
      };
      const cast = await makeCast({ ...stage, db: database.db }, secret);
      await databaseBreaks[broken ?? '']?.(pool);
      for (let run = 0; run < runs && !divergence; run += 1)
        await runReviews(stage, cast, {
          seed: seed + run,
          commands,
          tally,
          ...(broken ? { broken } : {}),
        }).catch((error: unknown) => {
          if (!(error instanceof DivergenceError)) throw error;
          divergence = { seed: seed + run, message: error.message };
        });
    } finally {
      clearInterval(progress);
      await server.close();
      await database.close();
    }
  });
  const seconds = (performance.now() - started) / 1_000;
  const total = sumOf([...tally.commands.values()]);
  say(`reviews-model: ${tally.runs} runs, ${total} commands, ${seconds.toFixed(1)} s, seed ${seed}`);
  say(`by kind: ${countsText(tally.commands)}`);
  say(`by answer: ${countsText(tally.answers)}`);
  say(`states reached: ${[...tally.states].sort().join(', ')}`);
  if (divergence === null) {
    say('reviews-model: no divergence');
    return true;
  }
  const { seed: at, message } = divergence as { seed: number; message: string };
  say(`reviews-model: DIVERGENCE in run ${tally.runs + 1}: ${message}`);
  const option = broken ? ` --break ${broken}` : '';
  say(`replay: npm run experiments -- reviews-model --runs 1 --seed ${at} --commands ${commands}${option}`);
  return false;
}

const countsText = (map: ReadonlyMap<string, number>) =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
