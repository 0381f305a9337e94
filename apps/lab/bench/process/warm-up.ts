import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startCapture } from '../capture.ts';
import type { BenchRequest } from '../cases.ts';
import { startBenchServer } from '../database.ts';
import { cpuOf, drive, startServer, stopServer } from '../processes.ts';
import { benchRun, forgetApplications, listCases, makeSessions } from '../run-cases.ts';

/**
 * `node apps/lab/bench/process/warm-up.ts [--case "nearby, plain"] [--starts 3] [--also FOLDER] [--port 22100]`: the processor time of a server's first 300 requests after it is ready, next to
 * requests 3,000 to 3,300, medians of several starts. `--also` starts a second copy of the repository in turns, such as one without its warm-up as a control.
 */
const { values } = parseArgs({
  options: {
    case: { type: 'string', multiple: true, default: ['nearby, plain', 'read one job'] },
    starts: { type: 'string', default: '3' },
    also: { type: 'string' },
    port: { type: 'string', default: '22100' },
  },
});
const count = 300;
const firstPort = Number(values.port);
const root = path.resolve(import.meta.dirname, '../../../..');
const scratch = path.join(root, 'data/bench');
mkdirSync(scratch, { recursive: true });
const server = await startBenchServer(path.join(scratch, 'postgres'), console.log, firstPort);
const url = await server.databaseOf(100_000);
const client = new pg.Client(url);
await client.connect();
const run = benchRun({
  url,
  client,
  jobs: 100_000,
  scratch,
  firstPort,
  say: console.log,
  postmaster: server.postmaster,
});
const capture = await startCapture(url, run.config, run.secret);
const cases = await listCases(run, { requests: 3_300 }, await makeSessions(run), capture);
const port = firstPort + 20;

const start = (folder: string) =>
  startServer(
    ['apps/api/src/main.ts'],
    { ...run.environment, DATABASE_URL: url, PORT: String(port) },
    { port, readyPath: '/health/ready', log: path.join(scratch, 'warm-up.log'), folder },
  );

type Figure = { start: number; node: number[]; postgres: number[] };

/** One start: processor time until ready, and of each part of the requests. */
async function measure(folder: string, requests: readonly BenchRequest[]): Promise<Figure> {
  const child = await start(folder);
  const figure: Figure = { start: cpuOf(child.pid)?.ms ?? 0, node: [], postgres: [] };
  try {
    for (const [from, to] of [
      [0, count],
      [count, 3_000],
      [3_000, 3_000 + count],
    ]) {
      const part = requests.slice(from, to);
      const file = path.join(scratch, 'requests.json');
      const done = await drive(part, { port, pid: child.pid }, server.postmaster, file);
      if (done.failed > 0) throw new Error(`${done.failed} requests failed`);
      figure.node.push(done.node);
      figure.postgres.push(done.postgres);
    }
  } finally {
    await stopServer(child);
  }
  return figure;
}

const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const folders = [root, ...(values.also ? [path.resolve(values.also)] : [])];
try {
  console.log(
    '| case | started from | until ready, ms | first 300: node + PostgreSQL | 3,000 to 3,300 | ratio |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const { name, make } of cases.filter((one) => values.case.some((part) => one.name.includes(part)))) {
    const figures = folders.map((): Figure[] => []);
    for (let turn = 0; turn < Number(values.starts); turn += 1)
      for (const [at, folder] of turn % 2 ? [...folders.entries()].reverse() : folders.entries()) {
        await forgetApplications(client);
        figures[at]?.push(await measure(folder, await make(0)));
      }
    for (const [at, all] of figures.entries()) {
      const of = (part: number, what: 'node' | 'postgres') => middle(all.map((one) => one[what][part] ?? 0));
      const [first, later] = [0, 2].map((part) => ({
        node: of(part, 'node'),
        postgres: of(part, 'postgres'),
      }));
      if (!first || !later) continue;
      const cell = (part: typeof first) => `${part.node.toFixed(2)} + ${part.postgres.toFixed(2)}`;
      const ratio = (first.node + first.postgres) / (later.node + later.postgres);
      console.log(
        `| ${name} | ${folders[at]} | ${middle(all.map((one) => one.start))} | ${cell(first)} | ${cell(later)} | ${ratio.toFixed(2)} |`,
      );
    }
  }
} finally {
  await forgetApplications(client);
  await capture.stop();
  await client.end();
  await server.stop();
}
