import { createGate } from './gate.ts';

type ThreadLimits = {
  /** Pieces of work that may wait; more are refused. */
  waiting: number;
  /** A piece that takes longer is cut off. */
  patienceMs: number;
  /** Beyond this the piece fails and the thread starts again. */
  heapMb: number;
};

/** The thread goes after this time without work. */
const idleMs = 60_000;

/** A piece of work took more time or memory than its thread allows. */
export class WorkCutOff extends Error {}

/**
 * Work that takes a second of the processor, done one piece at a time on a thread of its own, so that nobody else waits (ADR 351). `worker` is a module
 * whose default export does a piece; what it gets and returns is copied.
 * @throws request/unavailable while too many pieces wait, WorkCutOff, and whatever the piece throws
 */
export function createWorkThread<Work extends (input: never) => unknown>(
  worker: URL,
  { waiting, patienceMs, heapMb }: ThreadLimits,
): (input: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  const load = async () => {
    const { default: Tinypool } = await import('tinypool');
    return new Tinypool({
      ...{ filename: worker.href, runtime: 'worker_threads', idleTimeout: idleMs },
      ...{ minThreads: 0, maxThreads: 1 },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
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
      // Loaded when first needed (ADR 311).
      const thread = await openPool();
      const patience = AbortSignal.timeout(patienceMs);
      // A thread that cannot start has no piece yet that could fail: the pool says so, and would let the piece wait.
      const broken = new AbortController();
      thread.removeAllListeners('error').on('error', (error) => broken.abort(error));
      try {
        return await thread.run(input, { signal: AbortSignal.any([patience, broken.signal]) });
      } catch (error) {
        if (broken.signal.aborted) throw broken.signal.reason;
        if (patience.aborted || isOutOfMemory(error))
          throw new WorkCutOff('cut off by its thread', { cause: error });
        throw error;
      }
    });
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
