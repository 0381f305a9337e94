import { useLingui } from '@lingui/react/macro';
import { applicationPath, sanctionPath } from '@nearhand/contract/app-paths';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { datesToApply } from '@nearhand/contract/hiring/jobs.rules';
import { seriesText, whenText } from '../../lib/words/job.labels.ts';
import { useApplyRestriction, useRestrictionTitle } from '../../people/accounts/restrictions.tsx';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { applicationStandingText } from '../applications/application.labels.ts';
import { useCanApply } from '../applications/load-apply-form.ts';
import { useHardConflict } from '../calendar/calendar.api.ts';
import { isFree } from './job-dates.tsx';
import { bookText, closedText, netPayText } from './job-desc.labels.ts';
import { useWouldHireInstantly } from './jobs.api.ts';
import './job-desc.css';

/** A shortcut for keyboards and screen readers, which reach the dock only after the whole page. */
export function ApplyShortcut({ job }: { job: Job }) {
  const { t } = useLingui();
  const conflict = useHardConflict(job.member ? undefined : job);
  const canApply = useCanApply(job, useWouldHireInstantly(job));
  const restriction = useApplyRestriction();
  if (job.member || conflict || restriction || !job.actions.includes('apply')) return null;
  return (
    <ButtonLink
      kind="go"
      to={`/job-apply-form/${job.id}`}
      className="apply-shortcut"
      needsNetwork={!canApply}
    >
      {t`Apply`}
    </ButtonLink>
  );
}

export function JobDock({ job }: { job: Job }) {
  const { t } = useLingui();
  const conflict = useHardConflict(job.member ? undefined : job);
  const isInstantHire = useWouldHireInstantly(job);
  const canApply = useCanApply(job, isInstantHire);
  const restriction = useApplyRestriction();
  const restrictionTitle = useRestrictionTitle();
  const isBlock = job.series?.asBlock === true;
  const dates = datesToApply(job);
  const otherDates = isBlock ? [] : dates.filter((date) => date.jobId !== job.id && isFree(date));
  const isHeldBlock =
    job.status === 'open' && dates.some(({ jobId, asBlock }) => jobId === job.id && asBlock);
  const bookedDate = isBlock ? dates.find(({ booked }) => booked !== null)?.booked : null;
  const fact = (
    <div className="grow">
      <p className="strong num dock-sum">{netPayText(job)}</p>
      <p className="xs mute">{seriesText(job) ?? whenText(job) ?? job.place.label}</p>
    </div>
  );
  if (job.member) {
    return (
      <>
        {job.actions.includes('edit') ? (
          <ButtonLink kind="ink" icon="pencil-simple" to={`/edit-job/${job.id}`} className="grow">
            {t`Edit this job`}
          </ButtonLink>
        ) : null}
        <ButtonLink kind="out" to={`/job-applicants/${job.id}`} className="grow">
          {t`See applicants`}
        </ButtonLink>
      </>
    );
  }
  if (job.myApplication) {
    const standing = applicationStandingText(job.myApplication);
    return (
      <>
        <p className="dock-line sm">
          <b>{standing.title}.</b> <span className="mute">{standing.note}</span>
        </p>
        <MessageLink jobId={job.id} size="m" />
        <ButtonLink kind="ink" to={applicationPath(job.myApplication.id)}>
          {t`See your application`}
        </ButtonLink>
      </>
    );
  }
  if (job.actions.includes('apply') && restriction) {
    return (
      <>
        <p className="dock-line sm strong">{restrictionTitle(restriction)}</p>
        <ButtonLink kind="ink" to={sanctionPath(restriction.sanctionId)}>
          {t`Read the reasons`}
        </ButtonLink>
      </>
    );
  }
  if (job.actions.includes('apply')) {
    return (
      <>
        {bookedDate ? (
          <BookedInstead reason={t`You're booked on one of these dates.`} title={bookedDate.title} />
        ) : conflict && otherDates.length > 0 ? (
          <>
            <p className="dock-line sm">
              <b>{t`You're booked at that time.`}</b>{' '}
              <span className="mute">{t`You can apply for the other shifts.`}</span>
            </p>
            <ButtonLink kind="go" to={`/job-apply-form/${otherDates[0]?.jobId}`}>
              {t`Apply for this job`}
            </ButtonLink>
          </>
        ) : conflict ? (
          <BookedInstead reason={t`You're booked at that time.`} title={conflict.title} />
        ) : (
          <>
            {fact}
            <ButtonLink kind="go" to={`/job-apply-form/${job.id}`} needsNetwork={!canApply}>
              {isInstantHire ? bookText(job) : t`Apply for this job`}
            </ButtonLink>
          </>
        )}
      </>
    );
  }
  return (
    <>
      <div className="grow">
        <p className="strong">
          {isHeldBlock
            ? t`You can’t apply for these dates at the moment. We may still be checking one of them.`
            : (closedText(job)?.title ?? t`This job isn't accepting applications`)}
        </p>
      </div>
      <ButtonLink kind="ink" to="/tabs/menu/explore">
        {t`Find another job`}
      </ButtonLink>
    </>
  );
}

/** Leads to the booking that has to be cancelled before someone applies. */
function BookedInstead({ reason, title }: { reason: string; title: string }) {
  const { t } = useLingui();
  return (
    <>
      <p className="dock-line sm">
        <b>{reason}</b> <span className="mute">{t`Cancel ${title} before you apply.`}</span>
      </p>
      <ButtonLink kind="ink" to="/tabs/menu/my-work">
        {t`See your booked work`}
      </ButtonLink>
    </>
  );
}
