import { plural, t, t as text } from '@lingui/core/macro';
import { useLingui as useLanguage } from '@lingui/react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ShownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { bandEdgesM } from '@nearhand/contract/hiring/nearby-card.rules';
import { hasMileSigns } from '@nearhand/contract/people/great-circle';
import { memo, Suspense } from 'react';
import { readErrorText } from '../../lib/api/read-error.labels.ts';
import { useChunkedRender } from '../../lib/pages/chunked-render.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';
import {
  formatDistance,
  joined,
  ownTimeZone,
  sharedOtherZone,
  usesMiles,
  zoneCity,
} from '../../lib/words/format.ts';
import { hourlyText, jobText } from '../../lib/words/job.labels.ts';
import { Banner } from '../../ui/banner.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { BandHead, JobCard } from '../../ui/job-card.tsx';
import { BareQueryState } from '../../ui/pages/bare-query-state.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { useJobAddress } from '../jobs/job-address.api.ts';
import { SaveButton } from '../saved-jobs/save-button.tsx';
import { sortOf } from './nearby-filters.ts';
import { PaySwitch } from './nearby-search.tsx';
import { pointAtJob } from './pointed-job.ts';
import type { Nearby, Save } from './use-nearby.ts';

const NothingNearby = lazyPart(() => import('./nothing-nearby.tsx'));
const JobMarks = lazyPart(() => import('./job-marks.tsx'));
const SearchedWords = lazyPart(() => import('./searched-words.tsx'));

type NearbyListProps = {
  nearby: Nearby;
  selected?: string | null;
  save: Save;
  /** True if the heading of the list names the time zone. */
  isZoneNamed?: boolean;
  onPickPlace: () => void;
};

export function NearbyList({
  nearby,
  selected = null,
  save,
  isZoneNamed = false,
  onPickPlace,
}: NearbyListProps) {
  const { t } = useLingui();
  const { query, jobs, before } = nearby;
  // Results of the previous filters do not count as a response to these.
  const isUnanswered = query.isPlaceholderData && (query.fetchStatus === 'paused' || query.error !== null);
  const answeredQuery = isUnanswered
    ? { ...query, data: undefined, error: query.error ?? query.failureReason }
    : query;
  // Without a place the query is disabled, and would stay in its loading state.
  const visibleQuery = before === null ? answeredQuery : { ...before, data: undefined };
  const zone = sharedOtherZone(jobs);
  return (
    <BareQueryState
      query={visibleQuery}
      loading={<JobListSkeleton count={4} />}
      errorTitle={t`We couldn't load jobs`}
      describe={readErrorText}
      offlineNote={t`You can open jobs you've read before. We'll send applications when you're back online.`}
      isEmpty={(data) => data.pages[0]?.items.length === 0}
      empty={
        <Suspense fallback={null}>
          <NothingNearby nearby={nearby} save={save} onPickPlace={onPickPlace} />
        </Suspense>
      }
    >
      {() => (
        <div
          className={query.isPlaceholderData ? 'nearby-jobs waiting' : 'nearby-jobs'}
          aria-busy={query.isPlaceholderData}
        >
          <ListNotes nearby={nearby} />
          {zone && !isZoneNamed ? (
            <p className="sm mute mt3">
              <Trans>Times are in {zoneCity(zone)} time.</Trans>
            </p>
          ) : null}
          <OrderedJobs nearby={nearby} selected={selected} isZoneNamed={zone !== null} />
          <LoadMore query={query} />
          {query.hasNextPage ? null : (
            <p className="sm mute ctr list-end">
              <Trans>
                That's everything within {formatDistance(nearby.radiusKm * 1_000, nearby.timeZone)}.
              </Trans>{' '}
              <Link className="link" to="/tabs/menu/help/how-we-rank">{t`How we rank`}</Link>
            </p>
          )}
        </div>
      )}
    </BareQueryState>
  );
}

