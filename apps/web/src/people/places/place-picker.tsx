import { Trans, useLingui } from '@lingui/react/macro';
import type { Place, Point } from '@nearhand/contract/people/places';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { hasFinePointer } from '../../lib/device/platform.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { DeviceButton } from './device-button.tsx';
import { labelOfPoint } from './find-place.ts';
import type { FoundPlace } from './gazetteer.ts';
import { searchPlaces } from './gazetteer-source.ts';
import type { Here } from './here.ts';
import { useMapSettings } from './start-place.ts';
import { useAddresses } from './use-addresses.ts';
import './places.css';

const PinMap = lazyPart(() => import('./pin-map.tsx'));

export type PlacePickerProps = {
  open: boolean;
  onClose: () => void;
  onPick: (place: Here) => void;
  title: string;
  near?: Point | null;
  /** Requires an address: the middle of a town isn't exact enough, so a found town opens on the map. */
  precise?: boolean;
  /** Opens on the map at `near`, to move an existing pin. */
  movesPin?: boolean;
  /** Offers the home area of the profile, as for a search. */
  offersHome?: boolean;
  /** A text to search for at first, such as the address in the form. */
  firstSearch?: string;
};

/** A sheet to pick a place: the device's location, an offline search, or a pin on the map. */
export default function PlacePicker(props: PlacePickerProps) {
  const { open, onClose, onPick, title, near, precise, movesPin, offersHome, firstSearch = '' } = props;
  const { t } = useLingui();
  const [pin, setPin] = useState<Place | null>(null);
  const [mapOpen, setMapOpen] = useState(false);
  const [town, setTown] = useState<Point | null>(null);
  const [hasStreets, setHasStreets] = useState(true);
  const search = useRef<HTMLInputElement>(null);
  // It starts again when it opens, and not when `near` is read again while someone moves the pin.
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    setPin(null);
    setTown(null);
    setMapOpen(Boolean(movesPin && near));
  }

  const pick = (place: Here) => {
    onPick(place);
    onClose();
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      // On a phone the keyboard would cover the list.
      initialFocus={hasFinePointer() ? search : undefined}
      dock={
        mapOpen ? (
          <Button
            kind="go"
            full
            aria-disabled={pin === null}
            onClick={() => pin && pick({ ...pin, source: 'chosen' })}
          >
            {pin ? t`Use ${pin.label}` : t`Move the map under the pin`}
          </Button>
        ) : undefined
      }
    >
      {mapOpen ? (
        <div className="col">
          <Suspense fallback={<div className="pin-map" />}>
            <PinMap
              start={town ?? near ?? null}
              onMove={(point) => void labelOfPoint(point).then((label) => setPin({ ...point, label }))}
              onStreets={setHasStreets}
            />
          </Suspense>
          <p className="sm mute">
            {hasStreets || !precise || pin === null ? (
              <Trans>Move the map until the pin is in the right place. Arrow keys work too.</Trans>
            ) : (
              <Trans>
                The map can't show streets right now. The pin is in {pin.label}, which is close enough for
                distances. You can move it to the entrance later.
              </Trans>
            )}
          </p>
          <Button kind="text" icon="magnifying-glass" onClick={() => setMapOpen(false)}>
            {t`Search by name instead`}
          </Button>
        </div>
      ) : (
        <>
          <DeviceButton full onPick={(place) => pick({ ...place, source: 'device' })} />
          {offersHome ? <HomeButton onPick={pick} /> : null}
          <PlaceSearch
            key={firstSearch}
            first={firstSearch}
            near={near ?? null}
            onPick={(place, isAddress) => {
              if (!precise || isAddress) return pick(place);
              setTown(place);
              setMapOpen(true);
            }}
            field={search}
          />
          <Button kind="out" full icon="map-pin" className="mt4" onClick={() => setMapOpen(true)}>
            {t`Put a pin on the map`}
          </Button>
          <SearchCredits />
        </>
      )}
    </Sheet>
  );
}

function HomeButton({ onPick }: { onPick: (place: Here) => void }) {
  const { t } = useLingui();
  const isVerified = useUser()?.emailVerified === true;
  const home = useQuery(apiQuery.profiles.mine.queryOptions({ enabled: isVerified })).data?.home;
  if (!home) return null;
  return (
    <Button
      kind="out"
      full
      icon="map-pin-area"
      className="mt2"
      onClick={() => onPick({ ...home, source: 'home' })}
    >
      {t`Home: ${home.label}`}
    </Button>
  );
}

/** Credits for the lists of places, as their licences require. */
function SearchCredits() {
  const { data } = useMapSettings();
  return (
    <p className="xs mute mt4">
      <Trans>Place names: GeoNames, CC BY 4.0.</Trans>
      {data?.addressSearch ? (
        <>
          {' '}
          <Trans>Addresses: © OpenStreetMap contributors.</Trans>
        </>
      ) : null}
    </p>
  );
}

