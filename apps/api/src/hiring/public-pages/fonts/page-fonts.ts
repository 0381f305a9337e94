import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// The app's fonts cut to Western European letters (ADR 153): 14 and 12 KiB instead of 75 and 20. Other letters come from the device.
const read = (file: string) => readFileSync(new URL(`./${file}`, import.meta.url));

const fileOf = (name: string, bytes: Buffer) => ({
  bytes,
  path: `/page-fonts/${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}.woff2`,
});

/** Headings and money, and everything else. The name changes with the content, so that browsers keep them forever. */
export const pageFonts = {
  display: fileOf('bricolage', read('bricolage-700.woff2')),
  text: fileOf('figtree', read('figtree.woff2')),
} as const;