/** A wider radius, how the typed words were understood, and the switch between hourly and total pay. */
function ListNotes({ nearby }: { nearby: Nearby }) {
  const { jobs, filters } = nearby;
  const sort = sortOf(filters);
  const isFarther = jobs.some(({ distanceM }) => (distanceM ?? 0) > filters.radiusKm * 1_000);
  const { leftOut, payUpTo, unwanted, unsearchable, respelled } = nearby;
  return (
    <>
      {nearby.widened && isFarther ? (
        <Banner tone="here" icon="map-pin-area" live>
          <Trans>
            Few jobs within {formatDistance(filters.radiusKm * 1_000, nearby.timeZone)}, so we searched within{' '}
            {formatDistance(nearby.radiusKm * 1_000, nearby.timeZone)}.
          </Trans>
        </Banner>
      ) : null}
      {leftOut || payUpTo || unwanted || unsearchable || respelled.length > 0 ? (
        <Suspense fallback={null}>
          <SearchedWords nearby={nearby} />
        </Suspense>
      ) : null}
      {sort === 'pay' || sort === 'total' ? (
        <div className="mt3">
          <PaySwitch
            filters={filters}
            onSort={(next) => nearby.setFilters({ sort: next })}
            needsNetwork={(next) => nearby.needsNetwork({ sort: next })}
          />
        </div>
      ) : null}
    </>
  );
}

type OrderedJobsProps = { nearby: Nearby; selected: string | null; isZoneNamed: boolean };

/** The jobs in the chosen order; by distance in bands, each with a heading. */
function OrderedJobs({ nearby, selected, isZoneNamed }: OrderedJobsProps) {
  const { t } = useLingui();
  const { query, jobs, filters } = nearby;
  const sort = sortOf(filters);
  if (sort === 'distance')
    return bandsOf(jobs, query.hasNextPage, nearby.timeZone).map((band) => (
      <section key={band.to} aria-label={bandTitle(band, nearby.timeZone)}>
        <BandHead metres={bandMiddle(band)} title={bandTitle(band, nearby.timeZone)} note={bandNote(band)} />
        <Cards
          jobs={band.jobs}
          selected={selected}
          isZoneNamed={isZoneNamed}
          before={jobs.findIndex(({ id }) => id === band.jobs[0]?.id)}
        />
      </section>
    ));
  const order = {
    best: t`Best matches first`,
    pay: t`Highest pay first`,
    total: t`Highest pay first`,
    soonest: t`Soonest first`,
    newest: t`Newest first`,
  }[sort];
  return (
    <section className="mt4" aria-label={order}>
      <h2 className="vh">{order}</h2>
      <Cards jobs={jobs} selected={selected} isZoneNamed={isZoneNamed} before={0} perHour={sort === 'pay'} />
    </section>
  );
}

/** The number of jobs, a minimum while further pages can add to it, and how to travel there. */
function bandNote(band: Band): string {
  const count = band.whole
    ? plural(band.jobs.length, { one: '# job', other: '# jobs' })
    : plural(band.jobs.length, { one: '# or more jobs', other: '# or more jobs' });
  return joined(count, way(band));
}

const walkM = 2_000;

function way({ from, to }: Band): string | null {
  if (to <= walkM) return text`on foot`;
  return from >= walkM && to <= 8_100 ? text`by bike` : null;
}

const drawnAtOnce = 5;

type CardsProps = {
  jobs: readonly ShownJob[];
  selected: string | null;
  /** The list names the zone of its times. */
  isZoneNamed: boolean;
  before: number;
  perHour?: boolean;
};

function Cards({ jobs, selected, isZoneNamed, before, perHour = false }: CardsProps) {
  const addressOf = useJobAddress();
  const isVerified = useUser()?.emailVerified === true;
  const day = new Date().toDateString();
  return (
    <div className="col">
      {jobs.map((job, index) => (
        <NearbyCard
          key={job.id}
          job={job}
          to={addressOf(job)}
          isSelected={job.id === selected}
          isMarked={isVerified}
          isZoneNamed={isZoneNamed}
          perHour={perHour}
          day={day}
          waits={job.id !== selected && before + index >= drawnAtOnce}
        />
      ))}
    </div>
  );
}