type Option = {
  label: string;
  detail: string;
  lat: number;
  lng: number;
  icon: 'map-pin' | 'map-pin-area' | 'navigation-arrow';
};
type SearchState = { typed: string; found: FoundPlace[] } | 'failed' | null;

type PlaceSearchProps = {
  first: string;
  near: Point | null;
  onPick: (place: Here, isAddress: boolean) => void;
  field: RefObject<HTMLInputElement | null>;
};

/** Places and addresses for the typed words, and the highlighted one. */
function usePlaceOptions(first: string, near: Point | null) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(first);
  const [state, setState] = useState<SearchState>(null);
  const [active, setActive] = useState(0);

  useEffect(() => {
    if (typed.trim() === '') {
      setState(null);
      return;
    }
    let stopped = false;
    searchPlaces(typed, near).then(
      (places) => {
        if (stopped) return;
        setState({ typed, found: places });
        setActive(0);
      },
      () => stopped || setState('failed'),
    );
    return () => {
      stopped = true;
    };
  }, [typed, near]);

  const places = state !== null && state !== 'failed' ? state.found : [];
  // Without the list of places, only addresses are searched.
  const names = state === 'failed' ? [] : state?.typed === typed ? places.map(({ name }) => name) : null;
  const addresses = useAddresses(typed, near, names);
  const options: Option[] = [
    ...places.map((place) => ({
      label: place.label,
      lat: place.lat,
      lng: place.lng,
      icon: place.quarter ? ('map-pin-area' as const) : ('map-pin' as const),
      detail: place.near ? t`${place.country}, near ${place.near}` : place.country,
    })),
    ...addresses.items.map(({ label, area, detail, lat, lng }) => ({
      label: area && area !== label ? `${label}, ${area}` : label,
      lat,
      lng,
      icon: 'navigation-arrow' as const,
      detail,
    })),
  ];
  return { typed, setTyped, state, active, setActive, options, hasAddressFailed: addresses.failed };
}

function PlaceSearch({ first, near, onPick, field }: PlaceSearchProps) {
  const { t } = useLingui();
  const id = useId();
  const { typed, setTyped, state, active, setActive, options, hasAddressFailed } = usePlaceOptions(
    first,
    near,
  );
  const { data: settings } = useMapSettings();
  const choose = (place: Option | undefined) => {
    if (!place) return;
    const { label, lat, lng, icon } = place;
    onPick({ label, lat, lng, source: 'chosen' }, icon === 'navigation-arrow');
  };
  return (
    <div className="mt4">
      <label className="flabel" htmlFor={id}>
        {settings?.addressSearch ? t`Address, postcode or town` : t`Town or neighbourhood`}
      </label>
      <span className="inp">
        <Icon name="magnifying-glass" className="mute" />
        <input
          id={id}
          ref={field}
          className="bare"
          type="search"
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={t`Jordaan, Rotterdam, Brooklyn`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (step !== 0 && options.length > 0) {
              event.preventDefault();
              setActive((active + step + options.length) % options.length);
            }
            if (event.key === 'Enter') {
              event.preventDefault();
              choose(options[active]);
            }
          }}
        />
      </span>
      <PlaceOptions id={id} options={options} active={active} onChoose={choose} />
      <p className="sm mute mt2" role="status">
        {state === 'failed'
          ? t`We couldn't load the list of places. Go online once, and search works offline after that.`
          : null}
        {hasAddressFailed ? t`Address search isn't answering. Places by name still work.` : null}
        {state !== null && state !== 'failed' && options.length === 0 && !hasAddressFailed
          ? /\d/.test(state.typed) && !settings?.addressSearch
            ? t`Streets and postcodes can't be looked up here. Type a town or neighbourhood, or put a pin on the map.`
            : t`No place found for “${state.typed}”. Try a larger town nearby, or put a pin on the map.`
          : null}
      </p>
    </div>
  );
}

function PlaceOptions({
  id,
  options,
  active,
  onChoose,
}: {
  id: string;
  options: readonly Option[];
  active: number;
  onChoose: (place: Option) => void;
}) {
  const { t } = useLingui();
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t`Places`} className="place-list">
      {options.map((place, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys, as in every combobox.
        <div
          key={`${place.lat} ${place.lng} ${place.label}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="place-option"
          onClick={() => onChoose(place)}
        >
          <Icon name={place.icon} className="mute" />
          <span className="grow">
            <span className="mid block">{place.label}</span>
            <span className="sm mute block">{place.detail}</span>
          </span>
        </div>
      ))}
    </div>
  );
}
