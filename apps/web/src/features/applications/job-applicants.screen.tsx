import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/jobs';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../lib/api-error.ts';
import { formatMoney, joined } from '../../lib/format.ts';
import { perUnit, whenWords } from '../../lib/job-words.ts';
import { ButtonLink, IconLink } from '../../ui/button.tsx';
import { Dial } from '../../ui/rings.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import './applicants.css';
import { useJob } from '../jobs/jobs.api.ts';
import { ApplicantList, applicantsOf } from './applicant-list.tsx';
import { ApplicantPanel } from './applicant-panel.tsx';
import { type Group, useJobApplicants } from './applications.api.ts';
import { useOpenApplicant } from './open-applicant.ts';

/** Who applied for one job, newest first; on a desktop the one opened stands beside the list. */
export default function JobApplicantsScreen() {
  const { jobid = '' } = useParams();
  return <ApplicantsOfJob key={jobid} jobId={jobid} />;
}

function ApplicantsOfJob({ jobId }: { jobId: string }) {
  const { t } = useLingui();
  const wide = useWide();
  const [group, setGroup] = useState<Group>('live');
  const job = useJob(jobId).data as Job | undefined;
  const query = useJobApplicants(jobId, group);
  const { openId, applicant, open } = useOpenApplicant(applicantsOf(query.data));
  const foreign = isApiError(query.error, 'job/not-found', 'job/not-allowed', 'request/invalid');

  if (foreign) {
    return (
      <Screen title={t`Applicants`} back="/tabs/menu/jobs">
        <EmptyState
          title={t`These applicants are not here`}
          art="door"
          actions={
            <ButtonLink kind="out" full to="/tabs/menu/jobs">
              {t`See your jobs`}
            </ButtonLink>
          }
        >
          <Trans>The job was deleted, or your role in its business does not include applicants.</Trans>
        </EmptyState>
      </Screen>
    );
  }
  return (
    <Screen
      title={t`Applicants`}
      heading={null}
      back="/tabs/menu/jobs"
      bar={
        <div className="t bar-job">
          <p className="xs mute clip">{job?.title}</p>
          <p className="sm strong clip">
            {job
              ? joined(perUnit(formatMoney(job.pay.minor, job.pay.currency), job.pay.unit), whenWords(job))
              : null}
          </p>
        </div>
      }
      actions={
        job?.actions.includes('edit') ? (
          <IconLink icon="pencil-simple" label={t`Edit the job`} to={`/edit-job/${jobId}`} />
        ) : null
      }
      aside={<ApplicantPanel applicant={applicant} />}
      asideLabel={t`The applicant opened`}
    >
      <div className="applicants-head">
        <div className="row wrap">
          <h1 className="h-xl grow">
            {job?.member ? (
              <Plural
                value={job.member.applicants}
                _0="No applicants"
                one="# applicant"
                other="# applicants"
              />
            ) : (
              t`Applicants`
            )}
          </h1>
          {job?.member ? (
            <span className="row g2 sm">
              <Dial filled={job.member.hired} total={job.headCount} tone="var(--good)" />
              {t`${job.member.hired} of ${job.headCount} hired`}
            </span>
          ) : null}
        </div>
        {job?.member && job.member.newApplicants > 0 ? (
          <p className="mute mt1">
            <Plural value={job.member.newApplicants} one="# not opened yet" other="# not opened yet" />
          </p>
        ) : null}
        <Segmented
          label={t`Which applicants`}
          value={group}
          onChange={setGroup}
          options={[
            { value: 'live', label: t`Waiting` },
            { value: 'ended', label: t`Ended` },
          ]}
        />
      </div>
      <ApplicantList
        query={query}
        openId={openId}
        onOpen={wide ? open : undefined}
        empty={
          group === 'ended' ? (
            <EmptyState title={t`Nothing has ended`}>
              <Trans>Withdrawn and closed applications come here.</Trans>
            </EmptyState>
          ) : (
            <NobodyYet job={job} />
          )
        }
      />
    </Screen>
  );
}

function NobodyYet({ job }: { job: Job | undefined }) {
  const { t } = useLingui();
  const hidden = job !== undefined && job.status !== 'open';
  return (
    <EmptyState
      title={t`Nobody has applied yet`}
      actions={
        job?.actions.includes('edit') ? (
          <ButtonLink kind="out" full to={`/edit-job/${job.id}`}>
            {t`Look over the job`}
          </ButtonLink>
        ) : null
      }
    >
      {hidden ? (
        <Trans>The job is not open to workers now. Reopen it to get applications.</Trans>
      ) : (
        <Trans>
          We tell you when the first application comes in. Clear hours and a fair pay bring them sooner.
        </Trans>
      )}
    </EmptyState>
  );
}
