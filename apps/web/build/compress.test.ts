// @vitest-environment node
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { compressFolder } from './compress.ts';

const folder = mkdtempSync(join(tmpdir(), 'compress-'));
afterAll(() => rmSync(folder, { recursive: true }));

it("writes both variants of each text file, unless they aren't smaller", async () => {
  mkdirSync(join(folder, 'assets'));
  const script = 'export const answer = 42;\n'.repeat(200);
  writeFileSync(join(folder, 'assets', 'main.js'), script);
  writeFileSync(join(folder, 'index.html'), '<!doctype html>'.repeat(20));
  writeFileSync(join(folder, 'tiny.txt'), 'a');
  writeFileSync(join(folder, 'picture.png'), '0'.repeat(1_000));
  await compressFolder(folder);

  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    'assets',
    'assets/main.js',
    'assets/main.js.br',
    'assets/main.js.gz',
    'index.html',
    'index.html.br',
    'index.html.gz',
    'picture.png',
    'tiny.txt',
  ]);
  const read = (name: string) => readFileSync(join(folder, 'assets', name));
  expect(brotliDecompressSync(read('main.js.br')).toString()).toBe(script);
  expect(gunzipSync(read('main.js.gz')).toString()).toBe(script);
});
