import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { memo } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { useDoubleClickGuard } from '../../lib/forms/guard-double-click.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useSwipe } from '../../ui/pages/use-swipe.ts';
import { MatchList } from '../matching/match-list.tsx';
import { applicantName } from './applicant.labels.ts';
import {
  Away,
  Face,
  JobLines,
  SelectBox,
  ShiftsApplied,
  Standing,
  Tags,
  useRecordText,
} from './card-facts.tsx';
import { workerPath } from './card-menu.tsx';
import { type DropMove, mainMove, moveText } from './stage.labels.ts';

type ApplicantRowProps = {
  applicant: Applicant;
  zone: string;
  withJob: boolean;
  jobs: number;
  unfolded: boolean;
  onUnfold: (workerId: string) => void;
  first: boolean;
  onMove: (applicant: Applicant, move: DropMove) => void;
  onMenu: (applicant: Applicant) => void;
  checked: boolean;
  /** Set while applicants are selected. */
  onToggle: ((applicant: Applicant) => void) | undefined;
};

/** An applicant row on a phone. Memoized, so pass stable handlers: rendering 300 rows takes a slow phone a second. */
export const ApplicantRow = memo(function ApplicantRow(props: ApplicantRowProps) {
  const { applicant, zone, withJob, first, onMove, onMenu } = props;
  const { t } = useLingui();
  const name = applicantName(applicant);
  const record = useRecordText(applicant);
  const main = mainMove(applicant);
  const guardClick = useDoubleClickGuard(applicant.id, String(main));
  const online = useOnline();
  const can = (move: DropMove) => applicant.actions.includes(move);
  const swipe = useSwipe({
    forward: can('shortlist') ? () => onMove(applicant, 'shortlist') : null,
    back: can('reject') ? () => onMove(applicant, 'reject') : null,
  });
  const under = (move: DropMove) => can(move) && (online ? moveText(move) : t`Needs a connection`);
  return (
    <li className={withJob && props.jobs === 0 ? 'swipe-row more-of-person' : 'swipe-row'}>
      <div className="swipe-under" aria-hidden="true">
        <span className="to-forward">{under('shortlist')}</span>
        <span className="to-back">{under('reject')}</span>
      </div>
      <div className="job applicant" {...swipe}>
        <div className="row top wrap applicant-head">
          <Face applicant={applicant} />
          <div className="grow">
            <h2 className="h-s">
              <Link className="cover" to={workerPath(applicant)}>
                {name}
              </Link>
            </h2>
            <p className="sm mute">{record}</p>
          </div>
          {props.onToggle ? (
            <SelectBox applicant={applicant} checked={props.checked} onToggle={props.onToggle} />
          ) : (
            <Away applicant={applicant} />
          )}
        </div>
        {withJob ? (
          <div className="mt2">
            <JobLines
              applicant={applicant}
              jobs={props.jobs}
              unfolded={props.unfolded}
              onUnfold={props.onUnfold}
            />
          </div>
        ) : (
          <p className="sm mute">
            <ShiftsApplied applicant={applicant} />
          </p>
        )}
        {applicant.engagementId ? null : <MatchList match={applicant.match} max={3} />}
        <Tags tags={applicant.tags} />
        <div className="row wrap g2 mt2">
          <Standing applicant={applicant} zone={zone} />
          {applicant.viewedAt === null && applicant.stage === 'new' ? (
            <Badge tone="hot">{t`Not opened`}</Badge>
          ) : null}
        </div>
        <div className={main ? 'row g2 row-acts' : 'row-menu'} onClickCapture={guardClick}>
          {main ? (
            <Button
              kind={main === 'offer' ? (first ? 'go' : 'ink') : 'out'}
              size="s"
              className="grow"
              aria-label={t`${moveText(main)}: ${name}`}
              needsNetwork
              onClick={() => onMove(applicant, main)}
            >
              {moveText(main)}
            </Button>
          ) : null}
          <IconButton
            icon="dots-three"
            className="end"
            label={t`Actions for ${name}`}
            aria-haspopup="dialog"
            onClick={() => onMenu(applicant)}
          />
        </div>
      </div>
    </li>
  );
});
