import type { MapTiles } from '@nearhand/contract/people/places';
import { DARK, type Flavor, LIGHT, layers as protomapsLayers } from '@protomaps/basemaps';
import {
  addProtocol,
  type ExpressionSpecification,
  type LayerSpecification,
  type Map as MapLibreMap,
  type MapSourceDataEvent,
  type VectorSourceSpecification,
} from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';
import { apiUrl, serverOrigin } from '../../../lib/api/server-address.ts';
import { type Credit, readCredits } from './map-credits.ts';
import { mapFont } from './map-style.ts';
import { isDark, type MapTheme } from './map-theme.ts';
import { openMapTilesLayers } from './openmaptiles-layers.ts';
import { type StreetColours, streetColours } from './street-colours.ts';

type TileSchema = 'protomaps' | 'openmaptiles';

export const streetSource = 'streets';

/** Layers that need a sprite, and the background, which is our own. */
const omittedLayers = new Set(['background', 'pois', 'roads_shields', 'roads_oneway', 'address_label']);

/** The library's flavor in our colours. Colours not named here, such as an airfield's, stay the library's. */
function flavorOf(colours: StreetColours, dark: boolean): Flavor {
  const base = dark ? DARK : LIGHT;
  const { land, water, park, built, building, road, roadEdge, mainRoad, rail, border } = colours;
  const { text, text2, waterText } = colours;
  const layersNamed = (part: RegExp, colour: string) =>
    Object.fromEntries(
      Object.keys(base)
        .filter((key) => part.test(key))
        .map((key) => [key, colour]),
    );
  const { landcover: _, pois: __, ...plain } = base;
  return {
    ...plain,
    ...layersNamed(/^(hospital|industrial|school|pedestrian|aerodrome|military|glacier|sand|beach)$/, built),
    ...layersNamed(/^(park|wood|scrub)_|^zoo$/, park),
    ...layersNamed(/^(other|minor|link|tunnel|bridges)/, road),
    ...layersNamed(/^(major|highway)$|_(major|highway)$/, mainRoad),
    ...layersNamed(/_casing/, roadEdge),
    ...layersNamed(/_label(_|$)|_label$/, text2),
    ...layersNamed(/_halo$/, land),
    earth: land,
    background: land,
    water,
    buildings: building,
    railway: rail,
    boundaries: border,
    runway: road,
    pier: road,
    ocean_label: waterText,
    city_label: text,
    roads_label_major: text2,
  };
}

/** Uses the reader's language if the tiles have it, otherwise the local name. */
const nameIn = (language: string): ExpressionSpecification => [
  'coalesce',
  ['get', `name:${language}`],
  ['get', 'name'],
];

/** Uses the page's font: the library's lines in several scripts each request another font. */
function inOurFont(layer: LayerSpecification, language: string): LayerSpecification {
  if (layer.type !== 'symbol') return layer;
  const { 'icon-image': _, ...layout } = layer.layout ?? {};
  return { ...layer, layout: { ...layout, 'text-field': nameIn(language), 'text-font': mapFont } };
}

export function streetLayers(schema: TileSchema, theme: MapTheme, language: string): LayerSpecification[] {
  const colours = streetColours(theme);
  if (schema === 'openmaptiles') return openMapTilesLayers(streetSource, colours, language);
  const flavor = flavorOf(colours, isDark(theme));
  return (protomapsLayers(streetSource, flavor, { lang: language }) as LayerSpecification[])
    .filter(({ id }) => !omittedLayers.has(id))
    .map((layer) => inOurFont(layer, language));
}

export type StreetTiles = {
  source: VectorSourceSpecification;
  schema: TileSchema;
  credits: Credit[];
  /** West, south, east, north in degrees. */
  bounds: readonly [number, number, number, number];
  minZoom: number;
};

type Description = {
  tiles?: unknown;
  scheme?: unknown;
  maxzoom?: unknown;
  vector_layers?: { id?: unknown }[];
  attribution?: unknown;
  bounds?: unknown;
  minzoom?: unknown;
};