type NearbyCardProps = {
  job: ShownJob;
  to: string;
  isSelected: boolean;
  isMarked: boolean;
  isZoneNamed: boolean;
  /** Shows the hourly pay first, which the list is sorted by. */
  perHour: boolean;
  day: string;
  waits: boolean;
};

/** Memoized: rendering 200 at once takes a slow phone a second. */
const NearbyCard = memo(function NearbyCard({
  job,
  to,
  isSelected,
  isMarked,
  isZoneNamed,
  perHour,
  waits,
}: NearbyCardProps) {
  const hasTurn = useChunkedRender(waits);
  // The words change with the language and the formats.
  useLanguage();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: not interactive: the map only follows pointer and focus
    <div
      id={`near-${job.id}`}
      className={hasTurn ? undefined : 'undrawn'}
      onPointerEnter={() => pointAtJob(job.id)}
      onPointerLeave={() => pointAtJob(null)}
      onFocus={() => pointAtJob(job.id)}
      onBlur={() => pointAtJob(null)}
    >
      {hasTurn ? (
        <JobCard
          {...jobText(job, undefined, isZoneNamed)}
          {...(perHour ? hourlyText(job.pay) : {})}
          to={to}
          selected={isSelected}
          badges={
            isMarked ? (
              <Suspense fallback={null}>
                <JobMarks job={job} />
              </Suspense>
            ) : null
          }
          action={<SaveButton job={job} />}
        />
      ) : null}
    </div>
  );
});

/** Jobs at about the same distance, nearest first (the list is grouped by distance). */
type Band = { from: number; to: number; jobs: ShownJob[]; whole: boolean };

/**
 * Splits a list into bands of distance. The server sorts it by bands of the place's unit, so for a reader of the
 * other unit a band can come in pieces. `whole` means that no further page can add to the band: the next job is in the
 * server's band of the last one, or further away.
 */
export function bandsOf(jobs: readonly ShownJob[], more: boolean, timeZone?: string): Band[] {
  const edges = usesMiles(timeZone) ? bandEdgesM.miles : bandEdgesM.km;
  const bands: Band[] = [];
  for (const job of jobs) {
    const metres = job.distanceM ?? 0;
    const index = edges.findIndex((edge) => metres <= edge);
    const to = edges[index] ?? Number.POSITIVE_INFINITY;
    const from = index < 0 ? (edges.at(-1) ?? 0) : (edges[index - 1] ?? 0);
    const band = bands.find((candidate) => candidate.to === to);
    if (band) band.jobs.push(job);
    else bands.push({ from, to, jobs: [job], whole: true });
  }
  bands.sort((a, b) => a.to - b.to);
  const lastM = jobs.at(-1)?.distanceM ?? 0;
  const serverEdges = hasMileSigns(timeZone ?? ownTimeZone()) ? bandEdgesM.miles : bandEdgesM.km;
  const nextFromM = serverEdges.findLast((edge) => edge < lastM) ?? 0;
  if (more) for (const band of bands) band.whole = band.to <= nextFromM;
  return bands;
}

function bandTitle({ from, to }: Pick<Band, 'from' | 'to'>, timeZone?: string): string {
  if (from === 0) return t`Within ${formatDistance(to, timeZone)}`;
  if (to === Number.POSITIVE_INFINITY) return t`More than ${formatDistance(from, timeZone)}`;
  const near = formatDistance(from, timeZone);
  const far = formatDistance(to, timeZone);
  const unit = far.replace(/^[\d.,\s]+/, '');
  return near.endsWith(unit) ? `${near.slice(0, -unit.length).trim()}–${far}` : `${near}–${far}`;
}

const bandMiddle = ({ from, to }: Pick<Band, 'from' | 'to'>): number =>
  to === Number.POSITIVE_INFINITY ? from + 1 : (from + to) / 2;
