import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const readFont = (file: string) => readFileSync(new URL(`./${file}`, import.meta.url));

const fileOf = (name: string, bytes: Buffer) => ({
  bytes,
  path: `/page-fonts/${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}.woff2`,
});

/** The name changes with the content, so that browsers can cache fonts forever. */
export const pageFonts = {
  display: fileOf('bricolage', readFont('bricolage-700.woff2')),
  text: fileOf('figtree', readFont('figtree.woff2')),
} as const;
