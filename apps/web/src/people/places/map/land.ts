import type { FeatureCollection, LineString, Polygon, Position } from 'geojson';

type PackedLand = number[][][];

/** The size of a cell must match the one in `build/land.ts`. */
const cellDegrees = 20;

const addresses = import.meta.glob<string>('../../../generated/land/*.json', {
  query: '?url',
  import: 'default',
  eager: true,
});

export type Land = { ground: FeatureCollection<Polygon>; coast: FeatureCollection<LineString> };

const onEdge = (degrees: number): boolean => Math.abs(degrees % cellDegrees) < 1e-9;
const isCut = (point: Position): boolean => onEdge(point[0] ?? 0) || onEdge(point[1] ?? 0);

function unpackRing(packed: number[]): Position[] {
  const ring: Position[] = [];
  let lng = 0;
  let lat = 0;
  for (let at = 0; at + 1 < packed.length; at += 2) {
    lng += packed[at] ?? 0;
    lat += packed[at + 1] ?? 0;
    ring.push([lng / 1000, lat / 1000]);
  }
  return ring;
}

const pointBetween = (a: Position, b: Position, part: number): Position => [
  (a[0] ?? 0) + part * ((b[0] ?? 0) - (a[0] ?? 0)),
  (a[1] ?? 0) + part * ((b[1] ?? 0) - (a[1] ?? 0)),
];

/** Rounds corners (Chaikin): one point per kilometre looks jagged up close. Cell edges stay straight. */
function roundCorners(ring: Position[]): Position[] {
  return ring.flatMap((point, index) => {
    const next = ring[(index + 1) % ring.length] ?? point;
    if (isCut(point) || isCut(next)) return [point];
    return [pointBetween(point, next, 0.25), pointBetween(point, next, 0.75)];
  });
}

function closeRing(ring: Position[]): Position[] {
  return ring[0] ? [...ring, ring[0]] : ring;
}

function shore(ring: Position[]): Position[][] {
  const lines: Position[][] = [];
  let line: Position[] = [];
  for (const [index, point] of ring.entries()) {
    const before = ring[index - 1];
    const alongEdge =
      before !== undefined &&
      ((before[0] === point[0] && onEdge(point[0] ?? 0.5)) ||
        (before[1] === point[1] && onEdge(point[1] ?? 0.5)));
    if (alongEdge) {
      if (line.length > 1) lines.push(line);
      line = [];
    }
    line.push(point);
  }
  if (line.length > 1) lines.push(line);
  return lines;
}

function toLand(packed: PackedLand, smooth: boolean): Land {
  const polygons = packed.map((rings) =>
    rings.map((ring) => {
      const points = unpackRing(ring);
      return closeRing(smooth ? roundCorners(roundCorners(points)) : points);
    }),
  );
  return {
    ground: {
      type: 'FeatureCollection',
      features: polygons.map((coordinates) => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates },
      })),
    },
    coast: {
      type: 'FeatureCollection',
      features: smooth
        ? polygons.flat().flatMap((ring) =>
            shore(ring).map((coordinates) => ({
              type: 'Feature' as const,
              properties: {},
              geometry: { type: 'LineString' as const, coordinates },
            })),
          )
        : [],
    },
  };
}

const loaded = new Map<string, Promise<Land>>();

function load(name: string): Promise<Land> {
  const address = addresses[`../../../generated/land/${name}.json`];
  const empty: Land = {
    ground: { type: 'FeatureCollection', features: [] },
    coast: { type: 'FeatureCollection', features: [] },
  };
  // A missing file means open sea.
  if (!address) return Promise.resolve(empty);
  const cached = loaded.get(name);
  if (cached) return cached;
  const loading = fetch(address).then(async (response) =>
    toLand((await response.json()) as PackedLand, name !== 'world'),
  );
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

type Box = { west: number; south: number; east: number; north: number };

export function tilesIn(box: Box, zoom: number): string[] {
  if (zoom < 5) return ['world'];
  const low = (degrees: number) => Math.floor(degrees / cellDegrees) * cellDegrees;
  const names: string[] = [];
  for (let west = low(box.west); west < box.east; west += cellDegrees) {
    for (let south = low(Math.max(-90, box.south)); south < Math.min(90, box.north); south += cellDegrees) {
      names.push(`${((((west + 180) % 360) + 360) % 360) - 180}_${south}`);
    }
  }
  return [...new Set(names)];
}

export async function loadLand(names: readonly string[]): Promise<Land> {
  const parts = await Promise.all(names.map(load));
  return {
    ground: { type: 'FeatureCollection', features: parts.flatMap((part) => part.ground.features) },
    coast: { type: 'FeatureCollection', features: parts.flatMap((part) => part.coast.features) },
  };
}
