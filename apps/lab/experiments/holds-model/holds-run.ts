import '@nearhand/api/src/register-hooks.ts';
import { offersTasks } from '@nearhand/api/src/hiring/offers/offers.ts';
import { chargesTasks } from '@nearhand/api/src/money/charges/charges.routes.ts';
import { holdsTasks } from '@nearhand/api/src/money/holds/holds.ts';
import { auditLedger } from '@nearhand/api/src/money/ledger/ledger.ts';
import { payoutsTasks } from '@nearhand/api/src/money/payouts/payouts.routes.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { type Database, openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import type { PaymentProvider } from '@nearhand/api/src/platform/payment-provider.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import type { TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { engagementsTasks } from '@nearhand/api/src/work/engagements/engagements.routes.ts';
import type pg from 'pg';
import { createChance } from '../ledger-model/random-entries.ts';
import { writeCast } from './cast-rows.ts';
import { answer, applies, type Command, runTimer } from './commands.model.ts';
import { doCommand, runTask, type ServerSide } from './holds.server.ts';
import { serverBreaks } from './holds-breaks.ts';
import { difference, drawPicture, takePicture } from './holds-picture.ts';
import { shrinkQueue, takeDue } from './light-queue.ts';
import { createProviderDouble, type ProviderDouble } from './provider-double.ts';
import { randomCast, randomCommand } from './random-commands.ts';
import { createStripeProvider } from './stripe-provider.ts';
import { type Cast, createWorld, type World } from './world.model.ts';

export class DivergenceError extends Error {}

export type Tally = {
  runs: number;
  entries: number;
  commands: Record<string, number>;
  tasks: number;
  ends: Record<string, number>;
};
export const newTally = (): Tally => ({ runs: 0, entries: 0, commands: {}, tasks: 0, ends: {} });

export type Lane = {
  database: Database;
  clock: { at: number };
  scope: TaskScope;
  broken: string | undefined;
  /** Runs with Stripe's adapter and its stand-in. */
  stripe: boolean;
  balancesBefore: Record<string, number>;
};

const secret = 'the secret of the experiments, thirty-two and more';

export async function openLane(url: string, broken?: string, stripe = false): Promise<Lane> {
  const database = openPool(url, 2, () => {}, {} as never);
  database.pool.on('connect', prepareAll);
  const clock = { at: 0 };
  const config = readConfig({
    NODE_ENV: 'test',
    SECRET: secret,
    DEMO: 'false',
    TOP_UP_DAY_MINOR: '100000000',
    TOP_UP_DAY_VERIFIED_MINOR: '1000000000',
  });
  const scope = {
    db: database.db,
    clock: { now: () => new Date(clock.at) },
    sign: createSign(secret),

    log: createLog({ LOG_LEVEL: 'silent' }),
    mailer: { send: async () => {} },
    fileStore: null as never,
    config,
    provider: null as never,
    unmailed: true as const,
  };
  await shrinkQueue(database.pool);
  await serverBreaks[broken ?? '']?.(database.pool);
  return { database, clock, scope, broken, stripe, balancesBefore: {} };
}

/** The runs repeat a few hundred statements, so each is planned once per connection. */
function prepareAll(client: pg.PoolClient): void {
  const names = new Map<string, string>();
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const [text, values] = args;
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      const name = names.get(text) ?? `s${names.size}`;
      names.set(text, name);
      return query({ name, text, values }, ...args.slice(2));
    }
    return query(...args);
  }) as never;
}

export type Run = { seed: number; commands: number };
export type Recording = { cast: Cast; done: Command[] };

export async function runHolds(lane: Lane, run: Run, tally: Tally): Promise<Recording> {
  const chance = createChance(run.seed);
  const cast = randomCast(chance, lane.stripe);
  const done: Command[] = [];
  const next = (world: World): Command | null => {
    if (done.length >= run.commands) return null;
    const command = randomCommand(world, chance);
    done.push(command);
    return command;
  };
  try {
    await play(lane, cast, next, tally);
  } catch (error) {
    throw Object.assign(error as Error, { recording: { cast, done } });
  }
  tally.runs += 1;
  return { cast, done };
}

/** Commands that no longer make sense are skipped. */
export async function replay(lane: Lane, { cast, done }: Recording): Promise<void> {
  const rest = [...done];
  const next = (world: World): Command | null => {
    for (let command = rest.shift(); command; command = rest.shift())
      if (applies(world, command)) return command;
    return null;
  };
  await play(lane, cast, next, newTally());
}

