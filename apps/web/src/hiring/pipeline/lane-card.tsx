import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { memo, type PointerEvent } from 'react';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { applicantName } from '../applicants/applicant.labels.ts';
import {
  Face,
  JobLines,
  SelectBox,
  ShiftsApplied,
  Standing,
  Tags,
  useAwayText,
} from '../applicants/card-facts.tsx';
import { MatchList } from '../matching/match-list.tsx';

/** A card's handlers; the same object for all, so that a card renders only when it changed. */
export type CardHandlers = {
  open: (applicant: Applicant) => void;
  toggle: (applicant: Applicant) => void;
  menu: (applicant: Applicant) => void;
  grab: (event: PointerEvent<HTMLElement>, applicant: Applicant) => void;
};

type LaneCardProps = {
  applicant: Applicant;
  zone: string;
  withJob: boolean;
  jobs: number;
  unfolded: boolean;
  onUnfold: (workerId: string) => void;
  open: boolean;
  checked: boolean;
  handlers: CardHandlers;
};

export const LaneCard = memo(function LaneCard(props: LaneCardProps) {
  const { t } = useLingui();
  const { applicant, zone, withJob, jobs, unfolded, onUnfold, open, checked, handlers } = props;
  const name = applicantName(applicant);
  const away = useAwayText(applicant);
  return (
    <li
      className={['lane-card', open && 'sel', checked && 'checked', withJob && jobs === 0 && 'more-of-person']
        .filter(Boolean)
        .join(' ')}
      data-applicant={applicant.id}
      onPointerDown={(event) => handlers.grab(event, applicant)}
    >
      <div className="row top g2">
        <Face applicant={applicant} size="s" />
        <SelectBox applicant={applicant} checked={checked} onToggle={handlers.toggle} />
        <IconButton
          icon="dots-three"
          label={t`Actions for ${name}`}
          aria-haspopup="dialog"
          onClick={() => handlers.menu(applicant)}
        />
      </div>
      <h3 className="h-s">
        <button type="button" className="cover" aria-pressed={open} onClick={() => handlers.open(applicant)}>
          {name}
          {applicant.viewedAt === null && applicant.stage === 'new' ? (
            <span className="fresh">
              <Badge tone="hot">{t`Not opened`}</Badge>
            </span>
          ) : null}
        </button>
      </h3>
      <div className="row wrap g1 lane-state">
        <Standing applicant={applicant} zone={zone} />
      </div>
      <p className="xs mute">{away}</p>
      {withJob ? (
        <JobLines applicant={applicant} jobs={jobs} unfolded={unfolded} onUnfold={onUnfold} />
      ) : (
        <p className="sm mute">
          <ShiftsApplied applicant={applicant} />
        </p>
      )}
      {applicant.engagementId ? null : <MatchList match={applicant.match} max={1} />}
      <Tags tags={applicant.tags} />
      {applicant.notes > 0 ? (
        <p className="near xs mute">
          <Icon name="note-pencil" />
          <span className="vh">{t`Notes:`} </span>
          {applicant.notes}
        </p>
      ) : null}
    </li>
  );
});
