import { t } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import type { ListedJob, PlannedShift } from '@nearhand/contract/hiring/jobs';
import { type JobStatus, jobStandings } from '@nearhand/contract/hiring/jobs.rules';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { shiftCount, unopenedOnes } from '../../lib/words/counts.ts';
import { formatDay, formatNumber, formatTime, joined } from '../../lib/words/format.ts';
import { perUnit, rangeText, whenText } from '../../lib/words/job.labels.ts';
import { jobStatusText } from '../../lib/words/job-status.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Dial } from '../../ui/art/ring-figures.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge, Count } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { type Column, Table } from '../../ui/pages/table.tsx';
import { replacementText, useHiddenSearch } from '../../work/business-engagements/replacement.tsx';
import { mayBeTemplate, SaveTemplateSheet } from '../job-templates/save-template.tsx';
import { asksForDay, DuplicateSheet } from './duplicate-sheet.tsx';
import {
  jobActionIcons,
  movesOf,
  type SeriesMove,
  seriesMoves,
  standingOf,
  useJobActions,
} from './job-actions.ts';
import { plannedShifts, seriesShifts } from './jobs.api.ts';

const listedJobPath = (job: Pick<ListedJob, 'id' | 'status'>): string =>
  job.status === 'draft' ? `/create-job?job=${job.id}` : `/job-applicants/${job.id}`;

const payOf = ({ pay }: ListedJob, totals?: SeriesTotals): string | null => {
  const range = totals?.payRange ?? { minMinor: pay.minor, maxMinor: pay.minor };
  return range.maxMinor > 0 ? perUnit(rangeText(range, pay.currency), pay.unit) : null;
};

/** A task may have no due date; a shift without hours is unfinished. */
const noTime = (job: ListedJob): string => (job.kind === 'task' ? t`Any day` : t`Time not set`);

type SpotCounts = Pick<ListedJob, 'hired' | 'headCount' | 'offered'>;

function Spots({ job }: { job: SpotCounts }) {
  const { t } = useLingui();
  return (
    <span className="row g2">
      <Dial filled={job.hired} total={job.headCount} tone="var(--good)" />
      <span>
        <span className="nowrap">{t`${job.hired} of ${job.headCount}`}</span>
        {job.offered > 0 ? (
          <span className="xs mute block nowrap">
            <Plural value={job.offered} one="# offered" other="# offered" />
          </span>
        ) : null}
      </span>
    </span>
  );
}

function Applied({ job }: { job: Pick<ListedJob, 'applicants' | 'newApplicants'> }) {
  return (
    <span className="row g2 applied">
      <Count value={job.newApplicants} label={unopenedOnes(job.newApplicants)} />
      <span className="num">{job.applicants}</span>
    </span>
  );
}

function Standing({ job }: { job: ListedJob }) {
  const { t } = useLingui();
  const standing = standingOf(job);
  const hidden = useHiddenSearch(job);
  if (standing === 'paused' && hidden) {
    const { text, tone } = replacementText(hidden.search);
    return <Badge tone={tone}>{text}</Badge>;
  }
  const { label, tone } = jobStatusText(standing, job);
  return (
    <span className="standing">
      <Badge tone={tone}>{label}</Badge>
      {(standing === 'open' || standing === 'paused') && job.expiresAt ? (
        <span className="xs mute nowrap">{t`until ${formatDay(job.expiresAt, job.timeZone)}`}</span>
      ) : null}
    </span>
  );
}

type SeriesTotals = NonNullable<ListedJob['seriesTotals']>;

/** A single job, a series with its totals, or one shift of an open series. */
type JobRow = {
  key: string;
  job: ListedJob;
  series: { totals: SeriesTotals; isOpen: boolean; onToggle: () => void } | null;
  isDate: boolean;
};

/** `?series=<id>`: the series that a link opens. */
function seriesIn(search: string): readonly string[] | null {
  const seriesId = new URLSearchParams(search).get('series');
  return seriesId === null ? null : [seriesId];
}

