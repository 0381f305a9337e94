import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { mapHostOf } from './config-places.ts';

const folder = mkdtempSync(join(tmpdir(), 'nearhand-config-'));
const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content, 'latin1');
  return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true }));

describe('MAP_TILES', () => {
  it('accepts a file, the address of a file, or a TileJSON document', () => {
    const file = write('town.pmtiles', 'PMTiles\u0003…');
    const source = (MAP_TILES: string) => readConfig({ MAP_TILES }).MAP_TILES;
    expect(source(file)).toEqual({ kind: 'file', at: file });
    expect(source('https://tiles.example/town.pmtiles?v=2')).toMatchObject({ kind: 'pmtiles' });
    expect(source('https://tiles.example/planet')).toMatchObject({ kind: 'tilejson' });
    expect(source('none')).toBeUndefined();
  });

  it.each([
    ['a file that is not there', () => join(folder, 'missing.pmtiles'), /not a readable PMTiles file/],
    ['another kind of file', () => write('text.pmtiles', 'hello'), /not a readable PMTiles file/],
    ['an earlier version', () => write('old.pmtiles', 'PMTiles\u0002'), /not a readable PMTiles file/],
    ['a path of something else', () => '/srv/town.mbtiles', /path or address of a \.pmtiles file/],
    ['an address that is none', () => 'https://', /path or address of a \.pmtiles file/],
  ])('rejects at startup: %s', (_name, text, message) => {
    expect(() => readConfig({ MAP_TILES: text() })).toThrow(message);
  });

  it('defaults to OpenFreeMap in development, and to nothing in production or with a style', () => {
    const production = {
      NODE_ENV: 'production',
      SECRET: 'x'.repeat(32),
      PUBLIC_URL: 'https://nearhand.example',
      SMTP_URL: 'smtp://mail.example',
      DOCUMENT_KEYS: `a:${Buffer.alloc(32, 1).toString('base64url')}`,
      PAYMENT_SANDBOX_IN_PRODUCTION: 'true',
    };
    const style = { MAP_STYLE_URL: 'https://a.example/style.json' };
    const free = { kind: 'tilejson', at: 'https://tiles.openfreemap.org/planet' };
    expect(readConfig({}).MAP_TILES).toEqual(free);
    expect(readConfig({ NODE_ENV: 'test' }).MAP_TILES).toBeUndefined();
    expect(readConfig(production).MAP_TILES).toBeUndefined();
    expect(readConfig({ ...production, MAP_TILES: free.at }).MAP_TILES).toEqual(free);
    expect(readConfig(style).MAP_TILES).toBeUndefined();
    expect([readConfig({}), readConfig(style), readConfig({ MAP_TILES: 'none' })].map(mapHostOf)).toEqual([
      'tiles.openfreemap.org',
      'a.example',
      null,
    ]);
  });

  it('conflicts with a style', () => {
    const both = { MAP_TILES: 'https://a.example/t', MAP_STYLE_URL: 'https://a.example/style.json' };
    expect(() => readConfig(both)).toThrow(/set one of them/);
  });
});
