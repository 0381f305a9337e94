import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { MapTiles, Point } from '@nearhand/contract/people/places';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { locale } from '../../../lib/words/format.ts';
import { Icon } from '../../../ui/art/icon.tsx';
import type { Credit } from './map-credits.ts';
import { type Camera, MapEngine, type Padding } from './map-engine.ts';
import type { MapPin } from './map-pins.ts';
import './map.css';

export type MapViewProps = {
  /** A provider's style, or street tiles; with neither, our own background alone. */
  styleUrl: string | null;
  tiles: MapTiles | null;
  centre: Point;
  reachM: number;
  label: string;
  /** The advice on a device that can't draw the map. */
  failedNote?: string;
  pins?: readonly MapPin[];
  selected?: string | null;
  pointed?: string | null;
  seen?: ReadonlySet<string>;
  /** The pressed pins: several at a shared place, none for the background. */
  onSelect?: (ids: string[]) => void;
  onMove?: (middle: Point) => void;
  /** Called once it is known whether the map shows streets. */
  onStreets?: (hasStreets: boolean) => void;
  onLocate?: () => void;
  locating?: boolean;
  rings?: boolean;
  /** The place's time zone, which decides between kilometres and miles. */
  timeZone?: string;
  padding?: Padding;
  children?: ReactNode;
};

const none: readonly MapPin[] = [];
const nothingSeen: ReadonlySet<string> = new Set();

/** Runs the map engine in an element while the page is shown, and passes it what changes. */
function useMapEngine(props: MapViewProps) {
  const { pins = none, selected = null, pointed = null, seen = nothingSeen, rings = true } = props;
  const { centre, reachM, timeZone } = props;
  const element = useRef<HTMLDivElement>(null);
  const engine = useRef<MapEngine | null>(null);
  const [failed, setFailed] = useState(false);
  const [streets, setStreets] = useState<readonly Credit[] | null>(null);
  const now = useRef(props);
  now.current = props;
  const camera = useRef<Camera>(undefined);
  const callbacks = {
    onSelect: (ids: string[]) => props.onSelect?.(ids),
    onMove: (middle: Point) => props.onMove?.(middle),
    onFail: () => setFailed(true),
    onStreets: (credits: readonly Credit[] | null) => {
      setStreets(credits);
      props.onStreets?.(credits !== null);
    },
    groupName: (count: number) => plural(count, { one: '# job here', other: '# jobs here' }),
  };
  const newest = useRef(callbacks);
  newest.current = callbacks;

  useEffect(() => {
    if (!element.current) return;
    const { styleUrl, tiles, label, padding, centre, reachM } = now.current;
    try {
      engine.current = new MapEngine(element.current, {
        styleUrl,
        tiles,
        language: locale().split('-')[0] ?? 'en',
        centre,
        reachM,
        camera: camera.current,
        label,
        rings,
        ...(padding ? { padding } : {}),
        onSelect: (ids) => newest.current.onSelect(ids),
        onMove: (middle) => newest.current.onMove(middle),
        onStreets: (credits) => newest.current.onStreets(credits),
        onFail: () => newest.current.onFail(),
        groupName: (count) => newest.current.groupName(count),
      });
    } catch {
      setFailed(true);
      return;
    }
    const watch = new ResizeObserver(() => engine.current?.resize());
    watch.observe(element.current);
    return () => {
      watch.disconnect();
      // Browsers limit WebGL contexts, so a hidden page keeps only its camera position.
      camera.current = engine.current?.camera();
      engine.current?.remove();
      engine.current = null;
    };
  }, [rings]);

  const lastView = useRef(`${centre.lat} ${centre.lng} ${reachM}`);
  useEffect(() => {
    const next = `${centre.lat} ${centre.lng} ${reachM}`;
    if (lastView.current === next) return;
    lastView.current = next;
    engine.current?.look({ lat: centre.lat, lng: centre.lng }, reachM);
  }, [centre.lat, centre.lng, reachM]);

  const { top = 0, bottom = 0 } = props.padding ?? {};
  useEffect(() => {
    engine.current?.keepClear({ top, bottom });
  }, [top, bottom]);

  useEffect(() => {
    engine.current?.setPins({ pins, selected, pointed, seen });
  }, [pins, selected, pointed, seen]);

  useEffect(() => {
    engine.current?.measureAs(timeZone);
  }, [timeZone]);
  return { element, failed, streets, zoom: (by: 1 | -1) => engine.current?.zoom(by) };
}

/** The map of every screen: distance rings, place names and price pins. Loaded on first use. */
export default function MapView(props: MapViewProps) {
  const { element, failed, streets, zoom } = useMapEngine(props);
  if (failed) {
    return (
      <div className="map-frame failed">
        <p className="sm mute">
          {props.failedNote ?? <Trans>This device can't show the map. The list has the same jobs.</Trans>}
        </p>
        {props.children}
      </div>
    );
  }
  return (
    <div className="map-frame">
      <div className="map-stage">
        <div className="map-canvas" ref={element} />
        <MapControls {...props} onZoom={zoom} />
        {props.children}
      </div>
      {props.styleUrl === null ? <MapCredits streets={streets} /> : null}
    </div>
  );
}

function MapControls({
  onLocate,
  locating,
  onZoom,
}: Pick<MapViewProps, 'onLocate' | 'locating'> & { onZoom: (by: 1 | -1) => void }) {
  const { t } = useLingui();
  return (
    <div className="map-controls">
      <div className="mapctl zoom">
        <button type="button" className="ib" aria-label={t`Zoom in`} onClick={() => onZoom(1)}>
          <Icon name="plus" />
        </button>
        <button type="button" className="ib" aria-label={t`Zoom out`} onClick={() => onZoom(-1)}>
          <Icon name="minus" />
        </button>
      </div>
      {onLocate ? (
        <div className="mapctl">
          <button
            type="button"
            className="ib"
            aria-label={t`My location`}
            aria-busy={locating || undefined}
            onClick={onLocate}
          >
            {locating ? <span className="spin" aria-hidden="true" /> : <Icon name="navigation-arrow" />}
          </button>
        </div>
      ) : null}
    </div>
  );
}

/** Credits in the corner of the map, as the licences require. Those of the street data appear once streets are drawn. */
function MapCredits({ streets }: { streets: readonly Credit[] | null }) {
  if (streets) {
    return (
      <p className="map-source">
        {streets.map(({ text, href }, at) => (
          <Fragment key={text}>
            {at > 0 ? ' · ' : null}
            {href ? (
              <a href={href} target="_blank" rel="noopener noreferrer">
                <bdi>{text}</bdi>
              </a>
            ) : (
              <bdi>{text}</bdi>
            )}
          </Fragment>
        ))}
      </p>
    );
  }
  return (
    <p className="map-source">
      <Trans>Coast: Natural Earth · Names: GeoNames</Trans>
    </p>
  );
}
