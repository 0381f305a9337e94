import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatAgo, formatMoney, joined } from '../../lib/words/format.ts';
import { perUnit, whenWords } from '../../lib/words/job-words.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useInvite } from '../invitations/invitations.api.ts';
import { useListedJobs } from '../jobs/jobs.api.ts';

type HireAgainProps = { work: EngagementCard | null; businessId: string | undefined; onClose: () => void };

/** Invites someone who worked here before to apply for an open job. */
export function HireAgain({ work, businessId, onClose }: HireAgainProps) {
  const { t } = useLingui();
  const name = work?.worker.name ?? '';
  return (
    <Sheet open={work !== null} onClose={onClose} title={t`Hire ${name} again`}>
      {work && businessId ? (
        <Invite key={work.id} work={work} businessId={businessId} onClose={onClose} />
      ) : null}
    </Sheet>
  );
}

function Invite({
  work,
  businessId,
  onClose,
}: {
  work: EngagementCard;
  businessId: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const query = useListedJobs(businessId, 'open');
  const invite = useInvite();
  const move = useMove();
  const [jobId, setJobId] = useState<string | null>(null);
  const draft = useTextDraft(`hire again ${work.worker.id}`);
  const message = draft.value;
  const [tried, setTried] = useState(false);
  const messageError = tooLong(message, limits.messageMax);
  const { name } = work.worker;
  const send = async () => {
    setTried(true);
    if (jobId === null || messageError) return;
    const workerId = work.worker.id;
    if (!(await move.run(() => invite.mutateAsync({ jobId, workerId, message: message.trim() })))) return;
    draft.drop();
    showToast(t`${name} invited`);
    onClose();
  };
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load your jobs`}
      describe={errorText}
      asOf={formatAgo}
      isEmpty={(data) => data.pages[0]?.items.length === 0}
      empty={
        <EmptyState
          title={t`No open jobs`}
          actions={
            <ButtonLink kind="go" full to="/create-job">
              {t`Create job`}
            </ButtonLink>
          }
        >
          <Trans>Publish a job, then invite {name} to it.</Trans>
        </EmptyState>
      }
    >
      {(data) => (
        <form
          className="col g4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <p className="mute">
            <Trans>We'll notify {name}, who can then apply. After that you can make an offer.</Trans>
          </p>
          <RadioGroup
            legend={t`Which job?`}
            options={data.pages
              .flatMap((page) => page.items)
              .map((job) => ({
                value: job.id,
                label: job.title,
                help: joined(
                  whenWords(job),
                  perUnit(formatMoney(job.pay.minor, job.pay.currency), job.pay.unit),
                ),
              }))}
            value={jobId}
            onChange={setJobId}
            error={tried && jobId === null ? t`Choose a job.` : undefined}
          />
          <TextArea
            label={t`Message`}
            optional
            rows={3}
            maxLength={limits.messageMax}
            length={message.length}
            value={message}
            error={messageError}
            onChange={(event) => draft.set(event.target.value)}
          />
          <Refused text={move.refusal} />
          <div className="sheet-act">
            <Button kind="go" type="submit" full busy={move.busy}>
              {t`Invite ${name}`}
            </Button>
          </div>
        </form>
      )}
    </QueryState>
  );
}
