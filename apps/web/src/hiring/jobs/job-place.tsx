import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import { Suspense, useMemo, useState } from 'react';
import { formatDistance, formatNearness, joined } from '../../lib/words/format.ts';
import { PlacesMap, useMapSettings, useStartPlace, useTravelText } from '../../people/places/places.api.ts';
import { Fact } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { toPin } from './job-pins.labels.ts';

export function JobPlace({ job, wide }: { job: Job; wide: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const here = useStartPlace();
  const far = job.distanceM;
  const from = here?.label ?? null;
  const along = useTravelText(here, job.place);
  const near = along ?? (far === null ? null : formatNearness(far, job.timeZone));
  const away = far === null ? null : formatDistance(far, job.timeZone);
  const sinceText = () => {
    if (here?.source === 'device') return t`from where you are`;
    if (here?.source === 'home') return t`from home`;
    // A name alone would read as the edge of the current town.
    if (from && job.place.label.includes(from)) return t`from the centre of ${from}`;
    return from && t`from ${from}`;
  };
  const since = sinceText();
  const distance =
    near && away ? (near === away ? away : joined(near, away)) + (since ? ` ${since}` : '') : null;
  return (
    <>
      <Fact
        icon="map-pin"
        title={job.place.label}
        note={
          <>
            {distance ? <span className="block">{distance}</span> : null}
            {job.place.blurred ? (
              <span className="block">{t`Private address: you'll see the exact location once you're hired.`}</span>
            ) : null}
          </>
        }
        end={
          wide ? undefined : (
            <button
              type="button"
              className="place-thumb"
              aria-label={t`Show on map`}
              onClick={() => setOpen(true)}
            >
              <svg viewBox="0 0 56 56" aria-hidden="true">
                <rect width="56" height="56" fill="var(--land)" />
                <circle
                  cx="28"
                  cy="28"
                  r="17"
                  fill="var(--ring)"
                  fillOpacity=".05"
                  stroke="var(--ring)"
                  strokeWidth="1.6"
                  strokeOpacity=".75"
                />
                <circle
                  cx="28"
                  cy="28"
                  r="26"
                  fill="none"
                  stroke="var(--ring)"
                  strokeOpacity=".5"
                  strokeDasharray="1 5"
                />
                <circle cx="28" cy="28" r="4.5" fill="var(--action)" />
              </svg>
            </button>
          )
        }
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={job.place.label}>
        <div className="job-map">
          <JobMap job={job} />
        </div>
        {job.place.blurred ? null : (
          <div className="mt4">
            <Directions job={job} />
          </div>
        )}
      </Sheet>
    </>
  );
}

function Directions({ job }: { job: Job }) {
  const { lat, lng } = job.place;
  return (
    <ButtonLink
      kind="out"
      full
      icon="navigation-arrow"
      to={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`}
    >
      <Trans>Open in OpenStreetMap</Trans>
    </ButtonLink>
  );
}

/** Beyond this distance in metres, one map shows neither end. */
const together = 40_000;

export function JobMap({ job }: { job: Job }) {
  const { t } = useLingui();
  const settings = useMapSettings();
  const here = useStartPlace();
  const pins = useMemo(() => [toPin(job)], [job]);
  if (settings.isPending) return <div className="map-frame" />;
  const apart = here ? metresBetween(here, job.place) : null;
  const hasBoth = here !== null && apart !== null && apart < together;
  return (
    <Suspense fallback={<div className="map-frame" />}>
      <PlacesMap
        styleUrl={settings.data?.styleUrl ?? null}
        tiles={settings.data?.tiles ?? null}
        centre={hasBoth ? here : job.place}
        reachM={hasBoth ? Math.max(1_200, apart * 1.3) : 2_000}
        label={t`Map of the job location`}
        pins={pins}
        selected={job.id}
        rings={hasBoth}
        timeZone={job.timeZone}
      />
    </Suspense>
  );
}
