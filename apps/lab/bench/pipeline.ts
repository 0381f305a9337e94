import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import pg from 'pg';
import type { BenchRequest } from './cases.ts';
import { startBenchServer } from './database.ts';
import { loadPipeline } from './load-pipeline.ts';
import { drive, type Round, startServer, stopServer } from './processes.ts';

/**
 * `node apps/lab/bench/pipeline.ts`: whether the pipeline of a job with 5,000 applicants opens like one with 50: its board and the first page of a lane, of all
 * lanes and newest first, in alternating rounds on one server (ADR 34). Figures are milliseconds of processor time a request.
 */
const port = 20_549;
const rounds = 5;
const perRound = 300;
const folder = path.resolve(import.meta.dirname, '../../../data');
const scratch = path.join(folder, 'bench');
mkdirSync(scratch, { recursive: true });
const secret = 'the secret of the benchmark, thirty-two and more';
const say = (line: string) => console.log(line);

const server = await startBenchServer(path.join(scratch, 'postgres'), say);
try {
  const url = await server.databaseOf(20_000);
  const client = new pg.Client(url);
  await client.connect();
  const { jobs, owner } = await loadPipeline(client, say);
  const token = await signAccessToken(secret, systemClock, owner);
  await client.end();
  const ours = await startServer(
    ['apps/api/src/main.ts'],
    {
      NODE_ENV: 'development',
      SECRET: secret,
      DEMO: 'false',
      READS_PER_MINUTE: '1000000',
      DATA_DIR: scratch,
      DATABASE_URL: url,
      PORT: String(port),
    },
    { port, readyPath: '/health/ready', log: path.join(scratch, 'pipeline.log') },
  );
  try {
    const cases: Record<string, (jobId: string) => string[]> = {
      'board and first page': (id) => [`/api/jobs/${id}/board`, `/api/jobs/${id}/applications?stage=new`],
      board: (id) => [`/api/jobs/${id}/board`],
      'first page of a lane': (id) => [`/api/jobs/${id}/applications?stage=new`],
      'first page of all lanes': (id) => [`/api/jobs/${id}/applications`],
      'first page, newest': (id) => [`/api/jobs/${id}/applications?sort=newest`],
      'job as its recruiter sees it': (id) => [`/api/jobs/${id}`],
    };
    say('\n| case | 50: node + PostgreSQL | 5,000: node + PostgreSQL | ratio |\n|---|---|---|---|');
    for (const [name, paths] of Object.entries(cases)) {
      const found: { few: Round[]; many: Round[] } = { few: [], many: [] };
      for (let round = 0; round <= rounds; round += 1)
        for (const size of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
          const all = paths(jobs[size]);
          const requests = Array.from({ length: perRound }, (_, index): BenchRequest => {
            return { method: 'GET', path: all[index % all.length] ?? '', token };
          });
          const file = path.join(scratch, 'pipeline.json');
          const done = await drive(requests, { port, pid: ours.pid }, server.postmaster, file);
          if (done.failed > 0) throw new Error(`${name}: ${done.failed} requests failed`);
          if (round > 0) found[size].push(done);
        }
      const few = medianOf(found.few);
      const many = medianOf(found.many);
      const ratio = (many.node + many.postgres) / (few.node + few.postgres);
      const text = (cost: typeof few) => `${cost.node.toFixed(2)} + ${cost.postgres.toFixed(2)}`;
      say(`| ${name} | ${text(few)} | ${text(many)} | ${ratio.toFixed(2)} |`);
    }
  } finally {
    await stopServer(ours);
  }
} finally {
  await server.stop();
}

function medianOf(all: Round[]) {
  const middle = (of: (round: Round) => number) =>
    all.map(of).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  return { node: middle((round) => round.node), postgres: middle((round) => round.postgres) };
}
