import { useLingui } from '@lingui/react/macro';
import type { Candidate } from '@nearhand/contract/hiring/invitations';
import { limits } from '@nearhand/contract/limits';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { applicantName } from '../applicants/applicant.labels.ts';
import { MatchList } from '../matching/match-list.tsx';
import { useCandidates, useInvite } from './invitations.api.ts';

export function InviteSheet({ jobId, open, onClose }: { jobId: string; open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Invite to apply`}>
      {open ? <Candidates jobId={jobId} onClose={onClose} /> : null}
    </Sheet>
  );
}

function Candidates({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const { t } = useLingui();
  const query = useCandidates(jobId);
  const [chosenJob, setChosenJob] = useState<string | null>(null);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton />}
      errorTitle={t`We couldn't load people to invite`}
      isEmpty={(data) => data.length === 0}
      empty={<FindWorkers jobId={jobId} onClose={onClose} />}
    >
      {(data) => (
        <>
          <ul className="col g2">
            {data.map((candidate) => (
              <CandidateCard
                key={candidate.worker.workerId}
                candidate={candidate}
                jobId={jobId}
                open={chosenJob === candidate.worker.workerId}
                onOpen={(open) => setChosenJob(open ? candidate.worker.workerId : null)}
              />
            ))}
          </ul>
          <ButtonLink kind="out" full icon="magnifying-glass" to={findWorkersPath(jobId)}>
            {t`Find more workers`}
          </ButtonLink>
        </>
      )}
    </QueryState>
  );
}

const findWorkersPath = (jobId: string) => `/find-workers?job=${jobId}`;

/** Opens the search at once, because the sheet is empty for a business without earlier applicants. */
function FindWorkers({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const navigate = useNavigate();
  useEffect(() => {
    onClose();
    navigate(findWorkersPath(jobId));
  }, [jobId, navigate, onClose]);
  return <RowsSkeleton />;
}

type CandidateProps = {
  candidate: Candidate;
  jobId: string;
  open: boolean;
  onOpen: (open: boolean) => void;
};

function CandidateCard({ candidate, jobId, open, onOpen }: CandidateProps) {
  const { t } = useLingui();
  const { worker, invitedAt } = candidate;
  const name = applicantName(candidate);
  return (
    <li className="card">
      <div className="row top">
        <Avatar name={name} src={worker.photoPath ? fileUrl(worker.photoPath) : null} />
        <div className="grow">
          <h3 className="h-s">{name}</h3>
          <p className="sm mute">{worker.area ?? t`Home area not set`}</p>
        </div>
        {invitedAt ? (
          <Badge tone="here">{t`Invited`}</Badge>
        ) : open ? null : (
          <Button
            kind="quiet"
            size="s"
            aria-label={t`Invite ${name}`}
            needsNetwork
            onClick={() => onOpen(true)}
          >
            {t`Invite`}
          </Button>
        )}
      </div>
      <MatchList match={candidate.match} max={3} />
      {open && !invitedAt ? (
        <InviteForm
          jobId={jobId}
          workerId={worker.workerId}
          name={name}
          onClose={() => onOpen(false)}
          onDone={() => onOpen(false)}
        />
      ) : null}
    </li>
  );
}

type InviteFormProps = {
  jobId: string;
  workerId: string;
  name: string;
  onDone: () => void;
  onClose: () => void;
};

export function InviteForm({ jobId, workerId, name, onDone, onClose }: InviteFormProps) {
  const { t } = useLingui();
  const draft = useTextDraft(`invite ${jobId} ${workerId}`);
  const message = draft.value;
  const invite = useInvite();
  const action = useAction();
  const messageError = tooLong(message, limits.messageMax);
  const submit = async () => {
    if (messageError) return;
    if (!(await action.run(() => invite.mutateAsync({ jobId, workerId, message })))) return;
    draft.drop();
    showToast(t`${name} invited`);
    onDone();
  };
  return (
    <Form className="col g2 mt3" onSubmit={() => void submit()}>
      <TextArea
        label={t`Message to ${name}`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={message.length}
        value={message}
        error={messageError}
        onChange={(event) => draft.set(event.target.value)}
      />
      <Refused text={action.refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" size="s" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="ink" size="s" className="grow" type="submit" busy={action.busy}>
          {t`Send invitation`}
        </Button>
      </div>
    </Form>
  );
}
