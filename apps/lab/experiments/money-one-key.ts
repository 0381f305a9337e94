import { parseArgs } from 'node:util';
import { makeBank, payWorker } from '@nearhand/api/src/money/payouts/payouts.fixtures.ts';
import { compareBooks } from '@nearhand/api/src/money/provider/books.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import type { StripeDouble } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { type Prepared, prepareWork, type Session } from './money/prepared-work.ts';
import { addFault, type Faults, newFaults, signalFaults } from './money/release-faults.ts';
import { type Answer, call, tokenOf } from './money/release-stream.ts';
import { type ServerProcess, serverProcess } from './money/server-process.ts';
import { openServices, type Services, secret, withProvider } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

export type OneKeyOptions = {
  rounds: number;
  requests: number;
  port?: number;
  noLock?: boolean;
  double?: StripeDouble;
};

type Case = { kind: string; path: string; by: Session; body: unknown; effects: () => Promise<number> };

/**
 * `npm run experiments -- one-key [--rounds 20] [--requests 200] [--provider stripe] [--break no-lock]`
 * 200 concurrent calls under one Idempotency-Key must have one effect and one response.
 */
export async function oneKey(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { rounds: text, requests: text, port: text, provider: text, break: text },
  });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const options = {
      rounds: Number(values.rounds ?? 20),
      requests: Number(values.requests ?? 200),
      ...(values.port ? { port: Number(values.port) } : {}),
      noLock: values.break === 'no-lock',
    };
    const faults = await withProvider(values.provider, (double) =>
      oneKeyOn(url, { ...options, double }, say),
    );
    right = faults.size > 0 === (values.break !== undefined);
  });
  say(
    `one-key: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function oneKeyOn(
  url: string,
  options: OneKeyOptions,
  say: (line: string) => void,
): Promise<Faults> {
  const services = openServices(url, { double: options.double });
  if (options.noLock) await takeLockAway(services);
  const server = await serverProcess({
    databaseUrl: url,
    port: options.port,
    settings: { DATABASE_POOL: '40', ...services.settings },
  });
  const faults = newFaults();
  try {
    const prepared = await prepareWork(services, { count: options.rounds, workers: 4, step: 'submitted' });
    await server.start();
    const started = performance.now();
    const notified = new Map<string, number>();
    for (let round = 0; round < options.rounds; round += 1)
      for (const testCase of await casesOf(services, prepared, round))
        await allAtOnce(server, testCase, options.requests, { faults, notified });
    await server.stop();
    for (const finding of await compareBooks(services.db, services)) addFault(faults, 'books', finding);
    const seconds = (performance.now() - started) / 1_000;
    say(
      `one-key: ${options.rounds} rounds of approve, tip and withdraw, ${options.requests} calls at once under one key each, in ${seconds.toFixed(0)} s`,
    );
    say(
      `  answers: ${[...notified].map(([outcome, times]) => `${times} ${outcome}`).join(', ')}; ${faults.size} kinds of fault`,
    );
    for (const line of signalFaults(faults)) say(line);
    return faults;
  } finally {
    await server.kill();
    await services.close();
  }
}

/** Removes the lock on the key and the constraint on its row. */
async function takeLockAway({ pool }: Services): Promise<void> {
  await pool.query(
    `create function public.pg_try_advisory_xact_lock(bigint) returns boolean language sql as 'select true'`,
  );
  await pool.query('alter table idempotency_keys drop constraint idempotency_keys_pkey');
  const { rows } = await pool.query('select quote_ident(current_database()) as name');
  // pg_catalog is searched first unless it is named.
  await pool.query(`alter database ${rows[0].name} set search_path = public, pg_catalog`);
}

async function casesOf(services: Services, prepared: Prepared, round: number): Promise<Case[]> {
  const { db, pool, clock } = services;
  const work = prepared.works[round];
  if (!work) throw new Error('too little work was prepared');
  const count = async (query: string, id: string): Promise<number> =>
    (await pool.query<{ times: number }>(query, [id])).rows[0]?.times ?? 0;
  const worker = await makeAccount(db, clock, secret, { name: `Withdrawer ${round}` });
  const scope = services.scopeOf(worker.accountId);
  const { id: methodId } = await makeBank(db, scope);
  await payWorker(db, scope, worker.accountId, 10_000, { atOnce: true });
  const { engagementId } = work;
  return [
    {
      kind: 'approve',
      path: `/api/engagements/${engagementId}/approve`,
      by: prepared.owner,
      body: { version: work.version },
      effects: () =>
        count(
          `select count(*)::int as times from ledger_entries entry join releases release on release.id = entry.about
           where entry.kind = 'release' and release.engagement_id = $1`,
          engagementId,
        ),
    },
    {
      kind: 'tip',
      path: `/api/engagements/${engagementId}/tips`,
      by: prepared.owner,
      body: { kind: 'tip', amountMinor: 700, note: '', funding: { from: 'balance' } },
      effects: () =>
        count(
          `select count(*)::int as times from ledger_entries entry join tips tip on tip.id = entry.about
           where entry.kind = 'tip' and tip.engagement_id = $1`,
          engagementId,
        ),
    },
    {
      kind: 'withdraw',
      path: '/api/withdrawals',
      by: worker,
      body: { methodId, amountMinor: 3_000, speed: 'standard' },
      effects: () =>
        count(
          `select count(*)::int as times from ledger_entries entry join withdrawals withdrawal on withdrawal.id = entry.about
           where entry.kind = 'reserve' and withdrawal.account_id = $1`,
          worker.accountId,
        ),
    },
  ];
}

async function allAtOnce(
  server: ServerProcess,
  { kind, path, by, body, effects }: Case,
  requests: number,
  { faults, notified }: { faults: Faults; notified: Map<string, number> },
): Promise<void> {
  const token = await tokenOf(by)();
  const key = crypto.randomUUID();
  const ask = () => call(`${server.url}${path}`, { token, key, body });
  const answers: Answer[] = await Promise.all(Array.from({ length: requests }, ask));
  // A caller that was asked to wait retries and gets the first response.
  answers.push(await ask());
  const successes = answers.filter(({ status }) => status >= 200 && status < 300);
  for (const { status, code, replayed } of answers) {
    const outcome = status >= 200 && status < 300 ? (replayed ? 'kept' : 'done') : code;
    notified.set(outcome, (notified.get(outcome) ?? 0) + 1);
    if (status >= 300 || status === 0)
      if (code !== 'idempotency/in-flight') addFault(faults, `${kind}: another answer`, `${status} ${code}`);
  }
  const bodies = new Set(successes.map((answer) => answer.body));
  if (bodies.size !== 1)
    addFault(faults, `${kind}: answers that differ`, `${bodies.size} of ${successes.length}`);
  const first = successes.filter(({ replayed }) => !replayed).length;
  if (first !== 1) addFault(faults, `${kind}: done as if for the first time`, `${first} times`);
  const times = await effects();
  if (times !== 1) addFault(faults, `${kind}: effects`, `${times}, not 1`);
}
