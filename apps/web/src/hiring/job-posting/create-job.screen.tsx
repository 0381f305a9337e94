import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { dropDraft, readDraft } from '../../lib/device/device-draft.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import '../../ui/desk.css';
import './composer.css';
import {
  RestrictionBanner,
  useHireRestriction,
  useMayCreateJob,
} from '../../people/accounts/restrictions.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { isDay } from '../calendar/calendar.rules.ts';
import { useJob } from '../jobs/jobs.api.ts';
import { JobComposer } from './job-composer.tsx';
import { hasInput, isStoredJobDraft, jobDraftKey, type StoredJobDraft } from './job-draft-start.ts';

export default function CreateJobScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  const parameters = new URLSearchParams(useLocation().search);
  const jobId = parameters.get('job');
  const day = parameters.get('day');
  const [round, setRound] = useState(0);
  const restriction = useHireRestriction(business?.id);
  const mayCreate = useMayCreateJob(business);
  if (business && !mayOpen(business, '/create-job'))
    return <NotForRole business={business} screen="/create-job" title={t`Create job`} />;
  if (business && mayCreate) {
    return (
      <OneJob
        key={`${business.id}${jobId}${round}`}
        business={business}
        jobId={jobId}
        day={isDay(day) ? day : null}
        onDone={() => setRound((before) => before + 1)}
      />
    );
  }
  return (
    <Screen title={t`Create job`} back={{ close: '/tabs/menu/jobs' }}>
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() =>
          restriction ? (
            <RestrictionBanner restriction={restriction} />
          ) : business ? (
            <NotNow business={business} />
          ) : (
            <NoBusiness title={t`First, who is hiring?`}>
              <Trans>
                Jobs belong to a business. Registering takes about three minutes, and your household counts
                too.
              </Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

function NotNow({ business }: { business: Business }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No new jobs for ${business.name}`}
      art="door"
      actions={
        <ButtonLink kind="out" full to="/edit-business">
          {t`See the business`}
        </ButtonLink>
      }
    >
      {business.status === 'closed' ? (
        <Trans>This business is closed for good. Register another one to post jobs.</Trans>
      ) : (
        <Trans>This business can't post jobs right now.</Trans>
      )}
    </EmptyState>
  );
}

/** Asks whether to continue the unfinished draft or start a new job. */
function WhichJob({
  draft: { form, jobId },
  onContinue,
  onNew,
}: {
  draft: StoredJobDraft;
  onContinue: () => void;
  onNew: () => void;
}) {
  const { t } = useLingui();
  const title = form.title.trim() || t`Job without a title`;
  return (
    <Screen title={t`Create job`} back={{ close: '/tabs/menu/jobs' }}>
      <EmptyState
        title={t`Continue your draft?`}
        actions={
          <>
            <Button kind="go" full onClick={onContinue}>
              {t`Continue with ${title}`}
            </Button>
            <Button kind="out" full onClick={onNew}>
              {t`Start a new job`}
            </Button>
          </>
        }
      >
        {jobId === null
          ? t`You started ${title} on this device. If you start a new job, it is deleted.`
          : t`You started ${title}. If you start a new job, it stays among your drafts.`}
      </EmptyState>
    </Screen>
  );
}

function OneJob({
  business,
  jobId: jobIdInAddress,
  day,
  onDone,
}: {
  business: Business;
  jobId: string | null;
  /** The day of a new job, such as one tapped on the roster. */
  day: string | null;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const draftKey = jobDraftKey(business.id, null);
  const [draft] = useState(() => (jobIdInAddress === null ? readDraft(draftKey, isStoredJobDraft) : null));
  const [goesOn, setGoesOn] = useState(false);
  const storedId = draft?.jobId ?? null;
  const jobId = jobIdInAddress ?? storedId;
  const query = useJob(jobId ?? '');
  const job = query.data;
  const isGone = isApiError(query.error, 'job/not-found') || (job !== undefined && job.status !== 'draft');

  if (draft && !goesOn && hasInput(draft, business))
    return (
      <WhichJob
        draft={draft}
        onContinue={() => setGoesOn(true)}
        onNew={() => {
          dropDraft(draftKey);
          onDone();
        }}
      />
    );
  if (jobId === null || (isGone && jobIdInAddress === null)) {
    return <JobComposer business={business} start={null} day={day} askedFor={false} onDone={onDone} />;
  }
  if (job?.status === 'draft' && job.business.id === business.id) {
    return <JobComposer business={business} start={job} askedFor={jobIdInAddress !== null} onDone={onDone} />;
  }
  return (
    <Screen title={t`Job draft`} back={{ close: '/tabs/menu/jobs' }}>
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the draft`}>
        {() => (
          <EmptyState
            title={t`This is no longer a draft`}
            actions={
              <ButtonLink kind="go" full to={`/edit-job/${jobId}`}>
                {t`Open the job`}
              </ButtonLink>
            }
          >
            <Trans>It was published, or it belongs to another of your businesses.</Trans>
          </EmptyState>
        )}
      </QueryState>
    </Screen>
  );
}
