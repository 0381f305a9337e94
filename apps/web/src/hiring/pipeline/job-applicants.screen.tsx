import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { useBoard } from './pipeline.api.ts';
import { PipelineScreen } from './pipeline-screen.tsx';

export default function JobApplicantsScreen() {
  const { jobid = '' } = useParams();
  return <ApplicantsOfJob key={jobid} jobId={jobid} />;
}

function ApplicantsOfJob({ jobId }: { jobId: string }) {
  const { t } = useLingui();
  const job = useJob(jobId).data;
  const { error } = useBoard({ jobId });
  if (isApiError(error, 'job/not-found', 'job/not-allowed', 'request/invalid')) {
    return (
      <Screen title={t`Applicants`} back="/tabs/menu/jobs">
        <EmptyState
          title={t`We can't find these applicants`}
          art="door"
          actions={
            <ButtonLink kind="out" full to="/tabs/menu/jobs">
              {t`See your jobs`}
            </ButtonLink>
          }
        >
          <Trans>The job was deleted, or your role doesn't include applicants.</Trans>
        </EmptyState>
      </Screen>
    );
  }
  return (
    <PipelineScreen
      scope={{ jobId }}
      businessId={job?.business.id}
      zone={job?.timeZone}
      job={job}
      back="/tabs/menu/jobs"
    />
  );
}
