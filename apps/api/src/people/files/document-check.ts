import { AppError } from '../../platform/app-error.ts';
import type { Document, Finding } from './document-check.worker.ts';

/** Uploads that may wait for the thread; more are refused. */
const mostWaiting = 64;
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
    ...{
      runtime: 'worker_threads',
      minThreads: 0,
      maxThreads: 1,
      maxQueue: mostWaiting,
      idleTimeout: idleMs,
    },
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
};
let pool: ReturnType<typeof loadPool> | undefined;

/**
 * What makes a document more than one; null for a plain one. A small file can unpack to 50 MB, which takes seconds to read: another thread reads
 * it, so that nobody else waits.
 * @throws request/unavailable while too many documents are waiting
 */
export async function checkDocument(document: Document): Promise<Finding | null> {
  // Loaded when first needed (ADR 311).
  pool ??= loadPool();
  const thread = await pool;
  if (thread.queueSize >= mostWaiting) throw new AppError('request/unavailable');
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    return await thread.run(document, { signal: patience.signal });
  } catch {
    // Cut off, or more than the thread's memory: no plain document is.
    return 'unreadable';
  } finally {
    clearTimeout(timer);
  }
}
