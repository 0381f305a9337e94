import { Trans, useLingui } from '@lingui/react/macro';
import { workerReviewsPath } from '@nearhand/contract/app-paths';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useEffect, useRef } from 'react';
import { formatDistance, joined } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { SaveWorkerButton } from '../pools/save-worker.tsx';
import { WorkerReliability } from '../reliability/worker-reliability.tsx';
import { applicantName, jobAndTime } from './applicant.labels.ts';
import { ApplicantBody } from './applicant-body.tsx';
import { Face, ShiftsApplied } from './card-facts.tsx';
import type { DropMove } from './stage.labels.ts';
import { WorkerFacts } from './worker-facts.tsx';

type PanelProps = {
  applicant: Applicant;
  businessId: string | undefined;
  zone: string;
  onClose: () => void;
  onMove: (applicant: Applicant, move: DropMove) => void;
};

export function ApplicantPanel({ applicant, businessId, zone, onClose, onMove }: PanelProps) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const { id, worker } = applicant;
  const opened = useRef('');
  useEffect(() => {
    if (!id || opened.current === id) return;
    opened.current = id;
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('.pipe-panel')?.scrollTo?.(0, 0);
  }, [id]);
  return (
    <aside className="pipe-panel" aria-label={t`Applicant details`}>
      <div className="row top">
        <Face applicant={applicant} />
        <div className="grow">
          <h2 className="h-m" tabIndex={-1} ref={heading}>
            {applicantName(applicant)}
          </h2>
          <p className="sm mute">
            {joined(
              worker.area,
              applicant.distanceM !== null &&
                t`about ${formatDistance(Math.max(500, applicant.distanceM), applicant.timeZone)} from the job`,
            )}
          </p>
          {worker.rating.count > 0 ? (
            <p className="sm">
              <Link className="link hit" to={workerReviewsPath(worker.workerId)}>
                {ratingText(worker.rating)}
              </Link>
            </p>
          ) : null}
        </div>
        <IconButton icon="x" label={t`Close applicant`} onClick={onClose} />
      </div>
      <div className="row wrap sm mute">
        <span className="panel-job">
          <Trans>For {jobAndTime(applicant)}</Trans>
          <span className="block">
            <ShiftsApplied applicant={applicant} />
          </span>
        </span>
        <SaveWorkerButton
          businessId={businessId}
          worker={{ workerId: worker.workerId, name: applicantName(applicant) }}
        />
        <ButtonLink kind="text" size="s" to={`/worker-details/${worker.workerId}?application=${id}`}>
          {t`Full profile`}
        </ButtonLink>
      </div>
      <div className="mt4">
        <ApplicantBody key={id} applicant={applicant} businessId={businessId} zone={zone} onMove={onMove} />
      </div>
      <div className="applicant-parts mt6">
        <WorkerReliability workerId={worker.workerId} />
        <WorkerFacts worker={worker} />
      </div>
    </aside>
  );
}
