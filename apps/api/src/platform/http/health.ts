import { setTimeout } from 'node:timers/promises';
import { minuteMs } from '@nearhand/contract/durations';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { diskRefusedWithin } from '../database/spoiled-connections.ts';
import type { Db } from '../db.ts';
import type { FileStore } from '../file-store/file-store-port.ts';
import { registerGauges } from '../metrics/gauges.ts';

const knownMs = 1_000;
/** Tasks are late after minutes, so seconds do not matter. */
const lateKnownMs = 10_000;
/** Shorter than the time limit of usual probes. */
const answerMs = 3_000;
/** Time for which the disk counts as full after a refused write. */
const diskMs = 10_000;

const silent = 'database does not respond';

/** Late tasks and a full file disk leave the server ready: other requests still work (docs/operations.md). */
export function registerHealth(
  app: FastifyInstance,
  db: Db,
  fileStore: Pick<FileStore, 'space'>,
  findLateQueues: () => Promise<readonly string[]>,
): void {
  registerDiskMetrics(app, fileStore);
  let late: { at: number; queues: Promise<readonly string[]> } | null = null;
  let latest: { at: number; problem: Promise<string | null> } | null = null;

  function databaseProblem(log: FastifyBaseLogger): Promise<string | null> {
    const at = performance.now();
    if (latest && at - latest.at < knownMs) return latest.problem;
    const problem = Promise.race([
      findReadOnly(db).then((readOnly) => (readOnly ? 'database is read-only' : null)),
      setTimeout(answerMs, silent, { ref: false }),
    ]).catch((error) => {
      log.error({ err: error }, 'the database does not respond');
      return silent;
    });
    latest = { at, problem };
    return problem;
  }

  function lateQueues(log: FastifyBaseLogger): Promise<readonly string[]> {
    const at = performance.now();
    if (late && at - late.at < lateKnownMs) return late.queues;
    const none: string[] = [];
    const queues = Promise.race([findLateQueues(), setTimeout(answerMs, none, { ref: false })]).then(
      (problem) => {
        if (problem.length > 0) log.warn({ queues: problem }, 'tasks are late');
        return problem;
      },
      (error) => {
        log.error({ err: error }, 'late tasks cannot be found');
        return [];
      },
    );
    late = { at, queues };
    return queues;
  }

  let fileState: { at: number; problem: Promise<string> } | null = null;
  function fileProblem(log: FastifyBaseLogger): Promise<string> {
    const at = performance.now();
    if (fileState && at - fileState.at < lateKnownMs) return fileState.problem;
    const silence = setTimeout(answerMs, undefined, { ref: false }).then(() => {
      throw new Error(`no answer in ${answerMs / 1_000} s`);
    });
    const problem = Promise.race([fileStore.space(), silence]).then(
      (space) => space?.problem ?? 'ok',
      (error) => {
        log.error({ err: error }, 'the disk of the stored files cannot be read');
        return 'does not respond';
      },
    );
    fileState = { at, problem };
    return problem;
  }

  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async ({ log }, reply) => {
    if (app.draining.on) return reply.code(503).send({ status: 'stopping' });
    const problem = diskRefusedWithin(diskMs) ? "the database's disk is full" : await databaseProblem(log);
    if (problem === null)
      return { status: 'ready', lateQueues: await lateQueues(log), fileStore: await fileProblem(log) };
    return reply.code(503).header('retry-after', '5').send({ status: problem });
  });
}

async function findReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ readOnly: boolean }>`select pg_is_in_recovery() or
    current_setting('transaction_read_only')::boolean as read_only`.execute(db);
  return rows[0]?.readOnly ?? false;
}

function registerDiskMetrics(app: FastifyInstance, fileStore: Pick<FileStore, 'space'>): void {
  registerGauges(
    app,
    { what: 'the disk of stored files', ttlMs: lateKnownMs, find: () => fileStore.space() },
    {
      stored_files_free_bytes: {
        help: 'Free space on the disk of stored files; absent for a bucket',
        read: ({ free }) => [[{}, free]],
      },
      stored_files_size_bytes: {
        help: 'Size of the disk of stored files; absent for a bucket',
        read: ({ size }) => [[{}, size]],
      },
    },
  );
  registerGauges(
    app,
    { what: "the database's disk", ttlMs: 0, find: async () => diskRefusedWithin(minuteMs) },
    {
      database_disk_full: {
        help: "1 if the database's disk refused a write of this process in the last minute",
        read: (full) => [[{}, full ? 1 : 0]],
      },
    },
  );
}
