import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/applications';
import { useEffect, useRef } from 'react';
import { formatDistance, joined } from '../../lib/format.ts';
import { fileUrl } from '../../lib/stored-file.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ApplicantDetail } from './applicant-detail.tsx';
import { WorkerFacts } from './worker-facts.tsx';

/** The applicant opened, beside the list of a desktop. */
export function ApplicantPanel({ applicant }: { applicant: Applicant | null }) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const id = applicant?.id;
  useEffect(() => {
    if (id) heading.current?.focus({ preventScroll: true });
    heading.current?.closest('.aside')?.scrollTo?.(0, 0);
  }, [id]);
  if (!applicant) {
    return (
      <div className="panel-empty">
        <EmptyState title={t`Nobody opened yet`} level="h2">
          <Trans>
            Choose somebody in the list. Opening an application tells the worker that you have seen it.
          </Trans>
        </EmptyState>
      </div>
    );
  }
  const { worker } = applicant;
  const name = worker.name || t`Somebody without a name`;
  return (
    <div className="panel">
      <div className="row">
        <Avatar size="l" name={name} src={worker.photoPath ? fileUrl(worker.photoPath) : null} />
        <div className="grow">
          <h2 className="h-l" tabIndex={-1} ref={heading}>
            {name}
          </h2>
          <p className="mute">
            {joined(
              worker.area,
              applicant.distanceM !== null &&
                t`about ${formatDistance(Math.max(500, applicant.distanceM))} from the job`,
            )}
          </p>
        </div>
        <ButtonLink kind="out" size="s" to={`/worker-details/${worker.workerId}`}>
          {t`Whole profile`}
        </ButtonLink>
      </div>
      <p className="sm mute mt4">
        <Trans>For {applicant.jobTitle}</Trans>
      </p>
      <div className="mt4">
        <ApplicantDetail applicant={applicant} />
      </div>
      <div className="mt8">
        <WorkerFacts worker={worker} />
      </div>
    </div>
  );
}
