import { dayIn } from '@nearhand/contract/durations';
import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import { shownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { neverPersist } from '../../lib/api/query-options.ts';
import { loadWhenIdle } from '../../lib/pages/load-part.ts';
import { useAddressState } from '../../lib/pages/use-address-state.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { session } from '../../lib/session.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import {
  type Here,
  rememberPlace,
  splitByPlace,
  useMapSettings,
  useStartPlace,
} from '../../people/places/places.api.ts';
import { type NearbyAsk, nearbyJobs, useNearbyJobs } from './nearby.api.ts';
import {
  askOf,
  type NearbyFilters,
  noFilters,
  onlyFilters,
  type PlaceInUrl,
  readFilters,
  readPlace,
  writeView,
} from './nearby-filters.ts';
import type { TypedFilters } from './typed-filters.ts';

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

/** The view of a list in its address, remembered while the app is open. */
function useView(path: string) {
  const [view, setView] = useAddressState<View>({
    path,
    read: fromSearch,
    write: ({ filters, place, map }) => writeView(filters, place, map),
    start: () => views.get(path) ?? startView,
  });
  useEffect(() => {
    views.set(path, view);
  }, [view, path]);
  return [view, setView] as const;
}

/** Searches with the filters in the typed words, and again for work at a place if the words find nothing. */
function useSearch(viewFilters: NearbyFilters, start: Here | null, hasAddressSearch: boolean) {
  const today = dayIn(ownTimeZone(), new Date());
  const reader = useWordReader(viewFilters.q);
  const readWords = reader.data?.readTyped ?? asTyped;
  const searchFilters = useMemo(
    () => withTyped(viewFilters, today, readWords),
    [viewFilters, today, readWords],
  );
  const typedAsk: NearbyAsk | null = useMemo(
    () => (start && !reader.isLoading ? askOf(searchFilters, start) : null),
    [searchFilters, start, reader.isLoading],
  );
  const typedQuery = useNearbyJobs(typedAsk);
  const splitQuery = useSplit(searchFilters.q, typedQuery, start, hasAddressSearch);
  const split = splitQuery.data ?? null;
  const filters = useMemo(
    () => (split ? { ...searchFilters, q: split.what } : searchFilters),
    [searchFilters, split],
  );
  const here: Here | null = useMemo(
    () => (split ? { ...split.place, source: 'chosen' } : start),
    [split, start],
  );
  const splitJobs = useNearbyJobs(split && here ? askOf(filters, here) : null);
  return {
    today,
    reader,
    readWords,
    typedFilters: readWords(viewFilters.q, today),
    split,
    isFindingPlace: splitQuery.isFetching,
    filters,
    here,
    query: split ? splitJobs : typedQuery,
  };
}

/** Filters and place of a job list, stored in the URL, so they can be shared and survive a reload (ADR 22). */
export function useNearby(path: string) {
  const [view, setView] = useView(path);
  const usualPlace = useStartPlace();
  const start: Here | null = useMemo(
    () => (view.place ? { ...view.place, source: 'chosen' as const } : usualPlace),
    [view.place, usualPlace],
  );
  const settings = useMapSettings();
  const { today, reader, readWords, typedFilters, split, isFindingPlace, filters, here, query } = useSearch(
    view.filters,
    start,
    settings.data?.addressSearch === true,
  );
  const canShow = useCanShow();
  const jobs = useMemo(() => query.data?.pages.flatMap(jobsOf) ?? [], [query.data]);
  const first = query.data?.pages[0];
  const foundZone = jobs[0]?.timeZone;
  const zoneOfHere = query.isPlaceholderData ? undefined : foundZone;
  useEffect(() => {
    if (here && zoneOfHere) zones.set(zoneKey(here), zoneOfHere);
  }, [here, zoneOfHere]);

  return {
    filters,
    /** The words as typed, with the days, the pay and the place in them. */
    typed: view.filters.q,
    /** The typed words read as work and a place, because they found nothing as typed. */
    split,
    map: view.map,
    here,
    chosen: view.place !== null,
    query,
    /** The query that must load before it is known where to search; null once it is known. */
    before: here === null ? settings : reader.isLoading ? reader : null,
    /** True while words that found nothing are looked up in the list of places, which is long. */
    isFindingPlace,
    jobs,
    radiusKm: first?.radiusKm ?? filters.radiusKm,
    widened: first?.widened ?? false,
    /** Typed words that were read as others; absent in results that the device stored earlier. */
    respelled: first?.respelled ?? [],
    /** The highest amount in the typed words, in minor units. Jobs are not filtered by it. */
    payUpTo: typedFilters.payUpTo ?? null,
    /** Days that the typed words exclude. Jobs are not filtered by them. */
    unwanted: typedFilters.unwanted ?? null,
    /** Days and times in the typed words by which no job can be filtered. */
    unsearchable: typedFilters.unsearchable ?? null,
    /** Typed words that are left out because no job has them all, and the text that was searched for without them. */
    leftOut: first?.leftOut ?? null,
    /** Similar words that find jobs, if the typed ones found none. */
    suggestions: first?.suggestions ?? [],
    /** The zone that decides the units: of the search place, as far as its jobs show it. */
    timeZone: foundZone ?? (here && zones.get(zoneKey(here))) ?? ownTimeZone(),
    needsNetwork: (change: Partial<NearbyFilters>) =>
      here !== null && !canShow(nearbyJobs(askOf({ ...filters, ...change }, here))),
    /** Searches for typed words, with the days and pay in them as filters. */
    type: (q: string) => setView((before) => ({ ...before, filters: { ...before.filters, q } })),
    /**
     * Changes filters. If they are in the typed words, those words are removed from the search field; the
     * other filters stay.
     */
    setFilters: (change: Partial<NearbyFilters>) =>
      setView((before) => ({
        ...before,
        filters: { ...keepTyped(before.filters, change, today, readWords), ...change },
      })),
    clearFilters: () =>
      setView((before) => ({ ...before, filters: { ...noFilters, sort: before.filters.sort } })),
    showMap: (map: boolean) => setView((before) => ({ ...before, map })),
    lookAt: (place: Here) => {
      rememberPlace(place);
      const { lat, lng, label } = place;
      // The device's position stays out of the address: a shared link must not reveal it.
      setView((before) => ({
        ...before,
        // The picked place replaces a place in the typed words, so only the other words stay.
        filters: split ? { ...withTyped(before.filters, today, readWords), q: split.what } : before.filters,
        place: place.source === 'device' ? null : { lat, lng, label },
      }));
    },
  };
}

type WordReader = (typed: string, today: string) => TypedFilters;
const asTyped: WordReader = (q) => ({ q, change: {} });
const loadReader = () => import('./typed-filters.ts');

/** Loads the reading of words after the first screen. If that fails, words are searched for as typed. */
function useWordReader(typed: string) {
  useEffect(() => loadWhenIdle(loadReader), []);
  return useQuery({
    queryKey: ['reading of typed words'],
    queryFn: async () => ({ readTyped: (await loadReader()).readTyped }),
    enabled: typed.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
    ...neverPersist,
  });
}

/** The filters, plus filters that the typed words name. */
function withTyped(filters: NearbyFilters, today: string, readWords: WordReader): NearbyFilters {
  const { q, change } = readWords(filters.q, today);
  const only = onlyFilters.filter((flag) => filters.only.includes(flag) || change.only?.includes(flag));
  return { ...filters, ...change, q, only };
}

/** The filters before a change: typed ones become ordinary if the change concerns them or the words. */
function keepTyped(
  filters: NearbyFilters,
  change: Partial<NearbyFilters>,
  today: string,
  readWords: WordReader,
): NearbyFilters {
  const typed = Object.keys(readWords(filters.q, today).change);
  const isConcerned = typed.some((key) => key in change) || 'q' in change;
  return isConcerned ? withTyped(filters, today, readWords) : filters;
}

/** Reads words that found nothing as work and a place: "barista Haarlem" (ADR 6). */
function useSplit(
  q: string,
  typedQuery: ReturnType<typeof useNearbyJobs>,
  near: Here | null,
  addressSearch: boolean,
) {
  const splitsOfPage = typedQuery.isPlaceholderData ? [] : (typedQuery.data?.pages[0]?.splits ?? []);
  const key = near === null ? '' : `${near.lat} ${near.lng} ${q}`;
  const [knownSplits, setKnown] = useState({ key: '', splits: splitsOfPage });
  if (splitsOfPage.length > 0 && knownSplits.key !== key) setKnown({ key, splits: splitsOfPage });
  // Other filters don't change how the words are read.
  const splits = knownSplits.key === key ? knownSplits.splits : splitsOfPage;
  return useQuery({
    queryKey: ['words split', splits, near?.lat, near?.lng, addressSearch],
    queryFn: () => (near ? splitByPlace(splits, near, { addressSearch }) : null),
    enabled: near !== null && splits.length > 0,
    // The list of places needs no network once it is loaded.
    networkMode: 'always',
    meta: { keep: false },
  });
}

export type Save = { saved: boolean; press: () => void };

export type Nearby = ReturnType<typeof useNearby>;
