import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startCapture } from '../capture.ts';
import { startBenchServer } from '../database.ts';
import { drive, startServer, stopServer } from '../processes.ts';
import { benchRun, forgetApplications, listCases, makeSessions } from '../run-cases.ts';

/**
 * `node apps/lab/bench/process/profile.ts --case "create an application" [--requests 2000] [--port 22100] [--lines 30]`: where a case of `npm run bench` spends its time on 100,000
 * jobs. PostgreSQL's statements with their calls, planning and execution per request (`pg_stat_statements`), and node's functions by self time without waiting
 * (`--cpu-prof`). The first half of the requests only warms up, for the statements. What it measures costs time itself, so read the shares.
 */
const { values } = parseArgs({
  options: {
    case: { type: 'string', default: 'create an application' },
    requests: { type: 'string', default: '2000' },
    port: { type: 'string', default: '22100' },
    lines: { type: 'string', default: '30' },
  },
});
const [requests, lines, firstPort] = [values.requests, values.lines, values.port].map(Number) as [
  number,
  number,
  number,
];
const folder = path.resolve(import.meta.dirname, '../../../../data/bench');
const profiles = path.join(folder, 'profiles');
mkdirSync(folder, { recursive: true });
rmSync(profiles, { recursive: true, force: true });

const alter = async (url: string, ...settings: string[]) => {
  const superuser = new pg.Client(url);
  await superuser.connect();
  for (const setting of settings) await superuser.query(`alter system ${setting}`);
  await superuser.end();
};
const say = (line: string) => console.log(line);
const start = () => startBenchServer(path.join(folder, 'postgres'), say, firstPort);

await restartWith("set shared_preload_libraries = 'pg_stat_statements'");
try {
  const server = await start();
  try {
    await profile(server);
  } finally {
    await server.stop();
  }
} finally {
  await restartWith('reset shared_preload_libraries');
}

/** Changes a setting that the benchmark's PostgreSQL reads when it starts. */
async function restartWith(setting: string): Promise<void> {
  const server = await start();
  try {
    await alter(server.superuserUrl, setting);
  } finally {
    await server.stop();
  }
}

async function profile(server: Awaited<ReturnType<typeof start>>): Promise<void> {
  const url = await server.databaseOf(100_000);
  const client = new pg.Client(url);
  await client.connect();
  const superuser = new pg.Client(server.superuserUrl);
  await superuser.connect();
  await superuser.query('create extension if not exists pg_stat_statements');
  await superuser.query("alter role nearhand set pg_stat_statements.track_planning = 'on'");
  const run = benchRun({
    url,
    client,
    jobs: 100_000,
    scratch: folder,
    firstPort,
    say,
    postmaster: server.postmaster,
  });
  const tokens = await makeSessions(run);
  const capture = await startCapture(url, run.config, run.secret);
  const options = { requests: requests / 2 };
  const one = (await listCases(run, options, tokens, capture)).find(({ name }) => name.includes(values.case));
  if (!one) throw new Error(`no case is named ${values.case}`);
  await forgetApplications(client);
  const port = firstPort + 20;
  const ours = await startServer(
    ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=200', 'apps/api/src/main.ts'],
    { ...run.environment, DATABASE_URL: url, PORT: String(port) },
    { port, readyPath: '/health/ready', log: path.join(folder, 'profile.log') },
  );
  try {
    for (const round of [1, 2]) {
      if (round === 2) await superuser.query('select pg_stat_statements_reset()');
      const target = { port, pid: ours.pid };
      const done = await drive(
        await one.make(round),
        target,
        server.postmaster,
        path.join(folder, 'requests.json'),
      );
      say(`round ${round}: ${done.node.toFixed(2)} + ${done.postgres.toFixed(2)} ms, ${done.failed} failed`);
    }
    await printStatements(superuser, requests / 2);
  } finally {
    await stopServer(ours);
    await capture.stop();
    await forgetApplications(client);
    await client.end();
    await superuser.end();
  }
  printFunctions();
}

async function printStatements(superuser: pg.Client, count: number): Promise<void> {
  const { rows } = await superuser.query<{ calls: number; planned: number; executed: number; query: string }>(
    `select calls::float8 as calls, total_plan_time as planned, total_exec_time as executed, query
     from pg_stat_statements where dbid <> (select oid from pg_database where datname = 'postgres')
     order by total_plan_time + total_exec_time desc limit $1`,
    [lines],
  );
  say('| calls a request | planned, ms | executed, ms | statement |\n|---|---|---|---|');
  for (const { calls, planned, executed, query } of rows) {
    const text = query.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 130);
    const each = [calls, planned, executed].map((all) => (all / count).toFixed(3));
    say(`| ${each.join(' | ')} | ${text} |`);
  }
}

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
};

/** Self time of the largest profile's functions: the main thread's. */
function printFunctions(): void {
  const [text] = readdirSync(profiles)
    .map((name) => readFileSync(path.join(profiles, name), 'utf8'))
    .sort((a, b) => b.length - a.length);
  const { nodes, samples, timeDeltas } = JSON.parse(text ?? '{}') as Profile;
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const where = url.replace(/.*\/node_modules\//, '').replace(/.*\/(apps|packages)\//, '$1/');
      return [id, `${functionName || '(anonymous)'} ${where}${where ? `:${lineNumber + 1}` : ''}`];
    }),
  );
  const half = Math.floor(samples.length / 2);
  const self = new Map<string, number>();
  let busy = 0;
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (at < half || /^\((idle|program|root)\)/.test(name)) continue;
    busy += timeDeltas[at] ?? 0;
    self.set(name, (self.get(name) ?? 0) + (timeDeltas[at] ?? 0));
  }
  say(`\n| of ${Math.round(busy / 1000)} ms busy in the second half | function |\n|---|---|`);
  for (const [name, us] of [...self].sort((a, b) => b[1] - a[1]).slice(0, lines))
    say(`| ${((us / busy) * 100).toFixed(1)} % | ${name} |`);
}
