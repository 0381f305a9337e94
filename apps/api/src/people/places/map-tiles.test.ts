import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { isShortRange } from './places.ts';

const folder = mkdtempSync(join(tmpdir(), 'nearhand-tiles-'));
const file = join(folder, 'town.pmtiles');
const bytes = Buffer.alloc(40_000, 'tile');
bytes.write('PMTiles\u0003', 'latin1');
writeFileSync(file, bytes);
afterAll(() => rmSync(folder, { recursive: true }));

const app = useTestApp({ MAP_TILES: file, READS_PER_MINUTE: '30' });
const plain = useTestApp();
const url = '/api/places/map-tiles.pmtiles';
const piece = (range: string, headers: Record<string, string> = {}, from = '10.0.0.1') =>
  app.raw({ url, headers: { range, ...headers }, remoteAddress: from });

describe('the map tiles of this server', () => {
  it('appear in the map settings', async () => {
    const settings = await app.apiAs(null).places.mapSettings();
    expect(settings.tiles).toEqual({ kind: 'pmtiles', url: '/places/map-tiles.pmtiles' });
  });

  it('are sent in ranges, to anyone, and cached for a day', async () => {
    const response = await piece('bytes=0-16383');
    expect(response.statusCode).toBe(206);
    expect(response.rawPayload.equals(bytes.subarray(0, 16_384))).toBe(true);
    expect(response.headers).toMatchObject({
      'content-range': 'bytes 0-16383/40000',
      'content-type': 'application/vnd.pmtiles',
      'cache-control': 'public, max-age=86400',
      'accept-ranges': 'bytes',
    });
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.headers.etag).toMatch(/^W?\/?".+"$/);
  });

  it('end where the file ends', async () => {
    const response = await piece('bytes=39990-50000');
    expect(response.statusCode).toBe(206);
    expect(response.rawPayload).toHaveLength(10);
    expect((await piece('bytes=50000-50010')).statusCode).toBe(400);
  });

  it('revalidate without a body', async () => {
    const { etag } = (await piece('bytes=0-99')).headers;
    expect((await piece('bytes=0-99', { 'if-none-match': String(etag) })).statusCode).toBe(304);
  });

  it.each(['', 'bytes=0-', 'bytes=-500', 'bytes=0-10,20-30', 'bytes=0-4194304', 'bytes=9-2', 'lines=1-2'])(
    'are rejected as a whole or in odd pieces: %j',
    async (range) => {
      const response = await piece(range, {}, '10.0.0.2');
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'request/invalid' });
    },
  );

  it.each(['"another"', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'are sent as a piece for any client version: %s',
    async (version) => {
      const response = await piece('bytes=0-9', { 'if-range': version }, '10.0.0.4');
      expect([response.statusCode, response.rawPayload.length]).toEqual([206, 10]);
    },
  );

  it('are limited per network', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1)
      statuses.push((await piece('bytes=0-9', {}, '10.0.0.3')).statusCode);
    expect(statuses.slice(0, 30).every((status) => status === 206)).toBe(true);
    expect(statuses[30]).toBe(429);
  });

  it("don't exist without a configured file", async () => {
    const response = await plain.raw({ url, headers: { range: 'bytes=0-9' } });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'request/unknown-operation' });
  });
});

describe('isShortRange', () => {
  it('accepts up to 4 MiB', () => {
    expect(isShortRange('bytes=0-4194303')).toBe(true);
    expect(isShortRange('bytes=5-5')).toBe(true);
    expect(isShortRange(undefined)).toBe(false);
  });
});
