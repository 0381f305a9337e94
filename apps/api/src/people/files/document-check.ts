import { createGate } from '../../platform/process/gate.ts';
import type { Document, Finding } from './document-check.worker.ts';

/** One at a time, so that a document's patience runs from its own start; 64 may wait, more are a 503. */
const throughGate = createGate(1, 64);
/** The slowest document that we could make takes two seconds of a busy processor. */
const patienceMs = 15_000;
/** The thread goes after this time without work. */
const idleMs = 60_000;
/** For a document, what it unpacks to, and a copy of that as text. */
const heapMb = 512;

const loadPool = async () => {
  const { default: Tinypool } = await import('tinypool');
  return new Tinypool({
    filename: new URL('./document-check.worker.ts', import.meta.url).href,
    ...{ runtime: 'worker_threads', minThreads: 0, maxThreads: 1, idleTimeout: idleMs },
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
};
let pool: ReturnType<typeof loadPool> | undefined;

/**
 * What makes a document more than one; null for a plain one. A small file can unpack to 50 MB, which takes seconds to read: another thread reads
 * it, so that nobody else waits.
 * @throws request/unavailable while too many documents are waiting
 */
export const checkDocument = (document: Document): Promise<Finding | null> =>
  throughGate(() => read(document));

async function read(document: Document): Promise<Finding | null> {
  // Loaded when first needed (ADR 311).
  pool ??= loadPool();
  const thread = await pool;
  const patience = AbortSignal.timeout(patienceMs);
  try {
    return await thread.run(document, { signal: patience });
  } catch (error) {
    // Cut off: no plain document takes that long, or that much memory.
    if (patience.aborted || isOutOfMemory(error)) return 'unreadable';
    throw error;
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
