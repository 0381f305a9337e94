import { z } from 'zod';
import { line, operation } from './operation.ts';

/** A point on the earth, WGS 84 degrees. */
export const point = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) });
export type Point = z.infer<typeof point>;

/** A place as a person names it: where it is and what to call it. */
export const place = z.object({
  label: line(200),
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
});
export type Place = z.infer<typeof place>;

/** What the client needs to draw a map and to start somewhere when the device gives no position. */
export const mapSettings = z.object({
  /** A MapLibre style; null draws coastline, distance rings and price pins on our own ground. */
  styleUrl: z.string().nullable(),
  start: place,
});
export type MapSettings = z.infer<typeof mapSettings>;

/** What a map needs; places themselves are searched on the device (ADR 0020). */
export const places = {
  mapSettings: operation({ access: 'public', errors: [] })
    .route({ method: 'GET', path: '/places/map-settings', summary: 'Where a map starts and how it is drawn' })
    .output(mapSettings),
};