/** Each schema has a layer for streets that no other one has. */
function schemaOf({ vector_layers: layers }: Description): TileSchema {
  const names = new Set(Array.isArray(layers) ? layers.map(({ id }) => id) : []);
  if (names.has('roads')) return 'protomaps';
  if (names.has('transportation')) return 'openmaptiles';
  throw new Error('The tiles have neither the Protomaps nor the OpenMapTiles schema');
}

const everywhere = [-180, -85.06, 180, 85.06] as const;
const boundsOf = ({ bounds }: Description): StreetTiles['bounds'] =>
  Array.isArray(bounds) && bounds.length === 4 && bounds.every(Number.isFinite)
    ? (bounds as unknown as StreetTiles['bounds'])
    : everywhere;

let protocol: Protocol | null = null;

async function openArchive(url: string): Promise<StreetTiles> {
  if (!protocol) {
    protocol = new Protocol();
    addProtocol('pmtiles', protocol.tile);
  }
  const archive = protocol.get(url) ?? new PMTiles(url);
  protocol.add(archive);
  const [header, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
  const { minLon, minLat, maxLon, maxLat, minZoom } = header;
  return {
    source: { type: 'vector', url: `pmtiles://${url}` },
    schema: schemaOf(metadata as Description),
    credits: readCredits((metadata as Description).attribution),
    bounds: [minLon, minLat, maxLon, maxLat],
    minZoom,
  };
}

/** The longest wait for a response of the tile server. After it, the map continues without streets. */
const answerWithinMs = 3_000;

function tilesOf({ tiles }: Description, url: string): string[] {
  const addresses = Array.isArray(tiles) ? tiles.map((tile) => new URL(String(tile), url)) : [];
  // The content policy allows this host alone.
  if (addresses.length === 0 || addresses.some(({ origin }) => origin !== new URL(url).origin))
    throw new Error('The TileJSON document names no tiles on its own host');
  return addresses.map(({ href }) => decodeURI(href));
}

async function openTileJson(url: string, withinMs: number): Promise<StreetTiles> {
  const response = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
  if (!response.ok) throw new Error(`The TileJSON document answered ${response.status}`);
  const description = (await response.json()) as Description;
  const maxZoom = Number(description.maxzoom);
  return {
    source: {
      type: 'vector',
      tiles: tilesOf(description, url),
      scheme: description.scheme === 'tms' ? 'tms' : 'xyz',
      bounds: [...boundsOf(description)],
      minzoom: Number(description.minzoom) || 0,
      ...(maxZoom > 0 ? { maxzoom: maxZoom } : {}),
    },
    schema: schemaOf(description),
    credits: readCredits(description.attribution),
    bounds: boundsOf(description),
    minZoom: Number(description.minzoom) || 0,
  };
}

/** Opens the configured tiles. A path is on our server, which in a native shell has another origin. */
export function openStreetTiles({ kind, url }: MapTiles, withinMs = answerWithinMs): Promise<StreetTiles> {
  const address = url.startsWith('/') ? new URL(apiUrl(url), serverOrigin()).href : url;
  return kind === 'pmtiles' ? openArchive(address) : openTileJson(address, withinMs);
}

/**
 * Resolves with the first tile, or at once for a view that the tiles don't cover.
 * @throws if none arrives in time
 */
export function firstTile(
  map: Pick<MapLibreMap, 'on' | 'off' | 'isSourceLoaded'>,
  withinMs = answerWithinMs,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const onData = ({ sourceId, tile }: MapSourceDataEvent) => {
      if (sourceId === streetSource && (tile || (!failed && map.isSourceLoaded(streetSource)))) end(resolve);
    };
    const onError = (event: object) => {
      failed ||= 'sourceId' in event && event.sourceId === streetSource;
    };
    const end = (settle: () => void) => {
      clearTimeout(timer);
      map.off('sourcedata', onData);
      map.off('error', onError);
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('No street tile came in time'))), withinMs);
    map.on('sourcedata', onData);
    map.on('error', onError);
  });
}
