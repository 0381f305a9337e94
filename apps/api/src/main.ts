import path from 'node:path';
import { createApp, tasks } from './app.ts';
import { noteFees } from './hiring/offers/fees.service.ts';
import { warnOfYoungCounter } from './money/ledger/ledger.service.ts';
import { startReconciliation } from './money/provider/reconciliation.service.ts';
import { createSandbox } from './money/sandbox/sandbox.service.ts';
import { startCarrying } from './money/statements/carrying.service.ts';
import { createMovableClock, systemClock } from './platform/clock.ts';
import { ConfigError, configWarnings, readConfig } from './platform/config/config.ts';
import { openDatabase } from './platform/database/database-server.ts';
import { migrate } from './platform/database/migrate.ts';
import { openPool } from './platform/db.ts';
import { createFileStore } from './platform/file-store/file-store.ts';
import { showsMailbox } from './platform/http/dev-mailbox.ts';
import { createLog } from './platform/log.ts';
import { createMailer } from './platform/mail/mail.ts';
import { createPush } from './platform/push/push.ts';
import { openBus } from './platform/realtime/realtime-open.ts';
import { readSecret } from './platform/secret.ts';
import { createSign } from './platform/sign.ts';
import { errorText, refusedPort, StartRefused } from './platform/start-refused.ts';
import { finishDueTasks } from './platform/tasks/due-tasks.ts';
import { leaseTimes } from './platform/tasks/task-leases.ts';
import { startRunner } from './platform/tasks/task-runner.ts';
import { printDemoAccounts, seedDemoTown } from './seed/demo-town.ts';
import { clearHalfTown } from './seed/town/half-town.ts';

/** Starts everything in order and stops it in reverse: database, migrations, HTTP, task runner. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config);
  const say = {
    info: (message: string) => process.stderr.write(`${message}\n`),
    warn: (message: string) => process.stderr.write(`${message}\n`),
  };
  const stopped = new AbortController();
  const undo: (() => Promise<unknown>)[] = [];
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping ??= (async () => {
      for (const step of undo.reverse()) await step();
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
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

  try {
    const server = await openDatabase({
      databaseUrl: config.DATABASE_URL,
      dataDir: path.resolve(config.DATA_DIR, 'postgres'),
      log: say,
    });
    undo.push(() => server.stop());
    if (await clearHalfTown({ url: server.url, ours: server.kind === 'embedded' }))
      say.info('The last start stopped while creating the demo town; it is created again.');
    await migrate(server.url, { log: say });
    const bus = openBus(config, server.url, log);
    undo.push(() => bus.stop());
    const database = openPool(
      server.url,
      config.DATABASE_POOL,
      (error) => log.warn({ err: error }, 'a database connection broke'),
      bus.signals,
    );
    undo.push(() => database.close());
    const { db, pool } = database;
    const testClock = config.NODE_ENV === 'test' ? createMovableClock() : undefined;
    const clock = testClock ?? systemClock;
    await noteFees(db, config, clock);
    const secret = await readSecret(config);
    const mailer = createMailer(config, db, clock);
    const fileStore = createFileStore(config);
    const sign = createSign(secret);
    const provider = createSandbox({ db, clock, secret, config, log });
    const push = createPush(config, sign, clock);
    const parts = { config, secret, log, db, clock, mailer, fileStore, provider, push, sign };
    // In production only its owner knows a password (ADR 0028).
    const demo = config.DEMO && config.NODE_ENV !== 'production';
    if (demo) await seedDemoTown({ ...parts, pool, stopped: stopped.signal }, tasks, say.info);
    const app = await createApp({
      ...parts,
      bus,
      webFolder: path.resolve(import.meta.dirname, '../../web/dist'),
      ...(testClock
        ? { testTime: { clock: testClock, runDue: () => finishDueTasks(pool, tasks, parts) } }
        : {}),
    });
    undo.push(() => app.close());
    await startReconciliation(db);
    await startCarrying(db);
    await warnOfYoungCounter(db, log);
    const runner = await startRunner(pool, tasks, parts, leaseTimes(config.TASK_LEASE_SECONDS));
    undo.push(() => runner.stop());
    await app.listen({ port: config.PORT, host: config.HOST }).catch((error) => {
      throw refusedPort(error, config.PORT);
    });
    await server.announce(config.PUBLIC_URL);
    say.info(`Nearhand is open at ${config.PUBLIC_URL}`);
    if (showsMailbox(config)) say.info(`Mail is not sent but shown at ${config.PUBLIC_URL}/dev/mailbox`);
    if (demo) await printDemoAccounts(db, say.info);
    for (const warning of configWarnings(config)) say.warn(warning);
  } catch (error) {
    await stop();
    // An error caused by being stopped is no failure.
    if (!stopped.signal.aborted) throw error;
  }
}

main().catch((error: unknown) => {
  if (error instanceof StartRefused || error instanceof ConfigError)
    process.stderr.write(`${error.message}\n`);
  else
    process.stderr.write(`Nearhand could not start: ${errorText(error)}\n${(error as Error)?.stack ?? ''}\n`);
  process.exit(1);
});
