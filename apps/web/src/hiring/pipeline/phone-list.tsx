import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { formatAgo, formatNumber } from '../../lib/words/format.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { ApplicantRow } from '../applicants/applicant-row.part.tsx';
import { type ApplicantScope, applicantsOf, useApplicants } from '../applicants/applicants.api.ts';
import { CardMenu } from '../applicants/card-menu.part.tsx';
import { allStages, type DropMove, mainMove, stageWords } from '../applicants/stage.words.ts';
import { HowWeRank } from '../matching/rank-sheet.part.tsx';
import { NameSearch } from './pipeline-filters.tsx';
import type { PhoneStage, Pipeline } from './use-pipeline.ts';

type PhoneListProps = {
  scope: ApplicantScope;
  pipeline: Pipeline;
  counts: Board['stages'] | undefined;
  zone: string;
  job: Job | undefined;
  onMove: (applicant: Applicant, move: DropMove) => void;
};

/** Applicants by stage, ranked. */
export function PhoneList({ scope, pipeline, counts, zone, job, onMove }: PhoneListProps) {
  const { t } = useLingui();
  const [stage, setStage] = useState<PhoneStage>('all');
  const [menuOf, setMenuOf] = useState<Applicant | null>(null);
  const { ask, filters, setFilters } = pipeline;
  const query = useApplicants(scope, stage === 'all' ? { ...ask, group: 'live' } : { ...ask, stage });
  const all = counts
    ? allStages.reduce((sum, one) => sum + (one === 'ended' ? 0 : (counts[one] ?? 0)), 0)
    : undefined;
  const chip = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} ${formatNumber(count)}`;
  return (
    <>
      <div className="mt4 stage-chips">
        <Chips label={t`Stage`}>
          <Chip pressed={stage === 'all'} onClick={() => setStage('all')}>
            {chip(t`All`, all)}
          </Chip>
          {allStages.map((one) => (
            <Chip key={one} pressed={stage === one} onClick={() => setStage(one)}>
              {chip(stageWords(one), counts?.[one])}
            </Chip>
          ))}
        </Chips>
      </div>
      {(all ?? 0) > 8 || filters.q ? (
        <div className="mt3">
          <NameSearch pipeline={pipeline} />
        </div>
      ) : null}
      <div className="sm mute mt3 row wrap g2">
        <button
          type="button"
          className="link rank-link"
          onClick={() => setFilters({ sort: filters.sort === 'match' ? 'newest' : 'match' })}
        >
          {filters.sort === 'match' ? t`Best match first` : t`Newest first`}
        </button>
        <HowWeRank />
      </div>
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load applicants`}
        describe={errorText}
        asOf={formatAgo}
        isEmpty={(data) => applicantsOf(data).length === 0}
        empty={
          <Nobody
            stage={stage}
            filtered={pipeline.filtered}
            job={job}
            ofBusiness={'businessId' in scope}
            onClear={pipeline.clear}
          />
        }
      >
        {(data) => {
          const applicants = applicantsOf(data);
          const firstOffer = applicants.find((one) => mainMove(one) === 'offer')?.id;
          return (
            <>
              <ul className="col mt2">
                {applicants.map((applicant) => (
                  <ApplicantRow
                    key={applicant.id}
                    applicant={applicant}
                    zone={zone}
                    withJob={'businessId' in scope}
                    first={applicant.id === firstOffer}
                    onMove={onMove}
                    onMenu={setMenuOf}
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

type NobodyProps = {
  stage: PhoneStage;
  filtered: boolean;
  job: Job | undefined;
  ofBusiness: boolean;
  onClear: () => void;
};

function Nobody({ stage, filtered, job, ofBusiness, onClear }: NobodyProps) {
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
        <Trans>Withdrawn, rejected and closed applications appear here.</Trans>
      </EmptyState>
    );
  }
  if (stage !== 'all') {
    return (
      <EmptyState title={t`No one here right now`}>
        <Trans>Choose All to see everyone waiting for a reply.</Trans>
      </EmptyState>
    );
  }
  const hidden = job !== undefined && job.status !== 'open';
  return (
    <EmptyState
      title={t`No applications yet`}
      actions={
        ofBusiness ? (
          <ButtonLink kind="out" full to="/listed-job">
            {t`See your jobs`}
          </ButtonLink>
        ) : job?.actions.includes('edit') ? (
          <ButtonLink kind="out" full to={`/edit-job/${job.id}`}>
            {t`Review the job`}
          </ButtonLink>
        ) : null
      }
    >
      {hidden ? (
        <Trans>The job isn't open right now. Reopen it to get applications.</Trans>
      ) : ofBusiness ? (
        <Trans>Applications for all your jobs appear here, best match first.</Trans>
      ) : (
        <Trans>We'll let you know when the first application arrives. Clear hours and fair pay help.</Trans>
      )}
    </EmptyState>
  );
}
