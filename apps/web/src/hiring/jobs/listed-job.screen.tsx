import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ListedJob, ListedSort } from '@nearhand/contract/hiring/jobs';
import type { JobStanding } from '@nearhand/contract/hiring/jobs.rules';
import { limits } from '@nearhand/contract/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { useDeferredValue, useState } from 'react';
import { useLocation } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useSearchAvailability } from '../../lib/forms/search-availability.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { useUser } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { perUnit } from '../../lib/words/job.labels.ts';
import { jobStatusMeaning, jobStatusText } from '../../lib/words/job-status.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import '../../ui/desk.css';
import './listed-job.css';
import { csvTime } from '../../lib/forms/csv.ts';
import { useMayCreateJob } from '../../people/accounts/restrictions.tsx';
import { useBranches } from '../../people/branches/branches.api.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { CsvButton } from '../../people/businesses/csv-button.tsx';
import { HiringCost } from '../../people/businesses/hiring-cost.tsx';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { FromTemplate } from '../job-templates/from-template.tsx';
import { standingOf } from './job-actions.ts';
import { type JobFilters, JobViews } from './job-views.tsx';
import { listedJobs, useListedJobs } from './jobs.api.ts';
import { ListedJobCards, ListedJobTable, useJobRows } from './listed-job-rows.tsx';

const order: readonly JobStanding[] = [
  'open',
  'draft',
  'in_review',
  'paused',
  'filled',
  'in_progress',
  'expired',
  'not_filled',
  'finished',
  'suspended',
  'rejected',
  'closed',
  'archived',
];

function askedStatus(search: string): JobStanding | null {
  const askedStatus = new URLSearchParams(search).get('status');
  return order.find((status) => status === askedStatus) ?? null;
}

