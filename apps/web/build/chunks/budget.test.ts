// @vitest-environment node
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { earlyModules, firstLoads, refusedLoads, routeLoads } from './budget.ts';

const chunk = (fileName: string, code: string, imports: string[] = [], moduleIds: string[] = []) => ({
  type: 'chunk' as const,
  name: fileName.replace('.js', ''),
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

  it('is the entry, the screen and their imports, each counted once', () => {
    const [load] = firstLoads(chunks, ['explore']);
    const gzip = ['main', 'vendor', 'explore', 'list']
      .map((code) => gzipSync(code, { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes);
    expect(load).toMatchObject({ screen: 'explore', files: 4, gzip });
    expect(load?.brotli).toBeGreaterThan(0);
  });

  it('fails for a renamed screen', () => {
    expect(() => firstLoads(chunks, ['gone'])).toThrow('gone');
  });
});

describe('a package that is chosen later', () => {
  const sdk = '/repo/node_modules/@firebase/auth/dist/esm/index.js';
  const later = [/\/node_modules\/@firebase\//];
  const build = (own: string[]) => [
    chunk('main.js', 'main', own, ['/src/app/main.tsx']),
    chunk('login.js', 'login', ['main.js'], ['/src/people/login.screen.tsx']),
    chunk('firebase.js', 'firebase', ['main.js'], [sdk]),
  ];

  it('can be in a separate chunk, which is imported when needed', () => {
    expect(earlyModules(build([]), ['login'], later)).toEqual([]);
  });

  it('is reported when a first load contains it, at any size', () => {
    expect(earlyModules(build(['firebase.js']), ['login'], later)).toEqual([
      'login loads node_modules/@firebase/auth/dist/esm/index.js',
    ]);
    expect(() => earlyModules(build([]), ['gone'], later)).toThrow('gone');
  });
});

describe('a screen opened later', () => {
  const chunks = [
    chunk('main.js', 'main'),
    chunk('explore.js', 'explore', ['main.js'], ['/src/hiring/explore.screen.tsx']),
    chunk('member.js', 'member', ['explore.js']),
    chunk('chat.js', 'chat', ['member.js', 'emoji.js'], ['/src/talk/chat.screen.tsx']),
    chunk('emoji.js', 'emoji'),
    chunk('behind.js', 'behind', ['main.js'], ['/src/app/background.tsx']),
  ];

  it('loads its own files and imports, without those of the app', () => {
    expect(routeLoads(chunks, ['explore'])).toEqual(
      new Map([
        ['explore', 0],
        ['chat', 3],
      ]),
    );
    expect(routeLoads(chunks, ['explore', 'member']).get('chat')).toBe(2);
  });

  it('fails for a deleted chunk', () => {
    expect(() => routeLoads(chunks, ['forms'])).toThrow('forms');
  });

  it("lists what a guest's browser must not load", () => {
    expect(refusedLoads(chunks, ['app/background.tsx', 'explore.screen.tsx'], ['member'])).toEqual([]);
    expect(refusedLoads(chunks, ['chat.screen.tsx'], ['member'])).toEqual(['chat.screen.tsx loads member']);
    expect(() => refusedLoads(chunks, ['gone.part.tsx'], ['member'])).toThrow('gone');
  });
});
