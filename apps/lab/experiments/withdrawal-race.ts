import { parseArgs } from 'node:util';
import { createApp } from '@nearhand/api/src/app.ts';
import { auditLedger } from '@nearhand/api/src/money/ledger/ledger.service.ts';
import { makeBank, payWorker } from '@nearhand/api/src/money/payouts/payouts.fixtures.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.service.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { type Db, openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { onThrowAwayDatabase } from './throw-away-database.ts';
import { withoutLocks } from './without-locks.ts';

const secret = 'the secret of the experiments, thirty-two and more';
const config = readConfig({
  NODE_ENV: 'test',
  SECRET: secret,
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  WITHDRAWALS_PER_DAY: '100',
  PAYOUT_METHOD_HOLD_DAYS: '0',
});
const [requests, eachMinor, allMinor] = [50, 3_000, 10_000];

/** What one seed came to: the answers, and what the database says afterwards. */
type Outcome = { answers: string[]; available: number; reserved: number; rows: number };

/** What must hold when 50 take 30.00 out of 100.00 at once; empty when it does. The negative control shows that this can fail. */
function faultsOf({ answers, available, reserved, rows }: Outcome): string[] {
  const taken = answers.filter((answer) => answer === 'requested').length;
  const short = answers.filter((answer) => answer === 'payout/balance-short').length;
  const others = answers.filter((answer) => !['requested', 'payout/balance-short'].includes(answer));
  return [
    ...(taken === 3 ? [] : [`${taken} went through`]),
    ...(taken + short === requests ? [] : [`${others.length} told something else: ${others[0]}`]),
    ...(rows === 3 ? [] : [`${rows} withdrawals`]),
    ...(available === 1_000 && reserved === 9_000 ? [] : [`${available} available, ${reserved} reserved`]),
  ];
}

/**
 * `npm run experiments -- withdrawals [--seeds 500]`: 50 requests over HTTP at once to take 30.00 out of a balance of 100.00, over 500 seeds, which choose when each comes and
 * whether it is instant: exactly three go through each time. Then the same without row locks and without the ledger's check, where more must.
 */
export async function withdrawalRace(say: (line: string) => void): Promise<boolean> {
  const options = { seeds: { type: 'string', default: '500' } } as const;
  const { values } = parseArgs({ args: process.argv.slice(3), options });
  const seeds = Number(values.seeds);
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const database = openPool(url, 40, () => {});
    database.pool.options.connectionTimeoutMillis = 60_000;
    try {
      const real = await races(database.db, url, { seeds, firstSeed: 1 });
      say(notified('with the ledger', real));
      await openTheGate(database.pool);
      const control = await races(database.db.withPlugin(withoutLocks), url, {
        seeds: 20,
        firstSeed: seeds + 1,
      });
      say(notified('negative control, no locks and no check', control));
      right =
        real.faulty.length === 0 &&
        real.deadlocks === 0 &&
        real.findings === 0 &&
        control.faulty.length > 0 &&
        control.most > 3 &&
        control.findings > 0;
    } finally {
      await database.close();
    }
  });
  say(right ? 'withdrawals: as it must be' : 'withdrawals: NOT as it must be');
  return right;
}

type Result = Awaited<ReturnType<typeof races>>;
const notified = (name: string, { seeds, faulty, most, deadlocks, findings, seconds }: Result) =>
  `withdrawals, ${name}: ${seeds} seeds x ${requests} requests, ${seeds - faulty.length} with exactly 3, ${faulty.length} faulty, at most ${most} went through, ` +
  `${deadlocks} deadlocks, ${findings} findings of the auditor, ${seconds.toFixed(1)} s${faulty[0] ? `; the first: ${faulty[0]}` : ''}`;

/** Takes the ledger's own refusal of an overdraft away. */
async function openTheGate(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ definition: string }>(
    "select pg_get_functiondef('ledger_apply'::regproc) as definition",
  );
  const definition = rows[0]?.definition ?? '';
  const open = definition.replaceAll(' and balance + change >= 0', '');
  if (open === definition) throw new Error('the check of the ledger is not where this control takes it away');
  await pool.query(open);
  await pool.query('alter domain ledger_balance drop constraint ledger_accounts_not_overdrawn');
}

/** mulberry32: the same numbers from 0 up to 1 for the same seed. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function races(db: Db, url: string, overrides: { seeds: number; firstSeed: number }) {
  const clock = systemClock;
  const log = createLog({ LOG_LEVEL: 'silent' });
  const mailer = { send: async () => {} };
  const provider = createSandbox({ db, clock, secret, config, log, send: async () => 200 });
  // No file is stored in a race.
  const fileStore = null as never;
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
    const sign = createSign(secret);
    const faulty: string[] = [];
    let most = 0;
    const started = performance.now();
    for (let seed = overrides.firstSeed; seed < overrides.firstSeed + overrides.seeds; seed += 1) {
      const worker = await makeAccount(db, clock, secret, { name: `Worker ${seed}` });
      const scope = {
        actor: { accountId: worker.accountId, sessionId: worker.sessionId, emailVerified: true },
        clock,
        config,
        fileStore,
        log,
        provider,
        sign,
        requestId: 'experiment',
      };
      const { id: methodId } = await makeBank(db, scope);
      await payWorker(db, scope, worker.accountId, allMinor, { atOnce: true });
      const answers = await askAll(server, { token: worker.token, methodId, chance: chances(seed) });
      const { rows } = await watcher.query(
        `select (select balance from ledger_accounts where id = 'worker_available:' || $1::text || ':EUR') as available,
          (select balance from ledger_accounts where id = 'worker_reserved:' || $1::text || ':EUR') as reserved,
          (select count(*) from withdrawals where account_id = $1::uuid) as rows`,
        [worker.accountId],
      );
      const faults = faultsOf({ answers, ...rows[0] });
      if (faults.length > 0) faulty.push(`seed ${seed}: ${faults.join(', ')}`);
      most = Math.max(most, answers.filter((answer) => answer === 'requested').length);
    }
    const seconds = (performance.now() - started) / 1_000;
    const { findings } = await auditLedger(db, { clock, sign });
    const { rows } = await watcher.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    const deadlocks = Number(rows[0].deadlocks);
    return { ...overrides, faulty, most, deadlocks, findings: findings.length, seconds };
  } finally {
    await watcher.end();
    await server.close();
  }
}

/** All requests of one seed: each some milliseconds late, standard or instant. */
const askAll = (
  server: FastifyInstance,
  { token, methodId, chance }: { token: string; methodId: string; chance: () => number },
): Promise<string[]> =>
  Promise.all(
    Array.from({ length: requests }, async () => {
      const speed = chance() < 0.3 ? 'instant' : 'standard';
      await new Promise((resolve) => setTimeout(resolve, Math.floor(chance() * 8)));
      const response = await server.inject({
        method: 'POST',
        url: '/api/withdrawals',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
        payload: { methodId, amountMinor: eachMinor, speed },
      });
      const body = response.json() as { status?: string; code?: string };
      return response.statusCode < 300 ? String(body.status) : String(body.code);
    }),
  );
