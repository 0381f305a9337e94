import { plural } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Job, ListedJob } from '@nearhand/contract/hiring/jobs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import {
  formatDate,
  formatDay,
  formatMoney,
  formatNumber,
  joined,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { perUnit, whenText } from '../../lib/words/job.labels.ts';
import { Dial } from '../../ui/art/ring-figures.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Chip } from '../../ui/controls/chip.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { StaleBanner } from '../../ui/pages/bare-query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import './pipeline.css';
import './board.css';
import { useNavigate } from 'react-router';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { ApplicantPanel } from '../applicants/applicant-panel.tsx';
import type { ApplicantScope } from '../applicants/applicants.api.ts';
import { BulkApplicantBar } from '../applicants/bulk-bar.tsx';
import { laneStages, pastStages } from '../applicants/stage.labels.ts';
import { useActs } from '../applicants/use-acts.tsx';
import { InviteSheet } from '../invitations/invite-sheet.tsx';
import { useListedJobs } from '../jobs/jobs.api.ts';
import { HowWeRank } from '../matching/rank-sheet.tsx';
import { ApplicantTable } from './applicant-table.tsx';
import { Board } from './board.tsx';
import { Nobody, PhoneList, waitingText } from './phone-list.tsx';
import { useBoard } from './pipeline.api.ts';
import { FilterButton, NameSearch, QuickFilters } from './pipeline-filters.tsx';
import { useOpenApplicant } from './use-open-applicant.ts';
import { usePipeline } from './use-pipeline.ts';

type PipelineProps = {
  scope: ApplicantScope;
  businessId: string | undefined;
  zone: string | undefined;
  job?: Job;
  businessPick?: ReactNode;
  back: string;
};

export function PipelineScreen(props: PipelineProps) {
  const wide = useWide();
  const pipeline = usePipelineWhole(props, wide);
  return wide ? <DeskPipeline {...props} whole={pipeline} /> : <PhonePipeline {...props} whole={pipeline} />;
}

type WholeProps = PipelineProps & { whole: ReturnType<typeof usePipelineWhole> };

/** State shared by phone and desktop; it survives a window resize between them. */
function usePipelineWhole(props: PipelineProps, wide: boolean) {
  const { t } = useLingui();
  const { scope, job } = props;
  const zone = props.zone ?? ownTimeZone();
  const jobId = 'jobId' in scope ? scope.jobId : null;
  const path = jobId === null ? '/all-job-applicants' : `/job-applicants/${jobId}`;
  const pipeline = usePipeline(scope, path);
  const acts = useActs();
  const board = useBoard(scope);
  const waiting = useFirstLoading(board);
  const opened = useOpenApplicant(wide, path);
  const search = useRef<HTMLInputElement>(null);
  const { view, setView } = pipeline;
  const [keys, setKeys] = useState(false);
  const [inviting, setInviting] = useState(false);
  const counts = board.data?.stages;
  const total = counts ? sumOf(laneStages, (stage) => counts[stage] ?? 0) : undefined;
  const when = job && (wide || !job.startsAt ? whenText(job) : formatDay(job.startsAt, job.timeZone));
  const line = job ? joined(perUnit(formatMoney(job.pay.minor, job.pay.currency), job.pay.unit), when) : null;
  const hired = job?.member?.hired ?? 0;
  const day = job?.startsAt && formatDay(job.startsAt, job.timeZone);
  const spots = job ? (
    <span className="row g2 sm nowrap">
      <Dial filled={hired} total={job.headCount} tone="var(--good)" />
      {job.seriesId !== null && day
        ? t`${hired} of ${job.headCount} hired for ${day}`
        : t`${hired} of ${job.headCount} hired`}
    </span>
  ) : null;
  const news = acts.news ? (
    <div className="pipe-news">
      <Banner
        tone="wait"
        icon="warning"
        live
        action={<IconButton icon="x" label={t`Close`} onClick={acts.forgetNews} />}
      >
        {acts.news}
      </Banner>
    </div>
  ) : null;
  const canInvite = jobId !== null && job?.status === 'open';
  const shared = (
    <>
      {acts.sheets}
      {jobId ? <InviteSheet jobId={jobId} open={inviting} onClose={() => setInviting(false)} /> : null}
      <p className="vh" role="status" aria-live="polite">
        {pipeline.announcement}
      </p>
    </>
  );
  return {
    zone,
    jobId,
    pipeline,
    acts,
    board,
    opened,
    search,
    view,
    setView,
    keys,
    setKeys,
    counts,
    total,
    line,
    spots,
    news,
    canInvite,
    shared,
    waiting,
    invite: () => setInviting(true),
  };
}

