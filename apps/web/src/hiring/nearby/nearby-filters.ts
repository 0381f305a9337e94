import { dayMinutes } from '@nearhand/contract/durations';
import type { NearbySort } from '@nearhand/contract/hiring/nearby';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { limits } from '@nearhand/contract/limits';
import { type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { JobKind } from '@nearhand/contract/work/terms';
import { isCategory } from '../../lib/words/category.labels.ts';
import type { NearbyAsk } from './nearby.api.ts';

/**
 * Jobs that hire at once, have their pay set aside, belong to verified businesses, start in the morning, afternoon
 * or evening, or fit the viewer's hours.
 */
export const onlyFilters = [
  'instant',
  'funded',
  'verified',
  'morning',
  'afternoon',
  'evening',
  'fits',
] as const;
export type Only = (typeof onlyFilters)[number];

export type NearbyFilters = {
  radiusKm: number;
  sort: NearbySort;
  category: CategoryId | null;
  kind: JobKind | null;
  /** The minimum hourly pay in minor units. */
  minPay: number | null;
  /** The minimum pay for the whole job in minor units. */
  minTotal: number | null;
  /** In order of the week; none do not filter. */
  weekdays: readonly Weekday[];
  /** Minutes after midnight where the job is. */
  startsFrom: number | null;
  endsBy: number | null;
  maxMinutes: number | null;
  from: string | null;
  to: string | null;
  q: string;
  only: readonly Only[];
};

export type PlaceInUrl = { lat: number; lng: number; label: string };

export const noFilters: NearbyFilters = {
  radiusKm: nearbyLimits.radiusDefaultKm,
  sort: 'best',
  category: null,
  kind: null,
  minPay: null,
  minTotal: null,
  weekdays: [],
  startsFrom: null,
  endsBy: null,
  maxMinutes: null,
  from: null,
  to: null,
  q: '',
  only: [],
};

/** The product's choices (product.md, Constants) and a shorter one for people who only walk. */
export const radiusChoicesKm: readonly number[] = [2, ...nearbyLimits.radiusChoicesKm];

const sorts: readonly NearbySort[] = ['best', 'distance', 'newest', 'pay', 'total', 'soonest'];
const kinds: readonly JobKind[] = ['shift', 'task'];
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | null =>
  values.find((value) => value === text) ?? null;

function number(text: string | null, min: number, max: number): number | null {
  if (text === null || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) && value >= min && value <= max ? value : null;
}

const integer = (text: string | null, min: number, max: number): number | null => {
  const value = number(text, min, max);
  return value === null ? null : Math.round(value);
};

export function readFilters(params: URLSearchParams): NearbyFilters {
  const category = params.get('cat');
  const from = params.get('from');
  const to = params.get('to');
  return {
    radiusKm: number(params.get('r'), 0.1, nearbyLimits.radiusMaxKm) ?? noFilters.radiusKm,
    sort: oneOf(sorts, params.get('sort')) ?? noFilters.sort,
    category: isCategory(category) ? category : null,
    kind: oneOf(kinds, params.get('kind')),
    minPay: integer(params.get('pay'), 1, 1_000_000_000),
    minTotal: integer(params.get('total'), 1, 1_000_000_000),
    weekdays: weekdays.filter((weekday) => (params.get('day') ?? '').split(',').includes(weekday)),
    startsFrom: integer(params.get('start'), 0, dayMinutes - 1),
    endsBy: integer(params.get('end'), 1, dayMinutes),
    maxMinutes: integer(params.get('length'), 1, limits.shiftMinutesMax),
    from: isDay(from) ? from : null,
    to: isDay(to) ? to : null,
    q: (params.get('q') ?? '').slice(0, 100),
    only: onlyFilters.filter((onlyFilter) => (params.get('only') ?? '').split(',').includes(onlyFilter)),
  };
}

export function readPlace(params: URLSearchParams): PlaceInUrl | null {
  const lat = number(params.get('lat'), -90, 90);
  const lng = number(params.get('lng'), -180, 180);
  if (lat === null || lng === null) return null;
  return {
    lat,
    lng,
    label: (params.get('at') ?? '').slice(0, 200) || `${lat.toFixed(3)}, ${lng.toFixed(3)}`,
  };
}

/** The address of this view: only what differs from the default, so that a plain list has a plain address. */
export function writeView(filters: NearbyFilters, place: PlaceInUrl | null, map: boolean): string {
  const params = new URLSearchParams();
  const setParam = (key: string, value: string | number | null, start: string | number | null = null) => {
    if (value !== null && value !== '' && value !== start) params.set(key, String(value));
  };
  setParam('q', filters.q.trim());
  setParam('r', filters.radiusKm, noFilters.radiusKm);
  setParam('sort', filters.sort, noFilters.sort);
  setParam('cat', filters.category);
  setParam('kind', filters.kind);
  setParam('pay', filters.minPay);
  setParam('total', filters.minTotal);
  setParam('day', filters.weekdays.join(','));
  setParam('start', filters.startsFrom);
  setParam('end', filters.endsBy);
  setParam('length', filters.maxMinutes);
  setParam('from', filters.from);
  setParam('to', filters.to);
  setParam('only', filters.only.join(','));
  if (place) {
    // Five digits are a metre: a shared address reveals no more than the place it names.
    setParam('lat', Number(place.lat.toFixed(5)));
    setParam('lng', Number(place.lng.toFixed(5)));
    setParam('at', place.label);
  }
  if (map) params.set('view', 'map');
  const text = params.toString();
  return text ? `?${text}` : '';
}

/** The order in force: without words, the nearest jobs match best. */
export const sortOf = ({ sort, q }: Pick<NearbyFilters, 'sort' | 'q'>): NearbySort =>
  sort === 'best' && q.trim() === '' ? 'distance' : sort;

/** The request to the server. A two-kilometre radius is deliberate: it is not widened. */
export function askOf(filters: NearbyFilters, place: { lat: number; lng: number }): NearbyAsk {
  const { radiusKm, category, kind, minPay, minTotal, startsFrom, endsBy, maxMinutes, from, to } = filters;
  const q = filters.q.trim();
  return {
    lat: place.lat,
    lng: place.lng,
    radiusKm,
    sort: sortOf(filters),
    ...(category ? { category } : {}),
    ...(kind ? { kind } : {}),
    ...(minPay === null ? {} : { minPay }),
    ...(minTotal === null ? {} : { minTotal }),
    ...(filters.weekdays.length > 0 ? { weekdays: filters.weekdays.join(',') } : {}),
    ...(startsFrom === null ? {} : { startsFrom }),
    ...(endsBy === null ? {} : { endsBy }),
    ...(maxMinutes === null ? {} : { maxMinutes }),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(q ? { q } : {}),
    ...Object.fromEntries(filters.only.map((flag) => [flag, 'true'] as const)),
    ...(radiusKm < (nearbyLimits.radiusChoicesKm[0] ?? 5) ? { widen: false } : {}),
  };
}

export function countFilters(filters: NearbyFilters): number {
  return [
    filters.radiusKm !== noFilters.radiusKm,
    filters.category !== null,
    filters.kind !== null,
    filters.minPay !== null,
    filters.minTotal !== null,
    filters.weekdays.length > 0,
    filters.startsFrom !== null || filters.endsBy !== null,
    filters.maxMinutes !== null,
    filters.from !== null || filters.to !== null,
    ...filters.only,
  ].filter(Boolean).length;
}

/** The next wider radius to offer when nothing is found, or null at the widest. */
export const widerRadius = (radiusKm: number): number | null =>
  radiusChoicesKm.find((choice) => choice > radiusKm) ?? null;

/** A sensible hourly rate for the quick filter, in whole units of the currency. */
const goodRate: Record<string, number> = {
  EUR: 18,
  USD: 20,
  GBP: 14,
  CHF: 28,
  DKK: 170,
  SEK: 170,
  NOK: 220,
  PLN: 35,
  CZK: 220,
  CAD: 20,
  AUD: 30,
  NZD: 27,
  SGD: 15,
  JPY: 1_400,
};

export const quickRate = (currency: string, digits: number): number =>
  (goodRate[currency] ?? 18) * 10 ** digits;
