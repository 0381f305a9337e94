import { createGate } from './concurrency-limit.ts';

type ProcessLimits = {
  /** Pieces of work that may wait; more are refused. */
  waiting: number;
  patienceMs: number;
  /** Beyond this the piece fails, and the next one gets a new process. */
  heapMb: number;
};

const idleMs = 60_000;

/** A piece of work took more time or memory than its process allows, or ended the process. */
export class WorkCutOff extends Error {}

/** Message of tinypool when a process is gone. */
const gone = 'Worker exited unexpectedly';

/**
 * Work that takes a second of the processor, done one piece at a time in a process of its own, so that nobody else waits, and so that one that runs
 * out of memory ends nothing else (ADR 125). `worker` is a module whose default export does a piece; what it gets and returns is copied. It sees none
 * of our environment.
 * @throws request/unavailable while too many pieces wait, WorkCutOff, and an error with the name and message of what the piece throws
 */
export function createWorkProcess<Work extends (input: never) => unknown>(
  worker: URL,
  { waiting, patienceMs, heapMb }: ProcessLimits,
): (input: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  const load = async () => {
    const { default: Tinypool } = await import('tinypool');
    return new Tinypool({
      filename: worker.href,
      runtime: 'child_process',
      serialization: 'advanced',
      idleTimeout: idleMs,
      minThreads: 0,
      maxThreads: 1,
      env: {},
      execArgv: [`--max-old-space-size=${heapMb}`],
    });
  };
  let pool: ReturnType<typeof load> | undefined;
  const openPool = () => {
    pool ??= load().catch((error) => {
      pool = undefined;
      throw error;
    });
    return pool;
  };
  // Pieces wait here and not in the pool, so that the patience of one does not run while another is done.
  const throughGate = createGate(1, waiting);
  return (input) =>
    throughGate(async () => {
      // Loaded when first needed (ADR 254).
      const running = await openPool();
      const patience = AbortSignal.timeout(patienceMs);
      // A process that cannot start has no piece yet that could fail: the pool says so, and would let the piece wait.
      const broken = new AbortController();
      running.removeAllListeners('error').on('error', (error) => broken.abort(error));
      try {
        return await running.run(input, { signal: AbortSignal.any([patience, broken.signal]) });
      } catch (error) {
        if (broken.signal.aborted) throw broken.signal.reason;
        if (patience.aborted || (error instanceof Error && error.message === gone))
          throw new WorkCutOff('cut off by its process', { cause: error });
        throw error instanceof Error ? error : Object.assign(new Error(), error);
      }
    });
}
