// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { firstLoads } from './budget.ts';

const chunk = (fileName: string, code: string, imports: string[] = [], moduleIds: string[] = []) => ({
  type: 'chunk' as const,
  fileName,
  isEntry: fileName === 'main.js',
  moduleIds,
  imports,
  code,
});

describe('the first load', () => {
  const chunks = [
    chunk('main.js', 'main', ['vendor.js']),
    chunk('vendor.js', 'vendor'),
    chunk('explore.js', 'explore', ['vendor.js', 'list.js'], ['/src/hiring/explore.screen.tsx']),
    chunk('list.js', 'list'),
    chunk('map.js', 'map'),
  ];

  it('is the entry, the screen and what they import, each counted once', () => {
    const [load] = firstLoads(chunks, ['explore']);
    const gzip = ['main', 'vendor', 'explore', 'list']
      .map((code) => gzipSync(code, { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes);
    expect(load).toMatchObject({ screen: 'explore', files: 4, gzip });
    expect(load?.brotli).toBeGreaterThan(0);
  });

  it('cannot miss a screen that was renamed', () => {
    expect(() => firstLoads(chunks, ['gone'])).toThrow('gone');
  });
});
