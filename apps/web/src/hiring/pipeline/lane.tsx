import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { useEffect } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { firstRead } from '../../lib/pages/initial-query-state.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatNumber } from '../../lib/words/format.ts';
import { Dial } from '../../ui/art/ring-figures.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import {
  type ApplicantAsk,
  type ApplicantScope,
  applicantsOf,
  useApplicants,
} from '../applicants/applicants.api.ts';
import { laneStages, stageText } from '../applicants/stage.labels.ts';
import { SelectAll } from './applicant-table.tsx';
import { type CardHandlers, LaneCard } from './lane-card.tsx';
import { usePersonCards } from './person-cards.ts';

type LaneProps = {
  stage: Stage;
  scope: ApplicantScope;
  job: Job | undefined;
  ask: ApplicantAsk;
  zone: string;
  count: number | undefined;
  filtered: boolean;
  folded: boolean;
  slim: boolean;
  onFold: () => void;
  drop: 'no' | 'may' | 'over';
  openId: string | null;
  checked: ReadonlyMap<string, Applicant>;
  handlers: CardHandlers;
  onList: (stage: Stage, applicants: readonly Applicant[]) => void;
  onToggleAll: (applicants: readonly Applicant[]) => void;
};

export function Lane(props: LaneProps) {
  const { t } = useLingui();
  const { stage, scope, ask, count, folded, handlers, onList } = props;
  const query = useApplicants(scope, { ...ask, stage }, !folded || count === undefined);
  const applicants = applicantsOf(query.data);
  const read = firstRead(query);
  const withJob = 'businessId' in scope;
  const { cards, onUnfold } = usePersonCards(
    applicants,
    withJob,
    ({ id }) => id === props.openId || props.checked.has(id),
  );
  useEffect(() => onList(stage, folded ? [] : cards.map(({ applicant }) => applicant)));
  const words = stageText(stage);
  const step = laneStages.indexOf(stage) + 1;
  return (
    <section
      className={['lane', folded ? 'folded' : props.slim ? 'slim' : '', `drop-${props.drop}`]
        .filter(Boolean)
        .join(' ')}
      data-drop={stage}
      aria-label={words}
    >
      <h2 className="lane-head">
        <button type="button" aria-expanded={!folded} onClick={props.onFold}>
          <Dial filled={step} total={laneStages.length} />
          <span className="grow">{words}</span>
          <span className="num mute">{count === undefined ? '' : formatNumber(count)}</span>
        </button>
      </h2>
      {!folded && applicants.length > 1 ? (
        <SelectAll query={query} checked={props.checked} onToggle={props.onToggleAll} />
      ) : null}
      {folded ? null : (
        <div className="lane-body">
          {read === 'failed' && !query.error ? (
            <p className="lane-note">{t`You're offline. Try again when you have a connection.`}</p>
          ) : null}
          {read === 'loading' ? <LaneSkeleton /> : null}
          {query.error && applicants.length === 0 ? (
            <div className="lane-note" role="alert">
              <p>{errorText(query.error)}</p>
              <Button kind="quiet" size="s" className="mt2" onClick={() => void query.refetch()}>
                {t`Try again`}
              </Button>
            </div>
          ) : null}
          {query.data && applicants.length === 0 ? (
            <p className="lane-note">
              {props.filtered ? (
                <Trans>No one matches these filters.</Trans>
              ) : (
                <EmptyLane stage={stage} job={props.job} />
              )}
            </p>
          ) : null}
          <ul aria-label={words} className={query.isPlaceholderData ? 'stale' : undefined}>
            {cards.map(({ applicant, jobs, unfolded }) => (
              <LaneCard
                key={applicant.id}
                applicant={applicant}
                zone={props.zone}
                withJob={withJob}
                jobs={jobs}
                unfolded={unfolded}
                onUnfold={onUnfold}
                open={applicant.id === props.openId}
                checked={props.checked.has(applicant.id)}
                handlers={handlers}
              />
            ))}
          </ul>
          <LoadMore query={query} />
        </div>
      )}
    </section>
  );
}

function EmptyLane({ stage, job }: { stage: Stage; job: Job | undefined }) {
  const { offerHours } = useSettings();
  if (job?.instantHire && (stage === 'shortlisted' || stage === 'interviewing'))
    return <Trans>Not needed here: people are hired as soon as they apply.</Trans>;
  switch (stage) {
    case 'new':
      return job?.instantHire ? (
        <Trans>Hiring is instant for this job: people who apply appear under Hired.</Trans>
      ) : (
        <Trans>New applications appear here.</Trans>
      );
    case 'shortlisted':
      return <Trans>Drag someone here, or press S on a card.</Trans>;
    case 'interviewing':
      return <Trans>Drag someone here to propose interview times.</Trans>;
    case 'offered':
      return job?.status === 'filled' ? (
        <Trans>Every spot is filled. You can make an offer when one opens up.</Trans>
      ) : (
        <Trans>Drag someone here to make an offer. They'll have {offerHours} hours to reply.</Trans>
      );
    case 'hired':
      return <Trans>People you hire appear here.</Trans>;
    case 'done':
      return <Trans>People whose work is finished appear here.</Trans>;
    case 'ended':
      return <Trans>Withdrawn, rejected and closed applications and cancelled bookings appear here.</Trans>;
  }
}

function LaneSkeleton() {
  return (
    <div className="loading col g2" aria-hidden="true">
      {[0, 1, 2].map((key) => (
        <div key={key} className="lane-card sk-lines">
          <div className="sk-round sk" />
          <div className="sk w70" />
          <div className="sk w50" />
        </div>
      ))}
    </div>
  );
}
