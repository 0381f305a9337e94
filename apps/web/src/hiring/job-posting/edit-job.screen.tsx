import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { useUser } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import '../../ui/desk.css';
import './composer.css';
import { useMyBusinesses } from '../../people/businesses/businesses.api.ts';
import { useJob } from '../jobs/jobs.api.ts';
import { JobEditor } from './job-editor.tsx';

/**
 * Edits a job of one's own business. The path is public (spec §2), so guests and strangers get an explanation
 * too.
 */
export default function EditJobScreen() {
  const { t } = useLingui();
  const { jobid = '' } = useParams();
  const user = useUser();
  const isVerified = user?.emailVerified === true;
  if (!isVerified) {
    return (
      <Screen title={t`Edit job`} back="/tabs/menu/jobs">
        {user ? (
          <UnverifiedState>
            <p>{t`Then you can edit this job.`}</p>
          </UnverifiedState>
        ) : (
          <SignedOutState title={t`Log in to edit this job`} next={`/edit-job/${jobid}`} level="h2">
            <Trans>Only the business's team can edit it. Looking for work? Go to Explore.</Trans>
          </SignedOutState>
        )}
      </Screen>
    );
  }
  return <OwnJob key={jobid} jobId={jobid} />;
}

function OwnJob({ jobId }: { jobId: string }) {
  const { t } = useLingui();
  const query = useJob(jobId);
  const businesses = useMyBusinesses();
  const job = query.data;
  const business = businesses.data?.find((business) => business.id === job?.business.id);
  if (job?.member && business) return <JobEditor key={job.id} job={job} business={business} />;
  const foreign =
    isApiError(query.error, 'job/not-found', 'request/invalid') ||
    (job !== undefined && (job.member === null || businesses.data !== undefined));
  return (
    <Screen title={t`Edit job`} back="/tabs/menu/jobs">
      {foreign ? (
        <EmptyState
          title={t`We can't find this job`}
          art="door"
          actions={
            <ButtonLink kind="out" full to="/tabs/menu/jobs">
              {t`See your jobs`}
            </ButtonLink>
          }
        >
          <Trans>It was deleted, or it belongs to a business you're not a member of.</Trans>
        </EmptyState>
      ) : (
        <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the job`}>
          {() => (
            <QueryState
              query={businesses}
              loading={<PageSkeleton />}
              errorTitle={t`We couldn't load your business`}
            >
              {() => <PageSkeleton />}
            </QueryState>
          )}
        </QueryState>
      )}
    </Screen>
  );
}
