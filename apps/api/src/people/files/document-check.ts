import { createWorkProcess, WorkCutOff } from '../../platform/process/work-process.ts';
import type checkInProcess from './document-check.worker.ts';
import type { Document, Finding } from './document-check.worker.ts';

const check = createWorkProcess<typeof checkInProcess>(
  new URL('./document-check.worker.ts', import.meta.url),
  {
    waiting: 64,
    // The slowest document that we could make takes six seconds of a busy processor.
    patienceMs: 15_000,
    // For a document, what it unpacks to, and a copy of that as text.
    heapMb: 512,
  },
);

/**
 * What makes a document more than one; null for a plain one. A small file can unpack to 50 MB, which takes seconds to read.
 * @throws request/unavailable while too many documents are waiting
 */
export async function checkDocument(document: Document): Promise<Finding | null> {
  return check(document).catch((error: unknown) => {
    // No plain document takes that long, or that much memory.
    if (error instanceof WorkCutOff) return 'unreadable';
    throw error;
  });
}
