import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ListedJob } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import type { useListedJobs } from '../../hiring/jobs/jobs.api.ts';
import { seriesWhen } from '../../hiring/jobs/listed-job-rows.tsx';
import { shiftCount, unopenedOnes } from '../../lib/words/counts.ts';
import { formatDay, formatMoney, joined } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { useMayCreateJob } from '../../people/accounts/restrictions.tsx';
import { Dial } from '../../ui/art/ring-figures.tsx';
import { Count } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { type Column, Table } from '../../ui/pages/table.tsx';
import { useWide } from '../../ui/pages/wide.ts';

const visibleCount = 6;

/** A series as in the job list: the number of its shifts, and its days. */
const seriesText = (job: ListedJob): string | null =>
  job.seriesTotals && joined(shiftCount(job.seriesTotals.shifts), seriesWhen(job.seriesTotals, job));

const dayOf = (job: ListedJob): string | null =>
  seriesText(job) ?? (job.startsAt ? formatDay(job.startsAt, job.timeZone) : whenText(job));

/** Each shift of a series has its own applicants, so this leads to the list with its shifts open. */
const jobPath = (job: ListedJob): string =>
  job.seriesTotals
    ? `/listed-job?status=open&series=${job.seriesTotals.seriesId}`
    : `/job-applicants/${job.id}`;

export function OpenJobs({
  business,
  query,
}: {
  business: Business;
  query: ReturnType<typeof useListedJobs>;
}) {
  const { t } = useLingui();
  return (
    <Card flush>
      <div className="card-head">
        <h2 className="h-m grow">{t`Open jobs`}</h2>
        <Link className="link sm hit" to="/listed-job">
          {t`All jobs`}
        </Link>
      </div>
      <QueryState
        query={query}
        loading={
          <div className="waiting-rows">
            <RowsSkeleton count={3} />
          </div>
        }
        errorTitle={t`We couldn't load your jobs`}
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={<NoOpenJobs business={business} />}
      >
        {(data) => <Jobs jobs={(data.pages[0]?.items ?? []).slice(0, visibleCount)} />}
      </QueryState>
    </Card>
  );
}

function NoOpenJobs({ business }: { business: Business }) {
  const { t } = useLingui();
  const mayCreate = useMayCreateJob(business);
  return (
    <div className="waiting-note">
      <p className="mute">
        {mayCreate ? (
          <Trans>No open jobs. Create one, and workers nearby see it right away.</Trans>
        ) : (
          <Trans>No open jobs.</Trans>
        )}
      </p>
      {mayCreate ? (
        <ButtonLink kind="out" size="s" icon="plus" className="mt3" to="/create-job">
          {t`Create job`}
        </ButtonLink>
      ) : null}
    </div>
  );
}

function Jobs({ jobs }: { jobs: readonly ListedJob[] }) {
  const { t } = useLingui();
  const wide = useWide();
  const totalsOf = (job: ListedJob) => job.seriesTotals ?? job;
  const spots = (job: ListedJob) => {
    const { hired, headCount } = totalsOf(job);
    return (
      <span className="row g2 nowrap">
        <Dial filled={hired} total={headCount} tone="var(--good)" />
        {t`${hired} of ${headCount}`}
      </span>
    );
  };
  const applied = (job: ListedJob) => {
    const { newApplicants, applicants } = totalsOf(job);
    return (
      <span className="row g2 open-applied">
        <Count value={newApplicants} label={unopenedOnes(newApplicants)} />
        <span className="num">{applicants}</span>
      </span>
    );
  };
  if (!wide) {
    return (
      <ul className="waiting-rows">
        {jobs.map((job) => {
          const { hired, headCount, newApplicants, applicants } = totalsOf(job);
          return (
            <li key={job.id}>
              <Link className="li press" to={jobPath(job)}>
                <Dial filled={hired} total={headCount} tone="var(--good)" />
                <span className="grow">
                  <span className="strong block">{job.title}</span>
                  <span className="sm mute block">{seriesText(job) ?? whenText(job) ?? t`Any day`}</span>
                </span>
                <span className="sm row g2">
                  <Count value={newApplicants} label={unopenedOnes(newApplicants)} />
                  <Plural value={applicants} one="# applicant" other="# applicants" />
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    );
  }
  const columns: Column<ListedJob>[] = [
    {
      key: 'job',
      head: t`Job`,
      cell: (job) => (
        <Link className="strong dash-link" to={jobPath(job)}>
          {job.title}
        </Link>
      ),
    },
    {
      key: 'when',
      head: t`When`,
      cell: (job) => (
        <span className={job.seriesTotals ? 'mute' : 'mute nowrap'}>{dayOf(job) ?? t`Any day`}</span>
      ),
    },
    {
      key: 'spots',
      head: t`Spots`,
      cell: spots,
    },
    { key: 'applied', head: t`Applied`, number: true, cell: applied },
    {
      key: 'until',
      head: t`Open until`,
      cell: (job) => {
        // Each shift of a series is open until it starts.
        const until = job.seriesTotals ? job.seriesTotals.lastStartsAt : job.expiresAt;
        return <span className="nowrap">{until ? formatDay(until, job.timeZone) : null}</span>;
      },
    },
    {
      key: 'pay',
      head: t`Pay`,
      number: true,
      cell: (job) => (
        <span className="nowrap">
          <span className="strong">{formatMoney(job.pay.minor, job.pay.currency)}</span>
          <span className="xs mute block">{payText({ ...job.pay, totalMinor: null }).notes[0]}</span>
        </span>
      ),
    },
  ];
  return (
    <Table caption={t`Open jobs`} columns={columns} rows={jobs} rowKey={(job) => job.id} density="jobs" />
  );
}
