import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { optionalUrl } from './config-shapes.ts';

/** Where street tiles come from: a PMTiles file of this server, the address of one, or the address of a TileJSON document. */
export type MapTilesSource = { kind: 'file' | 'pmtiles' | 'tilejson'; at: string };

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);
const endsAsPmtiles = (text: string): boolean => text.toLowerCase().endsWith('.pmtiles');

/** Reads `MAP_TILES`; null where it names neither. */
export function mapTilesSource(text: string): MapTilesSource | null {
  if (!isAddress(text)) return endsAsPmtiles(text) ? { kind: 'file', at: text } : null;
  if (!URL.canParse(text)) return null;
  return { kind: endsAsPmtiles(new URL(text).pathname) ? 'pmtiles' : 'tilejson', at: text };
}

/** Settings of maps and places (ADR 265). */
export const placesSettings = {
  MAP_TILES: {
    shape: z
      .string()
      .transform((text, context) => {
        const source = mapTilesSource(text);
        if (source) return source;
        context.addIssue('a path or address of a .pmtiles file, or the address of a TileJSON document');
        return z.NEVER;
      })
      .optional(),
    doc: 'Streets for the map: the path of a PMTiles file that this server sends, the address of one, or the address of a TileJSON document whose tiles are on the same host. Schema Protomaps or OpenMapTiles. Without it the map shows coast, water, names and rings only (docs/operations.md).',
  },
  MAP_STYLE_URL: {
    shape: optionalUrl,
    doc: 'MapLibre style of a provider, which then draws the whole background in its own look. Set this or MAP_TILES.',
  },
  MAP_START: {
    shape: z
      .string()
      .regex(/^-?\d+(\.\d+)?,-?\d+(\.\d+)?,.+$/)
      .default('52.3728,4.8936,Amsterdam'),
    doc: 'Where Explore starts without a position: lat,lng,name.',
  },
} as const;

type PlacesConfig = { MAP_TILES?: MapTilesSource | undefined; MAP_STYLE_URL?: string | undefined };

/** What is wrong between these settings, and with the file they name. */
export function placesProblems({ MAP_TILES, MAP_STYLE_URL }: PlacesConfig): string[] {
  const problems: string[] = [];
  if (MAP_TILES && MAP_STYLE_URL) problems.push('MAP_TILES and MAP_STYLE_URL: set one of them.');
  if (MAP_TILES?.kind === 'file' && !isPmtilesFile(MAP_TILES.at))
    problems.push(`MAP_TILES=${MAP_TILES.at}: not a readable PMTiles file of version 3.`);
  return problems;
}

/** A PMTiles archive starts with its name and version. */
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