/** The rows of a grouped list: below each open series follow its shifts that match the filters. */
export function useJobRows(
  jobs: readonly ListedJob[],
  businessId: string,
  filters: Parameters<typeof seriesShifts>[2],
): { rows: JobRow[]; isLoading: boolean; error: unknown } {
  const { search } = useLocation();
  const [openIds, setOpenIds] = useState<readonly string[]>(() => seriesIn(search) ?? []);
  useLinkQuery(seriesIn, setOpenIds);
  const listedIds = jobs.flatMap(({ seriesTotals }) => seriesTotals?.seriesId ?? []);
  const shownIds = openIds.filter((id) => listedIds.includes(id));
  const queries = useQueries({ queries: shownIds.map((id) => seriesShifts(businessId, id, filters)) });
  const rows = jobs.flatMap((job): JobRow[] => {
    const totals = job.seriesTotals;
    if (!totals) return [{ key: job.id, job, series: null, isDate: false }];
    const { seriesId } = totals;
    const isOpen = shownIds.includes(seriesId);
    const onToggle = () =>
      setOpenIds(isOpen ? openIds.filter((id) => id !== seriesId) : [...openIds, seriesId]);
    const shifts = queries[shownIds.indexOf(seriesId)]?.data?.items ?? [];
    return [
      { key: seriesId, job, series: { totals, isOpen, onToggle }, isDate: false },
      ...shifts.map((shift) => ({ key: `${seriesId}${shift.id}`, job: shift, series: null, isDate: true })),
    ];
  });
  return {
    rows,
    isLoading: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
  };
}

type JobTime = Pick<ListedJob, 'startsAt' | 'endsAt' | 'timeZone'>;

/** ["Mon 7 Dec – Fri 11 Dec", "08:00–14:00"], without the hours if they differ; empty without a start. */
function seriesWhenParts(
  { firstStartsAt, lastStartsAt, sameHours }: SeriesTotals,
  { startsAt, endsAt, timeZone }: JobTime,
): string[] {
  if (firstStartsAt === null || lastStartsAt === null) return [];
  const first = formatDay(firstStartsAt, timeZone);
  const last = formatDay(lastStartsAt, timeZone);
  const days = first === last ? first : `${first} – ${last}`;
  return sameHours && startsAt && endsAt
    ? [days, `${formatTime(startsAt, timeZone)}–${formatTime(endsAt, timeZone)}`]
    : [days];
}

/** "Mon 7 Dec – Fri 11 Dec, 08:00–14:00"; null without a start. */
export const seriesWhen = (totals: SeriesTotals, job: JobTime): string | null =>
  joined(...seriesWhenParts(totals, job)) || null;

function SeriesToggle({
  series: { isOpen, onToggle, totals },
  title,
}: {
  series: NonNullable<JobRow['series']>;
  title: string;
}) {
  return (
    <button type="button" className="series-toggle" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name={isOpen ? 'caret-up' : 'caret-down'} />
      <span className="grow">
        <span className="strong block">{title}</span>
        <span className="xs mute block">{shiftCount(totals.shifts)}</span>
      </span>
    </button>
  );
}

function SeriesStandings({ totals: { standings } }: { totals: SeriesTotals }) {
  const counts = jobStandings.flatMap((standing) => {
    const count = standings[standing];
    return count ? [{ standing, count }] : [];
  });
  return (
    <span className="row g1 wrap">
      {counts.map(({ standing, count }) => {
        const { label, tone } = jobStatusText(standing);
        return (
          <Badge key={standing} tone={tone}>
            {counts.length > 1 ? `${label} ${formatNumber(count)}` : label}
          </Badge>
        );
      })}
    </span>
  );
}

