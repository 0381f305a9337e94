import { Trans, useLingui } from '@lingui/react/macro';
import type { Terms } from '@nearhand/contract/terms';
import { Suspense } from 'react';
import { categoryIcon, IconSign } from '../../ui/sign.tsx';
import { metresBetween, PlacesMap, useMapSettings } from '../places/places.api.ts';
import { closeDistance } from './engagement-words.ts';

const ringM = 150;
/** How far the picture reaches from its middle to its nearer edge, in metres. */
const reachM = 230;

export type MyPosition = { lat: number; lng: number; accuracyM: number };

/** Where the work is, the ring in which checking in works, and oneself (look 09). The map under it stands still, so that the drawing fits. */
export function WorkMap({ terms, position }: { terms: Terms; position: MyPosition | null }) {
  const { t } = useLingui();
  const settings = useMapSettings();
  const away = position ? metresBetween(position, terms.place) : null;
  const label =
    away === null
      ? t`Map of where the work is, with the ring of 150 m in which you can check in`
      : t`Map of where the work is. You are ${closeDistance(away)} away; within 150 m you can check in.`;
  return (
    <div className="work-map" role="img" aria-label={label}>
      {settings.isPending ? (
        <div className="map-frame" />
      ) : (
        <Suspense fallback={<div className="map-frame" />}>
          <PlacesMap
            styleUrl={settings.data?.styleUrl ?? null}
            centre={terms.place}
            reachM={reachM}
            label={t`Map`}
            rings={false}
            still
          />
        </Suspense>
      )}
      <div className="work-fence" aria-hidden="true">
        <svg viewBox={`${-reachM} ${-reachM} ${reachM * 2} ${reachM * 2}`} aria-hidden="true">
          <circle className="fence" r={ringM} />
          {position ? <You position={position} place={terms.place} /> : null}
        </svg>
        <span className="work-pin">
          <IconSign icon={categoryIcon(terms.category)} round />
        </span>
      </div>
      <p className="rlab fence-label">
        <Trans>Check-in ring, 150 m</Trans>
      </p>
      {away === null ? null : (
        <p className="you-label">
          <Trans>You, {closeDistance(away)} away</Trans>
        </p>
      )}
    </div>
  );
}

/** Oneself in metres from the place; at the edge when further away than is drawn. */
function You({ position, place }: { position: MyPosition; place: { lat: number; lng: number } }) {
  const east = (position.lng - place.lng) * 111_320 * Math.cos((place.lat * Math.PI) / 180);
  const north = (position.lat - place.lat) * 110_574;
  const metres = Math.hypot(east, north);
  const edge = reachM - 12;
  const share = metres > edge ? edge / metres : 1;
  const [x, y] = [east * share, -north * share];
  return (
    <>
      <line className="way" x1={x} y1={y} x2="0" y2="0" />
      {share === 1 ? (
        <circle className="sure" cx={x} cy={y} r={Math.min(Math.max(position.accuracyM, 8), 120)} />
      ) : null}
      <circle className="you" cx={x} cy={y} r="9" />
    </>
  );
}
