import { z } from 'zod';
import { limits } from '../limits.ts';
import { line, operation, queryNumber } from '../operation.ts';

const latitudeMax = 90;
const longitudeMax = 180;

/** A point on the earth, WGS 84 degrees. */
export const point = z.object({
  lat: z.number().min(-latitudeMax).max(latitudeMax),
  lng: z.number().min(-longitudeMax).max(longitudeMax),
});
/** The same in a query string. */
export const queryPoint = {
  lat: queryNumber.min(-latitudeMax).max(latitudeMax),
  lng: queryNumber.min(-longitudeMax).max(longitudeMax),
};
export type Point = z.infer<typeof point>;

/** A named place. */
export const place = z.object({ label: line(limits.placeLabelMax), ...point.shape });
export type Place = z.infer<typeof place>;

/** Where street tiles are: a PMTiles archive read in ranges, or a TileJSON document. A path is one of this server. */
export const mapTiles = z.object({ kind: z.enum(['pmtiles', 'tilejson']), url: z.string() });
export type MapTiles = z.infer<typeof mapTiles>;

/** The path under `/api` of the server's own PMTiles archive. */
export const mapTilesPath = '/places/map-tiles.pmtiles';

/** What a client needs to draw a map and where to start without a position. */
export const mapSettings = z.object({
  /** A provider's MapLibre style, which draws the whole background. */
  styleUrl: z.string().nullable(),
  /** Streets, drawn in our own look; without tiles and style the map has coastline and names only. */
  tiles: mapTiles.nullable(),
  start: place,
});
export type MapSettings = z.infer<typeof mapSettings>;

/** Map settings; places are searched on the device (ADR 0020). */
export const places = {
  mapSettings: operation({ access: 'public', errors: [] })
    .route({ method: 'GET', path: '/places/map-settings', summary: 'Where a map starts and how it is drawn' })
    .output(mapSettings),
};
