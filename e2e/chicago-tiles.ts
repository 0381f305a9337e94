import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { VectorTile, type VectorTileFeature, type VectorTileLayer } from '@mapbox/vector-tile';
import { fromVectorTileJs } from '@maplibre/vt-pbf';
import { PbfReader } from 'pbf';
import { zxyToTileId } from 'pmtiles';

/** OpenStreetMap data of Chicago: 30 tiles of `@mapbox/mvt-fixtures`, renamed to our two schemas. */
const folder = path.join(
  path.dirname(new URL(import.meta.resolve('@mapbox/mvt-fixtures')).pathname),
  'real-world/chicago',
);

export const chicago = { lat: 41.8781, lng: -87.6298 };
const zoom = 13;
const zooms = [11, 12, zoom];

type Properties = Record<string, string | number | boolean>;
type Renamed = { layer: string; properties: Properties } | null;
type Schema = 'protomaps' | 'openmaptiles';

const roadKinds: Record<string, string> = {
  motorway: 'highway',
  motorway_link: 'highway',
  trunk: 'major_road',
  primary: 'major_road',
  secondary: 'major_road',
  tertiary: 'major_road',
  link: 'major_road',
  street: 'minor_road',
  street_limited: 'minor_road',
  service: 'minor_road',
  pedestrian: 'path',
  track: 'path',
  major_rail: 'rail',
};
const roadClasses: Record<string, string> = {
  motorway: 'motorway',
  motorway_link: 'motorway',
  trunk: 'trunk',
  primary: 'primary',
  link: 'tertiary',
  secondary: 'secondary',
  tertiary: 'tertiary',
  street: 'minor',
  street_limited: 'minor',
  service: 'service',
  pedestrian: 'path',
  track: 'track',
  major_rail: 'rail',
};
const greens = new Set(['park', 'grass', 'wood', 'scrub', 'cemetery', 'pitch']);
const towns = new Set(['city', 'town', 'village', 'hamlet']);
const quarters = new Set(['neighbourhood', 'suburb']);

const namesOf = ({ name, name_ar: arabic, name_de: german }: Properties): Properties => ({
  ...(name ? { name, 'name:en': name } : {}),
  ...(arabic ? { 'name:ar': arabic } : {}),
  ...(german ? { 'name:de': german } : {}),
});

function asProtomaps(layer: string, { type, properties }: VectorTileFeature): Renamed {
  const kind = String(properties.class ?? properties.type ?? '');
  const isRoad = (layer === 'road' && type === 2) || layer === 'road_label';
  if (isRoad && roadKinds[kind])
    return {
      layer: 'roads',
      properties: {
        kind: roadKinds[kind],
        kind_detail: kind,
        min_zoom: 10,
        ...(kind.endsWith('link') ? { is_link: true } : {}),
        ...namesOf(properties),
      },
    };
  if (layer === 'water') return { layer: 'water', properties: { kind: 'lake' } };
  if (layer.startsWith('waterway'))
    return { layer: 'water', properties: { kind: 'river', ...namesOf(properties) } };
  if (layer === 'building') return { layer: 'buildings', properties: { kind: 'building' } };
  if (layer === 'landuse') {
    const green = greens.has(kind) ? (kind === 'pitch' ? 'park' : kind) : kind;
    return { layer: 'landuse', properties: { kind: green } };
  }
  if (layer !== 'place_label') return null;
  const place = String(properties.type);
  if (quarters.has(place))
    return { layer: 'places', properties: { kind: 'neighbourhood', min_zoom: 11, ...namesOf(properties) } };
  const population = { city: 12, town: 9 }[place] ?? 6;
  return towns.has(place)
    ? {
        layer: 'places',
        properties: {
          kind: 'locality',
          min_zoom: 4,
          population_rank: population,
          ...namesOf(properties),
        },
      }
    : null;
}

function asOpenMapTiles(layer: string, { type, properties }: VectorTileFeature): Renamed {
  const kind = String(properties.class ?? properties.type ?? '');
  const road = roadClasses[kind];
  if (layer === 'road' && type === 2 && road) return { layer: 'transportation', properties: { class: road } };
  if (layer === 'road_label' && road)
    return { layer: 'transportation_name', properties: { class: road, ...namesOf(properties) } };
  if (layer === 'water') return { layer: 'water', properties: { class: 'lake' } };
  if (layer === 'waterway') return { layer: 'waterway', properties: { class: kind } };
  if (layer === 'building') return { layer: 'building', properties: {} };
  if (layer === 'landuse' && kind === 'park') return { layer: 'park', properties: { class: 'park' } };
  if (layer === 'landuse' && greens.has(kind))
    return { layer: 'landcover', properties: { class: kind === 'wood' ? 'wood' : 'grass' } };
  if (layer === 'landuse') return { layer: 'landuse', properties: { class: kind } };
  const place = String(properties.type);
  return layer === 'place_label' && (towns.has(place) || quarters.has(place))
    ? { layer: 'place', properties: { class: place, rank: 5, ...namesOf(properties) } }
    : null;
}

type Source = { x: number; y: number; layers: VectorTile['layers'] };
type Made = { extent: number; features: VectorTileFeature[] };

