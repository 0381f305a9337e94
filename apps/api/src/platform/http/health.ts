import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { diskRefusedWithin } from '../database/spoiled-connections.ts';
import type { Db } from '../db.ts';

/** How long a health result is cached. */
const knownMs = 1_000;
/** Tasks are late after minutes, so seconds do not matter. */
const lateKnownMs = 10_000;
/** Shorter than the time limit of usual probes. */
const answerMs = 3_000;
/** How long a write that the disk refused counts. */
const diskMs = 10_000;

const silent = 'database does not respond';

/**
 * `/health/live`: the process responds. `/health/ready`: it can serve: it is not stopping, and the database responds, takes writes and has
 * room for them. The status says what is wrong. Late tasks are named too, but leave the server ready: other servers run the same tasks, and
 * requests need none (ADR 213).
 */
export function registerHealth(
  app: FastifyInstance,
  db: Db,
  findLateQueues: () => Promise<readonly string[]>,
): void {
  let late: { at: number; queues: Promise<readonly string[]> } | null = null;
  let asked: { at: number; problem: Promise<string | null> } | null = null;

  function databaseProblem(log: FastifyBaseLogger): Promise<string | null> {
    const at = performance.now();
    if (asked && at - asked.at < knownMs) return asked.problem;
    const problem = Promise.race([
      findReadOnly(db).then((readOnly) => (readOnly ? 'database is read-only' : null)),
      setTimeout(answerMs, silent, { ref: false }),
    ]).catch((error) => {
      log.error({ err: error }, 'the database does not respond');
      return silent;
    });
    asked = { at, problem };
    return problem;
  }

  function lateQueues(log: FastifyBaseLogger): Promise<readonly string[]> {
    const at = performance.now();
    if (late && at - late.at < lateKnownMs) return late.queues;
    const none: string[] = [];
    const queues = Promise.race([findLateQueues(), setTimeout(answerMs, none, { ref: false })]).then(
      (found) => {
        if (found.length > 0) log.warn({ queues: found }, 'tasks are late');
        return found;
      },
      (error) => {
        log.error({ err: error }, 'late tasks cannot be found');
        return [];
      },
    );
    late = { at, queues };
    return queues;
  }

  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async ({ log }, reply) => {
    if (app.draining.on) return reply.code(503).send({ status: 'stopping' });
    const problem = diskRefusedWithin(diskMs) ? "the database's disk is full" : await databaseProblem(log);
    if (problem === null) return { status: 'ready', lateQueues: await lateQueues(log) };
    return reply.code(503).header('retry-after', '5').send({ status: problem });
  });
}

/** Whether the database takes no writes, as a standby does. */
async function findReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ read_only: boolean }>`select pg_is_in_recovery() or
    current_setting('transaction_read_only')::boolean as read_only`.execute(db);
  return rows[0]?.read_only ?? false;
}
