import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant, Board } from '@nearhand/contract/applications';
import type { Job } from '@nearhand/contract/jobs';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatNumber } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chip.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type ApplicantScope, applicantsOf, useApplicants } from '../applications/applicants.api.ts';
import { ApplicantRow } from './applicant-row.tsx';
import { CardMenu } from './card-menu.tsx';
import { NameSearch } from './pipeline-filters.tsx';
import { HowWeRank } from './rank-sheet.tsx';
import { allStages, type DropMove, mainMove, stageWords } from './stage-words.ts';
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
      <p className="sm mute mt3 row wrap g2">
        <button
          type="button"
          className="link rank-link"
          onClick={() => setFilters({ sort: filters.sort === 'match' ? 'newest' : 'match' })}
        >
          {filters.sort === 'match' ? t`Best match first` : t`Newest first`}
        </button>
        <HowWeRank />
      </p>
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We could not load the applicants`}
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
        title={t`Nobody fits these filters`}
        actions={
          <Button kind="out" full onClick={onClear}>
            {t`Clear the filters`}
          </Button>
        }
      />
    );
  }
  if (stage === 'ended') {
    return (
      <EmptyState title={t`Nothing has ended`}>
        <Trans>Withdrawn, turned down and closed applications come here.</Trans>
      </EmptyState>
    );
  }
  if (stage !== 'all') {
    return (
      <EmptyState title={t`Nobody here now`}>
        <Trans>Look under All for everybody who waits.</Trans>
      </EmptyState>
    );
  }
  const hidden = job !== undefined && job.status !== 'open';
  return (
    <EmptyState
      title={t`Nobody has applied yet`}
      actions={
        ofBusiness ? (
          <ButtonLink kind="out" full to="/listed-job">
            {t`See your jobs`}
          </ButtonLink>
        ) : job?.actions.includes('edit') ? (
          <ButtonLink kind="out" full to={`/edit-job/${job.id}`}>
            {t`Look over the job`}
          </ButtonLink>
        ) : null
      }
    >
      {hidden ? (
        <Trans>The job is not open to workers now. Reopen it to get applications.</Trans>
      ) : ofBusiness ? (
        <Trans>Applications for any of your jobs come in here, best match first.</Trans>
      ) : (
        <Trans>
          We tell you when the first application comes in. Clear hours and a fair pay bring them sooner.
        </Trans>
      )}
    </EmptyState>
  );
}
