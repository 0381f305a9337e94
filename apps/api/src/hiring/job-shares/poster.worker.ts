import { buffer } from 'node:stream/consumers';
import { posterPdf } from './poster-pdf.ts';

export default ([job, words]: Parameters<typeof posterPdf>): Promise<Uint8Array> =>
  buffer(posterPdf(job, words));
