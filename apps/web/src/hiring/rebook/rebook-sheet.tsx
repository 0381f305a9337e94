import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { InviteForm } from '../invitations/invite-sheet.tsx';
import { jobChoice } from '../jobs/job-choice.labels.ts';
import { useListedJobs } from '../jobs/jobs.api.ts';
import { MakeOffer } from '../offers/make-offer.tsx';
import { AgainForm } from './rehire-form.tsx';

export type Rebooking = {
  worker: { workerId: string; name: string };
  past: { jobId: string; title: string } | null;
  isNew?: boolean;
};

type RebookProps = { rebooking: Rebooking | null; businessId: string | undefined; onClose: () => void };

/** Offers a job directly to someone the business knows, repeats a past one, or invites them to apply. */
export function RebookSheet({ rebooking, businessId, onClose }: RebookProps) {
  const { t } = useLingui();
  const name = rebooking?.worker.name ?? '';
  return (
    <Sheet
      open={rebooking !== null}
      onClose={onClose}
      title={rebooking?.isNew ? t`Offer ${name} a job` : t`Hire ${name} again`}
    >
      {rebooking && businessId ? (
        <Rebook
          key={rebooking.worker.workerId}
          rebooking={rebooking}
          businessId={businessId}
          onClose={onClose}
        />
      ) : null}
    </Sheet>
  );
}

const sameAgain = 'again';

function Rebook({
  rebooking: { worker, past },
  businessId,
  onClose,
}: {
  rebooking: Rebooking;
  businessId: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const query = useListedJobs(businessId, { status: 'open' });
  const [pickedJobId, setPickedJobId] = useState<string | null>(null);
  const [step, setStep] = useState<'job' | 'offer' | 'invite'>('job');
  const [tried, setTried] = useState(false);
  const { workerId, name } = worker;
  const go = (next: 'offer' | 'invite') => {
    setTried(true);
    if (pickedJobId !== null) setStep(next);
  };
  const finish = () => {
    showToast(t`Offer sent to ${name}`);
    onClose();
  };
  const back = () => setStep('job');
  if (step === 'offer' && pickedJobId === sameAgain && past)
    return (
      <AgainForm jobId={past.jobId} businessId={businessId} worker={worker} onSent={finish} onBack={back} />
    );
  if (step === 'offer' && pickedJobId !== null)
    return (
      <MakeOffer
        to={{ jobId: pickedJobId, workerId }}
        jobId={pickedJobId}
        workerName={name}
        onDone={finish}
        onMade={() => undefined}
        onClose={back}
      />
    );
  if (step === 'invite' && pickedJobId !== null)
    return (
      <div className="col g2">
        <p className="mute">
          <Trans>We'll notify {name}, who can then apply. After that you can make an offer.</Trans>
        </p>
        <InviteForm jobId={pickedJobId} workerId={workerId} name={name} onDone={onClose} onClose={back} />
      </div>
    );
  return (
    <QueryState query={query} loading={<RowsSkeleton count={3} />} errorTitle={t`We couldn't load your jobs`}>
      {(data) => {
        const open = data.pages.flatMap((page) => page.items);
        const options = [
          ...(past ? [{ value: sameAgain, label: t`Same job on another day`, help: past.title }] : []),
          ...open.map(jobChoice),
        ];
        return options.length === 0 ? (
          <div className="col g4">
            <p className="mute">
              <Trans>You have no open jobs. Publish one, then offer it to {name}.</Trans>
            </p>
            <ButtonLink kind="go" full to="/create-job">
              {t`Create job`}
            </ButtonLink>
          </div>
        ) : (
          <div className="col g4">
            <p className="mute">
              <Trans>
                Offer {name} a job without an application. They have 48 hours to accept, and the pay is set
                aside first.
              </Trans>
            </p>
            <RadioGroup
              legend={t`Which job?`}
              options={options}
              value={pickedJobId}
              onChange={setPickedJobId}
              error={tried && pickedJobId === null ? t`Choose a job.` : undefined}
            />
            <LoadMore query={query} />
            <div className="row g2 wrap sheet-act">
              {pickedJobId === sameAgain ? null : (
                <Button kind="quiet" onClick={() => go('invite')}>
                  {t`Invite to apply`}
                </Button>
              )}
              <Button kind="go" className="grow" onClick={() => go('offer')}>
                {pickedJobId === sameAgain ? t`Choose the day` : t`Prepare offer`}
              </Button>
            </div>
          </div>
        );
      }}
    </QueryState>
  );
}
