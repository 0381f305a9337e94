import path from 'node:path';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { type Config, readConfig } from '@nearhand/api/src/platform/config/config.ts';
import type pg from 'pg';
import { checkAgainstBruteForce } from './brute-force.ts';
import { comparable, firstDifference, lastingRows } from './by-hand/differences.ts';
import { startCapture } from './capture.ts';
import { type BenchRequest, nearbyCases, nearbyPath } from './cases.ts';
import { makeProbes } from './probes.ts';
import { drive, type Round, send, startServer, stopServer } from './processes.ts';

export type Run = {
  url: string;
  client: pg.Client;
  config: Config;
  secret: string;
  environment: Record<string, string>;
  scratch: string;
  jobs: number;
  postmaster: number;
  /** PostgreSQL's port; the servers use those after it. */
  firstPort: number;
  /** The folder of another version to measure in the same rounds; it needs the same migrations. */
  before: string | null;
  say(line: string): void;
};
export type Options = { requests: number; rounds: number; only: readonly string[] };
export type CaseResult = {
  jobs: number;
  name: string;
  /** Milliseconds of a request's statements, one request at a time. */
  database: { p50: number; p99: number };
  /** The median size of a response before compression. */
  bytes: number;
  ours: Round;
  /** The version in `Run.before`, if any. */
  before: Round | null;
  /** The hand-written server (`by-hand/`); null where there is none. */
  byHand: Round | null;
};

const secret = 'the secret of the benchmark, thirty-two and more';

const hotCases = ['nearby, plain', 'read one job', 'create an application'];

/** Limits are too high to trigger. */
export function benchRun(setup: Omit<Run, 'config' | 'secret' | 'environment'>): Run {
  const environment = {
    NODE_ENV: 'development',
    SECRET: secret,
    DEMO: 'false',
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    APPLICATIONS_PER_DAY: '10000',
    DATA_DIR: setup.scratch,
  };
  return { ...setup, config: readConfig(environment), secret, environment };
}

const portOf = ({ firstPort }: Run, server: Which) =>
  firstPort + { ours: 20, byHand: 22, before: 24 }[server];
const workers = 200;

/** Each request is timed alone first, then the servers are driven in alternating rounds. */
export async function benchCases(run: Run, options: Options) {
  const tokens = await makeSessions(run);
  const capture = await startCapture(run.url, run.config, run.secret);
  const isChosen = (name: string) => options.only.some((part) => name.includes(part));
  const cases: CaseResult[] = [];
  let check: Awaited<ReturnType<typeof checkAgainstBruteForce>> | null = null;
  try {
    for (const { name, make } of await listCases(run, options, tokens, capture)) {
      if (!isChosen(name)) continue;
      run.say(`${run.jobs} jobs: ${name}`);
      cases.push(await benchCase(run, options, name, make, capture));
    }
    if (isChosen('check against brute force')) {
      run.say(`${run.jobs} jobs: 200 places against brute force`);
      const ask = async (url: string) =>
        JSON.parse((await capture.run({ method: 'GET', path: url, token: tokens[0] ?? '' })).body);
      check = await checkAgainstBruteForce(run.client, ask, 200);
    }
  } finally {
    await capture.stop();
  }
  return { cases, check };
}

type Capture = Awaited<ReturnType<typeof startCapture>>;
type Case = { name: string; make: (round: number) => Promise<BenchRequest[]> };

async function listCases(
  run: Run,
  options: Pick<Options, 'requests'>,
  tokens: string[],
  capture: Capture,
): Promise<Case[]> {
  const probes = await makeProbes(run.client, options.requests);
  const token = (index: number) => tokens[index % tokens.length] ?? '';
  const nearby = Object.entries(nearbyCases).map(([name, input]): Case => {
    const first = probes.map(
      (probe, index): BenchRequest => ({
        method: 'GET',
        path: nearbyPath(probe, input(index)),
        token: token(index),
      }),
    );
    const paged: BenchRequest[] = [];
    const deep = async () => {
      for (const request of first.slice(paged.length)) paged.push(await fifthPage(request, capture));
      return paged;
    };
    return { name, make: async () => (input(0).page ? deep() : first) };
  });
  const { rows } = await run.client.query<{ id: string }>(
    `select id from jobs where status = 'open' order by md5(id::text) desc limit 4000`,
  );
  const read = rows
    .slice(0, options.requests)
    .map(({ id }, index): BenchRequest => ({ method: 'GET', path: `/api/jobs/${id}`, token: token(index) }));
  const apply = async (round: number): Promise<BenchRequest[]> =>
    Array.from({ length: options.requests }, (_, index) => {
      // No worker and job repeat in a run.
      const turn = round * options.requests + index;
      const job = rows[(Math.floor(turn / workers) * 7 + turn) % rows.length]?.id;
      return {
        method: 'POST',
        path: `/api/jobs/${job}/applications`,
        token: token(turn),
        key: `bench-${round}-${index}-${process.pid}`,
        body: JSON.stringify({ coverNote: 'I have done this for three years and live around the corner.' }),
      };
    });
  return [
    ...nearby,
    { name: 'read one job', make: async () => read },
    { name: 'create an application', make: apply },
  ];
}

