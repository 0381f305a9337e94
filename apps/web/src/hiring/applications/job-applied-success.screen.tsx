import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLocation, useParams } from 'react-router';
import { allOf } from '../../lib/words/format.ts';
import { jobText } from '../../lib/words/job.labels.ts';
import { useMyProfile } from '../../people/profiles/profiles.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { JobCard } from '../../ui/job-card.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton, PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { useJob, useSimilarJobs } from '../jobs/jobs.api.ts';
import { applicationTimeline, clockRuns } from './application.labels.ts';
import { useMyApplication } from './applications.api.ts';
import { ClockCard } from './clock-card.tsx';
import { useWaiting } from './outbox.api.ts';
import './applications.css';

export default function JobAppliedSuccessScreen() {
  const { t } = useLingui();
  const { jobid: jobId = '' } = useParams();
  const query = useJob(jobId);
  const job = query.data;
  const queued = useWaiting().find((entry) => entry.jobId === jobId && entry.refusal === null);
  const application = useMyApplication(job?.myApplication?.id);
  const hasApplied = Boolean(application.data ?? job?.myApplication);
  const isHired = application.data?.status === 'hired';
  const title = isHired
    ? t`You're hired`
    : hasApplied || !queued
      ? t`Application sent`
      : t`Saved. We'll send it when you're online`;
  const applied = job?.dates.filter(({ myApplication }) => myApplication?.status === 'submitted').length ?? 0;
  const shifts = applied > 1 ? t`For ${plural(applied, { one: '# shift', other: '# shifts' })}` : null;
  const line = [job?.title ?? queued?.jobTitle, job?.business.name ?? queued?.businessName]
    .filter(Boolean)
    .join(' · ');
  const isApplied = hasApplied || queued !== undefined;
  return (
    <Screen
      title={title}
      heading={null}
      back={{ close: '/tabs/menu/my-work' }}
      hero={
        isApplied ? (
          <div className="sent-hero">
            <SentRings waits={!hasApplied} />
            <h1 className="h-xl">{title}</h1>
            <p className="lead mute mt2">{line}</p>
            {shifts ? <p className="lead mid">{shifts}</p> : null}
          </div>
        ) : undefined
      }
    >
      {isApplied ? (
        <>
          {application.data ? (
            <WhatHappensNext application={application.data} />
          ) : queued && !hasApplied ? (
            <p className="lead">
              <Trans>
                It's saved on this device. Keep the app open, or open it again when you're online, and it'll
                be sent automatically.
              </Trans>
            </p>
          ) : (
            <PageSkeleton />
          )}
          <NextLinks application={application.data} />
          <Similar jobId={jobId} />
        </>
      ) : (
        <QueryState
          query={{ ...query, data: job }}
          loading={<PageSkeleton />}
          errorTitle={t`We couldn't load your application`}
        >
          {() => (
            <EmptyState
              level="h1"
              title={t`You haven't applied for this job`}
              actions={
                <ButtonLink kind="go" full to={`/job-desc/${jobId}`}>
                  {t`See the job`}
                </ButtonLink>
              }
            />
          )}
        </QueryState>
      )}
    </Screen>
  );
}

type SentApplication = NonNullable<ReturnType<typeof useMyApplication>['data']>;

function WhatHappensNext({ application }: { application: SentApplication }) {
  const { t } = useLingui();
  const isWaiting = clockRuns(application.status);
  return (
    <>
      {application.status === 'hired' ? (
        <p className="lead">
          <Trans>
            This is an instant hire, so you're booked. Find the address, check-in and your hours in My work.
          </Trans>
        </p>
      ) : isWaiting ? (
        <ClockCard application={application} />
      ) : null}
      {isWaiting ? (
        <div className="mt4">
          <ProfileGaps business={application.job.business.name} />
        </div>
      ) : null}
      <section className="mt6">
        <h2 className="h-m">{t`What happens next`}</h2>
        <div className="mt4">
          <Timeline items={applicationTimeline(application)} />
        </div>
      </section>
    </>
  );
}

function NextLinks({ application }: { application: SentApplication | undefined }) {
  const { t } = useLingui();
  return (
    <div className="col g2 mt6">
      {application?.engagementId ? (
        <ButtonLink kind="go" full to={`/tabs/menu/my-work/engagement/${application.engagementId}`} replace>
          {t`View booked job`}
        </ButtonLink>
      ) : null}
      <ButtonLink
        kind="ink"
        full
        to={application ? `/tabs/menu/my-work/${application.id}` : '/tabs/menu/my-work'}
        replace
      >
        {application ? t`See my application` : t`See my applications`}
      </ButtonLink>
    </div>
  );
}

/** The page that edits the worker's profile and then returns to `path`. */
const editProfilePath = (path: string): string => `/myprofile?edit=1&next=${encodeURIComponent(path)}`;

/**
 * Names what a business misses in the worker's profile, with the way to add it and back.
 * Empty if nothing is missing.
 */
function ProfileGaps({ business }: { business: string }) {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const profile = useMyProfile().data;
  if (!profile) return null;
  const gaps = [
    profile.skills.length === 0 && t`skills`,
    profile.home === null && t`home area`,
    profile.availability.length === 0 && t`usual free times`,
  ].filter((gap) => gap !== false);
  if (gaps.length === 0) return null;
  return (
    <Card flush as="section" label={t`Your profile`}>
      <ListRow
        to={editProfilePath(pathname)}
        needsNetwork
        lead={<Icon name="user" />}
        title={t`Not in your profile yet: ${allOf(gaps)}`}
        note={t`${business} compares them with the job. Add them now: they count for this application too.`}
      />
    </Card>
  );
}

function SentRings({ waits }: { waits: boolean }) {
  return (
    <svg className="sent-rings" viewBox="0 0 96 96" aria-hidden="true" fill="none">
      {[44, 32, 20].map((radius, index) => (
        <circle
          key={radius}
          cx="48"
          cy="48"
          r={radius}
          stroke={index === 0 && !waits ? 'var(--on-pine)' : 'var(--on-pine-2)'}
          strokeWidth={index === 0 ? 2 : 1.25}
          strokeDasharray={index === 0 && !waits ? undefined : '1 5'}
          strokeLinecap="round"
        />
      ))}
      <circle cx="48" cy="48" r="4" fill="var(--on-pine)" />
      <circle cx="79" cy="17" r="13" fill="var(--ember)" opacity=".3" />
      <circle cx="79" cy="17" r="7" fill="var(--ember)" />
    </svg>
  );
}

function Similar({ jobId }: { jobId: string }) {
  const { t } = useLingui();
  const query = useSimilarJobs(jobId);
  if (query.data ? query.data.length === 0 : query.fetchStatus !== 'fetching') return null;
  return (
    <section className="mt8">
      <h2 className="h-m">{t`Similar jobs nearby`}</h2>
      <p className="sm mute mt1">{t`Distances from this job.`}</p>
      <div className="col mt4">
        {query.data ? (
          query.data.map((job) => (
            <JobCard key={job.id} {...jobText(job)} to={`/job-desc/${job.id}`} level={3} />
          ))
        ) : (
          <JobListSkeleton count={2} />
        )}
      </div>
    </section>
  );
}