function PhonePipeline({ scope, businessId, job, back, businessPick, whole }: WholeProps) {
  const { t } = useLingui();
  const { zone, jobId, pipeline, acts, board, counts, total, line, spots, news, canInvite, shared } = whole;
  const [searching, setSearching] = useState(pipeline.filters.q !== undefined);
  return (
    <Screen
      title={t`Applicants`}
      heading={null}
      back={back}
      onRefresh={() => board.refetch()}
      bar={
        job ? (
          <div className="t bar-job">
            <p className="xs mute clip">{job.title}</p>
            <p className="sm strong clip">{line}</p>
          </div>
        ) : undefined
      }
      actions={
        <>
          {(total ?? 0) > 8 ? (
            <IconButton
              icon="magnifying-glass"
              label={t`Search applicants by name`}
              aria-expanded={searching}
              onClick={() => setSearching(!searching)}
            />
          ) : null}
          {canInvite ? (
            <IconButton icon="user-plus" label={t`Invite people`} needsNetwork onClick={whole.invite} />
          ) : null}
          <FilterButton
            icon
            pipeline={pipeline}
            businessId={businessId}
            skills={job?.skills ?? []}
            zone={zone}
          />
        </>
      }
    >
      <div className="row wrap">
        <h1 className="h-xl grow pipe-count">
          {total === undefined ? (
            t`Applicants`
          ) : (
            <Plural value={total} _0="No applicants" one="# applicant" other="# applicants" />
          )}
        </h1>
        {spots}
      </div>
      <div className="pipe-picks mt2">
        {businessPick}
        <JobPick businessId={businessId} jobId={jobId} job={job} />
      </div>
      {news}
      <PhoneList
        scope={scope}
        pipeline={pipeline}
        counts={counts}
        zone={zone}
        job={job}
        onMove={acts.act}
        waiting={board.data?.waiting}
        searching={searching}
        onInvite={canInvite ? whole.invite : undefined}
      />
      <div className="phone-bulk">
        <BulkApplicantBar
          businessId={businessId}
          checked={[...pipeline.checked.values()]}
          onClear={pipeline.uncheck}
        />
      </div>
      {shared}
    </Screen>
  );
}

function DeskPipeline(props: WholeProps) {
  const { t } = useLingui();
  const { businessId, job, back, whole } = props;
  const { pipeline, board, line, spots, news, shared } = whole;
  const online = useOnline();
  return (
    <Screen
      title={t`Applicants`}
      heading={null}
      back={back}
      inMenu={whole.jobId === null}
      width="full"
      bar={
        <div className="t row wrap pipe-bar">
          <h1 className="h-l">{t`Applicants`}</h1>
          <p className="sm mute grow">{job ? line : <FirstDeadline whole={whole} />}</p>
          {spots}
        </div>
      }
      actions={<DeskActions {...props} />}
    >
      <div className="pipe">
        <DeskTools whole={whole} businessId={businessId} skills={job?.skills ?? []} />
        {news}
        {board.data && !online ? (
          <StaleBanner
            updatedAt={board.dataUpdatedAt}
            fault={null}
            note={t`You can make changes when you're back online.`}
            onRetry={() => void board.refetch()}
          />
        ) : null}
        <DeskList {...props} />
        <BulkApplicantBar
          businessId={businessId}
          checked={[...pipeline.checked.values()]}
          onClear={pipeline.uncheck}
        />
      </div>
      {shared}
    </Screen>
  );
}

function FirstDeadline({ whole: { board, pipeline, zone } }: Pick<WholeProps, 'whole'>) {
  const { t } = useLingui();
  const waiting = board.data?.waiting;
  if (!waiting?.firstDecideBy) return t`All jobs`;
  return (
    <PlainButton
      className="link"
      needsNetwork={pipeline.needsNetwork({ sort: 'deadline' })}
      small
      onClick={() => pipeline.setFilters({ sort: 'deadline' })}
    >
      {waitingText(waiting, formatDate(waiting.firstDecideBy, zone))}
    </PlainButton>
  );
}

function DeskActions({ businessId, job, businessPick, whole }: WholeProps) {
  const { t } = useLingui();
  const { jobId, canInvite } = whole;
  return (
    <div className="row g2">
      {businessPick}
      <JobPick businessId={businessId} jobId={jobId} job={job} />
      {canInvite ? (
        <Button kind="out" size="s" icon="user-plus" needsNetwork onClick={whole.invite}>
          {t`Invite`}
        </Button>
      ) : null}
      <IconButton
        icon="question"
        label={t`Keyboard shortcuts`}
        aria-haspopup="dialog"
        onClick={() => whole.setKeys(true)}
      />
    </div>
  );
}

