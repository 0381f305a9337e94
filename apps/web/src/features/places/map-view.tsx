import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Point } from '@nearhand/contract/places';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { MapEngine } from './map-engine.ts';
import type { MapPin } from './map-pins.ts';
import './map.css';

export type MapViewProps = {
  styleUrl: string | null;
  centre: Point;
  /** How far around the centre the map reaches at first, in metres. */
  reachM: number;
  /** What the map shows, for screen readers. */
  label: string;
  pins?: readonly MapPin[];
  selected?: string | null;
  /** Pins already opened, shown quieter. */
  seen?: ReadonlySet<string>;
  /** Pins pressed; several where jobs share one place; none when the ground was pressed. */
  onSelect?: (ids: string[]) => void;
  onMove?: (middle: Point) => void;
  /** Shows a button that asks for the device's position. */
  onLocate?: () => void;
  locating?: boolean;
  rings?: boolean;
  /** Of the place that is shown: its country says whether the rings count miles. */
  timeZone?: string;
  /** A still picture: no controls, no keys. */
  still?: boolean;
  padding?: { top?: number; bottom?: number; left?: number; right?: number };
  /** What floats over the map. */
  children?: ReactNode;
};

const none: readonly MapPin[] = [];
const nothingSeen: ReadonlySet<string> = new Set();

/** The map of every screen: distance rings around a point, names of places, price pins. Loaded when it is first shown. */
export default function MapView(props: MapViewProps) {
  const { t } = useLingui();
  const { pins = none, selected = null, seen = nothingSeen, rings = true, centre, reachM, timeZone } = props;
  const element = useRef<HTMLDivElement>(null);
  const engine = useRef<MapEngine | null>(null);
  const [failed, setFailed] = useState(false);
  const start = useRef(props);
  const callbacks = {
    onSelect: (ids: string[]) => props.onSelect?.(ids),
    onMove: (middle: Point) => props.onMove?.(middle),
    onFail: () => setFailed(true),
    groupName: (count: number) => plural(count, { one: '# job here', other: '# jobs here' }),
  };
  const newest = useRef(callbacks);
  newest.current = callbacks;

  useEffect(() => {
    if (!element.current) return;
    const { styleUrl, label, padding } = start.current;
    try {
      engine.current = new MapEngine(element.current, {
        styleUrl,
        centre: start.current.centre,
        reachM: start.current.reachM,
        label,
        rings,
        ...(padding ? { padding } : {}),
        onSelect: (ids) => newest.current.onSelect(ids),
        onMove: (middle) => newest.current.onMove(middle),
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
      engine.current?.remove();
      engine.current = null;
    };
  }, [rings]);

  const shown = useRef(`${centre.lat} ${centre.lng} ${reachM}`);
  useEffect(() => {
    const next = `${centre.lat} ${centre.lng} ${reachM}`;
    if (shown.current === next) return;
    shown.current = next;
    engine.current?.look({ lat: centre.lat, lng: centre.lng }, reachM);
  }, [centre.lat, centre.lng, reachM]);

  useEffect(() => {
    engine.current?.setPins({ pins, selected, seen });
  }, [pins, selected, seen]);

  useEffect(() => {
    engine.current?.measureAs(timeZone);
  }, [timeZone]);

  if (failed) {
    return (
      <div className="map-frame failed">
        <p className="sm mute">
          <Trans>This device cannot draw the map. The list shows the same jobs.</Trans>
        </p>
        {props.children}
      </div>
    );
  }
  return (
    <div className={props.still ? 'map-frame still' : 'map-frame'} inert={props.still ? true : undefined}>
      {/* Ionic would take a sideways drag at the edge for going back. */}
      <div className="map-canvas" ref={element} />
      {props.still ? null : (
        <div className="map-controls">
          <div className="mapctl zoom">
            <button
              type="button"
              className="ib"
              aria-label={t`Zoom in`}
              onClick={() => engine.current?.zoom(1)}
            >
              <Icon name="plus" />
            </button>
            <button
              type="button"
              className="ib"
              aria-label={t`Zoom out`}
              onClick={() => engine.current?.zoom(-1)}
            >
              <Icon name="minus" />
            </button>
          </div>
          {props.onLocate ? (
            <div className="mapctl">
              <button
                type="button"
                className="ib"
                aria-label={t`My position`}
                aria-busy={props.locating || undefined}
                onClick={props.onLocate}
              >
                {props.locating ? (
                  <span className="spin" aria-hidden="true" />
                ) : (
                  <Icon name="navigation-arrow" />
                )}
              </button>
            </div>
          ) : null}
        </div>
      )}
      {props.styleUrl === null && !props.still ? (
        <p className="map-source">
          <Trans>Our own sketch · Coast: Natural Earth · Names: GeoNames</Trans>
        </p>
      ) : null}
      {props.children}
    </div>
  );
}
