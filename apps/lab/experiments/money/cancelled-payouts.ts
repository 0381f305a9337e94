import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeBank, payWorker } from '@nearhand/api/src/money/payouts/payouts.fixtures.ts';
import { applyPayout, sendWithdrawal } from '@nearhand/api/src/money/payouts/withdrawal-lifecycle.ts';
import { withdraw } from '@nearhand/api/src/money/payouts/withdrawals.ts';
import { advancePayout, isSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { dayMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { type Chances, chancesOf } from '../webhooks/chances.ts';
import { withoutLocks } from '../without-locks.ts';
import { cancelledPayoutFaults } from './cancelled-payout-faults.ts';
import { addFault, type Faults, newFaults, signalFaults } from './release-faults.ts';
import { call, tokenOf } from './release-stream.ts';
import { type ServerProcess, serverProcess } from './server-process.ts';
import { openServices, type Services, secret } from './services.ts';

export type CancelOptions = {
  rounds: number;
  cancels: number;
  seed: number;
  port?: number;
  noLocks?: boolean;
};

/** Bank accounts by the outcome of a payout (docs/payments.md). */
const banks = { paid: 'NL89NRHD0000009000', returned: 'NL23NRHD0000000003', failed: 'NL50NRHD0000000002' };
type End = keyof typeof banks;
const amountMinor = 10_000;
const windowMs = 800;
/** Milliseconds from the end of the window: cancelling wins, either may win, sending wins. */
const earliestMs = [200 - windowMs, -30, 0];
const betweenMs = 250;

type Ready = { worker: Awaited<ReturnType<typeof makeAccount>>; methodId: string };
type Round = Ready & { id: string; closesAt: number; earliestMs: number };

/**
 * `npm run experiments -- cancelled-payouts [--rounds 60] [--cancels 50] [--seed 1] [--break no-locks]`
 * Races cancellations against three processes that send the withdrawal; each must end once.
 */
export async function cancelledPayouts(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { rounds: text, cancels: text, seed: text, port: text, break: text },
  });
  const options = {
    rounds: Number(values.rounds ?? 60),
    cancels: Number(values.cancels ?? 50),
    seed: Number(values.seed ?? 1),
    ...(values.port ? { port: Number(values.port) } : {}),
    noLocks: values.break === 'no-locks',
  };
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const faults = await cancelledPayoutsOn(url, options, say);
    right = faults.size > 0 === (values.break !== undefined);
  });
  say(
    `cancelled-payouts: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function cancelledPayoutsOn(
  url: string,
  options: CancelOptions,
  say: (line: string) => void,
): Promise<Faults> {
  const services = openServices(url, { connections: 16 });
  const servers = await Promise.all(
    [0, 1].map((index) =>
      serverProcess({
        databaseUrl: url,
        ...(options.port === undefined ? {} : { port: options.port + index }),
        sabotage: options.noLocks ? 'no-locks' : undefined,
      }),
    ),
  );
  const faults = newFaults();
  const answers = new Map<string, number>();
  try {
    // One after another, because both would migrate.
    for (const server of servers) await server.start();
    const started = performance.now();
    const ready = await prepare(services, options.rounds);
    const stage = { services, servers, options, chance: chancesOf(options.seed), answers, faults };
    const rounds: Round[] = [];
    const races: Promise<void>[] = [];
    for (const [index, payout] of ready.entries()) {
      const earliest = earliestMs[index % earliestMs.length] ?? 0;
      const round = { ...(await request(services, payout)), earliestMs: earliest };
      rounds.push(round);
      races.push(race(stage, round));
      await wait(betweenMs);
    }
    await Promise.all(races);
    await untilOver(services, faults);
    for (const server of servers) await server.stop();
    const ends = await cancelledPayoutFaults(
      services,
      { ids: rounds.map(({ id }) => id), amountMinor },
      faults,
    );
    if (!ends.has('cancelled') || ends.size === 1) addFault(faults, 'no race', countsText(ends));
    const seconds = (performance.now() - started) / 1_000;
    say(
      `cancelled-payouts: ${rounds.length} withdrawals, each cancelled ${options.cancels} times while it is sent and ends at the bank, in ${seconds.toFixed(0)} s, seed ${options.seed}`,
    );
    say(`  answers: ${countsText(answers)}`);
    say(`  ends: ${countsText(ends)}; ${faults.size} kinds of fault`);
    for (const line of signalFaults(faults)) say(line);
    return faults;
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await services.close();
  }
}

const countsText = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([label, times]) => `${times} ${label}`).join(', ');

/** Bank accounts are old enough to withdraw to. */
async function prepare({ db, clock, scopeOf }: Services, count: number): Promise<Ready[]> {
  const earlier = { now: () => subtractMs(clock.now(), dayMs) };
  const ends = Object.keys(banks) as End[];
  const ready: Ready[] = [];
  for (let index = 0; index < count; index += 1) {
    const worker = await makeAccount(db, clock, secret, { name: `Withdrawer ${index}` });
    const scope = scopeOf(worker.accountId, earlier);
    const { id: methodId } = await makeBank(
      db,
      scope,
      banks[ends[Math.floor(index / earliestMs.length) % ends.length] as End],
    );
    await payWorker(db, scope, worker.accountId, amountMinor, { atOnce: true });
    ready.push({ worker, methodId });
  }
  return ready;
}

/** A withdrawal with less than a second left to cancel. */
async function request(
  { db, clock, config, scopeOf }: Services,
  { worker, methodId }: Ready,
): Promise<Omit<Round, 'earliestMs'>> {
  const closesAt = clock.now().getTime() + windowMs;
  const then = new Date(closesAt - config.WITHDRAWAL_CANCEL_MINUTES * minuteMs);
  const { accountId, sessionId } = worker;
  const scope = {
    ...scopeOf(accountId, { now: () => then }),
    actor: { accountId, sessionId, emailVerified: true },
  };
  const input = { methodId, amountMinor, speed: 'standard' } as const;
  const { id } = await db.transaction().execute((tx) => withdraw(tx, scope, input));
  return { id, worker, methodId, closesAt };
}

type Stage = {
  services: Services;
  servers: ServerProcess[];
  options: CancelOptions;
  chance: Chances;
  answers: Map<string, number>;
  faults: Faults;
};

async function race(stage: Stage, round: Round): Promise<void> {
  const { services, servers, options, chance, answers, faults } = stage;
  const token = await tokenOf(round.worker)();
  const note = (label: string) => answers.set(label, (answers.get(label) ?? 0) + 1);
  const post = async (name: string, at: number, path: string, body: unknown) => {
    await wait(Math.max(0, at - Date.now()));
    const server = chance.oneOf(servers);
    const answer = await call(`${server.url}/api${path}`, { token, key: crypto.randomUUID(), body });
    note(`${name} ${answer.code}`);
  };
  const cancels = Array.from({ length: options.cancels }, () =>
    post('cancel', round.closesAt + chance.between(round.earliestMs, 60), `/withdrawals/${round.id}/cancel`, {
      version: 1,
    }),
  );
  const repeats = Array.from({ length: 5 }, () =>
    post('again', round.closesAt + chance.between(0, 250), '/withdrawals', {
      methodId: round.methodId,
      amountMinor,
      speed: 'standard',
    }),
  );
  const sending = sendAndArrive(services, options, round).catch((error: Error) =>
    addFault(faults, 'sending failed', `${round.id}: ${error.message}`),
  );
  await Promise.all([...cancels, ...repeats, sending]);
}

/** A third process that sends the withdrawal and applies the bank's outcome next to the servers' webhooks. */
async function sendAndArrive(services: Services, options: CancelOptions, round: Round): Promise<void> {
  const db = options.noLocks ? services.db.withPlugin(withoutLocks) : services.db;
  const scope = { ...services.taskScope, db };
  const { provider } = services;
  if (!isSandbox(provider)) throw new Error('the bank of this experiment is the sandbox');
  await wait(Math.max(0, round.closesAt - Date.now()));
  await Promise.all([sendWithdrawal(scope, round.id), sendWithdrawal(scope, round.id)]);
  const payout = await provider.syncPayoutByKey(round.id);
  if (!payout) return;
  // Backdated by a week, so that everything the bank does with it is due.
  await services.pool.query(
    "update sandbox_payouts set created_at = now() - interval '7 days', arrives_on = current_date - 7 where ref = $1",
    [payout.ref],
  );
  await advancePayout(provider.sandbox, payout.ref);
  await Promise.all([1, 2, 3].map(() => applyPayout(scope, payout.ref)));
}

const patienceMs = 60_000;

/** The charges that paid the workers are unknown to the servers. */
async function untilOver({ pool }: Services, faults: Faults): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await pool.query<{ open: number }>(
      `select (select count(*)::int from withdrawals where status in ('processing', 'in_transit'))
         + (select count(*)::int from provider_events where handled_at is null and type = 'payout') as open`,
    );
    const open = rows[0]?.open ?? 0;
    if (open === 0) return;
    if (performance.now() > until) return addFault(faults, 'never over', `${open} withdrawals or events`);
    await wait(200);
  }
}
