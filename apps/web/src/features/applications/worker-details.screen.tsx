import { useIonViewWillEnter } from '@ionic/react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/applications';
import type { WorkerCard } from '@nearhand/contract/profiles';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatDistance, joined } from '../../lib/format.ts';
import { fileUrl } from '../../lib/stored-file.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import '../../ui/desk.css';
import './applicants.css';
import { useWorker } from '../profiles/profiles.api.ts';
import { ApplicantDetail } from './applicant-detail.tsx';
import { applicantStatusWords } from './applicant-words.ts';
import { useApplicationsOfWorker, useViewApplication } from './applications.api.ts';
import { WorkerFacts } from './worker-facts.tsx';

const askedApplication = (): string | null =>
  new URLSearchParams(globalThis.location?.search).get('application');

/** A worker as the business they applied to may see them, with what they sent. */
export default function WorkerDetailsScreen() {
  const { workerid = '' } = useParams();
  return <OneWorker key={workerid} workerId={workerid} />;
}

function OneWorker({ workerId }: { workerId: string }) {
  const { t } = useLingui();
  const [asked, setAsked] = useState(askedApplication);
  useIonViewWillEnter(() => setAsked(askedApplication()));
  const query = useWorker(workerId);
  const worker = query.data as WorkerCard | undefined;
  const name = worker?.name || (worker ? t`Somebody without a name` : t`Worker`);
  const unknown = isApiError(query.error, 'profile/not-found', 'request/invalid');
  return (
    <Screen title={name} heading={null} back="/all-job-applicants" width="wide">
      {unknown ? (
        <EmptyState
          title={t`This worker is not here`}
          art="door"
          level="h1"
          actions={
            <ButtonLink kind="out" full to="/all-job-applicants">
              {t`See your applicants`}
            </ButtonLink>
          }
        >
          <Trans>You see a worker's profile once they applied to one of your businesses.</Trans>
        </EmptyState>
      ) : (
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle={t`We could not load this worker`}
          describe={errorText}
          asOf={formatAgo}
        >
          {(data) => (
            <>
              <div className="row worker-head">
                <Avatar size="l" name={name} src={data.photoPath ? fileUrl(data.photoPath) : null} />
                <div className="grow">
                  <h1 className="h-xl">{name}</h1>
                  <p className="mute">{data.area ?? t`Home area not given`}</p>
                </div>
              </div>
              <div className="desk two-cols mt6">
                <div className="desk-main">
                  <Sent workerId={workerId} asked={asked} />
                </div>
                <div className="desk-side">
                  <Card roomy>
                    <WorkerFacts worker={data as WorkerCard} />
                  </Card>
                </div>
              </div>
            </>
          )}
        </QueryState>
      )}
    </Screen>
  );
}

function Sent({ workerId, asked }: { workerId: string; asked: string | null }) {
  const { t } = useLingui();
  const query = useApplicationsOfWorker(workerId);
  return (
    <section>
      <h2 className="h-m">{t`What they sent you`}</h2>
      <div className="col mt4">
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle={t`We could not load the applications`}
          describe={errorText}
          asOf={formatAgo}
        >
          {(data) => {
            const applicants = data as Applicant[];
            return applicants.map((applicant) => (
              <OneApplication
                key={applicant.id}
                applicant={applicant}
                start={applicant.id === asked || (asked === null && applicants.length === 1)}
              />
            ));
          }}
        </QueryState>
      </div>
    </section>
  );
}

/** Closed until opened: opening it is what the worker sees as "seen". */
function OneApplication({ applicant, start }: { applicant: Applicant; start: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(start);
  const { mutate } = useViewApplication();
  const unseen = open && applicant.viewedAt === null && applicant.actions.includes('view');
  useEffect(() => {
    if (unseen) mutate({ applicationId: applicant.id });
  }, [unseen, mutate, applicant.id]);
  const { label, tone } = applicantStatusWords(applicant.status);
  return (
    <Card as="article" roomy label={applicant.jobTitle}>
      <div className="row top wrap">
        <div className="grow">
          <h3 className="h-s">{applicant.jobTitle}</h3>
          <p className="sm mute">
            {joined(
              formatAgo(applicant.submittedAt),
              applicant.distanceM !== null &&
                t`about ${formatDistance(Math.max(500, applicant.distanceM))} away`,
            )}
          </p>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {open ? (
        <div className="mt4">
          <ApplicantDetail applicant={applicant} />
        </div>
      ) : (
        <Button kind="out" size="s" className="mt3" onClick={() => setOpen(true)}>
          {t`Open application`}
        </Button>
      )}
    </Card>
  );
}
