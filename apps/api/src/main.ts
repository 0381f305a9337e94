import path from 'node:path';
import { createApp, tasks } from './app.ts';
import { hasDigests } from './backup/restore-backup.ts';
import { frequentReads } from './frequent-reads.ts';
import { recordFees } from './hiring/offers/offers.sql.ts';
import { warnOfYoungCounter } from './money/ledger/ledger.ts';
import { startReconciliation } from './money/provider/reconciliation.ts';
import { createSandbox } from './money/sandbox/sandbox.ts';
import { startCarrying } from './money/statements/balance-rollup.ts';
import { languageOfAddress } from './people/account-settings/account-settings.ts';
import { sealSecondFactors } from './people/sign-in/rotation/second-factors.ts';
import { createMovableClock, systemClock } from './platform/clock.ts';
import { type Config, configWarnings, readConfig } from './platform/config/config.ts';
import { type DatabaseServer, openDatabase, type StartLog } from './platform/database/database-server.ts';
import { migrate } from './platform/database/migrate.ts';
import { withSessionSettings } from './platform/database/start-lock.ts';
import { type Database, openPool, warnOfMissingLimits } from './platform/db.ts';
import { countFailedWrites, createFileStore } from './platform/file-store/file-store.ts';
import { showsMailbox } from './platform/http/dev-mailbox.ts';
import { openKeys } from './platform/keys/lasting-key.ts';
import { createLog, type Log } from './platform/log.ts';
import { createMailer, inReadersLanguage } from './platform/mail/mail.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { countMail, countPush, watchPools } from './platform/metrics/process-metrics.ts';
import type { PaymentProvider } from './platform/payment-provider.ts';
import { claimPort } from './platform/process/claimed-port.ts';
import { watchClock } from './platform/process/clock-skew.ts';
import { drain } from './platform/process/drain.ts';
import { limitOutsideCalls } from './platform/process/outside-calls.ts';
import { findServiceProblems, requireWritableFiles } from './platform/process/start-checks.ts';
import { stopInTime } from './platform/process/stop-in-time.ts';
import { collectAtRest, warmUp } from './platform/process/warm-up.ts';
import { listenForWebBuild } from './platform/process/web-build.ts';
import { createPush } from './platform/push/push.ts';
import type { Bus } from './platform/realtime/realtime-bus.ts';
import { openBus } from './platform/realtime/realtime-open.ts';
import { openReplicas, type Replicas } from './platform/replicas/recent-reads.ts';
import type { WalPosition } from './platform/replicas/wal-position.ts';
import { readSecrets } from './platform/secret.ts';
import { createSign } from './platform/sign.ts';
import { errorText, refusedDisk, StartRefusedError } from './platform/start-refused.ts';
import { finishDueTasks } from './platform/tasks/due-tasks.ts';
import { leaseTimes } from './platform/tasks/task-leases.ts';
import { startRunner } from './platform/tasks/task-runner.ts';
import { printDemoAccounts, seedDemoTown } from './seed/demo-town.ts';
import { clearHalfTown, requireCompleteTown } from './seed/town/half-town.ts';

const isProduction = process.env.NODE_ENV === 'production';

/** The maximum time a task waits for a free connection. */
const taskPatienceMs = 30_000;

/** Opens connections whose commits don't wait for the disk: a crashed seed is repeated (ADR 28). */
function openForTown(url: string, max: number, broke: (error: Error) => void): Database {
  const address = withSessionSettings(url, { synchronous_commit: 'off' });
  return openPool(address, max, broke, {}, { keepAll: true });
}

type Starting = {
  config: Config;
  log: Log;
  say: StartLog;
  undo: ReturnType<typeof stopInTime>['undo'];
  stopped: AbortSignal;
};

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody expected ended the process');
    process.exit(1);
  });
  const say = reportBy(log);
  const stopped = new AbortController();
  const webBuilt = listenForWebBuild(stopped.signal);
  limitOutsideCalls();
  const { undo: addStep, stop } = stopInTime(config.STOP_SECONDS, log);
  // Nothing may start after a stop began, because nothing would stop it.
  const undo: Starting['undo'] = (label, work) => {
    stopped.signal.throwIfAborted();
    addStep(label, work);
  };
  stopOnSignals(stopped, stop, say, log);
  try {
    await start({ config, log, say, undo, stopped: stopped.signal }, webBuilt);
  } catch (error) {
    await stop();
    // An abort during startup is not a failure.
    if (!stopped.signal.aborted) throw error;
  }
}

