import { hourMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { FoundAddress, Point } from '@nearhand/contract/people/places';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { locale } from '../../lib/words/format.ts';
import { fold } from './fold.ts';
import { useMapSettings } from './start-place.ts';

/** Debounces requests to the geocoder, which is a third-party service with limits (ADR 20). */
const pauseMs = 450;

/**
 * Accepts only a text that may be a street or a postcode: long enough, and not the whole name of a known
 * place.
 */
function asksGeocoder(typed: string, placeNames: readonly string[]): boolean {
  const text = typed.trim();
  if (text.length < peopleLimits.addressSearchMin || text.length > limits.searchMax) return false;
  const folded = fold(text);
  return !placeNames.some((name) => fold(name) === folded);
}

type Addresses = { items: FoundAddress[]; failed: boolean };
const nothing: Addresses = { items: [], failed: false };

/**
 * Streets and postcodes, if the server has a geocoder.
 * @param placeNames null while the device searches
 */
export function useAddresses(
  typed: string,
  near: Point | null,
  placeNames: readonly string[] | null,
): Addresses {
  const { data: settings } = useMapSettings();
  const [requestedText, setRequestedText] = useState('');
  const needsGeocoder =
    settings?.addressSearch === true && placeNames !== null && asksGeocoder(typed, placeNames);
  useEffect(() => {
    if (!needsGeocoder) return setRequestedText('');
    const timer = setTimeout(() => setRequestedText(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [needsGeocoder, typed]);
  const language = locale().split('-')[0] ?? 'en';
  const query = useQuery(
    apiQuery.places.addresses.queryOptions({
      input: { q: requestedText, language, lat: near?.lat, lng: near?.lng },
      enabled: requestedText !== '',
      staleTime: hourMs,
      retry: false,
    }),
  );
  if (!needsGeocoder || requestedText === '') return nothing;
  return { items: query.data?.items ?? [], failed: query.isError };
}
