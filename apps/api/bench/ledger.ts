import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { clearing, fees, line, makeEntry } from '../src/features/ledger/ledger.fixtures.ts';
import { auditLedger, foldBalances, type LedgerAccount } from '../src/features/ledger/ledger.service.ts';
import { systemClock } from '../src/platform/clock.ts';
import { findPostmaster, openCluster, startCluster, stopCluster } from '../src/platform/database-cluster.ts';
import { clusterUrl } from '../src/platform/database-server.ts';
import { openPool } from '../src/platform/db.ts';
import { newId } from '../src/platform/ids.ts';
import { migrate } from '../src/platform/migrate.ts';
import { createSign } from '../src/platform/sign.ts';
import { cpuOfPostgres } from './processes.ts';

/**
 * `node apps/api/bench/ledger.ts [--entries 2000] [--rounds 5]`: what an entry of the ledger costs beside the same transfer in bare SQL (one row inserted and each balance
 * changed, in a transaction), for random accounts and for one busy business, in alternating rounds on one PostgreSQL with durable settings (docs/benchmarks.md).
 */
const { values } = parseArgs({
  options: { entries: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
});
const perRound = Number(values.entries);
const rounds = Number(values.rounds);
const clients = 8;
const say = (text: string) => console.log(text);
const folder = path.resolve(import.meta.dirname, '../../../data/bench/ledger');
await rm(folder, { recursive: true, force: true });
mkdirSync(path.dirname(folder), { recursive: true });

const cluster = await openCluster({ folder, settings: { shared_buffers: '512MB' }, onStep: say });
const port = await startCluster(cluster, 20_520);
try {
  const superuser = new pg.Client(clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }));
  await superuser.connect();
  await superuser.query(`create role nearhand login password ${superuser.escapeLiteral(cluster.password)}`);
  await superuser.query('create database ledger owner nearhand');
  await superuser.end();
  const url = clusterUrl(cluster, port, { user: 'nearhand', database: 'ledger' });
  await migrate(url, { log: { info: () => {}, warn: say } });
  const { db, pool, close } = openPool(url, clients, () => {});
  const scope = { clock: systemClock, sign: createSign('the secret of the benchmark, thirty-two and more') };
  const postmaster = (await findPostmaster(cluster))?.pid ?? 0;

  const people = Array.from({ length: 1_000 }, () => crypto.randomUUID());
  const pick = () => people[Math.floor(Math.random() * people.length)] as string;
  await pool.query(
    'create table bare_accounts (id uuid primary key, balance bigint not null check (balance >= 0))',
  );
  await pool.query(
    'create table bare_transfers (id uuid primary key, from_id uuid not null, to_id uuid not null, amount bigint not null, at timestamptz not null)',
  );
  await pool.query('insert into bare_accounts select id, 1000000000 from unnest($1::uuid[]) as a (id)', [
    people,
  ]);
  const busy: LedgerAccount = { kind: 'business_balance', ownerId: crypto.randomUUID() };
  const top = 1_000_000_000;
  await makeEntry(db, scope, [line(clearing, -top), line(busy, top)]);
  for (const ownerId of people) {
    const accounts: LedgerAccount[] = [
      { kind: 'business_balance', ownerId },
      { kind: 'worker_available', ownerId },
    ];
    await makeEntry(db, scope, [line(clearing, -2 * top), ...accounts.map((account) => line(account, top))]);
  }

  /** One row inserted and every balance changed, as the shortest SQL does it; a hold that is new gets its row. */
  const bareTransfer = async (parts: readonly (readonly [id: string, amount: number])[], hold?: string) => {
    const at = systemClock.now();
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(
        'insert into bare_transfers (id, from_id, to_id, amount, at) values ($1, $2, $3, $4, $5)',
        [newId(at), parts[0]?.[0], parts[1]?.[0], parts[1]?.[1], at],
      );
      if (hold) await client.query('insert into bare_accounts (id, balance) values ($1, 0)', [hold]);
      for (const [id, amount] of [...parts].sort())
        await client.query('update bare_accounts set balance = balance + $2 where id = $1', [id, amount]);
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const bare = () =>
    bareTransfer([
      [pick(), -1],
      [pick(), 1],
    ]);
  /** What `work` below does, in bare SQL: even the fees have one row, as they would in a simple book. */
  const bareWork = async () => {
    const [business, hold, worker] = [pick(), crypto.randomUUID(), pick()];
    await bareTransfer(
      [
        [business, -11_000],
        [hold, 11_000],
      ],
      hold,
    );
    await bareTransfer([
      [hold, -11_000],
      [worker, 6_000],
      [pick(), 1_000],
      [business, 4_000],
    ]);
  };
  const transfer = async (from: LedgerAccount) => {
    const to: LedgerAccount = { kind: 'worker_available', ownerId: pick() };
    await makeEntry(db, scope, [line(from, -1), line(to, 1)], { kind: 'clear' });
  };
  /** A hold filled from a balance, then released: pay, fee, and the rest back. Two entries. */
  const work = async (business: LedgerAccount) => {
    const hold: LedgerAccount = { kind: 'hold', ownerId: crypto.randomUUID() };
    const worker: LedgerAccount = { kind: 'worker_available', ownerId: pick() };
    const pay = 5_000 + Math.floor(Math.random() * 5_000);
    await makeEntry(db, scope, [line(business, -11_000), line(hold, 11_000)], { kind: 'fund' });
    await makeEntry(
      db,
      scope,
      [line(hold, -11_000), line(worker, pay), line(fees, 1_000), line(business, 10_000 - pay)],
      { kind: 'release' },
    );
  };
  const cases: Record<string, { each: number; run: () => Promise<unknown> }> = {
    'bare transfer': { each: 1, run: bare },
    'entry of two lines, random businesses': {
      each: 1,
      run: () => transfer({ kind: 'business_balance', ownerId: pick() }),
    },
    'entry of two lines, one busy business': { each: 1, run: () => transfer(busy) },
    'bare fund and release': { each: 2, run: bareWork },
    'fund and release, random businesses': {
      each: 2,
      run: () => work({ kind: 'business_balance', ownerId: pick() }),
    },
    'fund and release, one busy business': { each: 2, run: () => work(busy) },
  };
  type Figure = { perSecond: number; cpu: number };
  const figures = new Map<string, Figure[]>(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const order = Object.entries(cases);
    for (const [name, { each, run }] of round % 2 === 0 ? order : order.reverse()) {
      const cpuBefore = cpuOfPostgres(postmaster);
      const started = performance.now();
      let left = perRound / each;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          for (; left > 0; ) {
            left -= 1;
            await run();
          }
        }),
      );
      const seconds = (performance.now() - started) / 1_000;
      const cpu = (cpuOfPostgres(postmaster) - cpuBefore) / perRound;
      // The first round warms caches and plans.
      if (round > 0) figures.get(name)?.push({ perSecond: perRound / seconds, cpu });
    }
  }
  const median = (name: string, of: (figure: Figure) => number) =>
    (figures.get(name) ?? []).map(of).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const cpuOf = (name: string) => median(name, (figure) => figure.cpu);
  const perSecondOf = (name: string) => median(name, (figure) => figure.perSecond);
  say('| case | entries a second | PostgreSQL, ms an entry | of the same in bare SQL |\n|---|---|---|---|');
  for (const [name, { each }] of Object.entries(cases)) {
    const floor = cpuOf(each === 1 ? 'bare transfer' : 'bare fund and release');
    const cpu = cpuOf(name);
    say(`| ${name} | ${perSecondOf(name).toFixed(0)} | ${cpu.toFixed(3)} | ${(cpu / floor).toFixed(2)} |`);
  }
  for (const what of ['entry of two lines', 'fund and release']) {
    const ratio = perSecondOf(`${what}, one busy business`) / perSecondOf(`${what}, random businesses`);
    say(`${what}: a busy business makes ${ratio.toFixed(2)} of the entries a second of random ones`);
  }
  const auditStarted = performance.now();
  const { entries, findings } = await auditLedger(db, scope);
  say(
    `auditor: ${entries} entries in ${((performance.now() - auditStarted) / 1_000).toFixed(1)} s, ${findings.length} findings`,
  );
  const foldStarted = performance.now();
  await foldBalances(db);
  say(`fold: ${((performance.now() - foldStarted) / 1_000).toFixed(1)} s`);
  if (findings.length > 0) process.exitCode = 1;
  await close();
} finally {
  await stopCluster(cluster);
  await rm(folder, { recursive: true, force: true });
}
