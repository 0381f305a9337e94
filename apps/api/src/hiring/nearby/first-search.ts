import { startSearch } from '@nearhand/contract/hiring/nearby-start';
import { placeCookie } from '@nearhand/contract/people/coarse-place';
import type { Point } from '@nearhand/contract/people/places';

const explorePath = '/tabs/menu/explore';
const placeParams = new Set(['lat', 'lng', 'at', 'view']);

/** The search address of a guest's Explore; null for other pages and filtered searches. */
export function firstSearch(url: string, cookies: string, town: Point): string | null {
  const [path = '', text = ''] = url.split('?', 2);
  const query = new URLSearchParams(text);
  if (path !== explorePath && path !== '/') return null;
  if ([...query.keys()].some((name) => !placeParams.has(name))) return null;
  const cookiePlace = new RegExp(`(?:^|;\\s*)${placeCookie}=([^;]*)`).exec(cookies)?.[1]?.split(',') ?? [];
  const place =
    point(query.get('lat'), query.get('lng')) ??
    point(cookiePlace[0] ?? null, cookiePlace[1] ?? null) ??
    town;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(startSearch(place))) search.set(name, String(value));
  return `/api/jobs/nearby?${search}`;
}

function point(lat: string | null, lng: string | null): Point | null {
  if (!isDecimal(lat) || !isDecimal(lng)) return null;
  const place = { lat: Number(lat), lng: Number(lng) };
  return Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180 ? place : null;
}

const isDecimal = (text: string | null): text is string =>
  text !== null && /^-?\d{1,3}(\.\d{1,10})?$/.test(text);
