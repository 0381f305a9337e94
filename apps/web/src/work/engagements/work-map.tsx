import { Trans, useLingui } from '@lingui/react/macro';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Terms } from '@nearhand/contract/work/terms';
import { Suspense } from 'react';
import { useSettings } from '../../lib/settings.ts';
import { PlacesMap, useMapSettings } from '../../people/places/places.api.ts';
import { categoryIcon, IconSign } from '../../ui/art/sign.tsx';
import { closeDistance } from './engagement.words.ts';

/** SVG units: the check-in radius, and the distance from the centre to the nearer edge. */
const ring = 150;
const reach = 230;

export type MyPosition = { lat: number; lng: number; accuracyM: number };

/** The site, the check-in area and the worker (look 09). The map doesn't move, so the overlay stays aligned. */
export function WorkMap({ terms, position }: { terms: Terms; position: MyPosition | null }) {
  const { t } = useLingui();
  const settings = useMapSettings();
  const { checkInRadiusM: ringM } = useSettings();
  const metresPerUnit = ringM / ring;
  const ringSize = closeDistance(ringM, terms.timeZone);
  const away = position ? metresBetween(position, terms.place) : null;
  const label =
    away === null
      ? t`Map of the site, with the ${ringSize} area where you can check in`
      : t`Map of the site. You're ${closeDistance(away, terms.timeZone)} away. You can check in within ${ringSize}.`;
  return (
    <div className="work-map" role="img" aria-label={label}>
      {settings.isPending ? (
        <div className="map-frame" />
      ) : (
        <Suspense fallback={<div className="map-frame" />}>
          <PlacesMap
            styleUrl={settings.data?.styleUrl ?? null}
            centre={terms.place}
            reachM={reach * metresPerUnit}
            label={t`Map`}
            rings={false}
            still
          />
        </Suspense>
      )}
      <div className="work-fence" aria-hidden="true">
        <svg viewBox={`${-reach} ${-reach} ${reach * 2} ${reach * 2}`} aria-hidden="true">
          <circle className="fence" r={ring} />
          {position ? <You position={position} place={terms.place} metresPerUnit={metresPerUnit} /> : null}
        </svg>
        <span className="work-pin">
          <IconSign icon={categoryIcon(terms.category)} round />
        </span>
      </div>
      <p className="rlab fence-label">
        <Trans>Check-in area, {ringSize}</Trans>
      </p>
      {away === null ? null : (
        <p className="you-label">
          <Trans>You, {closeDistance(away, terms.timeZone)} away</Trans>
        </p>
      )}
    </div>
  );
}

type YouProps = { position: MyPosition; place: { lat: number; lng: number }; metresPerUnit: number };

/** The worker's position, clamped to the edge when it is off the map. */
function You({ position, place, metresPerUnit }: YouProps) {
  const east = ((position.lng - place.lng) * 111_320 * Math.cos((place.lat * Math.PI) / 180)) / metresPerUnit;
  const north = ((position.lat - place.lat) * 110_574) / metresPerUnit;
  const away = Math.hypot(east, north);
  const edge = reach - 12;
  const share = away > edge ? edge / away : 1;
  const [x, y] = [east * share, -north * share];
  return (
    <>
      <line className="way" x1={x} y1={y} x2="0" y2="0" />
      {share === 1 ? (
        <circle
          className="sure"
          cx={x}
          cy={y}
          r={Math.min(Math.max(position.accuracyM / metresPerUnit, 8), 120)}
        />
      ) : null}
      <circle className="you" cx={x} cy={y} r="9" />
    </>
  );
}
