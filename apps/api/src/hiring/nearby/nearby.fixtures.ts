import type { NearbyFilters } from './search-filters.ts';

export const noFilters: NearbyFilters = {
  category: null,
  kind: null,
  minPay: null,
  minTotal: null,
  weekdays: null,
  startsFrom: null,
  endsBy: null,
  maxMinutes: null,
  from: null,
  to: null,
  words: null,
  instant: null,
  funded: null,
  verified: null,
  evening: null,
  morning: null,
  afternoon: null,
  fits: null,
};
