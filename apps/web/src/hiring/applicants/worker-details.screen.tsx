import { Trans, useLingui } from '@lingui/react/macro';
import { reportPath, workerReviewsPath } from '@nearhand/contract/app-paths';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useEffect, useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import {
  formatAgoWithin,
  formatDayTime,
  formatDistance,
  joined,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import '../../ui/desk.css';
import '../pipeline/pipeline.css';
import '../pipeline/board.css';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { useWorker } from '../../people/profiles/profiles.api.ts';
import { InviteForm } from '../invitations/invite-sheet.tsx';
import { useJob, useListedJobs } from '../jobs/jobs.api.ts';
import { SaveWorkerButton } from '../pools/save-worker.tsx';
import { WorkerReliability } from '../reliability/worker-reliability.tsx';
import { applicantStatusText } from './applicant.labels.ts';
import { ApplicantBody } from './applicant-body.tsx';
import { undecidedOfSeries, useApplicationsOfWorker, useViewApplication } from './applicants.api.ts';
import type { DropMove } from './stage.labels.ts';
import { useActs } from './use-acts.tsx';
import { WorkerFacts } from './worker-facts.tsx';

export default function WorkerDetailsScreen() {
  const { workerid = '' } = useParams();
  return <OneWorker key={workerid} workerId={workerid} />;
}

function OneWorker({ workerId }: { workerId: string }) {
  const { t } = useLingui();
  const applicationId = new URLSearchParams(useLocation().search).get('application');
  const query = useWorker(workerId);
  const worker = query.data;
  const name = worker?.name || (worker ? t`Unnamed worker` : t`Worker`);
  const unknown = isApiError(query.error, 'profile/not-found', 'request/invalid');
  const acts = useActs();
  const { business } = useCurrentBusiness();
  return (
    <Screen title={name} heading={null} back="/all-job-applicants" width="wide">
      {unknown ? (
        <EmptyState
          title={t`We can't find this worker`}
          art="door"
          level="h1"
          actions={
            <ButtonLink kind="out" full to="/all-job-applicants">
              {t`See your applicants`}
            </ButtonLink>
          }
        >
          <Trans>You can see a worker's profile after they apply to one of your businesses.</Trans>
        </EmptyState>
      ) : (
        <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this worker`}>
          {(data) => (
            <>
              <div className="row wrap worker-head">
                <Avatar size="l" name={name} src={data.photoPath ? fileUrl(data.photoPath) : null} />
                <div className="grow">
                  <h1 className="h-xl">{name}</h1>
                  <p className="mute">{data.area ?? t`Home area not set`}</p>
                  {data.rating.count > 0 ? (
                    <p className="mt1">
                      <Link className="link sm hit" to={workerReviewsPath(workerId)}>
                        {ratingText(data.rating)}
                      </Link>
                    </p>
                  ) : null}
                </div>
                <SaveWorkerButton businessId={business?.id} worker={{ workerId, name }} />
              </div>
              {acts.news ? (
                <div className="mt4">
                  <Banner tone="wait" icon="warning" live>
                    {acts.news}
                  </Banner>
                </div>
              ) : null}
              <div className="desk two-cols mt6">
                <div className="desk-main">
                  <WorkerApplication workerId={workerId} applicationId={applicationId} onMove={acts.act} />
                </div>
                <div className="desk-side">
                  <Card roomy>
                    <WorkerReliability workerId={workerId} />
                  </Card>
                  <InviteToAnother workerId={workerId} name={name} />
                  <Card roomy>
                    <WorkerFacts worker={data} />
                  </Card>
                  <Link className="link sm" to={reportPath('worker', workerId)}>
                    {t`Report this worker`}
                  </Link>
                </div>
              </div>
            </>
          )}
        </QueryState>
      )}
      {acts.sheets}
    </Screen>
  );
}

type OnMove = (applicant: Applicant, move: DropMove) => void;

function WorkerApplication({
  workerId,
  applicationId,
  onMove,
}: {
  workerId: string;
  applicationId: string | null;
  onMove: OnMove;
}) {
  const { t } = useLingui();
  const query = useApplicationsOfWorker(workerId);
  return (
    <section>
      <h2 className="h-m">{t`Their applications to you`}</h2>
      <div className="col mt4">
        <QueryState
          query={query}
          loading={
            <div className="sent-sk">
              <PageSkeleton />
            </div>
          }
          errorTitle={t`We couldn't load the applications`}
        >
          {(data) => {
            const applicants = data;
            const first = applicants.find(({ id }) => id === applicationId);
            const order = first
              ? [first, ...applicants.filter((applicant) => applicant !== first)]
              : applicants;
            // Undecided shifts of a series are decided on together, at the first of them.
            const isShown = (applicant: Applicant, at: number) => {
              const undecided = undecidedOfSeries(applicants, applicant.seriesId);
              return (
                !undecided.includes(applicant) ||
                !order.slice(0, at).some((earlier) => undecided.includes(earlier))
              );
            };
            return order
              .filter(isShown)
              .map((applicant) => (
                <OneApplication
                  key={applicant.id}
                  applicant={applicant}
                  start={
                    applicant.id === applicationId || (applicationId === null && applicants.length === 1)
                  }
                  onMove={onMove}
                />
              ));
          }}
        </QueryState>
      </div>
    </section>
  );
}

/** Collapsed at first: opening it marks the application as viewed for the worker. */
function OneApplication({
  applicant,
  start,
  onMove,
}: {
  applicant: Applicant;
  start: boolean;
  onMove: OnMove;
}) {
  const { t } = useLingui();
  const [open, setOpen] = useState(start);
  const { mutate } = useViewApplication();
  const job = useJob(open ? applicant.jobId : '').data;
  const isUnseen = open && applicant.viewedAt === null && applicant.actions.includes('view');
  useEffect(() => {
    if (isUnseen) mutate({ applicationId: applicant.id });
  }, [isUnseen, mutate, applicant.id]);
  const { label, tone } = applicantStatusText(applicant.status, applicant.workEnding);
  return (
    <Card as="article" roomy label={applicant.jobTitle}>
      <div className="row top wrap">
        <div className="grow">
          <h3 className="h-s">{applicant.jobTitle}</h3>
          {applicant.jobStartsAt ? (
            <p className="sm">{formatDayTime(applicant.jobStartsAt, applicant.timeZone)}</p>
          ) : null}
          <p className="sm mute">
            {joined(
              t`Applied ${formatAgoWithin(applicant.submittedAt)}`,
              applicant.distanceM !== null &&
                t`about ${formatDistance(Math.max(500, applicant.distanceM), applicant.timeZone)} away`,
            )}
          </p>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {open ? (
        <div className="mt4">
          <ApplicantBody
            applicant={applicant}
            businessId={job?.business.id}
            zone={job?.timeZone ?? ownTimeZone()}
            onMove={onMove}
          />
        </div>
      ) : (
        <Button kind="out" size="s" className="mt3" onClick={() => setOpen(true)}>
          {t`Open application`}
        </Button>
      )}
    </Card>
  );
}

function InviteToAnother({ workerId, name }: { workerId: string; name: string }) {
  const { t } = useLingui();
  const { business } = useCurrentBusiness();
  const openJobs = useListedJobs(business?.id, { status: 'open' });
  const applications = useApplicationsOfWorker(workerId).data ?? [];
  const [jobId, setJobId] = useState('');
  const jobs = (openJobs.data?.pages.flatMap(({ items }) => items) ?? []).filter(
    (job) => !applications.some((applicant) => applicant.jobId === job.id && applicant.stage !== 'ended'),
  );
  if (jobs.length === 0) return null;
  return (
    <Card roomy as="section" label={t`Invite to another job`}>
      <h2 className="h-s">{t`Invite to another job`}</h2>
      <div className="mt3">
        <Select
          label={t`Open job`}
          placeholder={t`Choose a job`}
          value={jobId}
          options={jobs.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={(event) => setJobId(event.target.value)}
        />
      </div>
      {jobId ? (
        <InviteForm
          key={jobId}
          jobId={jobId}
          workerId={workerId}
          name={name}
          onDone={() => setJobId('')}
          onClose={() => setJobId('')}
        />
      ) : null}
    </Card>
  );
}
