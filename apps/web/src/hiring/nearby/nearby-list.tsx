import { plural, t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { JobCard as Card } from '@nearhand/contract/hiring/jobs';
import { readErrorText } from '../../lib/api/read-error-text.ts';
import { formatAgo, formatDistance } from '../../lib/words/format.ts';
import { jobWords } from '../../lib/words/job-words.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { BandHead, JobCard } from '../../ui/job-card.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useJobAddress } from '../jobs/job-address.api.ts';
import { SaveButton } from '../saved-jobs/save-button.part.tsx';
import { type Band, bandMiddle, bandsOf, bandTitle } from './nearby-bands.ts';
import { countFilters, widerRadius } from './nearby-filters.ts';
import type { Nearby } from './use-nearby.ts';

/** Whether this search is saved, and the press that saves it. */
type Save = { saved: boolean; press: () => void };

/** The list of nearby jobs in all its states, grouped by distance when nearest come first. */
export function NearbyList({
  nearby,
  selected,
  save,
  onPickPlace,
}: {
  nearby: Nearby;
  selected?: string | null;
  save: Save;
  onPickPlace: () => void;
}) {
  const { t } = useLingui();
  const { query, jobs, filters } = nearby;
  // What is still shown from the previous filters is no answer to these: offline there is none.
  const unanswered = query.isPlaceholderData && (query.fetchStatus === 'paused' || query.error !== null);
  const shown = unanswered ? { ...query, data: undefined, error: query.error ?? query.failureReason } : query;
  return (
    <QueryState
      query={shown}
      loading={<JobListSkeleton count={4} />}
      errorTitle={t`We couldn't load jobs`}
      describe={readErrorText}
      asOf={formatAgo}
      offlineNote={t`You can read these jobs and apply when you're back online.`}
      isEmpty={(data) => data.pages[0]?.items.length === 0}
      empty={<NothingNearby nearby={nearby} save={save} onPickPlace={onPickPlace} />}
    >
      {() => (
        <div
          className={query.isPlaceholderData ? 'nearby-jobs waiting' : 'nearby-jobs'}
          aria-busy={query.isPlaceholderData}
        >
          {nearby.widened ? (
            <Banner tone="here" icon="map-pin-area" live>
              <Trans>
                Few jobs within {formatDistance(filters.radiusKm * 1_000, nearby.timeZone)}, so we searched
                within {formatDistance(nearby.radiusKm * 1_000, nearby.timeZone)}.
              </Trans>
            </Banner>
          ) : null}
          {filters.sort === 'distance' ? (
            bandsOf(jobs, query.hasNextPage, nearby.timeZone).map((band) => (
              <section key={band.to} aria-label={bandTitle(band, nearby.timeZone)}>
                <BandHead
                  metres={bandMiddle(band)}
                  title={bandTitle(band, nearby.timeZone)}
                  note={bandNote(band)}
                />
                <Cards jobs={band.jobs} selected={selected ?? null} />
              </section>
            ))
          ) : (
            <section
              className="mt4"
              aria-label={filters.sort === 'pay' ? t`Highest pay first` : t`Newest first`}
            >
              <h2 className="vh">{filters.sort === 'pay' ? t`Highest pay first` : t`Newest first`}</h2>
              <Cards jobs={jobs} selected={selected ?? null} />
            </section>
          )}
          <LoadMore query={query} />
          {query.hasNextPage ? null : (
            <p className="sm mute ctr list-end">
              <Trans>
                That's everything within {formatDistance(nearby.radiusKm * 1_000, nearby.timeZone)}.
              </Trans>
            </p>
          )}
        </div>
      )}
    </QueryState>
  );
}

/** How many, once no further page can change it, and how to get there. */
function bandNote(band: Band): string {
  const count = band.whole ? plural(band.jobs.length, { one: '# job', other: '# jobs' }) : null;
  return [count, way(band)].filter(Boolean).join(', ');
}

function way({ to }: Band): string | null {
  if (to <= 1_700) return text`on foot`;
  return to <= 8_100 ? text`by bike` : null;
}

function Cards({ jobs, selected }: { jobs: readonly Card[]; selected: string | null }) {
  const addressOf = useJobAddress();
  return (
    <div className="col">
      {jobs.map((job) => (
        <div key={job.id} id={`near-${job.id}`}>
          <JobCard
            {...jobWords(job)}
            to={addressOf(job)}
            selected={job.id === selected}
            action={<SaveButton job={job} />}
          />
        </div>
      ))}
    </div>
  );
}

/** Nothing found: says why, and offers the most helpful next step. */
function NothingNearby({
  nearby,
  save,
  onPickPlace,
}: {
  nearby: Nearby;
  save: Save;
  onPickPlace: () => void;
}) {
  const { t } = useLingui();
  const { filters, here } = nearby;
  const wider = widerRadius(nearby.radiusKm);
  const filtered = countFilters({ ...filters, radiusKm: 25 }) > 0 || filters.q.trim() !== '';
  const within = formatDistance(nearby.radiusKm * 1_000, nearby.timeZone);
  return (
    <EmptyState
      title={filtered ? t`No matches within ${within}` : t`No jobs within ${within} yet`}
      actions={
        <>
          {filtered ? (
            <Button kind="go" full onClick={nearby.clearFilters}>
              {t`Clear filters`}
            </Button>
          ) : null}
          {wider || filtered ? null : (
            <Button kind="go" full onClick={onPickPlace}>
              {t`Choose another place`}
            </Button>
          )}
          {wider ? (
            <Button
              kind={filtered ? 'quiet' : 'go'}
              full
              onClick={() => nearby.setFilters({ radiusKm: wider })}
            >
              {t`Search within ${formatDistance(wider * 1_000, nearby.timeZone)}`}
            </Button>
          ) : null}
          <Button kind="quiet" full icon={save.saved ? 'bell-ringing' : 'bell'} onClick={save.press}>
            {save.saved ? t`Search saved` : t`Tell me when there is one`}
          </Button>
        </>
      }
    >
      <p>
        {filtered
          ? t`No open jobs around ${here?.label ?? ''} match your filters.`
          : wider
            ? t`There are no open jobs around ${here?.label ?? ''} right now. Search a wider area or another place.`
            : t`There are no open jobs around ${here?.label ?? ''} right now. Search another place or check back later.`}
      </p>
    </EmptyState>
  );
}
