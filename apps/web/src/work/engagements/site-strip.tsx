import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Terms } from '@nearhand/contract/work/terms';
import { useSettings } from '../../lib/settings.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { closeDistance } from './engagement.labels.ts';

export type MyPosition = { lat: number; lng: number; accuracyM: number };
type Place = { lat: number; lng: number };

/** Degrees clockwise from north, from one point to another close by. */
function bearing(from: Place, to: Place): number {
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180);
  const degrees = (Math.atan2(east, to.lat - from.lat) * 180) / Math.PI;
  return (degrees + 360) % 360;
}

function directionText(degrees: number): string {
  const names = [
    t`north`,
    t`north-east`,
    t`east`,
    t`south-east`,
    t`south`,
    t`south-west`,
    t`west`,
    t`north-west`,
  ];
  return names[Math.round(degrees / 45) % 8] ?? '';
}

export function SiteStrip({
  terms,
  position,
  canCheckIn,
}: {
  terms: Terms;
  position: MyPosition | null;
  /** True if check-in is open now. */
  canCheckIn: boolean;
}) {
  const { t: say } = useLingui();
  const { checkInRadiusM: ringM } = useSettings();
  const ring = closeDistance(ringM, terms.timeZone);
  const awayM = position && metresBetween(position, terms.place);
  // The area takes at least a fifth of the line, at any distance.
  const shownM = Math.max(ringM * 1.6, Math.min((awayM ?? 0) * 1.1, ringM * 5));
  const share = (metres: number) => `${Math.min(100, Math.round((metres / shownM) * 100))}%`;
  const isInside = awayM !== null && awayM <= ringM;
  const away = awayM === null ? '' : closeDistance(awayM, terms.timeZone);
  const degrees = position && bearing(position, terms.place);
  const wayText = () => {
    if (degrees === null) return say`Check in within ${ring} of the site`;
    if (!isInside) return say`${away} to the ${directionText(degrees)}`;
    return canCheckIn ? say`You're at the site. You can check in.` : say`You're at the site.`;
  };
  return (
    <section className={isInside ? 'site-strip inside' : 'site-strip'} aria-label={say`Way to the site`}>
      <p className="row g2 strong">
        {degrees === null || isInside ? (
          <Icon name="map-pin" />
        ) : (
          <span className="site-arrow" style={{ rotate: `${Math.round(degrees)}deg` }}>
            <Icon name="arrow-up" />
          </span>
        )}
        <span>{wayText()}</span>
      </p>
      {awayM === null ? null : (
        <>
          <div className="site-line" aria-hidden="true">
            <span className="site-area" style={{ inlineSize: share(ringM) }} />
            <span
              className="site-you"
              style={{ insetInlineStart: `calc((100% - var(--s4)) * ${Math.min(1, awayM / shownM)})` }}
            />
          </div>
          <p className="row xs mute site-ends">{isInside ? say`Site` : say`Check-in area, ${ring}`}</p>
        </>
      )}
    </section>
  );
}
