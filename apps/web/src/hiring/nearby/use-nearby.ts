import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import { shownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { session } from '../../lib/session.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { type Here, rememberPlace, useMapSettings, useStartPlace } from '../../people/places/places.api.ts';
import { type NearbyAsk, nearbyJobs, useNearbyJobs } from './nearby.api.ts';
import {
  askOf,
  type NearbyFilters,
  noFilters,
  type PlaceInUrl,
  readFilters,
  readPlace,
  writeView,
} from './nearby-filters.ts';

type View = { filters: NearbyFilters; place: PlaceInUrl | null; map: boolean };

const startView: View = { filters: noFilters, place: null, map: false };

/** The views of both lists while the app is open, to restore unmounted pages. */
const views = new Map<string, View>();

const jobsOf = ({ items, common }: NearbyPage) =>
  common === null ? [] : items.map((card) => shownJob(card, common));

/** The zone of the last jobs found at a place, so that an empty search there keeps its units. */
const zones = new Map<string, string>();
const zoneKey = ({ lat, lng }: { lat: number; lng: number }) => `${lat} ${lng}`;

session.subscribe(() => {
  if (session.user() !== null) return;
  views.clear();
  zones.clear();
});

const fromSearch = (search: string): View => {
  const params = new URLSearchParams(search);
  return { filters: readFilters(params), place: readPlace(params), map: params.get('view') === 'map' };
};

/** Filters and place of a job list, in the page's address to be shared and to survive a reload (ADR 22). */
export function useNearby(path: string) {
  const { search } = useLocation();
  const [view, setView] = useState<View>(() =>
    search ? fromSearch(search) : (views.get(path) ?? startView),
  );
  const lastWritten = useRef(writeView(view.filters, view.place, view.map));
  const start = useStartPlace();

  useEffect(() => {
    if (!search || search === lastWritten.current) return;
    const next = fromSearch(search);
    lastWritten.current = writeView(next.filters, next.place, next.map);
    setView(next);
  }, [search]);

  useEffect(() => {
    views.set(path, view);
    const next = writeView(view.filters, view.place, view.map);
    lastWritten.current = next;
    // Bypasses the router: changing a filter is not a navigation.
    if (globalThis.location.pathname === path && globalThis.location.search !== next) {
      globalThis.history.replaceState(globalThis.history.state, '', path + next);
    }
  }, [view, path]);

  const here: Here | null = useMemo(
    () => (view.place ? { ...view.place, source: 'chosen' as const } : start),
    [view.place, start],
  );
  const ask: NearbyAsk | null = useMemo(
    () => (here ? askOf(view.filters, here) : null),
    [view.filters, here],
  );
  const query = useNearbyJobs(ask);
  const canShow = useCanShow();
  const settings = useMapSettings();
  const jobs = useMemo(() => query.data?.pages.flatMap(jobsOf) ?? [], [query.data]);
  const first = query.data?.pages[0];
  const foundZone = jobs[0]?.timeZone;
  const zoneOfHere = query.isPlaceholderData ? undefined : foundZone;
  useEffect(() => {
    if (here && zoneOfHere) zones.set(zoneKey(here), zoneOfHere);
  }, [here, zoneOfHere]);

  return {
    filters: view.filters,
    map: view.map,
    here,
    chosen: view.place !== null,
    query,
    /** The query of the settings that must load before the search place is known; null once it is known. */
    before: here === null ? settings : null,
    jobs,
    radiusKm: first?.radiusKm ?? view.filters.radiusKm,
    widened: first?.widened ?? false,
    /** Typed words that were read as others; absent in results that the device stored earlier. */
    respelled: first?.respelled ?? [],
    /** The zone that decides the units: of the search place, as far as its jobs show it. */
    timeZone: foundZone ?? (here && zones.get(zoneKey(here))) ?? ownTimeZone(),
    needsNetwork: (change: Partial<NearbyFilters>) =>
      here !== null && !canShow(nearbyJobs(askOf({ ...view.filters, ...change }, here))),
    setFilters: (change: Partial<NearbyFilters>) =>
      setView((before) => ({ ...before, filters: { ...before.filters, ...change } })),
    clearFilters: () =>
      setView((before) => ({ ...before, filters: { ...noFilters, sort: before.filters.sort } })),
    showMap: (map: boolean) => setView((before) => ({ ...before, map })),
    lookAt: (place: Here) => {
      rememberPlace(place);
      const { lat, lng, label } = place;
      // The device's position stays out of the address: a shared link must not reveal it.
      setView((before) => ({ ...before, place: place.source === 'device' ? null : { lat, lng, label } }));
    },
  };
}

export type Save = { saved: boolean; press: () => void };

export type Nearby = ReturnType<typeof useNearby>;