async function play(
  lane: Lane,
  cast: Cast,
  next: (world: World) => Command | null,
  tally: Tally,
): Promise<void> {
  const { database, clock } = lane;
  const { pool } = database;
  clock.at = cast.begins;
  await pool.query('delete from light_tasks');
  // The platform's accounts are summed up, so that reading them stays cheap.
  const platform = ['provider_clearing', 'platform_fees', 'platform_losses'].map(
    (name) => `${name}:${cast.currency}`,
  );
  await pool.query('delete from ledger_deferred where account_id = any ($1)', [platform]);
  const provider = cast.stripe ? await createStripeProvider(lane.scope, cast) : createProviderDouble();
  try {
    await playWith(lane, cast, provider, next, tally);
  } finally {
    await provider.close();
  }
}

async function playWith(
  lane: Lane,
  cast: Cast,
  provider: ProviderDouble,
  next: (world: World) => Command | null,
  tally: Tally,
): Promise<void> {
  const { database, clock } = lane;
  const { pool } = database;
  const scope: TaskScope = { ...lane.scope, provider: provider as unknown as PaymentProvider };
  const tasks = new Map(
    [...chargesTasks, ...payoutsTasks, ...holdsTasks, ...offersTasks, ...engagementsTasks].map((task) => [
      task.name,
      task,
    ]),
  );
  const ids = await writeCast(pool, cast);
  const world = createWorld(cast, lane.broken);
  const side: ServerSide = { database, scope, tasks, provider, clock, cast, ids };
  let stored = await takePicture(pool, cast, ids, world);
  const balancesBefore = { ...(stored.picture.balances as Record<string, number>) };

  const compare = async (after: string) => {
    stored = await takePicture(pool, cast, ids, world);
    const mismatch = difference(stored.picture, drawPicture(world, balancesBefore));
    if (mismatch) throw new DivergenceError(`after ${after}: ${mismatch}`);
  };
  const asDivergence = async (label: string, work: () => Promise<string>) => {
    try {
      return await work();
    } catch (error) {
      throw new DivergenceError(`${label}: ${(error as Error).stack ?? error}`);
    }
  };
  const drain = async (after: string) => {
    for (let ran = 0; ran < 200; ran += 1) {
      const task = await takeDue(pool, new Date(clock.at));
      if (!task) return;
      tally.tasks += 1;
      await asDivergence(`${after}, task ${task.key}`, async () => {
        await runTask(side, task);
        return 'done';
      });
      const key = keyOf(stored.nameTask(task.key), world);
      if (!runTimer(world, key))
        throw new DivergenceError(`after ${after}: the server ran ${key}, which was not due`);
      await compare(`${after}, task ${key}`);
    }
    throw new DivergenceError(`after ${after}: tasks keep enqueueing due tasks`);
  };

  await compare('the beginning');
  for (let no = 1; ; no += 1) {
    const command = next(world);
    if (!command) break;
    const label = `command ${no}, ${JSON.stringify(command)}`;
    const serverAnswer = await asDivergence(label, () => doCommand(side, stored, command));
    const modelAnswer = answer(world, command);
    if (serverAnswer !== modelAnswer)
      throw new DivergenceError(`${label}: the server answers ${serverAnswer}, the model ${modelAnswer}`);
    await compare(label);
    if (command.do === 'tasks' || command.do === 'wait') await drain(label);
    // No two commands share an instant.
    clock.at += 1_000;
    world.now += 1_000;
    count(tally.commands, `${command.do}${serverAnswer === 'done' ? '' : ` (${serverAnswer})`}`);
  }
  for (const end of endsOf(world)) count(tally.ends, end);
}

const count = (all: Record<string, number>, label: string): void => {
  all[label] = (all[label] ?? 0) + 1;
};

const endsOf = (world: World): string[] => [
  ...world.holds.map(({ status, frozen }) => `hold ${status}${frozen ? ', frozen' : ''}`),
  ...world.charges.map(({ status }) => `charge ${status}`),
  ...world.charges.flatMap(({ chargebacks }) =>
    chargebacks.map(({ status }, no) => `${no === 0 ? '' : 'another '}chargeback ${status}`),
  ),
  ...world.works.flatMap(({ releases }) =>
    releases.map(({ kind, paid }) => `${kind} ${paid ? 'released' : 'owed'}`),
  ),
  ...world.refunds.map(({ status }) => `refund ${status}`),
  ...world.withdrawals.map(({ status }) => `withdrawal ${status}`),
];

/** A release by its serial, since its place may change. */
function keyOf(name: string, world: World): string {
  const [, work, place] = /^payouts\.clear\/r(\d+)\.(\d+)$/.exec(name) ?? [];
  const release = work === undefined ? undefined : world.works[Number(work)]?.releases[Number(place)];
  return release ? `payouts.clear/r${release.serial}` : name;
}

export async function auditLane({ database, scope }: Lane): Promise<number> {
  const { entries, findings } = await auditLedger(database.db, scope);
  if (findings.length > 0)
    throw new DivergenceError(`the auditor finds ${JSON.stringify(findings.slice(0, 5))}`);
  return entries;
}
