import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { coarse } from '@nearhand/contract/people/coarse-place';
import { type ComponentProps, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { pauseChunks } from '../../lib/pages/chunked-render.ts';
import { lazyPart, loadWhenUsed } from '../../lib/pages/load-part.ts';
import { dotted, formatDistance, quoted, sharedOtherZone, zoneCity } from '../../lib/words/format.ts';
import { type Here, PlacePicker, useRememberedPlace } from '../../people/places/places.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Chip } from '../../ui/controls/chip.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { SaveSearchChip, useSaveSearch } from '../saved-searches/save-search.tsx';
import type { SearchToSave } from '../saved-searches/saved-searches.api.ts';
import type { FilterSheetProps } from './filter-sheet.tsx';
import { NearbyList } from './nearby-list.tsx';
import { NearbySearch, QuickChips, SortChips } from './nearby-search.tsx';
import { type Nearby, useNearby } from './use-nearby.ts';
import './nearby.css';

const loadFilterSheet = () => import('./filter-sheet.tsx');
const FilterSheet = lazyPart(loadFilterSheet);
const NearbyMap = lazyPart(() => import('./nearby-map.tsx'));

type NearbyScreenProps = {
  path: string;
  title: string;
  back: 'menu' | string;
  hero: ReactNode;
  actions?: ReactNode;
  filtersInView?: boolean;
};

export function NearbyScreen({ path, title, back, hero, actions, filtersInView }: NearbyScreenProps) {
  const { t } = useLingui();
  const wide = useWide();
  const nearby = useNearby(path);
  const [filtersOpen, setFiltersOpen] = useState(false);
  const [placeOpen, setPlaceOpen] = useState(false);
  const [selected, setSelected] = useState<string | null>(null);
  const firstPlace = useFirstPlace(nearby);
  const [searchRef, searchGone] = useGone<HTMLDivElement>();
  const { filters, here, jobs, query } = nearby;
  const currency = jobs[0]?.pay.currency ?? 'EUR';
  const isMapOver = nearby.map && !wide;
  const save = useSaveSearch(searchToSave(nearby, currency), filters.only.length > 0);
  useBackButton(isMapOver, () => nearby.showMap(false));
  useEffect(() => (isMapOver ? pauseChunks() : undefined), [isMapOver]);
  useEffect(() => {
    if (wide && selected) document.getElementById(`near-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [wide, selected]);

  const within = formatDistance(nearby.radiusKm * 1_000, nearby.timeZone);
  return (
    <Screen
      title={title}
      heading={null}
      back={back}
      rings
      bar={
        <PlaceButton
          here={here}
          open={placeOpen}
          onOpen={setPlaceOpen}
          note={isMapOver ? (query.isSuccess ? mapNote(nearby) : t`${within} around`) : undefined}
          onPick={nearby.lookAt}
        />
      }
      actions={
        <>
          {(searchGone || isMapOver) && !wide ? (
            <IconButton icon="sliders-horizontal" label={t`Filters`} onClick={() => setFiltersOpen(true)} />
          ) : null}
          {actions}
        </>
      }
      aside={wide ? <JobMap nearby={nearby} selected={selected} onSelect={setSelected} wide /> : undefined}
      asideLabel={t`Map`}
      onRefresh={() => query.refetch()}
    >
      <div className="nearby-under" inert={isMapOver ? true : undefined}>
        <div className="nearby-top">
          {hero}
          <NearbySearch
            ref={searchRef}
            words={nearby.typed}
            filters={filters}
            onType={nearby.type}
            onOpenFilters={() => setFiltersOpen(true)}
          />
          <QuickChips
            filters={filters}
            setFilters={nearby.setFilters}
            needsNetwork={nearby.needsNetwork}
            onClear={nearby.clearFilters}
            currency={currency}
            timeZone={nearby.timeZone}
            first={
              <>
                <TypedPlace nearby={nearby} />
                <SaveSearchChip saved={save.saved} onPress={save.press} />
              </>
            }
          />
          {filtersInView ? (
            <div className="mt3">
              <SortChips
                filters={filters}
                onSort={(sort) => nearby.setFilters({ sort })}
                needsNetwork={(sort) => nearby.needsNetwork({ sort })}
              />
            </div>
          ) : null}
        </div>
        {firstPlace ? <FirstPlace hint={firstPlace} /> : null}
        <NearbyList
          nearby={nearby}
          selected={selected}
          save={save}
          isZoneNamed={firstPlace !== null}
          onPickPlace={() => setPlaceOpen(true)}
        />
      </div>
      {wide || (jobs.length === 0 && !query.isPending) ? null : (
        <div className="nearby-foot" inert={isMapOver ? true : undefined}>
          <button type="button" className="fab" onClick={() => nearby.showMap(true)}>
            <Icon name="map-trifold" />
            <Trans>Map</Trans>
          </button>
        </div>
      )}
      {isMapOver ? <MapOver nearby={nearby} selected={selected} onSelect={setSelected} /> : null}
      {save.sheet}
      <LazyFilterSheet
        nearby={nearby}
        open={filtersOpen}
        onClose={() => setFiltersOpen(false)}
        currency={currency}
      />
    </Screen>
  );
}

/** The filters over the list; their code is loaded on first use. */
function LazyFilterSheet(props: FilterSheetProps) {
  const wasOpened = useRef(false);
  wasOpened.current ||= props.open;
  useEffect(() => loadWhenUsed(loadFilterSheet), []);
  return wasOpened.current ? (
    <Suspense fallback={null}>
      <FilterSheet {...props} />
    </Suspense>
  ) : null;
}

function MapOver({ nearby, selected, onSelect }: Omit<ComponentProps<typeof NearbyMap>, 'wide'>) {
  return (
    <div className="map-over">
      <div className="map-part">
        <JobMap nearby={nearby} selected={selected} onSelect={onSelect} wide={false} />
      </div>
      <div className="map-bar">
        <button type="button" className="fab" onClick={() => nearby.showMap(false)}>
          <Icon name="list-bullets" />
          <Trans>List</Trans>
        </button>
      </div>
    </div>
  );
}

/**
 * The search to save, at the chosen radius even if the server widened it, without words that no job uses (ADR
 * 151).
 */
function searchToSave({ filters, here, leftOut, timeZone }: Nearby, currency: Currency): SearchToSave | null {
  if (!here) return null;
  const { radiusKm, category, kind, minPay, minTotal, from, to, q } = filters;
  return {
    lat: coarse(here.lat),
    lng: coarse(here.lng),
    place: here.label,
    timeZone,
    radiusKm,
    category,
    kind,
    from,
    to,
    q: (leftOut?.searched ?? q).trim() || null,
    minPay,
    minTotal,
    weekdays: [...filters.weekdays],
    startsFrom: filters.startsFrom,
    endsBy: filters.endsBy,
    maxMinutes: filters.maxMinutes,
    currency: minPay === null && minTotal === null ? null : currency,
  };
}

const JobMap = (props: ComponentProps<typeof NearbyMap>) => (
  <Suspense fallback={<div className="map-frame" />}>
    <NearbyMap {...props} />
  </Suspense>
);

/** The jobs on the map. Its search field is below it. */
function mapNote({ filters, jobs, query, radiusKm, timeZone }: Nearby): string {
  const words = filters.q.trim();
  const loaded = Math.min(jobs.length, nearbyLimits.countMax);
  // As in the filters, which count no further either.
  const count = query.hasNextPage
    ? plural(loaded, { one: '# or more jobs', other: '# or more jobs' })
    : plural(jobs.length, { one: '# job', other: '# jobs' });
  return dotted(words && quoted(words), count, formatDistance(radiusKm * 1_000, timeZone));
}

/** A place recognised in the typed words. Pressing it goes back to the previous place. */
function TypedPlace({ nearby: { split, setFilters } }: { nearby: Nearby }) {
  const { t } = useLingui();
  return split ? (
    <Chip pressed icon="x" onClick={() => setFilters({ q: split.what })}>
      {t`Near ${split.place.label}`}
    </Chip>
  ) : null;
}

type FirstPlaceHint = { label: string; zone: string | null; dismiss: () => void };

/** The hint that the operator's town is shown until a place is chosen, with the zone of the times; null later. */
function useFirstPlace({ here, jobs, chosen, split }: Nearby): FirstPlaceHint | null {
  const remembered = useRememberedPlace();
  const [dismissed, setDismissed] = useState(false);
  if (remembered || dismissed || !here || here.source === 'home' || chosen || split) return null;
  return { label: here.label, zone: sharedOtherZone(jobs), dismiss: () => setDismissed(true) };
}

function FirstPlace({ hint }: { hint: FirstPlaceHint }) {
  const { t } = useLingui();
  return (
    <p className="first-place">
      <span className="grow">
        <Trans>Not here? Press {hint.label} above.</Trans>{' '}
        {hint.zone ? <Trans>Times are in {zoneCity(hint.zone)} time.</Trans> : null}
      </span>
      <IconButton icon="x" label={t`Hide this hint`} onClick={hint.dismiss} />
    </p>
  );
}

function useGone<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  const [isScrolledPast, setScrolledPast] = useState(false);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === 'undefined') return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry) setScrolledPast(!entry.isIntersecting && entry.boundingClientRect.top < 0);
      },
      { rootMargin: '-56px 0px 0px' },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, isScrolledPast] as const;
}

function PlaceButton({
  here,
  note,
  open,
  onOpen,
  onPick,
}: {
  here: Here | null;
  note?: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  onPick: (place: Here) => void;
}) {
  const { t } = useLingui();
  const opened = useRef(false);
  opened.current ||= open;
  return (
    <>
      <button type="button" className="place-button" aria-haspopup="dialog" onClick={() => onOpen(true)}>
        <span className="here-dot" aria-hidden="true" />
        <span className="place-text">
          <span className="strong clip block">
            <span className="vh">{t`Searching around`} </span>
            {here?.label ?? t`Choose a location`}
          </span>
          {note ? <span className="xs mute clip block">{note}</span> : null}
        </span>
        <Icon name="caret-down" />
      </button>
      {opened.current ? (
        <Suspense fallback={null}>
          <PlacePicker
            open={open}
            onClose={() => onOpen(false)}
            onPick={onPick}
            title={t`Where are you looking for work?`}
            near={here}
            offersHome
          />
        </Suspense>
      ) : null}
    </>
  );
}
