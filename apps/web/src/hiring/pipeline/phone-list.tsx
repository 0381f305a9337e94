import { plural, t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { isStartedStanding, jobStanding } from '@nearhand/contract/hiring/jobs.rules';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import { useCallback, useRef, useState } from 'react';
import { unopenedOnes } from '../../lib/words/counts.ts';
import { formatDate } from '../../lib/words/format.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useHiddenSearch } from '../../work/business-engagements/replacement.tsx';
import { ApplicantRow } from '../applicants/applicant-row.tsx';
import { type ApplicantScope, applicantsOf, useApplicants } from '../applicants/applicants.api.ts';
import { CardMenu } from '../applicants/card-menu.tsx';
import { type DropMove, mainMove } from '../applicants/stage.labels.ts';
import { HowWeRank } from '../matching/rank-sheet.tsx';
import { usePersonCards } from './person-cards.ts';
import { liveCount, NameSearch, StageChips, stageAsk } from './pipeline-filters.tsx';
import type { PhoneStage, Pipeline } from './use-pipeline.ts';

type PhoneListProps = {
  scope: ApplicantScope;
  pipeline: Pipeline;
  counts: Board['stages'] | undefined;
  zone: string;
  job: Job | undefined;
  onMove: (applicant: Applicant, move: DropMove) => void;
  waiting: Board['waiting'] | undefined;
  searching: boolean;
  onInvite: (() => void) | undefined;
};

/** "56 waiting, 28 not opened. First deadline Thu 3 Dec": the same numbers as on the home page and in the menu. */
export function waitingText({ count, unopened }: Board['waiting'], first: string): string {
  const waits = text`${plural(count, { one: '# waiting', other: '# waiting' })}`;
  const numbers = unopened > 0 ? `${waits}, ${unopenedOnes(unopened)}` : waits;
  return text`${numbers}. First deadline ${first}`;
}

const nextSort = { match: 'newest', newest: 'deadline', deadline: 'match' } as const;

export function PhoneList(props: PhoneListProps) {
  const { scope, pipeline, counts, zone, job, onMove, waiting } = props;
  const { t } = useLingui();
  const [selecting, setSelecting] = useState(pipeline.checked.size > 0);
  const [menuOf, setMenuOf] = useState<Applicant | null>(null);
  const moves = useRef(onMove);
  moves.current = onMove;
  const moveLatest = useCallback<typeof onMove>((applicant, move) => moves.current(applicant, move), []);
  const { stage, filters } = pipeline;
  const query = useApplicants(scope, stageAsk(pipeline, stage));
  const withJob = 'businessId' in scope;
  const { cards, onUnfold } = usePersonCards(applicantsOf(query.data), withJob && !selecting);
  const applicants = applicantsOf(query.data);
  return (
    <>
      <div className="mt2 stage-chips">
        <StageChips scope={scope} pipeline={pipeline} counts={counts} waiting={waiting} />
      </div>
      {props.searching || filters.q ? (
        <div className="mt2">
          <NameSearch pipeline={pipeline} />
        </div>
      ) : null}
      <RankRows {...props} applicants={applicants} selecting={selecting} onSelecting={setSelecting} />
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load applicants`}
        offlineNote={t`You can make changes when you're back online.`}
        isEmpty={(data) => applicantsOf(data).length === 0}
        empty={
          <Nobody
            stage={stage === 'waiting' && liveCount(counts) === 0 ? 'all' : stage}
            filtered={pipeline.isFiltered}
            job={job}
            ofBusiness={withJob}
            onClear={pipeline.clear}
            onInvite={props.onInvite}
          />
        }
      >
        {() => {
          const firstOffer = cards.find(({ applicant }) => mainMove(applicant) === 'offer')?.applicant.id;
          return (
            <>
              <ul className="col mt2">
                {cards.map(({ applicant, jobs, unfolded }) => (
                  <ApplicantRow
                    key={applicant.id}
                    applicant={applicant}
                    zone={zone}
                    withJob={withJob}
                    jobs={jobs}
                    unfolded={unfolded}
                    onUnfold={onUnfold}
                    first={applicant.id === firstOffer}
                    onMove={moveLatest}
                    onMenu={setMenuOf}
                    checked={pipeline.checked.has(applicant.id)}
                    onToggle={selecting ? pipeline.toggle : undefined}
                  />
                ))}
              </ul>
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
      <CardMenu applicant={menuOf} checked={false} onClose={() => setMenuOf(null)} onMove={onMove} />
    </>
  );
}

type RankRowsProps = Pick<PhoneListProps, 'pipeline' | 'waiting' | 'zone'> & {
  applicants: readonly Applicant[];
  selecting: boolean;
  onSelecting: (selecting: boolean) => void;
};

/** The first deadline, the order of the list, and the selection. */
function RankRows({ pipeline, waiting, zone, applicants, selecting, onSelecting }: RankRowsProps) {
  const { t } = useLingui();
  const { filters, setFilters } = pipeline;
  const sortWords = {
    match: t`Best match first`,
    newest: t`Newest first`,
    deadline: t`Soonest deadline first`,
  };
  const deadlineFirst = { sort: filters.sort === 'deadline' ? ('match' as const) : ('deadline' as const) };
  return (
    <div className="rank-rows">
      {waiting?.firstDecideBy ? (
        <PlainButton
          className="link sm rank-link"
          aria-pressed={filters.sort === 'deadline'}
          needsNetwork={pipeline.needsNetwork(deadlineFirst)}
          small
          onClick={() => setFilters(deadlineFirst)}
        >
          {waitingText(waiting, formatDate(waiting.firstDecideBy, zone))}
        </PlainButton>
      ) : null}
      <div className="sm mute row wrap g2">
        <PlainButton
          className="link rank-link"
          needsNetwork={pipeline.needsNetwork({ sort: nextSort[filters.sort] })}
          small
          onClick={() => setFilters({ sort: nextSort[filters.sort] })}
        >
          {sortWords[filters.sort]}
        </PlainButton>
        <HowWeRank />
        {applicants.length > 0 ? (
          <PlainButton
            className="link rank-link"
            small
            aria-pressed={selecting}
            onClick={() => {
              if (selecting) pipeline.uncheck();
              onSelecting(!selecting);
            }}
          >
            {selecting ? t`Done selecting` : t`Select`}
          </PlainButton>
        ) : null}
        {selecting ? (
          <PlainButton className="link rank-link" small onClick={() => pipeline.toggleAll(applicants)}>
            {applicants.every(({ id }) => pipeline.checked.has(id))
              ? t`Deselect all`
              : t`Select all ${applicants.length}`}
          </PlainButton>
        ) : null}
      </div>
    </div>
  );
}

type NobodyProps = {
  stage: PhoneStage;
  filtered: boolean;
  job: Job | undefined;
  ofBusiness: boolean;
  onClear: () => void;
  onInvite: (() => void) | undefined;
};

export function Nobody({ stage, filtered, job, ofBusiness, onClear, onInvite }: NobodyProps) {
  const { t } = useLingui();
  if (filtered) {
    return (
      <EmptyState
        title={t`No one matches these filters`}
        actions={
          <Button kind="out" full onClick={onClear}>
            {t`Clear filters`}
          </Button>
        }
      />
    );
  }
  if (stage === 'ended') {
    return (
      <EmptyState title={t`No closed applications`}>
        <Trans>Withdrawn, rejected and closed applications and cancelled bookings appear here.</Trans>
      </EmptyState>
    );
  }
  if (stage === 'done') {
    return (
      <EmptyState title={t`No finished work yet`}>
        <Trans>People whose work is finished appear here.</Trans>
      </EmptyState>
    );
  }
  if (stage === 'waiting') {
    return (
      <EmptyState title={t`No one is waiting for a reply`}>
        <Trans>Choose All to see offers and hires as well.</Trans>
      </EmptyState>
    );
  }
  if (stage !== 'all') {
    return (
      <EmptyState title={t`No one here right now`}>
        <Trans>Choose Waiting to see everyone who needs a reply.</Trans>
      </EmptyState>
    );
  }
  return <NoApplications job={job} ofBusiness={ofBusiness} onInvite={onInvite} />;
}

type NoApplicationsProps = Pick<NobodyProps, 'job' | 'ofBusiness' | 'onInvite'>;

function NoApplications({ job, ofBusiness, onInvite }: NoApplicationsProps) {
  const { t } = useLingui();
  const hasStarted =
    job !== undefined && isStartedStanding(jobStanding(job, job.member?.hired ?? 0, new Date()));
  const hidden = useHiddenSearch(job);
  const text = () => {
    if (hidden)
      return (
        <Trans>
          We’re asking your pools first, and the people who apply appear here. Everyone sees it from{' '}
          {hidden.publicTime}.
        </Trans>
      );
    if (hasStarted) return <Trans>Its time has come. Duplicate the job to hire again.</Trans>;
    if (job !== undefined && job.status !== 'open')
      return <Trans>The job isn't open right now. Reopen it to get applications.</Trans>;
    if (ofBusiness) return <Trans>Applications for all your jobs appear here, best match first.</Trans>;
    if (job?.instantHire)
      return <Trans>Hiring is instant for this job: people who apply appear here as hired.</Trans>;
    return (
      <Trans>We'll let you know when the first application arrives. Clear hours and fair pay help.</Trans>
    );
  };
  const actions = () => {
    if (ofBusiness)
      return (
        <ButtonLink kind="out" full to="/listed-job">
          {t`See your jobs`}
        </ButtonLink>
      );
    if (job?.status === 'open' && !hasStarted)
      return (
        <>
          {onInvite ? (
            <Button kind="go" full icon="user-plus" needsNetwork onClick={onInvite}>
              {t`Invite people`}
            </Button>
          ) : null}
          <ButtonLink kind="out" full icon="share-network" to={`/share-job?job=${job.id}`}>
            {t`Share the job`}
          </ButtonLink>
        </>
      );
    if (!job?.actions.includes('edit')) return null;
    return (
      <ButtonLink kind="out" full to={`/edit-job/${job.id}`}>
        {t`Review the job`}
      </ButtonLink>
    );
  };
  return (
    <EmptyState title={t`No applications yet`} actions={actions()}>
      {text()}
    </EmptyState>
  );
}
