import { sql } from 'kysely';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Db, Tx } from '../db.ts';
import type { FileStore } from '../file-store/file-store.ts';
import type { Log } from '../log.ts';
import type { Mailer } from '../mail/mail.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import type { PushPort } from '../push/push-port.ts';
import type { Sign } from '../sign.ts';

/** Scope of a task, without request or actor; the runner acts for the platform. */
export type TaskScope = {
  db: Db;
  clock: Clock;
  config: Config;
  log: Log;
  mailer: Mailer;
  fileStore: FileStore;
  /** Never called inside a transaction (ADR 67). */
  provider: PaymentProvider;
  sign: Sign;
  /** Absent where nobody has a device: models, benchmarks, the demo town's past. */
  push?: PushPort;
  /** As in a call's scope: the demo town's timers send no mail. */
  unmailed?: true;
};

/**
 * Where tasks wait, each with workers of its own, so that a mail server that hangs delays no payment (docs/operations.md, Tasks).
 * - `money`: charges, refunds, payouts; may call the payment provider.
 * - `timers`: everything else that changes records, without outside calls.
 * - `messages`: mail, push and texts.
 * - `housekeeping`: audits, cleaning, documents and stored files, which may take long.
 */
export const taskQueues = ['money', 'timers', 'messages', 'housekeeping'] as const;
export type TaskQueue = (typeof taskQueues)[number];

/** Work done later by the runner. The name is `<slice>.<verb>`; the payload is validated when it runs. */
export type Task<Payload> = {
  name: string;
  payload: z.ZodType<Payload>;
  /** `housekeeping` for daily tasks and `timers` for others, unless named. */
  queue?: TaskQueue;
  /** Used by maintenance: runs once a day, on one of the server processes, with an empty payload. */
  daily?: true;
  run(scope: TaskScope, payload: Payload): Promise<void>;
};

/** Defines a task; the handler must be idempotent, since a crash after its effect runs it again. */
export const defineTask = <Payload>(task: Task<Payload>): Task<Payload> => task;

export const queueOf = ({ queue, daily }: Pick<AnyTask, 'queue' | 'daily'>): TaskQueue =>
  queue ?? (daily ? 'housekeeping' : 'timers');

/** When a task without a time is due: by every clock, even one that a test has set back. */
export const atOnce = new Date(0);

/** Maximum attempts of a task, with exponential backoff; the last time about sixteen hours after the first. */
export const attemptLimit = 12;

/**
 * Enqueues a task in the transaction of its change: both happen or neither. `key` deduplicates: a second task under the same key replaces
 * a pending one. `runAt` is when a timer is due.
 */
export async function enqueue<Payload>(
  tx: Tx,
  task: { name: string; payload: z.ZodType<Payload> },
  payload: Payload,
  options: { runAt?: Date; key?: string } = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${task.name}, payload => ${JSON.stringify(payload)}::json,
    run_at => ${options.runAt ?? atOnce}::timestamptz, job_key => ${options.key ?? null}, max_attempts => ${attemptLimit}::integer)`.execute(
    tx,
  );
}

/** The same for many timers of one kind, in one statement. Every item has its own key. */
export async function enqueueAll<Payload>(
  tx: Tx,
  task: { name: string; payload: z.ZodType<Payload> },
  items: readonly { payload: Payload; runAt: Date; key: string }[],
): Promise<void> {
  if (items.length === 0) return;
  const specs = items.map(({ payload, runAt, key }) => ({
    identifier: task.name,
    payload,
    run_at: runAt,
    job_key: key,
    max_attempts: attemptLimit,
  }));
  await sql`select count(*) from graphile_worker.add_jobs((select array_agg(spec)
    from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json) as spec))`.execute(
    tx,
  );
}

/** Cancels a pending task by its key; a no-op if it ran or never existed. */
export async function cancelTask(tx: Tx, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
}

/** The same for many at once, in one statement. */
export async function cancelTasks(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as keys (key)`.execute(tx);
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tasks whose payloads differ; each checks its own
export type AnyTask = Task<any>;
