import { useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { engagementsOf, useMyEngagements } from '../../work/engagements/engagements.api.ts';
import { todaysWork, WorkCard } from '../../work/engagements/work-list.tsx';
import { ApplicationCard } from '../applications/application-card.tsx';
import { useMyApplications } from '../applications/applications.api.ts';

export type Chosen = { kind: 'work' | 'application'; id: string } | null;

type ListProps = {
  group: 'live' | 'ended';
  selected: string | null;
  onSelect: ((chosen: Chosen) => void) | null;
};

export function WorkList({
  group,
  selected,
  onSelect,
  now,
  ageShownAbove = false,
}: ListProps & { now: Date; ageShownAbove?: boolean }) {
  const { t } = useLingui();
  const query = useMyEngagements(group);
  const all = engagementsOf(query.data);
  const today = group === 'live' ? todaysWork(all, now) : [];
  const items = all.filter((work) => !today.includes(work));
  if (group === 'ended' && query.data && items.length === 0) return null;
  return (
    <QueryState
      query={query}
      loading={<JobListSkeleton count={2} />}
      errorTitle={t`We couldn't load your booked jobs`}
      ageShownAbove={ageShownAbove}
      offlineNote={t`You can still check in and out. We'll sync it when you're back online.`}
      isEmpty={() => all.length === 0}
      empty={
        <EmptyState
          title={t`No booked jobs`}
          actions={
            <ButtonLink kind="go" full to="/tabs/menu/explore">
              {t`Find work nearby`}
            </ButtonLink>
          }
        >
          <p>{t`When you accept an offer, the job appears here with its address, check-in and your hours.`}</p>
        </EmptyState>
      }
    >
      {() => (
        <>
          {items.length === 0 ? <p className="mute">{t`Nothing else is booked.`}</p> : null}
          <h2 className={group === 'live' ? 'vh' : 'h-s'}>
            {group === 'live' ? t`Booked job` : t`Past jobs`}
          </h2>
          <div className={group === 'live' ? 'col long' : 'col long mt3'}>
            {items.map((item) => (
              <WorkCard
                key={item.id}
                work={item}
                selected={item.id === selected}
                onSelect={onSelect ? () => onSelect({ kind: 'work', id: item.id }) : null}
              />
            ))}
          </div>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

export const openApplications = (data: ReturnType<typeof useMyApplications>['data']): MyApplication[] =>
  (data?.pages.flatMap((page) => page.items) ?? []).filter(({ status }) => status !== 'hired');

type Applications = [MyApplication, ...MyApplication[]];

/** Puts applications for shifts of one series together while they have the same status, by start. */
export function bySeries(items: readonly MyApplication[]): Applications[] {
  const start = ({ job }: MyApplication) => Date.parse(job.startsAt ?? '');
  const groups = Map.groupBy(items, ({ id, status, job }) =>
    job.seriesId === null ? id : `${job.seriesId} ${status}`,
  );
  return [...groups.values()].map((group) => group.toSorted((a, b) => start(a) - start(b)) as Applications);
}

export function ApplicationList({ group, selected, onSelect }: ListProps) {
  const { t } = useLingui();
  const query = useMyApplications(group);
  const items = openApplications(query.data);
  const cards = bySeries(items);
  return (
    <QueryState
      query={query}
      loading={<JobListSkeleton count={3} />}
      errorTitle={t`We couldn't load your applications`}
      offlineNote={t`You can make changes when you're back online.`}
      isEmpty={() => items.length === 0 && !query.hasNextPage}
      empty={<NoWork group={group} />}
    >
      {() => (
        <>
          <h2 className={group === 'live' ? 'vh' : 'h-s mt6'}>
            {group === 'live' ? t`Active applications` : t`Closed applications`}
          </h2>
          <div className={group === 'live' ? 'col long' : 'col long mt3'}>
            {cards.map((applications) => (
              <ApplicationCard
                key={applications[0].id}
                applications={applications}
                selected={applications.some(({ id }) => id === selected)}
                onSelect={onSelect ? () => onSelect({ kind: 'application', id: applications[0].id }) : null}
              />
            ))}
          </div>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

function NoWork({ group }: { group: 'live' | 'ended' }) {
  const { t } = useLingui();
  if (group === 'ended') return <NoneClosed />;
  return (
    <EmptyState
      title={t`No active applications`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Apply for a job and track it here. Each business has a reply deadline, and you'll always hear the outcome.`}</p>
    </EmptyState>
  );
}

/** Shown only without past jobs, which have a list of their own above. */
function NoneClosed() {
  const { t } = useLingui();
  const past = useMyEngagements('ended');
  if (past.isPending || engagementsOf(past.data).length > 0) return null;
  return (
    <EmptyState title={t`No closed applications`}>
      <p>{t`Applications that were answered, withdrawn or closed appear here.`}</p>
    </EmptyState>
  );
}
