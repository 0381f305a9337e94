import { mkdtempSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { findPostmaster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import pg from 'pg';
import type { BenchRequest } from '../bench/cases.ts';
import { loadJobs } from '../bench/load.ts';
import { drive, startServer, stopServer } from '../bench/processes.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

const serverPort = 22_310;
const rounds = 3;
const root = path.resolve(import.meta.dirname, '../../..');

const secret = 'the secret of the experiment, thirty-two and more';

/** `token` is of a person who is signed in. */
type Paths = { token: string; popular: string[]; walked: string[]; nearby: string[] };
/** Milliseconds until a reader of the app has an answer, and how the crawler fared in that time. */
type Waits = { p50: number; p99: number; answered: number; refused: number };

/**
 * `npm run experiments -- crawl [--jobs 20000] [--rate 500] [--seconds 20]`: what public pages cost, and what people who use the app notice while a
 * crawler reads 500 pages a second, half of them popular and half never read before. The floor is the same rate on `/health/live`, which does
 * nothing: the app's readers may take at most four times as long as next to that. The negative control sends the same rate to nearby search, which
 * has neither the cache nor the queue of pages and must fail the same check. Figures are medians of three rounds.
 */
export async function crawl(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { jobs: text, rate: text, seconds: text },
  });
  const [jobs, rate, seconds] = [
    Number(values.jobs ?? 20_000),
    Number(values.rate ?? 500),
    Number(values.seconds ?? 20),
  ];
  let right = false;
  await onThrowAwayDatabase(async (url, own) => {
    const paths = await load(url, jobs, say);
    const scratch = mkdtempSync(path.join(tmpdir(), 'nearhand-crawl-'));
    const child = await startServer([path.join(root, 'apps/api/src/main.ts')], settings(url, scratch), {
      port: serverPort,
      readyPath: '/health/ready',
      log: path.join(scratch, 'server.log'),
    });
    try {
      const server = { port: serverPort, pid: child.pid };
      const postmaster = (await findPostmaster(own.cluster))?.pid ?? 0;
      const cost = async (name: string, wanted: readonly string[]) => {
        const requests = wanted.map(
          (one): BenchRequest => ({ method: 'GET', path: one, token: paths.token }),
        );
        const round = await drive(requests, server, postmaster, path.join(scratch, 'requests.json'));
        say(
          `${name}: ${round.node.toFixed(2)} ms of the server, ${round.postgres.toFixed(2)} ms of PostgreSQL per request`,
        );
      };
      await cost('warm up', paths.nearby);
      await cost('nothing (/health/live)', Array(2_000).fill('/health/live'));
      await cost('a popular page', Array(20).fill(paths.popular).flat());
      await cost('pages never read before', paths.walked.slice(0, 1_000));
      await cost('nearby search', paths.nearby);

      const walk = paths.walked.slice(1_000);
      let walked = 0;
      const page = (turn: number) =>
        (turn % 2 === 0 ? paths.popular[turn % paths.popular.length] : walk[walked++ % walk.length]) ?? '';
      const search = (turn: number) => paths.nearby[turn % paths.nearby.length] ?? '';
      const waits: Record<'alone' | 'nothing' | 'pages' | 'searches', Waits[]> = {
        alone: [],
        nothing: [],
        pages: [],
        searches: [],
      };
      for (let round = 0; round < rounds; round += 1) {
        waits.alone.push(await nextTo(paths, () => '', { rate: 0, seconds }));
        waits.nothing.push(await nextTo(paths, () => '/health/live', { rate, seconds }));
        waits.pages.push(await nextTo(paths, page, { rate, seconds }));
        waits.searches.push(await nextTo(paths, search, { rate, seconds }));
      }
      const [alone, nothing, crawled, unlimited] = [
        medianOf(waits.alone),
        medianOf(waits.nothing),
        medianOf(waits.pages),
        medianOf(waits.searches),
      ];
      const line = (name: string, { p50, p99, answered, refused }: Waits) =>
        say(
          `${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; crawler ${answered} answered, ${refused} refused`,
        );
      line('nearby search alone', alone);
      line(`next to ${rate} a second of nothing`, nothing);
      line(`next to ${rate} pages a second`, crawled);
      line(`negative control, next to ${rate} searches a second`, unlimited);
      const unhurt = ({ p99, answered }: Waits) =>
        p99 <= 4 * Math.max(nothing.p99, alone.p99) && answered > 0;
      right = unhurt(crawled) && !unhurt(unlimited);
    } finally {
      await stopServer(child);
    }
  });
  say(`crawl: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

const settings = (url: string, scratch: string): Record<string, string> => ({
  NODE_ENV: 'development',
  DATABASE_URL: url,
  PORT: String(serverPort),
  SECRET: secret,
  DEMO: 'false',
  DATA_DIR: scratch,
  READS_PER_MINUTE: '1000000',
  PUBLIC_PAGES_PER_MINUTE: '1000000',
  LOG_LEVEL: 'warn',
});

async function load(url: string, jobs: number, say: (line: string) => void): Promise<Paths> {
  const client = new pg.Client(url);
  await client.connect();
  await loadJobs(client, jobs, say);
  const { rows } = await client.query<{ id: string; title: string; lat: number; lng: number }>(
    `select id, title, public_lat as lat, public_lng as lng from jobs where status = 'open' order by md5(id::text)`,
  );
  await client.end();
  const { db, close } = openPool(url, 2, () => {});
  const { token } = await makeAccount(db, systemClock, secret);
  await close();
  const addresses = rows.map((row) => publicJobPath(row));
  return {
    token,
    popular: addresses.slice(0, 200),
    walked: addresses.slice(200),
    nearby: rows.slice(0, 400).map(({ lat, lng }) => `/api/jobs/nearby?lat=${lat}&lng=${lng}`),
  };
}

/** Each figure's median over the rounds. */
function medianOf(rounds: readonly Waits[]): Waits {
  const middle = (pick: (waits: Waits) => number) =>
    rounds.map(pick).sort((one, other) => one - other)[Math.floor(rounds.length / 2)] ?? 0;
  return {
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    answered: middle(({ answered }) => answered),
    refused: middle(({ refused }) => refused),
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 });

const statusOf = (address: string, token?: string): Promise<number> =>
  new Promise((resolve) => {
    const sent = get({
      host: '127.0.0.1',
      port: serverPort,
      agent,
      path: address,
      headers: { 'accept-encoding': 'gzip', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
  });

/** Twenty searches a second, timed, while a crawler sends its rate without waiting for answers. */
async function nextTo(
  { nearby, token }: Paths,
  pageOf: (turn: number) => string,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Waits> {
  const times: number[] = [];
  const counts = { answered: 0, refused: 0 };
  const open: Promise<unknown>[] = [];
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  for (let [sent, asked] = [0, 0]; elapsed() < seconds; ) {
    for (; sent < elapsed() * rate; sent += 1)
      open.push(
        statusOf(pageOf(sent)).then((status) => {
          counts[status === 200 ? 'answered' : 'refused'] += 1;
        }),
      );
    for (; asked < elapsed() * 20; asked += 1) {
      const from = performance.now();
      open.push(
        statusOf(nearby[asked % nearby.length] ?? '', token).then(() => times.push(performance.now() - from)),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(open);
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), ...counts };
}
