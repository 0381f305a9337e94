import { createGate } from './concurrency-limit.ts';

type ProcessLimits = {
  waiting: number;
  patienceMs: number;
  /** Beyond this the job fails, and the next one gets a new process. */
  heapMb: number;
};

const idleMs = 60_000;

/** A job took more time or memory than its process allows, or ended the process. */
export class WorkCutOffError extends Error {}

const exitMessage = 'Worker exited unexpectedly';

/**
 * Runs one job at a time in its own process, so that it can't exhaust the server's memory (ADR 125).
 * @throws WorkCutOffError
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
  // Jobs wait here, not in the pool, so that waiting doesn't use up their time limit.
  const throughGate = createGate(1, waiting);
  return (input) =>
    throughGate(async () => {
      // Loaded when first needed (ADR 254).
      const running = await openPool();
      const patience = AbortSignal.timeout(patienceMs);
      // If a process can't start, the pool emits an error but never settles the job.
      const broken = new AbortController();
      running.removeAllListeners('error').on('error', (error) => broken.abort(error));
      try {
        return await running.run(input, { signal: AbortSignal.any([patience, broken.signal]) });
      } catch (error) {
        if (broken.signal.aborted) throw broken.signal.reason;
        if (patience.aborted || (error instanceof Error && error.message === exitMessage))
          throw new WorkCutOffError('cut off by its process', { cause: error });
        throw error instanceof Error ? error : Object.assign(new Error(), error);
      }
    });
}
