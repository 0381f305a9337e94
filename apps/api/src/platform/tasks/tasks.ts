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

/** A task's scope, which has no actor; the runner acts for the platform. */
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
  /** Absent if there are no devices: in models, benchmarks and the demo town's past. */
  push?: PushPort;
  /** Set for the demo town, whose timers send no mail. */
  unmailed?: true;
};

/**
 * Queues with their own workers, so that a hanging mail server delays no payment (docs/operations.md, Tasks).
 * - `money`: charges, refunds, payouts; may call the payment provider.
 * - `timers`: all other changes of records, without outside calls.
 * - `messages`: mail, push and texts.
 * - `housekeeping`: audits, cleaning, documents and stored files, which may take long.
 */
export const taskQueues = ['money', 'timers', 'messages', 'housekeeping'] as const;
export type TaskQueue = (typeof taskQueues)[number];

/** The name is `<slice>.<verb>`; the payload is validated when it runs. */
export type Task<Payload> = {
  name: string;
  payload: z.ZodType<Payload>;
  /** `housekeeping` for daily tasks and `timers` for others by default. */
  queue?: TaskQueue;
  /** Runs once a day on one of the server processes, with an empty payload. */
  daily?: true;
  run(scope: TaskScope, payload: Payload): Promise<void>;
};

/**
 * The handler must be idempotent, since a crash after its effect runs it again. Queued tasks carry its name: once
 * there are deployments that keep data, renaming needs a second task that runs what is queued under the old name.
 */
export const defineTask = <Payload>(task: Task<Payload>): Task<Payload> => task;

export const queueOf = ({ queue, daily }: Pick<AnyTask, 'queue' | 'daily'>): TaskQueue =>
  queue ?? (daily ? 'housekeeping' : 'timers');

/** A time in the past for any clock, even one that a test has set back. */
export const atOnce = new Date(0);

/** Attempts with exponential backoff, the last about sixteen hours after the first. */
export const attemptLimit = 12;

/** Enqueues in the transaction of the change. A pending task with the same `key` is replaced. */
export async function enqueue<Payload>(
  tx: Tx,
  task: { name: string; payload: z.ZodType<Payload> },
  payload: Payload,
  options: { runAt?: Date; key?: string } = {},
): Promise<void> {
  await sql`select add_task(${task.name}, ${JSON.stringify(payload)}::json, ${options.runAt ?? atOnce}::timestamptz,
    ${options.key ?? null}, ${attemptLimit}::integer)`.execute(tx);
}

export async function enqueueAll<Payload>(
  tx: Tx,
  task: { name: string; payload: z.ZodType<Payload> },
  items: readonly { payload: Payload; runAt: Date; key: string }[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ payload, runAt, key }) => ({ payload, due: runAt, key }));
  await sql`select count(add_task(${task.name}, payload, due, key, ${attemptLimit}::integer)::text)
    from json_to_recordset(${JSON.stringify(rows)}::json) as item (payload json, due timestamptz, key text)`.execute(
    tx,
  );
}

/** A no-op if the task ran or never existed. */
export async function cancelTask(tx: Tx, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(tx);
}

export async function cancelTasks(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as keys (key)`.execute(tx);
}

// biome-ignore lint/suspicious/noExplicitAny: tasks in one list have different payloads, which each task validates
export type AnyTask = Task<any>;
