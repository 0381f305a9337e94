import { useLingui } from '@lingui/react/macro';
import type { SavedJob } from '@nearhand/contract/hiring/saved-jobs';
import { useEffect, useMemo, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useUser } from '../../lib/session.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { jobWords } from '../../lib/words/job-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { JobCard } from '../../ui/job-card.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/pages/states.tsx';
import { SaveButton } from './save-button.part.tsx';
import { useSavedJobs, useSendSavedJobs } from './saved-jobs.api.ts';

const path = '/favorite';

/** Saved jobs. One that was filled or closed stays until it is removed, and says so. */
export default function FavoriteScreen() {
  const { t } = useLingui();
  const user = useUser();
  const query = useSavedJobs();
  const jobs = useSeenOnVisit(query.data);
  useSendSavedJobs();
  return (
    <Screen
      title={t`Saved jobs`}
      heading={user ? undefined : null}
      back="menu"
      onRefresh={user ? () => query.refetch() : undefined}
    >
      {user ? (
        <QueryState
          query={query}
          loading={<JobListSkeleton count={3} />}
          errorTitle={t`We couldn't load your saved jobs`}
          describe={errorText}
          asOf={formatAgo}
          offlineNote={t`You can save and remove jobs. We'll send it when you're back online.`}
          isEmpty={() => jobs.length === 0}
          empty={<NothingSaved />}
        >
          {() => (
            <>
              <div className="col">
                {jobs.map((one) => (
                  <SavedCard key={one.job.id} saved={one} />
                ))}
              </div>
              <LoadMore query={query} />
            </>
          )}
        </QueryState>
      ) : (
        <SignedOutState level="h1" title={t`Keep the jobs you like`} next={path}>
          <p>{t`Press the heart on a job to find it again here.`}</p>
        </SignedOutState>
      )}
    </Screen>
  );
}

/**
 * The saved jobs, and in their place those removed since the page was opened: their heart keeps the focus, and a second press saves them
 * again.
 */
function useSeenOnVisit(data: ReturnType<typeof useSavedJobs>['data']): SavedJob[] {
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const [seen, setSeen] = useState<readonly SavedJob[]>([]);
  useEffect(() => setSeen((before) => withNew(before, items)), [items]);
  // Also runs when the page is hidden.
  useEffect(() => () => setSeen([]), []);
  return useMemo(() => withNew(seen, items), [seen, items]);
}

/** Both lists, last saved first; the second one is newer. */
function withNew(before: readonly SavedJob[], now: readonly SavedJob[]): SavedJob[] {
  const known = new Set(now.map(({ job }) => job.id));
  return [...now, ...before.filter(({ job }) => !known.has(job.id))].sort((a, b) =>
    a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0,
  );
}

function SavedCard({ saved: { job, status } }: { saved: SavedJob }) {
  const { t } = useLingui();
  const ended: Partial<Record<SavedJob['status'], string>> = {
    filled: t`Filled`,
    expired: t`Expired`,
    closed: t`Closed`,
  };
  return (
    <JobCard
      {...jobWords(job)}
      to={`/job-desc/${job.id}`}
      level={2}
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
