import type { MapTiles } from '@nearhand/contract/people/places';
import { addProtocol, type VectorSourceSpecification } from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';
import { apiUrl, serverOrigin } from '../../../lib/api/server-address.ts';
import { type Credit, readCredits } from './map-credits.ts';
import type { TileSchema } from './street-layers.ts';

export { streetLayers, streetSource } from './street-layers.ts';

/** Street tiles that answered: what to draw, whom to credit and where they end. */
export type StreetTiles = {
  source: VectorSourceSpecification;
  schema: TileSchema;
  credits: Credit[];
  /** West, south, east, north in degrees. */
  bounds: readonly [number, number, number, number];
  minZoom: number;
};

/** What we read of a TileJSON document and of an archive's metadata. */
type Description = {
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

async function openTileJson(url: string): Promise<StreetTiles> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The TileJSON document answered ${response.status}`);
  const description = (await response.json()) as Description;
  return {
    source: { type: 'vector', url },
    schema: schemaOf(description),
    credits: readCredits(description.attribution),
    bounds: boundsOf(description),
    minZoom: Number(description.minzoom) || 0,
  };
}

/** Opens the configured tiles. A path is one of our server, which in a native shell is elsewhere. */
export function openStreetTiles({ kind, url }: MapTiles): Promise<StreetTiles> {
  const address = url.startsWith('/') ? new URL(apiUrl(url), serverOrigin()).href : url;
  return kind === 'pmtiles' ? openArchive(address) : openTileJson(address);
}
