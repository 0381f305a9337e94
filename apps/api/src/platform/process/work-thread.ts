import { AppError } from '../app-error.ts';

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

/**
 * Work that takes a second of the processor, done one piece at a time on a thread of its own, so that nobody else waits (ADR 351). `worker` is a module
 * whose default export does a piece; what it gets and returns is copied.
 * @throws request/unavailable while too many pieces wait, and whatever the piece throws
 */
export function createWorkThread<Work extends (input: never) => unknown>(
  worker: URL,
  { waiting, patienceMs, heapMb }: ThreadLimits,
): (input: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  const load = async () => {
    const { default: Tinypool } = await import('tinypool');
    return new Tinypool({
      ...{ filename: worker.href, runtime: 'worker_threads', idleTimeout: idleMs },
      ...{ minThreads: 0, maxThreads: 1, maxQueue: waiting },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
  };
  let pool: ReturnType<typeof load> | undefined;
  return async (input) => {
    // Loaded when first needed (ADR 311).
    pool ??= load();
    const thread = await pool;
    if (thread.queueSize >= waiting) throw new AppError('request/unavailable');
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceMs);
    try {
      return await thread.run(input, { signal: patience.signal });
    } finally {
      clearTimeout(timer);
    }
  };
}
