import type { FoundAddress, Point } from '@nearhand/contract/people/places';
import { z } from 'zod';

type GeocoderKind = 'photon' | 'nominatim';

export type AddressQuestion = { q: string; near: Point | null; language: string };

const resultsMax = 6;

/** Photon rejects all other languages. */
const photonLanguages = new Set(['en', 'de', 'fr']);
/** Radius around `near` that Nominatim prefers, in degrees. */
const boxDegrees = 0.3;

/** Builds the URL of either protocol (photon.komoot.io, nominatim.org/release-docs/latest/api/Search). */
export function geocoderUrl(base: string, kind: GeocoderKind, question: AddressQuestion): URL {
  const { q, near, language } = question;
  const url = new URL(base);
  const { searchParams: query } = url;
  query.set('q', q);
  query.set('limit', String(resultsMax));
  if (kind === 'photon') {
    if (photonLanguages.has(language)) query.set('lang', language);
    if (near) {
      query.set('lat', String(near.lat));
      query.set('lon', String(near.lng));
    }
    return url;
  }
  query.set('format', 'jsonv2');
  query.set('addressdetails', '1');
  query.set('accept-language', language);
  if (near)
    query.set(
      'viewbox',
      [near.lng - boxDegrees, near.lat + boxDegrees, near.lng + boxDegrees, near.lat - boxDegrees]
        .map((degrees) => degrees.toFixed(2))
        .join(),
    );
  return url;
}

const text = z.string().trim().min(1).max(300).optional().catch(undefined);
const latitude = z.coerce.number().min(-90).max(90);
const longitude = z.coerce.number().min(-180).max(180);

const photonAnswer = z.object({
  features: z.array(
    z.object({
      geometry: z.object({ coordinates: z.tuple([longitude, latitude]) }),
      properties: z.object({
        name: text,
        housenumber: text,
        street: text,
        postcode: text,
        district: text,
        city: text,
        state: text,
        country: text,
        countrycode: text,
        type: text,
      }),
    }),
  ),
});

const nominatimAnswer = z.array(
  z.object({
    lat: latitude,
    lon: longitude,
    name: text,
    address: z.object({
      house_number: text,
      road: text,
      pedestrian: text,
      suburb: text,
      neighbourhood: text,
      city: text,
      town: text,
      village: text,
      municipality: text,
      postcode: text,
      country: text,
      country_code: text,
    }),
  }),
);

type Parts = {
  name: string | undefined;
  houseNumber: string | undefined;
  street: string | undefined;
  postcode: string | undefined;
  quarter: string | undefined;
  town: string | undefined;
  country: string | undefined;
  countryCode: string | undefined;
} & Point;

/** Countries that write the number before the street. */
const numberFirst = new Set(['AU', 'CA', 'FR', 'GB', 'IE', 'LU', 'NZ', 'US']);

function toAddress(parts: Parts): FoundAddress[] {
  const { name, houseNumber, postcode, quarter, town, country, lat, lng } = parts;
  const countryCode = parts.countryCode?.toUpperCase() ?? null;
  // `street` first: a house's `name` may be the shop in it. Only a street's own record has its name there.
  const street = parts.street ?? (town ? name : undefined);
  const numbered = numberFirst.has(countryCode ?? '') ? [houseNumber, street] : [street, houseNumber];
  const address = street ? numbered.filter(Boolean).join(' ') : null;
  const label = address ?? name ?? postcode;
  if (!label) return [];
  const area = town ?? quarter ?? null;
  const detail = [[postcode, area].filter((part) => part && part !== label).join(' '), country];
  return [
    {
      label,
      detail: detail.filter(Boolean).join(', '),
      address,
      area,
      postcode: postcode ?? null,
      countryCode,
      lat,
      lng,
      exact: houseNumber !== undefined,
    },
  ];
}

/**
 * Merges streets and postcodes that look the same.
 * @throws ZodError for an invalid response
 */
export function readGeocoder(kind: GeocoderKind, body: unknown): FoundAddress[] {
  const parts: Parts[] =
    kind === 'photon'
      ? photonAnswer.parse(body).features.map(({ geometry, properties: of }) => ({
          name: of.name,
          houseNumber: of.housenumber,
          street: of.street,
          postcode: of.postcode,

          quarter: of.district,
          town: of.city ?? of.district ?? of.state,
          country: of.country,
          countryCode: of.countrycode,
          lng: geometry.coordinates[0],
          lat: geometry.coordinates[1],
        }))
      : nominatimAnswer.parse(body).map(({ lat, lon, name, address: of }) => ({
          name,
          houseNumber: of.house_number,
          street: of.road ?? of.pedestrian,
          postcode: of.postcode,
          quarter: of.suburb ?? of.neighbourhood,
          country: of.country,
          countryCode: of.country_code,
          town: of.city ?? of.town ?? of.village ?? of.municipality,
          lat,
          lng: lon,
        }));
  const addresses = new Map<string, FoundAddress>();
  for (const address of parts.flatMap(toAddress)) {
    const key = `${address.label}|${address.detail}`;
    if (!addresses.has(key)) addresses.set(key, address);
  }
  return [...addresses.values()].slice(0, resultsMax);
}