/** Writes sentences to a terminal and JSON in production. */
function reportBy(log: Log): StartLog {
  const words = (message: string) => process.stderr.write(`${message}\n`);
  return isProduction
    ? { info: (message) => log.info(message), warn: (message) => log.warn(message) }
    : { info: words, warn: words };
}

function stopOnSignals(stopped: AbortController, stop: () => Promise<void>, say: StartLog, log: Log): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopped.signal.aborted) return;
      stopped.abort(new Error('stopped while starting'));
      say.info('Stopping: no new requests, open ones finish first.');
      stop().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    });
  }
}

async function start(starting: Starting, webBuilt: Promise<unknown>): Promise<void> {
  const { config, log, say, undo, stopped } = starting;
  const port = await claimPort({ port: config.PORT, host: config.HOST, hold: !isProduction });
  const server = await openMigrated(starting);
  await requireWritableFiles(config);
  const bus = await openBus(config, server.url, log);
  undo('signals', () => bus.stop());
  const metrics = createMetrics();
  const { db, forTasks, replicas } = await openConnections(starting, server.url, bus, metrics);
  if (isProduction)
    await requireCompleteTown(
      db,
      'This database contains half of a demo town: give a production server another one.',
    );

  const testClock = config.NODE_ENV === 'test' ? createMovableClock() : undefined;
  const clock = testClock ?? systemClock;
  await recordFees(db, config, clock);
  const keys = await openKeys(forTasks.db, await readSecrets(config), hasDigests);
  await sealSecondFactors(forTasks.db, keys, log);
  const sign = createSign(keys);
  const languageOf = (address: string) => languageOfAddress(db, address);
  const parts = {
    config,
    secret: keys,
    log,
    db,
    clock,
    sign,
    mailer: inReadersLanguage(countMail(metrics, createMailer(config, db, clock)), languageOf),
    fileStore: countFailedWrites(metrics, createFileStore(config)),
    provider: await openProvider({ db, clock, secret: keys.lasting, config, log }),
    push: countPush(metrics, createPush(config, sign, clock)),
  };
  const taskParts = { ...parts, db: forTasks.db };
  // In production only the owner knows a password (ADR 28).
  const isDemo = config.DEMO && config.NODE_ENV !== 'production';
  if (isDemo) await seedTown(starting, server.url, parts);
  await webBuilt;
  const app = await createApp({
    ...parts,
    bus,
    metrics,
    ...(replicas ? { reads: replicas.reads } : {}),
    webFolder: path.resolve(import.meta.dirname, '../../web/dist'),
    ...(testClock
      ? { testTime: { clock: testClock, runDue: () => finishDueTasks(forTasks.pool, tasks, taskParts) } }
      : {}),
  });
  undo('requests', () => app.close());
  await startReconciliation(forTasks.db);
  await startCarrying(forTasks.db);
  await warnOfYoungCounter(db, log);
  const runner = await startRunner(forTasks.pool, tasks, taskParts, leaseTimes(config.TASK_LEASE_SECONDS));
  undo('tasks', () => runner.stop());
  const watch = await watchClock({ db, clock, log, metrics });
  undo('the clock', async () => watch.stop());
  await warmUp(app, () => frequentReads(db, config), config.DATABASE_POOL, log);
  stopped.throwIfAborted();
  await port.handTo(app);
  collectAtRest(app.server);
  undo('the drain', () => drain(app, config));
  await server.announce(config.PUBLIC_URL);
  say.info(`Nearhand is open at ${config.PUBLIC_URL}`);
  if (showsMailbox(config)) say.info(`Mail is not sent but shown at ${config.PUBLIC_URL}/dev/mailbox`);
  if (isDemo) await printDemoAccounts(db, say.info);
  for (const warning of configWarnings(config, process.env)) say.warn(warning);
  for (const problem of await findServiceProblems(config, parts.fileStore)) say.warn(problem);
}

