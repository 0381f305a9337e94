import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/applications';
import { Link } from 'react-router-dom';
import { decideBy } from '../../lib/decide-by.ts';
import { formatAgo, formatDistance, ownTimeZone } from '../../lib/format.ts';
import { fileUrl } from '../../lib/stored-file.ts';
import { skillText } from '../../lib/taxonomy-text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ClockRing, Near } from '../../ui/rings.tsx';
import { useCurrentBusiness } from '../businesses/businesses.api.ts';
import { applicantStatusWords } from './applicant-words.ts';

type ApplicantRowProps = {
  applicant: Applicant;
  /** Says which job it is for, where the list is over several. */
  withJob?: boolean;
  selected?: boolean;
  /** Opens it beside the list; without it the row leads to the worker's page. */
  onOpen?: (() => void) | undefined;
};

export const workerPath = (applicant: Applicant): string =>
  `/worker-details/${applicant.worker.workerId}?application=${applicant.id}`;

/** One applicant of a list: who, how near, since when, and how long is left to answer. */
export function ApplicantRow({ applicant, withJob, selected, onOpen }: ApplicantRowProps) {
  const { t } = useLingui();
  const { worker } = applicant;
  const fresh = applicant.status === 'submitted';
  const zone = useCurrentBusiness().business?.timeZone ?? ownTimeZone();
  const clock = decideBy(applicant, zone);
  const { label, tone } = applicantStatusWords(applicant.status);
  const skills = worker.skills.slice(0, 3).map(({ skill }) => skillText(skill));
  const name = worker.name || t`Somebody without a name`;
  const title = (
    <>
      {name}
      <span className="vh">
        {fresh ? `, ${t`not opened yet`}` : ''}
        {clock?.left ? `, ${clock.left}` : ''}
      </span>
    </>
  );
  return (
    <li className={`job applicant${selected ? ' sel' : ''}`}>
      <div className="row top">
        <Avatar name={name} src={worker.photoPath ? fileUrl(worker.photoPath) : null} />
        <div className="grow">
          <div className="row top g2">
            <h2 className="h-s grow">
              {onOpen ? (
                <button type="button" className="cover" aria-pressed={selected} onClick={onOpen}>
                  {title}
                </button>
              ) : (
                <Link className="cover" to={workerPath(applicant)}>
                  {title}
                </Link>
              )}
            </h2>
            {fresh || !clock ? <Badge tone={tone}>{label}</Badge> : null}
          </div>
          {withJob ? <p className="sm mid clip">{applicant.jobTitle}</p> : null}
          <p className="sm mute">{formatAgo(applicant.submittedAt)}</p>
          {skills.length > 0 ? <p className="sm mt1">{skills.join(', ')}</p> : null}
          {applicant.coverNote ? <p className="sm mute mt1 two-lines">{applicant.coverNote}</p> : null}
        </div>
      </div>
      <div className="foot">
        <div className="where">
          {applicant.distanceM === null ? (
            <span className="mute">{worker.area ?? t`Home area not given`}</span>
          ) : (
            <span className="near">
              <Near metres={applicant.distanceM} />
              {t`about ${formatDistance(Math.max(500, applicant.distanceM))}`}
            </span>
          )}
          {clock ? (
            <span className="near end" aria-hidden="true">
              <ClockRing left={clock.share} size="s" />
              {clock.left ?? t`Time is up`}
            </span>
          ) : null}
        </div>
      </div>
    </li>
  );
}
