import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';

export const searchInput = (
  around: { lat: number; lng: number },
  options: Partial<SavedSearch> = {},
): Omit<SavedSearch, 'id' | 'savedAt' | 'timeZone'> => ({
  name: 'Work near home',
  place: 'Home',
  lat: around.lat,
  lng: around.lng,
  radiusKm: 10,
  category: null,
  kind: null,
  minPay: null,
  minTotal: null,
  weekdays: [],
  startsFrom: null,
  endsBy: null,
  maxMinutes: null,
  currency: null,
  from: null,
  to: null,
  q: null,
  alert: 'at_once',
  ...options,
});