/** The business's jobs by status. It is also the Jobs tab, which is public: guests see an explanation. */
export default function ListedJobScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { query, business } = useCurrentBusiness();
  const mayCreate = useMayCreateJob(business);
  if (!user?.emailVerified) {
    return (
      <Screen title={t`Jobs`} back="menu">
        {user ? (
          <UnverifiedState>
            <p>{t`Then you can post jobs and see who applied.`}</p>
          </UnverifiedState>
        ) : (
          <SignedOutState title={t`Post a job nearby`} next="/tabs/menu/jobs">
            <p>
              <Trans>Log in to see your jobs and who applied.</Trans>
            </p>
            <HiringCost />
          </SignedOutState>
        )}
      </Screen>
    );
  }
  if (business && !mayOpen(business, '/listed-job'))
    return <NotForRole business={business} screen="/listed-job" title={t`Jobs`} />;
  return (
    <Screen title={t`Jobs`} back="menu" width="wide" heading={null}>
      <div className="desk-head">
        <h1 className="h-xl grow">{t`Jobs`}</h1>
        <BusinessPick />
        {business && mayCreate ? (
          <>
            <FromTemplate business={business} />
            <ButtonLink kind="go" size="s" icon="plus" to="/create-job">
              {t`Create job`}
            </ButtonLink>
          </>
        ) : null}
      </div>
      <QueryState query={query} loading={<JobListSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() =>
          business ? (
            <JobsOfBusiness key={business.id} business={business} />
          ) : (
            <NoBusiness title={t`No business yet`}>
              <Trans>Register a business, then post your first job.</Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

/** Open jobs start with the soonest, the others with the newest. */
const sortOf = (chosen: ListedSort | null, status: JobStanding | null): ListedSort =>
  chosen ?? (status === 'open' ? 'soonest' : 'newest');
const askedSort = (chosen: ListedSort | null, status: JobStanding | null): ListedSort | undefined => {
  const sort = sortOf(chosen, status);
  return sort === 'newest' ? undefined : sort;
};

/** The list's filters and order, and the jobs they find. */
function useJobList(business: Business) {
  const { search } = useLocation();
  const [status, setStatus] = useState(() => askedStatus(search));
  useLinkQuery(askedStatus, setStatus);
  const [branchId, setBranchId] = useState('');
  const allBranches = useBranches(business.id).data?.branches;
  const branches = allBranches ?? [];
  const [q, setQ] = useState('');
  const [chosenSort, setSort] = useState<ListedSort | null>(null);
  const sort = sortOf(chosenSort, status);
  const text = useDeferredValue(q.trim());
  const selection = {
    ...(branches.some(({ id }) => id === branchId) ? { branchId } : {}),
    ...(text === '' ? {} : { q: text }),
    ...(sort === 'newest' ? {} : { sort }),
    grouped: true,
  };
  const all = useListedJobs(business.id, selection);
  const filtered = useListedJobs(business.id, { ...selection, status: status ?? undefined });
  const firstPage = (filtered.data ?? all.data)?.pages[0];
  const counts = firstPage?.counts ?? {};
  const total = firstPage?.total ?? 0;
  const canShow = useCanShow();
  return {
    status,
    setStatus,
    branches,
    branchIds: allBranches?.map(({ id }) => id) ?? null,
    setBranchId,
    q,
    setQ,
    text,
    sort,
    setSort,
    selection,
    filters: { status, branchId, q, sort: chosenSort },
    applyFilters(filters: JobFilters) {
      setStatus(filters.status);
      setBranchId(filters.branchId);
      setQ(filters.q);
      setSort(filters.sort);
    },
    query: status ? filtered : all,
    counts,
    total,
    needsNetwork: (change: Parameters<typeof listedJobs>[1]) =>
      !canShow(listedJobs(business.id, { ...selection, status: status ?? undefined, ...change })),
  };
}

type JobList = ReturnType<typeof useJobList>;

function JobsOfBusiness({ business }: { business: Business }) {
  const { t } = useLingui();
  const settings = useSettings();
  const list = useJobList(business);
  const { status, selection, text, query, total } = list;
  return (
    <>
      {total > 0 || text !== '' || list.branches.length > 0 ? (
        <FindBar businessId={business.id} list={list} />
      ) : null}
      {total > 0 ? <StatusChips list={list} /> : null}
      {status ? <p className="sm mute list-meaning">{jobStatusMeaning(status, settings)}</p> : null}
      <QueryState
        query={query}
        loading={<JobListSkeleton />}
        errorTitle={t`We couldn't load your jobs`}
        offlineNote={t`You can make changes when you're back online.`}
        isEmpty={(data) => data.pages.every((page) => page.items.length === 0)}
        empty={
          <NoJobs
            business={business}
            filtered={total > 0 || selection.branchId !== undefined || text !== ''}
          />
        }
      >
        {(data) => {
          const jobs = data.pages.flatMap((page) => page.items);
          return (
            <>
              <JobRows
                jobs={jobs}
                business={business}
                filters={{ branchId: selection.branchId, q: text, status: status ?? undefined }}
              />
              <LoadMore query={query} />
              <SaveJobs businessId={business.id} filters={{ ...selection, status: status ?? undefined }} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function FindBar({ businessId, list }: { businessId: string; list: JobList }) {
  const { t } = useLingui();
  const { q, setQ, sort, setSort, branches, setBranchId, selection, needsNetwork } = list;
  const sorts = [
    { value: 'newest', label: t`Newest first` },
    { value: 'soonest', label: t`Soonest first` },
    { value: 'start', label: t`Latest start first` },
    { value: 'title', label: t`By title` },
    { value: 'gap', label: t`Most open spots first` },
    { value: 'branch', label: t`By branch` },
  ] as const;
  const searching = useSearchAvailability(q);
  return (
    <div className="list-find">
      {/* biome-ignore lint/a11y/useSemanticElements: older web views don't support <search>. */}
      <div className="search slim" role="search">
        <Icon name="magnifying-glass" />
        <input
          type="search"
          aria-label={t`Search by title`}
          placeholder={t`Title`}
          autoComplete="off"
          maxLength={limits.searchMax}
          value={q}
          onChange={(event) => setQ(event.target.value)}
          {...searching}
        />
      </div>
      <PickButton
        label={t`Sort`}
        value={sort}
        options={sorts.filter(({ value }) => value !== 'branch' || branches.length > 0)}
        onChange={setSort}
        needsNetwork={(next) => needsNetwork({ sort: next === 'newest' ? undefined : next })}
      />
      {branches.length > 0 ? (
        <PickButton
          label={t`Branch`}
          icon="map-pin"
          value={selection.branchId ?? ''}
          options={[
            { value: '', label: t`All branches` },
            ...branches.map(({ id, name, area }) => ({ value: id, label: name, note: area })),
          ]}
          onChange={setBranchId}
          needsNetwork={(id) => needsNetwork({ branchId: id || undefined })}
        />
      ) : null}
      <JobViews
        businessId={businessId}
        filters={list.filters}
        branchIds={list.branchIds}
        onChoose={list.applyFilters}
        needsNetwork={({ status, branchId, q, sort }) =>
          needsNetwork({
            status: status ?? undefined,
            branchId: branchId || undefined,
            q: q.trim() || undefined,
            sort: askedSort(sort, status),
          })
        }
      />
    </div>
  );
}

function StatusChips({ list }: { list: JobList }) {
  const { t } = useLingui();
  const wide = useWide();
  const { status, setStatus, counts, total, needsNetwork } = list;
  const present = order.filter((standing) => (counts[standing] ?? 0) > 0 || standing === status);
  return (
    <div className="list-filters">
      <Chips label={t`Status`} wrap={wide}>
        <Chip
          pressed={status === null}
          needsNetwork={needsNetwork({ status: undefined })}
          onClick={() => setStatus(null)}
        >
          {t`All ${plural(total, { one: '# job', other: '# jobs' })}`}
        </Chip>
        {present.map((standing) => (
          <Chip
            key={standing}
            pressed={status === standing}
            needsNetwork={needsNetwork({ status: standing })}
            onClick={() => setStatus(standing)}
          >
            {jobStatusText(standing).label} {counts[standing] ?? 0}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

function JobRows({
  jobs,
  business,
  filters,
}: {
  jobs: readonly ListedJob[];
  business: Business;
  filters: Parameters<typeof useJobRows>[2];
}) {
  const { t } = useLingui();
  const wide = useWide();
  const { rows, isLoading, error } = useJobRows(jobs, business.id, filters);
  return (
    <div aria-busy={isLoading || undefined}>
      <Refused text={error ? t`We couldn't load the shifts of a series. ${errorText(error)}` : null} />
      {wide ? (
        <Card flush as="section" label={t`Jobs`}>
          <ListedJobTable rows={rows} caption={t`Jobs at ${business.name}`} />
        </Card>
      ) : (
        <ListedJobCards rows={rows} />
      )}
    </div>
  );
}

/** Saves the jobs that the filters list, each shift of a series as a row of its own. */
function SaveJobs({
  businessId,
  filters,
}: {
  businessId: string;
  filters: Parameters<typeof useListedJobs>[1] & object;
}) {
  const { t } = useLingui();
  const { branchId, q, sort, status } = filters;
  return (
    <CsvButton
      fileName={t`Jobs`}
      head={[
        t`Title`,
        t`Status`,
        t`Branch`,
        t`Start`,
        t`End`,
        t`Spots`,
        t`Hired`,
        t`Offered`,
        t`Applicants`,
        t`Not opened`,
        t`Pay`,
      ]}
      read={(page) => api.jobs.listed({ businessId, branchId, q, sort, status, ...page })}
      rowOf={(job) => [
        job.title,
        jobStatusText(standingOf(job)).label,
        job.branch?.name ?? null,
        csvTime(job.startsAt, job.timeZone) ?? job.dueOn,
        csvTime(job.endsAt, job.timeZone),
        job.headCount,
        job.hired,
        job.offered,
        job.applicants,
        job.newApplicants,
        job.pay.minor > 0 ? perUnit(formatMoney(job.pay.minor, job.pay.currency), job.pay.unit) : null,
      ]}
    />
  );
}

function NoJobs({ business, filtered }: { business: Business; filtered: boolean }) {
  const { t } = useLingui();
  const mayCreate = useMayCreateJob(business);
  if (filtered) {
    return (
      <EmptyState title={t`No jobs match`}>
        <Trans>Change the search, status or branch above to see your other jobs.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t`No jobs yet`}
      actions={
        mayCreate ? (
          <ButtonLink kind="out" full icon="plus" to="/create-job">
            {t`Create your first job`}
          </ButtonLink>
        ) : null
      }
    >
      {mayCreate ? (
        <Trans>A job takes about four minutes. Workers nearby see it at once.</Trans>
      ) : (
        <Trans>The jobs of {business.name} appear here.</Trans>
      )}
    </EmptyState>
  );
}
