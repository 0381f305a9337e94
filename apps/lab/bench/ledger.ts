import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { clearing, fees, line, makeEntry } from '@nearhand/api/src/money/ledger/ledger.fixtures.ts';
import {
  auditLedger,
  foldBalances,
  type LedgerAccount,
} from '@nearhand/api/src/money/ledger/ledger.service.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import {
  findPostmaster,
  openCluster,
  startCluster,
  stopCluster,
} from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import { migrate } from '@nearhand/api/src/platform/database/migrate.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import pg from 'pg';
import { bareTransfer, bareWork, createBareBook } from './ledger-bare.ts';
import { cpuOfPostgres } from './processes.ts';

/**
 * `node apps/lab/bench/ledger.ts [--entries 1000] [--rounds 9] [--case "two lines"]`: what an entry of the ledger costs next to the same transfer in bare SQL, for random accounts and for
 * one busy business, in alternating rounds on one PostgreSQL with durable settings (docs/benchmarks.md). What other work takes of the machine counts as little as it can: the
 * ratio is of PostgreSQL's processor time in the same round.
 */
const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '9' },
    case: { type: 'string', default: '' },
  },
});
const perRound = Number(values.entries);
const rounds = Number(values.rounds);
const clients = 8;
const say = (text: string) => console.log(text);
const folder = path.resolve(import.meta.dirname, '../../../data/bench/ledger');
await rm(folder, { recursive: true, force: true });
mkdirSync(path.dirname(folder), { recursive: true });

// Vacuum runs between the rounds and is not counted: it would hit whichever case is next.
const settings = { shared_buffers: '512MB', autovacuum: 'off' };
const cluster = await openCluster({ folder, settings, onStep: say });
const port = await startCluster(cluster, 20_520);
try {
  const superuser = new pg.Client(clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }));
  await superuser.connect();
  await superuser.query(`create role nearhand login password ${superuser.escapeLiteral(cluster.password)}`);
  await superuser.query('create database ledger owner nearhand');
  await superuser.end();
  const url = clusterUrl(cluster, port, { user: 'nearhand', database: 'ledger' });
  await migrate(url, { log: { info: () => {}, warn: say } });
  // Signals are not part of an entry, and may use Redis; their cost through PostgreSQL is a separate case.
  const { db, pool, close } = openPool(url, clients, () => {}, {});
  const signalling = openPool(url, clients, () => {});
  const scope = { clock: systemClock, sign: createSign('the secret of the benchmark, thirty-two and more') };
  const postmaster = (await findPostmaster(cluster))?.pid ?? 0;

  const people = Array.from({ length: 1_000 }, () => crypto.randomUUID());
  const pick = () => people[Math.floor(Math.random() * people.length)] as string;
  await createBareBook(pool, people);
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

  // As in daily use: deposits are folded into the rows, not by the first withdrawal.
  await foldBalances(db);
  const bare = (prepared = false) =>
    bareTransfer(
      pool,
      [
        [pick(), -1],
        [pick(), 1],
      ],
      { prepared },
    );
  const transfer = async (from: LedgerAccount, through = db) => {
    const to: LedgerAccount = { kind: 'worker_available', ownerId: pick() };
    await makeEntry(through, scope, [line(from, -1), line(to, 1)], { kind: 'clear' });
  };
  /** A hold funded from a balance, then released: pay, fee, and the rest returned. Two entries. */
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
  const business = (): LedgerAccount => ({ kind: 'business_balance', ownerId: pick() });
  type Case = { floor: string; each: number; run: () => Promise<unknown> };
  const every: Record<string, Case> = {
    'bare transfer': { floor: 'bare transfer', each: 1, run: () => bare() },
    // The control: differences here are noise.
    'bare transfer once more': { floor: 'bare transfer', each: 1, run: () => bare() },
    'bare transfer, statements prepared': { floor: 'bare transfer', each: 1, run: () => bare(true) },
    'entry of two lines, random businesses': {
      floor: 'bare transfer',
      each: 1,
      run: () => transfer(business()),
    },
    'entry of two lines, one busy business': { floor: 'bare transfer', each: 1, run: () => transfer(busy) },
    'entry of two lines, random, with signals': {
      floor: 'bare transfer',
      each: 1,
      run: () => transfer(business(), signalling.db),
    },
    'bare fund and release': { floor: 'bare fund and release', each: 2, run: () => bareWork(pool, pick) },
    'fund and release, random businesses': {
      floor: 'bare fund and release',
      each: 2,
      run: () => work(business()),
    },
    'fund and release, one busy business': {
      floor: 'bare fund and release',
      each: 2,
      run: () => work(busy),
    },
  };
  const cases = Object.entries(every).filter(
    ([name, { floor }]) => name === floor || name.includes(values.case),
  );
  type Figure = { perSecond: number; cpu: number };
  const figures = new Map<string, Figure[]>(cases.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    await pool.query('vacuum analyze');
    for (const [name, { each, run }] of round % 2 === 0 ? cases : cases.toReversed()) {
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
  const figuresOf = (name: string) => figures.get(name) ?? [];
  const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b);
  const median = (numbers: number[]) => sorted(numbers)[Math.floor(numbers.length / 2)] ?? Number.NaN;
  /** Median and interquartile range of the rounds, each relative to the same round of another case. */
  const beside = (name: string, other: string, of: keyof Figure) => {
    const ratios = sorted(figuresOf(name).map((figure, n) => figure[of] / (figuresOf(other)[n]?.[of] ?? 0)));
    const at = (part: number) => ratios[Math.floor(ratios.length * part)]?.toFixed(2);
    return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
  };
  say('| case | entries a second | PostgreSQL, ms an entry | of the same in bare SQL |\n|---|---|---|---|');
  for (const [name, { floor }] of cases) {
    const perSecond = median(figuresOf(name).map((figure) => figure.perSecond)).toFixed(0);
    const cpu = median(figuresOf(name).map((figure) => figure.cpu)).toFixed(3);
    say(`| ${name} | ${perSecond} | ${cpu} | ${beside(name, floor, 'cpu')} |`);
  }
  for (const what of ['entry of two lines', 'fund and release']) {
    const [one, random] = [`${what}, one busy business`, `${what}, random businesses`];
    if (figuresOf(one).length > 0 && figuresOf(random).length > 0)
      say(
        `${what}: a busy business makes ${beside(one, random, 'perSecond')} of the entries a second of random ones`,
      );
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
  await signalling.close();
  await close();
} finally {
  await stopCluster(cluster);
  await rm(folder, { recursive: true, force: true });
}
