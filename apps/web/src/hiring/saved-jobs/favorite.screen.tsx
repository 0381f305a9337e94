import { Trans, useLingui } from '@lingui/react/macro';
import type { SavedJob } from '@nearhand/contract/hiring/saved-jobs';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { keysOf } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useUser } from '../../lib/session.ts';
import { sharedOtherZone, zoneCity } from '../../lib/words/format.ts';
import { jobText } from '../../lib/words/job.labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { FollowedBusinessList } from '../followed-businesses/followed-business-list.tsx';
import { SavedSearchList } from '../saved-searches/saved-search-list.tsx';
import './favorite.css';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { JobCard } from '../../ui/job-card.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/pages/states.tsx';
import { SaveButton } from './save-button.tsx';
import { useSavedJobs } from './saved-jobs.api.ts';

const path = '/favorite';
const savedParts = ['jobs', 'searches', 'businesses'] as const;
type SavedPart = (typeof savedParts)[number];

export default function FavoriteScreen() {
  const { t } = useLingui();
  const user = useUser();
  const wide = useWide();
  const [part, setPart] = useSavedPart();
  const parts: Record<SavedPart, { title: string; list: ReactNode }> = {
    jobs: { title: t`Jobs`, list: <SavedJobList /> },
    searches: { title: t`Searches`, list: <SavedSearchList /> },
    businesses: { title: t`Businesses`, list: <FollowedBusinessList /> },
  };
  const section = (id: SavedPart) => (
    <section aria-label={parts[id].title}>
      <h2 className={wide ? 'h-m saved-head' : 'vh'}>{parts[id].title}</h2>
      {parts[id].list}
    </section>
  );
  const refresh = () =>
    Promise.all(
      keysOf('saved-job', 'saved-search', 'followed-business').map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  return (
    <Screen
      title={t`Saved`}
      heading={user ? undefined : null}
      back="menu"
      width={user && wide ? 'wide' : 'column'}
      onRefresh={user ? refresh : undefined}
    >
      {!user ? (
        <SignedOutState level="h1" title={t`Keep what you like`} next={path}>
          <p>{t`Save jobs with the heart, save searches and follow businesses. They're all here.`}</p>
        </SignedOutState>
      ) : wide ? (
        <div className="saved-parts">
          {section('jobs')}
          <div className="col saved-side">
            {section('searches')}
            {section('businesses')}
          </div>
        </div>
      ) : (
        <>
          <div className="saved-choice">
            <Segmented
              label={t`Show`}
              value={part}
              onChange={setPart}
              options={savedParts.map((value) => ({ value, label: parts[value].title }))}
            />
          </div>
          {section(part)}
        </>
      )}
    </Screen>
  );
}

/** The part that a phone shows, in the address so that a notification can lead to it. */
function useSavedPart() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const partName = new URLSearchParams(search).get('part');
  const part = savedParts.find((savedPart) => savedPart === partName) ?? 'jobs';
  const setPart = (next: SavedPart) =>
    navigate(next === 'jobs' ? path : `${path}?part=${next}`, { replace: true });
  return [part, setPart] as const;
}

function SavedJobList() {
  const { t } = useLingui();
  const query = useSavedJobs();
  const jobs = useSeenOnVisit(query.data);
  const zone = sharedOtherZone(jobs.map(({ job }) => job));
  return (
    <QueryState
      query={query}
      loading={<JobListSkeleton count={3} />}
      errorTitle={t`We couldn't load your saved jobs`}
      offlineNote={t`You can save and remove jobs. We'll send it when you're back online.`}
      isEmpty={() => jobs.length === 0}
      empty={<NothingSaved />}
    >
      {() => (
        <>
          {zone ? (
            <p className="sm mute">
              <Trans>Times are in {zoneCity(zone)} time.</Trans>
            </p>
          ) : null}
          <div className="col long">
            {jobs.map((job) => (
              <SavedCard key={job.job.id} saved={job} isZoneNamed={zone !== null} />
            ))}
          </div>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

/** Saved jobs, including jobs removed since the page was opened, so that their heart keeps the focus. */
function useSeenOnVisit(data: ReturnType<typeof useSavedJobs>['data']): SavedJob[] {
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const [initial, setInitial] = useState<readonly SavedJob[]>([]);
  useEffect(() => setInitial((before) => withNew(before, items)), [items]);
  // Runs when the page is hidden, too, not only when it unmounts.
  useEffect(() => () => setInitial([]), []);
  return useMemo(() => withNew(initial, items), [initial, items]);
}

function withNew(before: readonly SavedJob[], now: readonly SavedJob[]): SavedJob[] {
  const savedIds = new Set(now.map(({ job }) => job.id));
  return [...now, ...before.filter(({ job }) => !savedIds.has(job.id))].sort((a, b) =>
    a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0,
  );
}

function SavedCard({ saved: { job, status }, isZoneNamed }: { saved: SavedJob; isZoneNamed: boolean }) {
  const { t } = useLingui();
  const ended: Partial<Record<SavedJob['status'], string>> = {
    filled: t`Filled`,
    expired: t`Expired`,
    closed: t`Closed`,
  };
  return (
    <JobCard
      {...jobText(job, undefined, isZoneNamed)}
      to={`/job-desc/${job.id}`}
      level={3}
      badges={ended[status] ? <Badge>{ended[status]}</Badge> : null}
      action={<SaveButton job={job} />}
    />
  );
}

function NothingSaved() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No saved jobs yet`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Press the heart on a job to find it again here.`}</p>
    </EmptyState>
  );
}
