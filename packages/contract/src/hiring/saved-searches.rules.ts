import { limits } from '../limits.ts';
import { nearbyLimits } from './nearby-start.ts';

export const searchNameMax = limits.nameMax;

/** Timing of new-job alerts: within minutes, or in a morning summary every day or every Monday. */
export const searchAlerts = ['at_once', 'daily', 'weekly', 'off'] as const;
export type SearchAlert = (typeof searchAlerts)[number];

export type SearchFilters = {
  radiusKm: number;
  category?: string | null;
  kind?: string | null;
  /** The minimum hourly pay in minor units. */
  minPay?: number | null;
  /** The minimum pay for the whole job in minor units. */
  minTotal?: number | null;
  weekdays?: readonly string[];
  /** Minutes after midnight. */
  startsFrom?: number | null;
  endsBy?: number | null;
  maxMinutes?: number | null;
  from?: string | null;
  to?: string | null;
  q?: string | null;
};

/** Decimals of a degree in an address: a metre, so that a shared one reveals no more than the place it names. */
const degreeDigits = 5;

/** Explore with the filters and place of a search, newest first for an alert; default values are left out. */
export function searchPath(
  search: SearchFilters & { lat: number; lng: number; place: string },
  { newest = false }: { newest?: boolean } = {},
): string {
  const { lat, lng, place, radiusKm, category, kind, minPay, minTotal, from, to, q } = search;
  const params = new URLSearchParams();
  const setParam = (key: string, value: string | number | null | undefined) => {
    if (value !== null && value !== undefined && value !== '') params.set(key, String(value));
  };
  setParam('q', q?.trim());
  if (radiusKm !== nearbyLimits.radiusDefaultKm) setParam('r', radiusKm);
  if (newest) setParam('sort', 'newest');
  setParam('cat', category);
  setParam('kind', kind);
  setParam('pay', minPay);
  setParam('total', minTotal);
  setParam('day', search.weekdays?.join(','));
  setParam('start', search.startsFrom);
  setParam('end', search.endsBy);
  setParam('length', search.maxMinutes);
  setParam('from', from);
  setParam('to', to);
  setParam('lat', Number(lat.toFixed(degreeDigits)));
  setParam('lng', Number(lng.toFixed(degreeDigits)));
  setParam('at', place);
  return `/tabs/menu/explore?${params}`;
}

export const savedSearchesPath = '/favorite?part=searches';
