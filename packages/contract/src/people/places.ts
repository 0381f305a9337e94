import { z } from 'zod';
import { refusedBy } from '../field-issues.rules.ts';
import { limits } from '../limits.ts';
import { line, operation, queryNumber } from '../operation.ts';
import { isTimeZone } from '../zoned-time.ts';
import { countryCodes } from './company-facts.rules.ts';
import { peopleLimits } from './limits.ts';

const latitudeMax = 90;
const longitudeMax = 180;

/** A point on the earth, WGS 84 degrees. */
export const point = z.object({
  lat: z.number().min(-latitudeMax).max(latitudeMax),
  lng: z.number().min(-longitudeMax).max(longitudeMax),
});
export const queryPoint = {
  lat: queryNumber(-latitudeMax, latitudeMax),
  lng: queryNumber(-longitudeMax, longitudeMax),
};
export type Point = z.infer<typeof point>;

/**
 * An IANA time zone that someone chose for a place. If absent, the pin's, or the previous one if the pin
 * stays.
 */
export const chosenTimeZone = z
  .string()
  .max(limits.timeZoneMax)
  .refine(isTimeZone, refusedBy('choice', 'a time zone such as Europe/Amsterdam'))
  .optional();

export const place = z.object({ label: line(peopleLimits.placeLabelMax), ...point.shape });
export type Place = z.infer<typeof place>;

/** A worker's home. Its country decides the time zone where the pin is at a border; absent if unknown. */
export const home = place.extend({ countryCode: z.enum(countryCodes).nullable().optional() });
export type Home = z.infer<typeof home>;

/** The source of street tiles: a PMTiles archive read in ranges, or a TileJSON document. A path is on this server. */
export const mapTiles = z.object({ kind: z.enum(['pmtiles', 'tilejson']), url: z.string() });
export type MapTiles = z.infer<typeof mapTiles>;

/** The path under `/api` of the server's own PMTiles archive. */
export const mapTilesPath = '/places/map-tiles.pmtiles';

export const mapSettings = z.object({
  /** A provider's MapLibre style, which draws the whole background. */
  styleUrl: z.string().nullable(),
  /** Streets, drawn in our own look; without tiles and style the map has coastline and names only. */
  tiles: mapTiles.nullable(),
  addressSearch: z.boolean(),
  travelTimes: z.boolean(),
  start: place,
});
export type MapSettings = z.infer<typeof mapSettings>;

export const foundAddress = z.object({
  label: z.string(),
  detail: z.string(),
  /** Street and number as written there; null for a postcode. */
  address: z.string().nullable(),
  area: z.string().nullable(),
  postcode: z.string().nullable(),
  countryCode: z.string().nullable(),
  ...point.shape,
  /** True for a house, false for only its street. */
  exact: z.boolean(),
});
export type FoundAddress = z.infer<typeof foundAddress>;

const addressSearch = z.object({
  q: line(limits.searchMax, peopleLimits.addressSearchMin),
  lat: queryPoint.lat.optional(),
  lng: queryPoint.lng.optional(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .default('en'),
});
export type AddressSearch = z.infer<typeof addressSearch>;

export const travel = z.object({
  walkMinutes: z.number().int().nullable(),
  bikeMinutes: z.number().int().nullable(),
});
export type Travel = z.infer<typeof travel>;

/** Map settings, and external services for streets (ADR 20); places by name are searched on the device. */
export const places = {
  mapSettings: operation({ access: 'public', errors: [] })
    .route({ method: 'GET', path: '/places/map-settings', summary: 'Get the start and style of the map' })
    .output(mapSettings),
  addresses: operation({
    access: 'public',
    errors: ['address-search/off', 'address-search/unavailable', 'request/too-many'],
  })
    .route({ method: 'GET', path: '/places/addresses', summary: 'Find streets, addresses and postcodes' })
    .input(addressSearch)
    .output(z.object({ items: z.array(foundAddress) })),
  travel: operation({ access: 'public', errors: ['travel/off', 'travel/unavailable', 'request/too-many'] })
    .route({ method: 'GET', path: '/places/travel', summary: 'Minutes on foot and by bike along streets' })
    .input(
      z.object({
        fromLat: queryPoint.lat,
        fromLng: queryPoint.lng,
        toLat: queryPoint.lat,
        toLng: queryPoint.lng,
      }),
    )
    .output(travel),
};