/** The applicants as a table or as lanes, with the open one next to them. */
function DeskList({ scope, businessId, job, whole }: WholeProps) {
  const { zone, pipeline, acts, board, opened, search, view, counts, canInvite } = whole;
  const waitingCounts = board.data?.waiting;
  const past = sumOf(pastStages, (stage) => counts?.[stage] ?? 0);
  // An ended application still exists, and may be open.
  const isEmpty = whole.total === 0 && past === 0 && opened.openId === null;
  const panel = opened.applicant ? (
    <ApplicantPanel
      applicant={opened.applicant}
      businessId={businessId}
      zone={zone}
      onClose={opened.close}
      onMove={acts.act}
    />
  ) : null;
  if (isEmpty && job && view !== 'past')
    return (
      <Nobody
        job={job}
        stage="all"
        filtered={false}
        ofBusiness={false}
        onClear={pipeline.clear}
        onInvite={canInvite ? whole.invite : undefined}
      />
    );
  if (view === 'list')
    return (
      <ApplicantTable
        scope={scope}
        pipeline={pipeline}
        counts={counts}
        waiting={waitingCounts}
        zone={zone}
        openId={opened.openId}
        onOpen={opened.open}
        onMove={acts.act}
        panel={panel}
      />
    );
  return (
    <Board
      key={view}
      pipeline={pipeline}
      scope={scope}
      job={job}
      zone={zone}
      counts={counts}
      waiting={whole.waiting}
      stages={view === 'past' ? pastStages : laneStages}
      openId={opened.openId}
      onOpen={opened.open}
      onClose={opened.close}
      onMove={acts.act}
      keys={whole.keys}
      onKeys={whole.setKeys}
      search={search}
      panel={panel}
    />
  );
}

type ToolsProps = { whole: WholeProps['whole']; businessId: string | undefined; skills: Job['skills'] };

function DeskTools({ whole, businessId, skills }: ToolsProps) {
  const { t } = useLingui();
  const { pipeline, zone, search, view, setView, counts } = whole;
  const ended = formatNumber(sumOf(pastStages, (stage) => counts?.[stage] ?? 0));
  return (
    <ReasonGroup>
      <div className="row wrap g2 pipe-tools">
        <NameSearch pipeline={pipeline} ref={search} />
        <QuickFilters pipeline={pipeline} zone={zone} />
        <FilterButton pipeline={pipeline} businessId={businessId} skills={skills} zone={zone} />
        <HowWeRank />
        <Chip
          icon="list-bullets"
          pressed={view === 'list'}
          onClick={() => setView(view === 'list' ? 'lanes' : 'list')}
        >
          {t`Rows`}
        </Chip>
        {view === 'list' ? null : (
          <Chip pressed={view === 'past'} onClick={() => setView(view === 'past' ? 'lanes' : 'past')}>
            {counts ? t`Past ${ended}` : t`Past`}
          </Chip>
        )}
        <SharedReason />
      </div>
    </ReasonGroup>
  );
}

const all = 'all';

function JobPick({
  businessId,
  jobId,
  job,
}: {
  businessId: string | undefined;
  jobId: string | null;
  job?: Job;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const open = useListedJobs(businessId, { status: 'open' });
  const { hasNextPage, isFetching, isError, fetchNextPage } = open;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const newest = useListedJobs(businessId);
  const itemsOf = (list: typeof open) => list.data?.pages.flatMap(({ items }) => items) ?? [];
  // A job with unread applicants comes first, then the other jobs with applicants.
  const rank = ({ applicants, newApplicants }: ListedJob) => {
    if (newApplicants > 0) return 0;
    return applicants > 0 ? 1 : 2;
  };
  const listedJobs = [...itemsOf(open), ...itemsOf(newest).filter(({ applicants }) => applicants > 0)].sort(
    (a, b) => rank(a) - rank(b),
  );
  const current = job && !listedJobs.some(({ id }) => id === job.id) ? [{ ...job, applicants: 0 }] : [];
  const jobs = [...new Map([...current, ...listedJobs].map((option) => [option.id, option])).values()];
  return (
    <PickButton
      label={t`Job`}
      icon="briefcase"
      value={jobId ?? all}
      options={[
        { value: all, label: t`All jobs` },
        ...jobs.map((option) => {
          const note = joined(
            whenText(option),
            option.applicants > 0 &&
              t`${plural(option.applicants, { one: '# applied', other: '# applied' })}`,
          );
          return { value: option.id, label: option.title, ...(note ? { note } : {}) };
        }),
      ]}
      onChange={(value) =>
        navigate(value === all ? '/all-job-applicants' : `/job-applicants/${value}`, { replace: true })
      }
    />
  );
}
