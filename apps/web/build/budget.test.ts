// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { firstLoads } from './budget.ts';
import { firstChunks } from './first-chunks.ts';

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

it('groups shared modules into one chunk, and leaves modules loaded later alone', () => {
  const imports: Record<string, string[]> = {
    main: ['react'],
    explore: ['react', 'button', 'list'],
    welcome: ['button', 'art'],
    react: [],
    button: [],
    list: ['row'],
    row: [],
    art: [],
    map: [],
  };
  const modules = {
    getModuleInfo: (id: string) => (imports[id] ? { importedIds: imports[id] } : null),
  };
  const chunkOf = firstChunks('main', { explore: 'explore', welcome: 'welcome' });
  const groups = Object.fromEntries(Object.keys(imports).map((id) => [id, chunkOf(id, modules)]));
  expect(groups).toEqual({
    main: 'app',
    react: 'app',
    button: 'app',
    explore: 'explore',
    list: 'explore',
    row: 'explore',
    welcome: 'welcome',
    art: 'welcome',
    map: null,
  });
});
