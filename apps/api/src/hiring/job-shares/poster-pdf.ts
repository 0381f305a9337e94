import type { PosterSize } from '@nearhand/contract/hiring/job-shares.rules';
import { shortIdOf } from '@nearhand/contract/hiring/public-pages.rules';
import { encodeQR } from 'qr';
import { ink, openPdf, page, paper } from '../../platform/pdf/pdf-pen.ts';
import type { SharedJob } from '../public-pages/shared-jobs.ts';

const edge = 48;
const inner = page.width - 2 * edge;
const pineBottom = 560;
const qrSize = 176;
const qrTop = 604;

/** Draws a poster with QR code for a shop window. Runs in a worker thread, because drawing is slow. */
export function posterPdf(job: SharedJob, { size, url, at }: { size: PosterSize; url: string; at: Date }) {
  const { pen, stream } = openPdf({ title: `${job.title}, ${job.businessName}`, at, half: size === 'a6' });
  pen.addPage();
  pen.box(0, 0, page.width, page.height, paper.bg);
  pen.box(0, -40, page.width, pineBottom + 40, ink.pine, 40);
  pen.rings(page.width - 70, 96, [60, 120, 180, 250, 330, 420], paper.pineLine);
  pen.brand(edge - 4, 44, paper.onPine, 1.3);

  let y = 132;
  pen.text("We're hiring", edge, y, { size: 20, bold: true, colour: paper.ember });
  y += 38;
  const big = pen.lines(job.title, { size: 46, bold: true, width: inner, maxLines: 3 }).length > 2 ? 36 : 46;
  for (const line of pen.lines(job.title, { size: big, bold: true, width: inner, maxLines: 3 })) {
    pen.text(line, edge, y, { size: big, bold: true, colour: paper.onPine });
    y += big * 1.14;
  }
  y += 8;
  pen.text(job.businessName, edge, y, { size: 20, colour: paper.onPine2, width: inner });

  pen.text(job.figure, edge, 372, { size: 64, bold: true, colour: paper.onPine, width: inner });
  pen.text(job.notes.join(', '), edge, 446, { size: 18, colour: paper.onPine2, width: inner });
  if (job.when) pen.text(job.when, edge, 486, { size: 20, bold: true, colour: paper.onPine, width: inner });
  pen.text(job.place, edge, 516, { size: 20, colour: paper.onPine, width: inner });

  pen.box(edge, qrTop, qrSize, qrSize, paper.surface, 16);
  pen.modules(posterCode(url), edge + 14, qrTop + 14, qrSize - 28);
  const left = edge + qrSize + 30;
  const width = page.width - edge - left;
  pen.text('Scan to see the job', left, qrTop + 26, { size: 27, bold: true, width });
  pen.text('and apply in minutes', left, qrTop + 62, { size: 27, bold: true, width });
  pen.text('Or type this address:', left, qrTop + 112, { size: 13, colour: ink.second });
  for (const [index, line] of pen
    .lines(shortAddress(url, job.id), { size: 13, bold: true, width, maxLines: 3 })
    .entries())
    pen.text(line, left, qrTop + 130 + index * 17, { size: 13, bold: true, width });
  pen.end();
  return stream;
}

/** The paper around the code is the rest of the quiet zone that scanners need. */
export const posterCode = (url: string): boolean[][] => encodeQR(url, 'raw', { ecc: 'medium', border: 1 });

const shortAddress = (url: string, jobId: string): string => `${new URL(url).host}/j/${shortIdOf(jobId)}`;
