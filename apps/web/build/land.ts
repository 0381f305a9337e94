import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

type Ring = [number, number][];

/** The side of one piece of land, in degrees; a map loads only visible pieces. */
const cellDegrees = 20;

/**
 * Polygons of land: rings of thousandths of a degree, `[lng, lat, dlng, dlat, …]`, each step from the point
 * before.
 */
export type PackedLand = number[][][];

function polygons(file: string): Ring[][] {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${file}`);
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ land: GeometryCollection }>;
  const collection = feature(topology, topology.objects.land);
  return collection.features.flatMap(({ geometry }) => {
    const shape = geometry as Polygon | MultiPolygon;
    return (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates) as Ring[][];
  });
}

/** The part of a ring on one side of a line (Sutherland and Hodgman); `axis` 0 is longitude. */
function half(ring: Ring, axis: 0 | 1, edge: number, above: boolean): Ring {
  const inside = (point: [number, number]) => (above ? point[axis] >= edge : point[axis] <= edge);
  const result: Ring = [];
  for (let index = 0; index < ring.length; index += 1) {
    const from = ring[(index + ring.length - 1) % ring.length] as [number, number];
    const to = ring[index] as [number, number];
    if (inside(from) !== inside(to)) {
      const part = (edge - from[axis]) / (to[axis] - from[axis]);
      const cross: [number, number] = [
        from[0] + part * (to[0] - from[0]),
        from[1] + part * (to[1] - from[1]),
      ];
      cross[axis] = edge;
      result.push(cross);
    }
    if (inside(to)) result.push(to);
  }
  return result;
}

const within = (rings: Ring[], axis: 0 | 1, low: number): Ring[] =>
  rings
    .map((ring) => half(half(ring, axis, low, true), axis, low + cellDegrees, false))
    .filter((ring) => ring.length > 2);

function packRing(ring: Ring): number[] {
  let lng = 0;
  let lat = 0;
  const packed: number[] = [];
  for (const point of ring) {
    const next = [Math.round(point[0] * 1000), Math.round(point[1] * 1000)] as const;
    if (packed.length > 0 && next[0] === lng && next[1] === lat) continue;
    packed.push(next[0] - lng, next[1] - lat);
    [lng, lat] = next;
  }
  return packed;
}

export const worldLand = (): PackedLand => polygons('land-110m.json').map((rings) => rings.map(packRing));

/** Land in cells, by name `west_south`; cells of open sea are left out. */
export function landCells(): Map<string, PackedLand> {
  const cells = new Map<string, PackedLand>();
  const all = polygons('land-10m.json');
  for (let west = -180; west < 180; west += cellDegrees) {
    const column = all.map((rings) => within(rings, 0, west)).filter((rings) => rings.length > 0);
    for (let south = -100; south < 90; south += cellDegrees) {
      const cell = column.map((rings) => within(rings, 1, south)).filter((rings) => rings.length > 0);
      if (cell.length > 0)
        cells.set(
          `${west}_${south}`,
          cell.map((rings) => rings.map(packRing)),
        );
    }
  }
  return cells;
}
