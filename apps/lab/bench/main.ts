import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startBenchServer } from './database.ts';
import { printReport } from './report.ts';
import { benchCases, benchRun, type CaseResult } from './run-cases.ts';

/**
 * `npm run bench`: the cost of hot calls next to hand-written SQL, and whether results are right
 * (docs/benchmarks.md). Options: `--jobs 100000` for one size, `--requests 400` per round, `--rounds 5`,
 * `--case nearby` (repeatable), `--port 22100`, `--before ../other` for another version in the same rounds.
 */
const { values } = parseArgs({
  options: {
    jobs: { type: 'string' },
    requests: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '5' },
    case: { type: 'string', multiple: true, default: [''] },
    port: { type: 'string', default: '22100' },
    before: { type: 'string' },
  },
});
const sizes = values.jobs ? values.jobs.split(',').map(Number) : [100_000, 1_000_000];
const folder = path.resolve(import.meta.dirname, '../../../data');
const scratch = path.join(folder, 'bench');
mkdirSync(scratch, { recursive: true });
const say = (line: string) => console.log(line);

const firstPort = Number(values.port);
const before = values.before === undefined ? null : path.resolve(values.before);
const server = await startBenchServer(path.join(scratch, 'postgres'), say, firstPort);
const results: CaseResult[] = [];
const checks: { jobs: number; places: number; results: number; differences: string[] }[] = [];
try {
  for (const jobs of sizes) {
    const url = await server.databaseOf(jobs);
    const client = new pg.Client(url);
    // Ends with its server when a run is interrupted; that is reported elsewhere.
    client.on('error', () => {});
    await client.connect();
    const run = benchRun({
      url,
      client,
      scratch,
      jobs,
      firstPort,
      before,
      say,
      postmaster: server.postmaster,
    });
    const overrides = {
      requests: Number(values.requests),
      rounds: Number(values.rounds),
      only: values.case,
    };
    const { cases, check } = await benchCases(run, overrides);
    results.push(...cases);
    if (check) checks.push({ jobs, ...check });
    await client.end();
  }
} finally {
  await server.stop();
}
printReport(results, checks, say);
writeFileSync(path.join(folder, 'bench.json'), `${JSON.stringify({ results, checks }, null, 2)}\n`);
say(`\nWritten to ${path.join(folder, 'bench.json')}`);
if (checks.some((check) => check.differences.length > 0)) process.exitCode = 1;
