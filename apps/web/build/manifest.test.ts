import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { routeOf } from '../src/app/routes.ts';

type Picture = {
  src: string;
  sizes: string;
  type: string;
  purpose?: string;
  form_factor?: string;
  label?: string;
};

const folder = join(import.meta.dirname, '../public');
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.webmanifest'), 'utf8')) as {
  start_url: string;
  shortcuts: { name: string; url: string }[];
  screenshots: Picture[];
  icons: Picture[];
};

describe('the manifest', () => {
  it('has phone and desktop screenshots of the declared sizes', async () => {
    expect(manifest.screenshots.map((one) => one.form_factor)).toEqual(['narrow', 'narrow', 'wide']);
    for (const { src, sizes, type, label } of manifest.screenshots) {
      const { width, height, format } = await sharp(join(folder, src)).metadata();
      expect([`${width}x${height}`, `image/${format}`], src).toEqual([sizes, type]);
      expect(label).toMatch(/\w/);
      // Chromium ignores screenshots outside these limits.
      const long = Math.max(width, height);
      const short = Math.min(width, height);
      expect(short).toBeGreaterThanOrEqual(320);
      expect(long).toBeLessThanOrEqual(3_840);
      expect(long / short).toBeLessThanOrEqual(2.3);
      expect(statSync(join(folder, src)).size).toBeLessThan(120 * 1_024);
    }
  });

  it('links to existing screens', () => {
    for (const url of [manifest.start_url, ...manifest.shortcuts.map((one) => one.url)])
      expect(routeOf(url), url).toBeDefined();
  });
});
