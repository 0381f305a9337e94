import { parseArgs } from 'node:util';
import type { StripeDouble } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { type CrashResult, crashFigures, crashRun } from './money/crash-run.ts';
import { signalFaults } from './money/release-faults.ts';
import { serverProcess } from './money/server-process.ts';
import { openServices, withProvider } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

export type KillOptions = {
  releases: number;
  kills: number;
  clients: number;
  port?: number;
  sabotage?: string;
  double?: StripeDouble;
};

/**
 * `npm run experiments -- kill-server [--releases 10000] [--kills 100] [--clients 8] [--provider stripe]
 * [--break early-answer|no-transactions]` A server approves work while it is killed and restarted; clients
 * retry under the same key.
 */
export async function killServer(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { releases: text, kills: text, clients: text, port: text, provider: text, break: text },
  });
  const options: KillOptions = {
    releases: Number(values.releases ?? 10_000),
    kills: Number(values.kills ?? 100),
    clients: Number(values.clients ?? 8),
    ...(values.port ? { port: Number(values.port) } : {}),
    ...(values.break ? { sabotage: values.break } : {}),
  };
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const { faults } = await withProvider(values.provider, (double) =>
      killServerOn(url, { ...options, double }, say),
    );
    right = faults.size > 0 === (values.break !== undefined);
  });
  say(
    `kill-server: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function killServerOn(
  url: string,
  options: KillOptions,
  say: (line: string) => void,
): Promise<CrashResult> {
  const services = openServices(url, { double: options.double });
  const server = await serverProcess({
    databaseUrl: url,
    port: options.port,
    sabotage: options.sabotage,
    settings: services.settings,
  });
  try {
    const crash = { ...options, breaks: options.kills, workers: 200 };
    const breakIt = async () => {
      await server.kill();
      await server.start();
    };
    const result = await crashRun(services, server, crash, breakIt, say);
    for (const line of crashFigures('kill-server', 'the server was killed', crash, result)) say(line);
    for (const line of signalFaults(result.faults)) say(line);
    return result;
  } finally {
    await server.kill();
    await services.close();
  }
}
