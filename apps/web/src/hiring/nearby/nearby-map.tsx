import { Trans, useLingui } from '@lingui/react/macro';
import type { ShownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import { type Ref, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatDistance, formatShare } from '../../lib/words/format.ts';
import { jobText } from '../../lib/words/job.labels.ts';
import {
  labelOfPoint,
  locateDevice,
  PlacesMap,
  PositionError,
  positionProblemText,
  useMapSettings,
} from '../../people/places/places.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Near } from '../../ui/art/rings.tsx';
import { ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useJobAddress } from '../jobs/job-address.api.ts';
import { reachOf, toPin } from '../jobs/job-pins.labels.ts';
import { useSeenJobs } from '../jobs/seen-jobs.api.ts';
import { usePointedJob } from './pointed-job.ts';
import type { Nearby } from './use-nearby.ts';

type NearbyMapProps = {
  nearby: Nearby;
  selected: string | null;
  onSelect: (jobId: string | null) => void;
  wide: boolean;
};

/** The number of jobs loaded for the map at once. Jobs that the list loads beyond them get pins too. */
const loadedAtOnce = 150;

export default function NearbyMap({ nearby, selected, onSelect, wide }: NearbyMapProps) {
  const { t } = useLingui();
  const { here, jobs, query } = nearby;
  const settings = useMapSettings();
  const seenIds = useSeenJobs();
  const pointed = usePointedJob();
  const [middle, setMiddle] = useState<{ lat: number; lng: number } | null>(null);
  const [locating, setLocating] = useState(false);
  const [together, setTogether] = useState<string[]>([]);
  const [covered, watchCard] = useCovered();

  const pins = useMemo(() => jobs.map(toPin), [jobs]);
  const lastSearch = useRef({ key: '', reachM: 4_000 });
  const key =
    here && query.data && !query.isPlaceholderData ? `${here.lat} ${here.lng} ${nearby.radiusKm}` : '';
  // Loading more pages must not move the map.
  if (key !== '' && lastSearch.current.key !== key)
    lastSearch.current = { key, reachM: reachOf(jobs, nearby.radiusKm) };

  const { hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && jobs.length < loadedAtOnce && !query.isError) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage, jobs.length, query.isError]);

  const select = (ids: string[]) => {
    setTogether(ids);
    onSelect(ids[0] ?? null);
  };
  const locate = async () => {
    setLocating(true);
    try {
      const { lat, lng } = await locateDevice();
      nearby.lookAt({ lat, lng, label: await labelOfPoint({ lat, lng }), source: 'device' });
      setMiddle(null);
    } catch (failure) {
      showToast(positionProblemText(failure instanceof PositionError ? failure.problem : 'unavailable'));
    } finally {
      setLocating(false);
    }
  };
  const searchHere = async () => {
    if (!middle) return;
    nearby.lookAt({ ...middle, label: await labelOfPoint(middle), source: 'chosen' });
    setMiddle(null);
    select([]);
  };

  const job = jobs.find((job) => job.id === selected) ?? null;
  const group = job && together.includes(job.id) ? together : [];
  if (!here || settings.isPending) return <div className="map-frame" />;
  const isAway = middle !== null && metresBetween(here, middle) > lastSearch.current.reachM * 0.35;
  return (
    <Suspense fallback={<div className="map-frame" />}>
      <PlacesMap
        styleUrl={settings.data?.styleUrl ?? null}
        tiles={settings.data?.tiles ?? null}
        centre={here}
        reachM={lastSearch.current.reachM}
        label={t`Map of jobs around ${here.label}`}
        pins={pins}
        selected={selected}
        pointed={pointed}
        seen={seenIds}
        onSelect={select}
        onMove={setMiddle}
        onLocate={() => void locate()}
        locating={locating}
        timeZone={nearby.timeZone}
        padding={{ bottom: covered }}
      >
        {isAway ? (
          <button type="button" className="fab lite search-area" onClick={() => void searchHere()}>
            <Icon name="arrows-clockwise" />
            <Trans>Search this area</Trans>
          </button>
        ) : null}
        {jobs.length === 0 && query.isSuccess && !query.isPlaceholderData && !isAway ? (
          <p className="fab lite search-area">{t`No jobs within ${formatDistance(nearby.radiusKm * 1_000, nearby.timeZone)}`}</p>
        ) : null}
        {job ? (
          <ChosenJob
            job={job}
            wide={wide}
            group={group}
            onStep={(step) => {
              const next = group[(group.indexOf(job.id) + step + group.length) % group.length];
              if (next) onSelect(next);
            }}
            onClose={() => select([])}
            ref={watchCard}
          />
        ) : null}
      </PlacesMap>
    </Suspense>
  );
}

/** The height in pixels that the card covers from below; it depends on the job's words. */
function useCovered(): [number, (card: HTMLElement | null) => (() => void) | undefined] {
  const [covered, setCovered] = useState(0);
  const watchCard = useCallback((card: HTMLElement | null) => {
    if (!card) return;
    const measure = () => setCovered((card.offsetParent?.clientHeight ?? 0) - card.offsetTop);
    const watch = new ResizeObserver(measure);
    watch.observe(card);
    return () => {
      watch.disconnect();
      setCovered(0);
    };
  }, []);
  return [covered, watchCard];
}

type ChosenProps = {
  ref: Ref<HTMLElement>;
  job: ShownJob;
  wide: boolean;
  group: readonly string[];
  onStep: (step: 1 | -1) => void;
  onClose: () => void;
};

function ChosenJob({ ref, job, wide, group, onStep, onClose }: ChosenProps) {
  const { t } = useLingui();
  const words = jobText(job);
  const place = group.indexOf(job.id) + 1;
  const address = useJobAddress()(job);
  const { workerFeeBasisPoints: fee } = job.pay;
  const keep = fee === 0 ? t`you keep all of it` : t`minus ${formatShare(fee)} fee`;
  return (
    <section ref={ref} className="chosen" aria-label={t`Chosen job`} aria-live="polite">
      {group.length > 1 ? (
        <div className="row g1 chosen-steps">
          <IconButton icon="caret-left" flip label={t`Previous job here`} onClick={() => onStep(-1)} />
          <span className="sm num mid">{t`${place} of ${group.length} here`}</span>
          <IconButton icon="caret-right" label={t`Next job here`} onClick={() => onStep(1)} />
        </div>
      ) : null}
      <div className="row g4">
        <div className="grow">
          <h2 className="h-s">{words.title}</h2>
          <p className="sm mute mt1">
            {words.who}
            {job.place.blurred ? <> · {t`approximate location, exact address once hired`}</> : null}
          </p>
          <p className="row xs mid mt2 wrap g2">
            <span className="near">
              <Near metres={job.distanceM} />
              {words.near}
            </span>
            {words.when ? <span>{words.when}</span> : null}
          </p>
        </div>
        <div className="right num">
          <p className="chosen-pay">{words.pay}</p>
          <p className="xs mute mt1">{wide ? keep : words.payNotes.at(-1)}</p>
        </div>
        {wide ? (
          <ButtonLink kind="go" to={address}>
            {t`See the job`}
          </ButtonLink>
        ) : null}
      </div>
      {wide ? null : (
        <div className="row mt3">
          <ButtonLink kind="go" full to={address}>
            {t`See the job`}
          </ButtonLink>
        </div>
      )}
      <IconButton icon="x" label={t`Close`} className="chosen-close" onClick={onClose} />
    </section>
  );
}
