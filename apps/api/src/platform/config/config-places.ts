import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { optionalUrl, wholeNumber } from './config-shapes.ts';

export type GeocoderKind = 'photon' | 'nominatim';

/** A local PMTiles file, the URL of one, or the URL of a TileJSON document. */
export type MapTilesSource = { kind: 'file' | 'pmtiles' | 'tilejson'; at: string };

/** OpenFreeMap's vector tiles of the world: OpenMapTiles schema, no key, no limits (https://openfreemap.org). */
const openFreeMap = 'https://tiles.openfreemap.org/planet';

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);
const endsAsPmtiles = (text: string): boolean => text.toLowerCase().endsWith('.pmtiles');

export function mapTilesSource(text: string): MapTilesSource | null {
  if (!isAddress(text)) return endsAsPmtiles(text) ? { kind: 'file', at: text } : null;
  if (!URL.canParse(text)) return null;
  return { kind: endsAsPmtiles(new URL(text).pathname) ? 'pmtiles' : 'tilejson', at: text };
}

export const placesSettings = {
  MAP_TILES: {
    shape: z
      .string()
      .transform((text, context) => {
        if (text === 'none') return text;
        const source = mapTilesSource(text);
        if (source) return source;
        context.addIssue('a path or address of a .pmtiles file, the address of a TileJSON document, or none');
        return z.NEVER;
      })
      .optional(),
    doc: 'Streets for the map: the path of a PMTiles file that this server sends, the address of one, or the address of a TileJSON document whose tiles are on the same host. Schema Protomaps or OpenMapTiles. With none, and in production without it, the map shows coast, water, names and rings only; development asks OpenFreeMap (docs/operations.md).',
  },
  MAP_STYLE_URL: {
    shape: optionalUrl,
    doc: 'MapLibre style of a provider, which then draws the whole background in its own look. Set this or MAP_TILES.',
  },
  GEOCODER_URL: {
    shape: optionalUrl,
    doc: 'Search address of a Photon (https://host/api) or Nominatim (https://host/search) server, for streets and postcodes; without it only places by name are found.',
  },
  GEOCODER_KIND: {
    shape: z.enum(['photon', 'nominatim']).optional(),
    doc: 'The protocol of GEOCODER_URL, where its path ends neither in /api nor in /search.',
  },
  GEOCODER_PER_MINUTE: {
    shape: wholeNumber(1, 100_000).default(60),
    doc: 'Questions to the geocoder in one minute, a quarter of them for one caller; answers are kept for a day. The public Nominatim allows one a second.',
  },
  ROUTER_URL: {
    shape: z
      .string()
      .refine((text) => URL.canParse(text.replace('{profile}', 'foot')) && isAddress(text), 'an http address')
      .optional(),
    doc: 'Address of an OSRM or Valhalla server, for minutes on foot and by bike along streets; without it they are calculated from the straight line. `{profile}` in it becomes foot or bike.',
  },
  ROUTER_KIND: { shape: z.enum(['osrm', 'valhalla']).default('osrm'), doc: 'The protocol of ROUTER_URL.' },
  ROUTER_PER_MINUTE: {
    shape: wholeNumber(1, 100_000).default(240),
    doc: 'Questions to the router in one minute, a quarter of them for one caller; answers are kept for a day.',
  },
  MAP_START: {
    shape: z
      .string()
      .regex(/^-?\d+(\.\d+)?,-?\d+(\.\d+)?,.+$/, 'lat,lng,name')
      .default('52.3728,4.8936,Amsterdam'),
    doc: 'Where Explore starts without a position: lat,lng,name.',
  },
} as const;

/** Guesses the protocol from the URL unless set; null if unknown. */
export function geocoderOf(
  url: string,
  kind: GeocoderKind | undefined,
): { url: string; kind: GeocoderKind } | null {
  const last = new URL(url).pathname.replace(/\/+$/, '').split('/').at(-1);
  if (kind) return { url, kind };
  if (last === 'api') return { url, kind: 'photon' };
  return last === 'search' ? { url, kind: 'nominatim' } : null;
}

/** The source of the map's streets: as configured, none, or OpenFreeMap's in development. */
export function withMapTiles({
  MAP_TILES: set,
  MAP_STYLE_URL,
  NODE_ENV,
}: Pick<PlacesConfig, 'MAP_TILES' | 'MAP_STYLE_URL'> & { NODE_ENV: string }): {
  MAP_TILES: MapTilesSource | undefined;
} {
  if (set) return { MAP_TILES: set === 'none' ? undefined : set };
  const isDefault = NODE_ENV === 'development' && !MAP_STYLE_URL;
  return { MAP_TILES: isDefault ? { kind: 'tilejson', at: openFreeMap } : undefined };
}

/** The host from which browsers load the map's background; null if only this server serves it. */
export function mapHostOf({
  MAP_TILES,
  MAP_STYLE_URL,
}: {
  MAP_TILES: MapTilesSource | undefined;
  MAP_STYLE_URL?: string;
}): string | null {
  if (MAP_STYLE_URL) return new URL(MAP_STYLE_URL).host;
  return MAP_TILES && MAP_TILES.kind !== 'file' ? new URL(MAP_TILES.at).host : null;
}

type PlacesConfig = {
  GEOCODER_URL?: string;
  GEOCODER_KIND?: GeocoderKind;
  MAP_TILES?: MapTilesSource | 'none';
  MAP_STYLE_URL?: string;
};

export function placesProblems({ MAP_TILES, MAP_STYLE_URL, ...config }: PlacesConfig): string[] {
  const problems: string[] = [];
  const { GEOCODER_URL, GEOCODER_KIND } = config;
  if (GEOCODER_URL && !geocoderOf(GEOCODER_URL, GEOCODER_KIND))
    problems.push('GEOCODER_URL: also set GEOCODER_KIND, to photon or nominatim.');
  if (MAP_TILES && MAP_TILES !== 'none' && MAP_STYLE_URL)
    problems.push('MAP_TILES and MAP_STYLE_URL: set one of them.');
  if (MAP_TILES && MAP_TILES !== 'none' && MAP_TILES.kind === 'file' && !isPmtilesFile(MAP_TILES.at))
    problems.push(`MAP_TILES=${MAP_TILES.at}: not a readable PMTiles file of version 3.`);
  return problems;
}

function isPmtilesFile(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(8);
      readSync(file, start, 0, 8, 0);
      return start.subarray(0, 7).toString('latin1') === 'PMTiles' && start[7] === 3;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
