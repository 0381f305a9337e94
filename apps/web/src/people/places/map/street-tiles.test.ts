import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sumOf } from '@nearhand/contract/arithmetic';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstTile, openStreetTiles } from './street-tiles.ts';

vi.mock('maplibre-gl', () => ({ addProtocol: () => {} }));

/** A stand-in for OpenFreeMap: https://tiles.openfreemap.org/planet. */
let server: Server;
let origin: string;
let answer: RequestListener;
const description = () => ({
  tilejson: '3.0.0',
  tiles: [`${origin}/planet/{z}/{x}/{y}.pbf`],
  vector_layers: [{ id: 'transportation' }, { id: 'place' }],
  attribution: '<a href="https://openfreemap.org">OpenFreeMap</a>',
  bounds: [-180, -85, 180, 85],
  minzoom: 0,
  maxzoom: 14,
});

beforeEach(async () => {
  server = createServer((request, response) => {
    // happy-dom asks before it reads from another origin.
    if (request.method === 'OPTIONS') response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
    else answer(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const send =
  (body: () => string, status = 200): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
      .end(body());
const open = (withinMs = 3_000) => openStreetTiles({ kind: 'tilejson', url: `${origin}/planet` }, withinMs);

describe('a TileJSON document', () => {
  it('contains the tile URLs, their schema and their credits', async () => {
    answer = send(() => JSON.stringify(description()));
    expect(await open()).toMatchObject({
      schema: 'openmaptiles',
      source: { type: 'vector', tiles: [`${origin}/planet/{z}/{x}/{y}.pbf`], scheme: 'xyz', maxzoom: 14 },
      bounds: [-180, -85, 180, 85],
      credits: [{ text: 'OpenFreeMap' }, { text: '© OpenStreetMap' }],
    });
  });

  it('is given up when it is slow', async () => {
    // It never answers.
    answer = () => {};
    await expect(open(100)).rejects.toThrow();
  });

  it('is given up when its server is down', async () => {
    server.close();
    await expect(open()).rejects.toThrow();
  });

  it.each([
    ['an error', send(() => '{}', 503)],
    ['a page', send(() => '<!doctype html>')],
    ['another schema', send(() => JSON.stringify({ ...description(), vector_layers: [{ id: 'streets' }] }))],
    ['no tiles', send(() => JSON.stringify({ ...description(), tiles: undefined }))],
    [
      'tiles elsewhere',
      send(() => JSON.stringify({ ...description(), tiles: ['https://spy.example/{z}/{x}/{y}'] })),
    ],
  ] as const)('is refused if it is broken: %s', async (_name, broken) => {
    answer = broken;
    await expect(open()).rejects.toThrow();
  });
});

describe('the first tile', () => {
  const fakeMap = (loaded = false) => {
    const listeners = new Map<string, Set<(event: object) => void>>();
    const of = (name: string) => listeners.get(name) ?? new Set();
    return {
      on: (name: string, listener: (event: object) => void) => listeners.set(name, of(name).add(listener)),
      off: (name: string, listener: (event: object) => void) => of(name).delete(listener),
      isSourceLoaded: () => loaded,
      fire: (name: string, event: object) => {
        for (const listener of [...of(name)]) listener(event);
      },
      heard: () => sumOf([...listeners.values()], (set) => set.size),
    };
  };
  const wait = (map: ReturnType<typeof fakeMap>, withinMs = 50) => firstTile(map as never, withinMs);

  it('ends the wait, like a view without tiles', async () => {
    const map = fakeMap();
    const waiting = wait(map);
    map.fire('sourcedata', { sourceId: 'land', tile: {} });
    map.fire('sourcedata', { sourceId: 'streets' });
    map.fire('sourcedata', { sourceId: 'streets', tile: {} });
    await waiting;
    expect(map.heard()).toBe(0);
    const elsewhere = fakeMap(true);
    const nothingToLoad = wait(elsewhere);
    elsewhere.fire('sourcedata', { sourceId: 'streets' });
    await nothingToLoad;
  });

  it('is given up when it is missing, or all are broken', async () => {
    const map = fakeMap(true);
    const waiting = wait(map);
    map.fire('error', { sourceId: 'streets' });
    map.fire('sourcedata', { sourceId: 'streets' });
    await expect(waiting).rejects.toThrow('No street tile');
    expect(map.heard()).toBe(0);
    await expect(wait(fakeMap())).rejects.toThrow('No street tile');
  });
});