async function fifthPage(request: BenchRequest, capture: Capture): Promise<BenchRequest> {
  let here = request;
  for (let page = 1; page < 5; page += 1) {
    const { nextCursor } = JSON.parse((await capture.run(here)).body) as { nextCursor: string | null };
    if (nextCursor === null) break;
    here = { ...request, path: `${request.path}&cursor=${encodeURIComponent(nextCursor)}` };
  }
  return here;
}

async function benchCase(
  run: Run,
  options: Options,
  name: string,
  make: Case['make'],
  capture: Capture,
): Promise<CaseResult> {
  const writes = name.startsWith('create');
  const whichOnes: Which[] = ['ours'];
  if (hotCases.includes(name)) whichOnes.push('byHand');
  if (run.before !== null) whichOnes.push('before');
  const times: number[] = [];
  const first: { bodies: string[]; rows: string[] } = { bodies: [], rows: [] };
  if (writes) await forgetApplications(run.client);
  const requests = await make(0);
  for (const request of requests) {
    const { ms, body } = await capture.run(request);
    times.push(ms);
    first.bodies.push(body);
  }
  if (writes) {
    first.rows = await lastingRows(run.client);
    await forgetApplications(run.client);
  }
  const servers = new Map<Which, Awaited<ReturnType<typeof startServer>>>();
  const rounds: Record<Which, Round[]> = { ours: [], byHand: [], before: [] };
  try {
    for (const which of whichOnes) servers.set(which, await startOne(run, which));
    if (servers.has('byHand')) await requireSame(run, name, requests, first, writes);
    // Round 0 warms up. Each round of each server has its own writes, since a repeated write has no effect.
    for (let round = 0; round <= options.rounds; round += 1)
      for (const which of round % 2 === 0 ? whichOnes : whichOnes.toReversed()) {
        const own = await make(writes ? 1 + round * whichOnes.length + whichOnes.indexOf(which) : 0);
        const target = { port: portOf(run, which), pid: servers.get(which)?.pid ?? 0 };
        const result = await drive(own, target, run.postmaster, path.join(run.scratch, 'requests.json'));
        if (result.failed > 0) throw new Error(`${name}: ${result.failed} requests failed at ${which}`);
        if (round > 0) rounds[which].push(result);
      }
  } finally {
    for (const server of servers.values()) await stopServer(server);
    if (writes) await forgetApplications(run.client);
  }
  times.sort((a, b) => a - b);
  return {
    jobs: run.jobs,
    name,
    database: { p50: at(times, 0.5), p99: at(times, 0.99) },
    bytes: median(first.bodies.map((body) => Buffer.byteLength(body))),
    ours: medianRound(rounds.ours),
    byHand: rounds.byHand.length > 0 ? medianRound(rounds.byHand) : null,
    before: rounds.before.length > 0 ? medianRound(rounds.before) : null,
  };
}

type Which = 'ours' | 'byHand' | 'before';

const startOne = (run: Run, server: Which) => {
  const port = String(portOf(run, server));
  return startServer(
    server === 'byHand' ? ['apps/lab/bench/by-hand/server.ts', run.url, port] : ['apps/api/src/main.ts'],
    server === 'byHand' ? {} : { ...run.environment, DATABASE_URL: run.url, PORT: port },
    {
      port: Number(port),
      folder: (server === 'before' && run.before) || path.resolve(import.meta.dirname, '../../..'),
      readyPath: server === 'byHand' ? '/' : '/health/ready',
      log: path.join(run.scratch, `${server}.log`),
    },
  );
};

/** The control: the hand-written server returns the same bytes and leaves the same rows. */
async function requireSame(
  run: Run,
  name: string,
  requests: readonly BenchRequest[],
  served: { bodies: readonly string[]; rows: readonly string[] },
  writes: boolean,
): Promise<void> {
  const bodies: string[] = [];
  for (const request of requests) bodies.push(await send(request, portOf(run, 'byHand')));
  const [first, second] = [served.bodies, bodies].map((all) => all.map((body) => comparable(body, writes)));
  const unlike = firstDifference(first ?? [], second ?? []);
  if (unlike !== null) throw new Error(`${name}: the server by hand answers otherwise, request ${unlike}`);
  if (!writes) return;
  const rows = firstDifference(served.rows, await lastingRows(run.client));
  if (rows !== null) throw new Error(`${name}: the server by hand leaves other rows, ${rows}`);
  await forgetApplications(run.client);
}

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const median = (values: number[]) =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  );
const medianRound = (rounds: Round[]): Round => ({
  node: median(rounds.map((round) => round.node)),
  postgres: median(rounds.map((round) => round.postgres)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
  failed: 0,
});

async function makeSessions({ client, secret }: Run): Promise<string[]> {
  await client.query('delete from sessions');
  const { rows } = await client.query<{ sessionId: string; accountId: string }>(
    `insert into sessions (id, account_id, token_hash, expires_at)
     select gen_random_uuid(), id, id::text, now() + interval '1 day' from accounts order by accounts.id limit $1
     returning id as "sessionId", account_id as "accountId"`,
    [workers],
  );
  return Promise.all(rows.map((row) => signAccessToken(secret, systemClock, row)));
}

async function forgetApplications(client: pg.Client): Promise<void> {
  await client.query(
    'truncate application_moves, applications, conversations, idempotency_keys, notifications cascade',
  );
  await client.query('delete from graphile_worker._private_jobs');
}
