import { Worker } from 'node:worker_threads';
import pg from 'pg';
import {
  auditLane,
  DivergenceError,
  newTally,
  openLane,
  type Recording,
  runHolds,
  type Tally,
} from './holds-run.ts';

type Divergence = { seed: number; message: string; recording: Recording | null };
/** Further runs add `stride` to `seed`. `broken` plants a defect. */
export type Request = {
  runs: number;
  commands: number;
  seed: number;
  stride?: number;
  broken?: string;
  stripe?: boolean;
};
export type Result = { divergence: Divergence | null; tally: Tally };

export async function runLane(url: string, request: Request, say: (line: string) => void): Promise<Result> {
  const tally = newTally();
  const lane = await openLane(url, request.broken, request.stripe);
  const progress = setInterval(() => say(`holds-model: ${tally.runs} runs so far`), 60_000);
  let seed = request.seed;
  try {
    for (let run = 0; run < request.runs; run += 1) {
      seed = request.seed + run * (request.stride ?? 1);
      await runHolds(lane, { seed, commands: request.commands }, tally);
      // Many commands update the same few rows of the platform.
      if (run % 100 === 99) await lane.database.pool.query('vacuum analyze');
    }
    tally.entries = await auditLane(lane);
    return { divergence: null, tally };
  } catch (error) {
    if (!(error instanceof DivergenceError)) throw error;
    const { recording = null } = error as DivergenceError & { recording?: Recording };
    return { divergence: { seed, message: error.message, recording }, tally };
  } finally {
    clearInterval(progress);
    await lane.database.close();
  }
}

/** Runs parallel copies of a database, each in a thread. */
export async function runLanes(
  { url, superuserUrl, lanes }: { url: string; superuserUrl: string; lanes: number },
  request: Request,
  say: (line: string) => void,
): Promise<Result> {
  const names = Array.from({ length: lanes }, (_, lane) => `lane_${lane}`);
  const client = new pg.Client(superuserUrl);
  await client.connect();
  for (const name of names)
    await client.query(`create database ${name} template ${new URL(url).pathname.slice(1)} owner nearhand`);
  await client.end();
  const threads: Thread[] = names.map((name, lane) => {
    const own = new URL(url);
    own.pathname = `/${name}`;
    const runs = Math.floor((request.runs - lane + lanes - 1) / lanes);
    const its = { ...request, runs, seed: request.seed + lane, stride: lanes };
    return startThread(own.href, its, (line) => say(`${line} (${name})`));
  });
  const results = await Promise.all(
    threads.map(async ({ result }) => {
      const laneResult = await result;
      if (laneResult.divergence) for (const { stop } of threads) stop();
      return laneResult;
    }),
  );
  const tally = newTally();
  for (const { tally: laneTally } of results) {
    for (const part of ['runs', 'entries', 'tasks'] as const) tally[part] += laneTally[part];
    for (const part of ['commands', 'ends'] as const)
      for (const [label, times] of Object.entries(laneTally[part]))
        tally[part][label] = (tally[part][label] ?? 0) + times;
  }
  return { divergence: results.find(({ divergence }) => divergence)?.divergence ?? null, tally };
}

type Thread = { result: Promise<Result>; stop(): void };

function startThread(url: string, request: Request, say: (line: string) => void): Thread {
  const thread = new Worker(new URL('./holds-lane.ts', import.meta.url), { workerData: { url, request } });
  let stopped = false;
  const result = new Promise<Result>((resolve, reject) => {
    thread.on('message', (message: { line?: string; result?: Result }) => {
      if (message.line) say(message.line);
      if (message.result) resolve(message.result);
    });
    thread.on('error', reject);
    thread.on('exit', () =>
      stopped
        ? resolve({ divergence: null, tally: newTally() })
        : reject(new Error('a lane ended before its runs')),
    );
  });
  const stop = () => {
    stopped = true;
    void thread.terminate();
  };
  return { result, stop };
}