/** Assembles one tile from those it covers; features are moved to their quarter. */
function assemble(sources: readonly Source[], parts: number, rename: typeof asProtomaps): Uint8Array {
  const tiles = new Map<string, Made>();
  for (const { x, y, layers } of sources)
    for (const [name, layer] of Object.entries(layers))
      for (let at = 0; at < layer.length; at += 1) {
        const feature = layer.feature(at);
        const renamed = rename(name, feature);
        if (!renamed) continue;
        const into = tiles.get(renamed.layer) ?? { extent: layer.extent * parts, features: [] };
        tiles.set(renamed.layer, into);
        const geometry = feature.loadGeometry();
        for (const point of geometry.flat()) {
          point.x += (x % parts) * layer.extent;
          point.y += (y % parts) * layer.extent;
        }
        const { properties } = renamed;
        into.features.push(Object.assign(feature, { properties, loadGeometry: () => geometry }));
      }
  const layers = [...tiles].map(([name, { extent, features }]) => [
    name,
    { name, extent, version: 2, length: features.length, feature: (at: number) => features[at] },
  ]);
  return fromVectorTileJs({ layers: Object.fromEntries(layers) as Record<string, VectorTileLayer> });
}

type Tile = { z: number; x: number; y: number; bytes: Uint8Array };

function chicagoTiles(schema: Schema): Tile[] {
  const rename = schema === 'protomaps' ? asProtomaps : asOpenMapTiles;
  const sources = readdirSync(folder).flatMap((name): Source[] => {
    const [, x, y] = /^13-(\d+)-(\d+)\.mvt$/.exec(name) ?? [];
    if (!x || !y) return [];
    const { layers } = new VectorTile(new PbfReader(readFileSync(path.join(folder, name))));
    return [{ x: Number(x), y: Number(y), layers }];
  });
  return zooms.flatMap((z) => {
    const parts = 2 ** (zoom - z);
    const inTile = Map.groupBy(sources, ({ x, y }) => `${Math.floor(x / parts)} ${Math.floor(y / parts)}`);
    return [...inTile].map(([key, members]) => {
      const [x = 0, y = 0] = key.split(' ').map(Number);
      return { z, x, y, bytes: gzipSync(assemble(members, parts, rename)) };
    });
  });
}

const degreesOf = (x: number, y: number): [number, number] => [
  (x / 2 ** zoom) * 360 - 180,
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** zoom))) * 180) / Math.PI,
];

function boundsOf(tiles: readonly Tile[]): [number, number, number, number] {
  const finest = tiles.filter(({ z }) => z === zoom);
  const [xs, ys] = [finest.map(({ x }) => x), finest.map(({ y }) => y)];
  const [west, north] = degreesOf(Math.min(...xs), Math.min(...ys));
  const [east, south] = degreesOf(Math.max(...xs) + 1, Math.max(...ys) + 1);
  return [west, south, east, north];
}

const vectorLayers = (schema: Schema): { id: string; fields: object }[] =>
  (schema === 'protomaps'
    ? ['roads', 'water', 'buildings', 'landuse', 'places']
    : ['transportation', 'transportation_name', 'water', 'waterway', 'building', 'landuse', 'park', 'place']
  ).map((id) => ({ id, fields: {} }));

export const attribution =
  '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>';

const varints = (numbers: readonly number[]): Buffer => {
  const bytes: number[] = [];
  for (let rest of numbers) {
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
};

/** A PMTiles archive of version 3 (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md) with one directory. */
export function pmtilesArchive(schema: Schema): Buffer {
  const tiles = chicagoTiles(schema)
    .map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
    .sort((a, b) => a.id - b.id);
  const steps = tiles.map(({ id }, at) => id - (tiles[at - 1]?.id ?? 0));
  const lengths = tiles.map(({ bytes }) => bytes.length);
  // Every run is one tile; an offset of 0 means right after the previous one.
  const runs = tiles.map(() => 1);
  const offsets = tiles.map((_, at) => (at === 0 ? 1 : 0));
  const directory = gzipSync(varints([tiles.length, ...steps, ...runs, ...lengths, ...offsets]));
  const metadata = gzipSync(
    JSON.stringify({ name: 'Chicago', attribution, vector_layers: vectorLayers(schema) }),
  );
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));

  const header = Buffer.alloc(127);
  header.write('PMTiles\u0003', 'latin1');
  const places = [directory.length, metadata.length, 0, data.length];
  let offset = header.length;
  for (const [at, length] of places.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + at * 16);
    offset += length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), at);
  // Clustered, gzip inside and for tiles, vector tiles, the zooms.
  header.set([1, 2, 2, 1, zooms[0] ?? zoom, zoom], 96);
  const [west, south, east, north] = boundsOf(tiles);
  for (const [at, degrees] of [west, south, east, north].entries())
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + at * 4);
  header.writeUInt8(zoom, 118);
  header.writeInt32LE(Math.round(chicago.lng * 1e7), 119);
  header.writeInt32LE(Math.round(chicago.lat * 1e7), 123);
  return Buffer.concat([header, directory, metadata, data]);
}