export function ListedJobTable({ rows, caption }: { rows: readonly JobRow[]; caption: string }) {
  const { t } = useLingui();
  const columns: Column<JobRow>[] = [
    {
      key: 'job',
      head: t`Job`,
      cell: ({ job, series, isDate }) =>
        series ? (
          <SeriesToggle series={series} title={job.title} />
        ) : isDate ? (
          <Link className="table-link series-shift strong" to={listedJobPath(job)}>
            {whenText(job) ?? noTime(job)}
          </Link>
        ) : (
          <Link className="table-link" to={listedJobPath(job)}>
            <span className="strong block">{job.title}</span>
            <span className="xs mute block">{joined(job.branch?.name, job.place.label)}</span>
          </Link>
        ),
    },
    {
      key: 'when',
      head: t`When`,
      cell: ({ job, series, isDate }) => {
        if (isDate) return null;
        const parts = series ? seriesWhenParts(series.totals, job) : [];
        return (
          <span className="mute">
            {parts.length === 0 ? ((series ? null : whenText(job)) ?? noTime(job)) : null}
            {parts.map((part) => (
              <span className="block nowrap" key={part}>
                {part}
              </span>
            ))}
          </span>
        );
      },
    },
    { key: 'spots', head: t`Spots`, cell: ({ job, series }) => <Spots job={series?.totals ?? job} /> },
    {
      key: 'applied',
      head: t`Applied`,
      number: true,
      cell: ({ job, series }) =>
        series || job.status !== 'draft' ? <Applied job={series?.totals ?? job} /> : null,
    },
    {
      key: 'status',
      head: t`Status`,
      cell: ({ job, series }) =>
        series ? <SeriesStandings totals={series.totals} /> : <Standing job={job} />,
    },
    {
      key: 'pay',
      head: t`Pay`,
      number: true,
      cell: ({ job, series }) => (
        <span className="strong nowrap">{payOf(job, series?.totals) ?? t`Not set`}</span>
      ),
    },
    {
      key: 'actions',
      head: <span className="vh">{t`Actions`}</span>,
      cell: ({ job, series }) => (series ? <SeriesActionsMenu job={job} /> : <JobActionsMenu job={job} />),
    },
  ];
  return <Table caption={caption} columns={columns} rows={rows} rowKey={({ key }) => key} density="jobs" />;
}

