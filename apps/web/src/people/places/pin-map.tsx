import { useLingui } from '@lingui/react/macro';
import type { Point } from '@nearhand/contract/people/places';
import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/art/icon.tsx';
import MapView from './map/map-view.tsx';
import { useMapSettings } from './start-place.ts';

/** The middle of Europe, when no place is known (offline at the first start). */
const somewhere: Point = { lat: 50, lng: 10 };

type PinMapProps = {
  start: Point | null;
  onMove: (point: Point) => void;
  onStreets: (hasStreets: boolean) => void;
};

export default function PinMap({ start, onMove, onStreets }: PinMapProps) {
  const { t } = useLingui();
  const { data, isPending } = useMapSettings();
  const centre = useRef<Point | null>(start);
  const hasNotified = useRef(false);
  const point = centre.current ?? data?.start ?? somewhere;
  useEffect(() => {
    if (isPending || hasNotified.current) return;
    hasNotified.current = true;
    onMove({ lat: point.lat, lng: point.lng });
  }, [isPending, point.lat, point.lng, onMove]);
  if (isPending) return <div className="pin-map" />;
  centre.current ??= point;
  return (
    <div className="pin-map">
      <MapView
        styleUrl={data?.styleUrl ?? null}
        tiles={data?.tiles ?? null}
        centre={centre.current}
        reachM={start ? 900 : 4_000}
        label={t`Map to choose a place`}
        failedNote={t`This device can't show the map. Search by name, or use your location.`}
        rings={false}
        onMove={onMove}
        onStreets={onStreets}
      >
        <span className="pin-centre" aria-hidden="true">
          <Icon name="map-pin-fill" />
        </span>
      </MapView>
    </div>
  );
}