/** The Stripe adapter is loaded only if it is used. */
async function openProvider(
  parts: Parameters<typeof createSandbox>[0] & { config: Config },
): Promise<PaymentProvider> {
  if (parts.config.PAYMENT_PROVIDER === 'sandbox') return createSandbox(parts);
  const { createStripe, requireSameAccount } = await import('./money/stripe/stripe.ts');
  await requireSameAccount(parts);
  return createStripe(parts);
}

/** Opens the migrated database and removes a partial demo town left by an interrupted start. */
async function openMigrated({ config, say, undo, stopped }: Starting): Promise<DatabaseServer> {
  const server = await openDatabase({
    config,
    dataDir: path.resolve(config.DATA_DIR, 'postgres'),
    log: say,
  });
  undo('the database', () => server.stop());
  if (!isProduction && (await clearHalfTown({ url: server.url, ours: server.kind === 'embedded', log: say })))
    say.info('The last start stopped while creating the demo town; it is created again.');
  await migrate(config.DATABASE_OWNER_URL ?? server.url, { log: say, servedAt: server.url });
  stopped.throwIfAborted();
  return server;
}

/** Opens the connections. Tasks have their own pool, so that tasks and requests never wait for each other. */
async function openConnections(
  { config, log, undo }: Starting,
  directUrl: string,
  bus: Bus,
  metrics: ReturnType<typeof createMetrics>,
): Promise<{ db: Database['db']; forTasks: Database; replicas: Replicas | undefined }> {
  const isPooled = config.DATABASE_DIRECT_URL !== undefined;
  const address = (isPooled ? config.DATABASE_URL : undefined) ?? directUrl;
  let replicas: Replicas | undefined;
  const readsReplicas = config.DATABASE_READ_URL.length > 0;
  const onCommit = readsReplicas ? (position: WalPosition) => replicas?.note(position) : undefined;
  const broke = brokenBy(log);
  const database = openPool(address, config.DATABASE_POOL, broke, bus.signals, {
    pooled: isPooled,
    onCommit,
  });
  const forTasks = openPool(directUrl, config.DATABASE_TASK_POOL, broke, bus.signals);
  forTasks.pool.options.connectionTimeoutMillis = taskPatienceMs;
  undo('database connections', () => Promise.all([database.close(), forTasks.close()]));
  if (isPooled) await warnOfMissingLimits(database.db, log);
  if (readsReplicas) {
    replicas = openReplicas(database.db, {
      urls: config.DATABASE_READ_URL,
      primaryUrl: directUrl,
      max: config.DATABASE_READ_POOL,
      lagMs: config.DATABASE_READ_LAG_SECONDS * 1_000,
      log,
      metrics,
    });
    undo('connections to replicas', async () => replicas?.close());
  }
  watchPools(metrics, { requests: database.pool, tasks: forTasks.pool, ...replicas?.pools });
  return { db: database.db, forTasks, replicas };
}

const brokenBy = (log: Log) => (error: Error) => log.warn({ err: error }, 'a database connection broke');

async function seedTown(
  { config, log, say, stopped }: Starting,
  url: string,
  parts: Omit<Parameters<typeof seedDemoTown>[0], 'pool' | 'stopped'>,
): Promise<void> {
  const quick = openForTown(url, config.DATABASE_TASK_POOL, brokenBy(log));
  const townParts = { ...parts, db: quick.db, pool: quick.pool, stopped };
  await seedDemoTown(townParts, tasks, say.info).finally(quick.close);
}

main().catch((failure: unknown) => {
  const error = refusedDisk(failure, 'the database or of DATA_DIR');
  const refused = error instanceof StartRefusedError;
  const message = refused ? error.message : `Nearhand could not start: ${errorText(error)}`;
  if (isProduction) createLog({ LOG_LEVEL: 'fatal' }).fatal(refused ? {} : { err: error }, message);
  else process.stderr.write(`${message}\n${refused ? '' : `${(error as Error)?.stack ?? ''}\n`}`);
  process.exit(1);
});