export function ListedJobCards({ rows }: { rows: readonly JobRow[] }) {
  const { t } = useLingui();
  return (
    <ul className="col long">
      {rows.map(({ key, job, series, isDate }) => {
        const { label, tone } = jobStatusText(standingOf(job), job);
        const when = series ? seriesWhen(series.totals, job) : whenText(job);
        const counts = series?.totals ?? job;
        const time = when ?? noTime(job);
        return (
          <li className={isDate ? 'job series-shift' : 'job'} key={key}>
            <div className="row top">
              <div className="grow">
                {series ? <SeriesStandings totals={series.totals} /> : <Badge tone={tone}>{label}</Badge>}
                <h2 className="job-title">
                  {series ? (
                    <SeriesToggle series={series} title={job.title} />
                  ) : (
                    <Link to={listedJobPath(job)} className="cover">
                      {isDate ? time : job.title}
                    </Link>
                  )}
                </h2>
                <p className="who">
                  {joined(payOf(job, series?.totals) ?? t`Pay not set`, !isDate && time, job.branch?.name)}
                </p>
              </div>
              <div className="above">
                {series ? <SeriesActionsMenu job={job} /> : <JobActionsMenu job={job} />}
              </div>
            </div>
            <div className="foot">
              <div className="where">
                <Spots job={counts} />
                {!series && job.status === 'draft' ? null : (
                  <span className="row g2">
                    <Plural value={counts.applicants} one="# applicant" other="# applicants" />
                    <Count value={counts.newApplicants} label={unopenedOnes(counts.newApplicants)} />
                  </span>
                )}
              </div>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Statuses from which the server closes a shift. */
const closableStatuses: readonly JobStatus[] = ['open', 'paused', 'expired', 'in_review'];

/** Moves of the shifts of a series that have not started, all at once. */
function SeriesActionsMenu({ job }: { job: ListedJob }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { labels, seriesLabels, runSeries } = useJobActions();
  const series = useQuery({ ...plannedShifts(job.id), enabled: open });
  const shifts = series.data ?? [];
  const [firstShift] = shifts;
  const firstOf: Record<SeriesMove, PlannedShift | undefined> = {
    pause: shifts.find(({ status }) => status === 'open'),
    reopen: shifts.find(({ status }) => status === 'paused'),
    close: shifts.find(({ status, hired }) => closableStatuses.includes(status) && hired === 0),
  };
  return (
    <>
      <IconButton
        icon="dots-three"
        label={t`Actions for all shifts of ${job.title}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={joined(job.title, series.data && shiftCount(shifts.length))}
      >
        <Refused text={series.error ? errorText(series.error) : null} />
        {series.isPending ? <RowsSkeleton count={3} /> : null}
        {firstShift ? (
          <ListRow
            lead={<IconSign icon="pencil-simple" />}
            title={t`Edit the shifts`}
            note={t`You choose which shifts change when you save.`}
            to={`/edit-job/${firstShift.jobId}?series`}
          />
        ) : null}
        {seriesMoves.map((action) => {
          const first = firstOf[action];
          return first ? (
            <ListRow
              key={action}
              lead={<IconSign icon={jobActionIcons[action]} />}
              title={seriesLabels[action]}
              note={labels[action].note}
              needsNetwork
              onClick={() => {
                setOpen(false);
                void runSeries(action, { ...job, id: first.jobId });
              }}
            />
          ) : null;
        })}
        {series.data && !firstShift ? <p className="mute">{t`All shifts have started.`}</p> : null}
      </Sheet>
    </>
  );
}

function JobActionsMenu({ job }: { job: ListedJob }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [sheet, setSheet] = useState<'duplicate' | 'template' | null>(null);
  const closeSheet = () => setSheet(null);
  const { run, labels } = useJobActions();
  const can = (action: string) => (job.actions as readonly string[]).includes(action);
  if (job.actions.length === 0) return null;
  return (
    <>
      <IconButton
        icon="dots-three"
        label={t`Actions for ${job.title}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={job.title}>
        {can('see-applicants') ? (
          <ListRow
            lead={<IconSign icon="users" />}
            title={t`Applicants`}
            note={t`See who applied, best match first.`}
            to={`/job-applicants/${job.id}`}
          />
        ) : null}
        {can('see-applicants') && job.status === 'open' ? (
          <ListRow
            lead={<IconSign icon="share-network" />}
            title={t`Share`}
            note={t`Link, QR code, poster, and what they brought.`}
            to={`/share-job?job=${job.id}`}
          />
        ) : null}
        {can('edit') ? (
          <ListRow
            lead={<IconSign icon="pencil-simple" />}
            title={job.status === 'draft' ? t`Continue draft` : t`Edit`}
            note={
              job.status === 'draft'
                ? t`Finish and publish it.`
                : t`Edit the description, hours, pay or location.`
            }
            to={job.status === 'draft' ? `/create-job?job=${job.id}` : `/edit-job/${job.id}`}
          />
        ) : null}
        {movesOf(job).map((action) => (
          <ListRow
            key={action}
            lead={<IconSign icon={jobActionIcons[action]} />}
            title={labels[action].label}
            note={labels[action].note}
            needsNetwork
            onClick={() => {
              setOpen(false);
              if (action === 'duplicate' && asksForDay(job)) setSheet('duplicate');
              else void run(action, job);
            }}
          />
        ))}
        {can('duplicate') && mayBeTemplate(job) ? (
          <ListRow
            lead={<IconSign icon="clipboard-text" />}
            title={t`Save as template`}
            note={t`Post it again in three fields: date, time and people.`}
            needsNetwork
            onClick={() => {
              setOpen(false);
              setSheet('template');
            }}
          />
        ) : null}
      </Sheet>
      <DuplicateSheet
        job={{ ...job, businessId: job.business.id, branchId: job.branch?.id ?? null }}
        open={sheet === 'duplicate'}
        onClose={closeSheet}
        run={run}
      />
      <SaveTemplateSheet job={job} open={sheet === 'template'} onClose={closeSheet} />
    </>
  );
}
