import { buffer } from 'node:stream/consumers';
import { posterPdf } from './poster-pdf.ts';

/** Runs in a process of its own, as statements do (`print.worker.ts`). */
export default ([job, words]: Parameters<typeof posterPdf>): Promise<Uint8Array> =>
  buffer(posterPdf(job, words));
