import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeBank, payWorker } from '@nearhand/api/src/money/payouts/payouts.fixtures.ts';
import { fundBusiness } from '@nearhand/api/src/money/wallet/wallet.fixtures.ts';
import { auditNames, recordAudit } from '@nearhand/api/src/platform/audits.ts';
import { freePort } from '@nearhand/api/src/platform/counterparts/free-port.fixtures.ts';
import { startCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { type ServerProcess, serverProcess } from '../money/server-process.ts';
import { openServices, type Services } from '../money/services.ts';
import { type OwnCluster, onThrowAwayDatabase, stopAtOnce } from '../throw-away-database.ts';
import { callerAt, makeWriter, writeJobs } from './write-stream.ts';

const program = '/usr/bin/prometheus';
const documented = path.resolve(import.meta.dirname, '../../../../docs/monitoring');
const token = 'a token for metrics of the drill';

export type Panel = {
  type: string;
  title?: string;
  fieldConfig?: { defaults?: { unit?: string } };
  targets?: { expr: string }[];
};
export type Dashboard = { panels: Panel[] };

const readDashboard = async (): Promise<Dashboard> =>
  JSON.parse(await readFile(path.join(documented, 'dashboard.json'), 'utf8'));

/**
 * `npm run experiments -- monitoring`: the documented Prometheus scrapes two processes that see writes, money and a database that is away for a moment.
 * Every expression of the dashboard must parse and return numbers, every panel have a title of its own and a unit, and every alert rule be
 * evaluated. Control: one metric misspelt, and one panel without its unit.
 */
export async function monitoring(say: (line: string) => void): Promise<boolean> {
  let right = false;
  await onThrowAwayDatabase(async (url, own) => {
    const services = openServices(url);
    const settings = { METRICS_TOKEN: token };
    const servers = [
      await serverProcess({ databaseUrl: url, settings }),
      await serverProcess({ databaseUrl: url, settings }),
    ] as const;
    let prometheus: Awaited<ReturnType<typeof startPrometheus>> | undefined;
    try {
      for (const server of servers) await server.start();
      // What is read from the database is kept for a minute, so it is there before the first reading.
      const writer = await makeMoney(services, servers[0]);
      prometheus = await startPrometheus(servers);
      await makeTraffic(writer, servers[0], own);
      const dashboard = await readDashboard();
      const faults = [...panelFaults(dashboard), ...(await emptyOf(dashboard, prometheus.ask))];
      const rules = await ruleFaults(prometheus.ask);
      const control = spoiled(dashboard);
      const found = [...panelFaults(control), ...(await emptyOf(control, prometheus.ask))];
      const panels = dashboard.panels.filter(({ type }) => type !== 'row');
      const count = panels.flatMap(({ targets = [] }) => targets).length;
      say(
        `monitoring: ${count} expressions in ${panels.length} panels, ${faults.length} faults; ${rules.checked} alert rules, ${rules.faults.length} faults`,
      );
      for (const fault of [...faults, ...rules.faults]) say(`  ${fault}`);
      say(`monitoring, negative control: ${found.length} faults${found[0] ? `, such as: ${found[0]}` : ''}`);
      right = faults.length + rules.faults.length === 0 && rules.checked > 0 && found.length === 2;
    } finally {
      await prometheus?.close();
      for (const server of servers) await server.kill();
      await services.close();
    }
  });
  say(`monitoring: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

/** What a panel lacks for someone who reads it at night. */
export function panelFaults({ panels }: Dashboard): string[] {
  const titles = panels.map(({ title }) => title);
  return panels.flatMap(({ type, title, fieldConfig, targets = [] }, at) => {
    const name = title ?? `panel ${at + 1}`;
    return [
      ...(title ? [] : [`${name} has no title`]),
      ...(title && titles.indexOf(title) !== at ? [`${name} is the title of two panels`] : []),
      ...(type === 'row' || fieldConfig?.defaults?.unit ? [] : [`${name} has no unit`]),
      ...(type === 'row' || targets.length > 0 ? [] : [`${name} shows nothing`]),
    ];
  });
}

/** The dashboard with a metric that does not exist and a panel without its unit. */
function spoiled(dashboard: Dashboard): Dashboard {
  const [first, ...others] = structuredClone(dashboard).panels.filter(({ type }) => type !== 'row');
  const misspelt = others.find(({ targets = [] }) => targets.length === 1);
  for (const target of misspelt?.targets ?? [])
    target.expr = target.expr.replace(/_seconds|_total/, '_misspelt');
  if (first?.fieldConfig?.defaults) delete first.fieldConfig.defaults.unit;
  return { panels: [...(first ? [first] : []), ...others] };
}

type Ask = (path: string) => Promise<{ status: string; error?: string; data: unknown }>;
type Found = { result: { value: [number, string] }[] };

/** The expressions that Prometheus refuses, or answers without a number. */
async function emptyOf({ panels }: Dashboard, ask: Ask): Promise<string[]> {
  const faults: string[] = [];
  for (const { title, targets = [] } of panels)
    for (const { expr } of targets) {
      const query = expr.replaceAll('$__rate_interval', '1m');
      const { status, error, data } = await ask(`query?query=${encodeURIComponent(query)}`);
      const values = status === 'success' ? (data as Found).result.map(({ value }) => Number(value[1])) : [];
      if (status !== 'success') faults.push(`${title}: ${error}`);
      else if (!values.some(Number.isFinite)) faults.push(`${title} has no data: ${expr}`);
    }
  return faults;
}

type Groups = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };

async function ruleFaults(ask: Ask): Promise<{ checked: number; faults: string[] }> {
  const { data } = await ask('rules');
  const rules = (data as Groups).groups.flatMap((group) => group.rules);
  const wrong = rules.filter(({ health }) => health !== 'ok');
  return {
    checked: rules.length,
    faults: wrong.map(({ name, health, lastError }) => `${name} is ${health}: ${lastError ?? ''}`),
  };
}

type Writer = Awaited<ReturnType<typeof makeWriter>>;

/** A top-up, a withdrawal under way, the daily checks, and a shift of the last week. */
async function makeMoney(services: Services, server: ServerProcess): Promise<Writer> {
  const { db, clock, pool } = services;
  const writer = await makeWriter(services);
  const scope = services.scopeOf(writer.accountId);
  await fundBusiness(db, scope, writer.businessId, { amountMinor: 10_000 });
  const { id: methodId } = await makeBank(db, scope);
  await payWorker(db, scope, writer.accountId, 5_000, { atOnce: true });
  for (const name of auditNames)
    await recordAudit(db, { name, at: clock.now(), checked: null, findings: 0, first: [] });
  const { id: jobId } = await makeJob(db, scope, writer.businessId);
  await pool.query(
    `update jobs set starts_at = starts_at - interval '5 days', ends_at = ends_at - interval '5 days' where id = $1`,
    [jobId],
  );
  const caller = callerAt({ port: Number(new URL(server.url).port) }, writer.token);
  const asked = { methodId, amountMinor: 3_000, speed: 'standard' };
  const { code } = await caller.call('POST', '/api/withdrawals', asked);
  caller.close();
  if (code !== 'ok') throw new Error(`the withdrawal was answered with ${code}`);
  return writer;
}

/** Writes, during which the database is away for a moment and calls are answered with 503. */
async function makeTraffic(writer: Writer, server: ServerProcess, own: OwnCluster): Promise<void> {
  const caller = callerAt({ port: Number(new URL(server.url).port) }, writer.token);
  const stream = writeJobs(caller, writer.businessId, { pauseMs: 50 });
  await wait(8_000);
  await stopAtOnce(own);
  await wait(6_000);
  await startCluster(own.cluster, own.port);
  await wait(12_000);
  await stream.stop();
  caller.close();
}

/** The documented configuration, with this drill's ports and a shorter interval. */
async function startPrometheus(servers: readonly ServerProcess[]) {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-prometheus-`));
  const config = await readFile(path.join(documented, 'prometheus.yml'), 'utf8');
  const targets = servers.map(({ url }) => new URL(url).host).join(', ');
  const here = config
    .replace(/targets: \[127\.0\.0\.1:8080.*\]/, `targets: [${targets}]`)
    .replaceAll(/_interval: 15s/g, '_interval: 2s');
  await writeFile(path.join(folder, 'prometheus.yml'), here);
  await writeFile(path.join(folder, 'metrics-token'), token);
  await copyFile(path.join(documented, 'alerts.yml'), path.join(folder, 'alerts.yml'));
  const port = await freePort();
  const child: ChildProcess = spawn(
    program,
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`this drill needs the Debian package prometheus: ${(error as Error).message}`);
  });
  const ask: Ask = async (asked) => (await fetch(`http://127.0.0.1:${port}/api/v1/${asked}`)).json() as never;
  const isReady = () =>
    ask('query?query=up').then(
      ({ data }) => (data as Found).result.filter(({ value }) => value[1] === '1').length === servers.length,
      () => false,
    );
  const ready = async () => {
    for (const until = performance.now() + 60_000; performance.now() < until; await wait(500))
      if (await isReady()) return;
    throw new Error('Prometheus did not reach both servers');
  };
  const close = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  await Promise.race([ready(), failed]).catch(async (error) => {
    await close();
    throw error;
  });
  return { ask, close };
}
