import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Pool, PoolInvitee } from '@nearhand/contract/hiring/pools';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { joined } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { CheckGroup, RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { jobChoice } from '../jobs/job-choice.labels.ts';
import { useListedJobs } from '../jobs/jobs.api.ts';
import { awayText, inviteOutcomeText, inviteResultText } from './pool.labels.ts';
import { useInvitees, useInvitePool } from './pools.api.ts';
import './pools.css';

export function PoolInvite({
  pool,
  businessId,
  onDone,
}: {
  pool: Pool;
  businessId: string;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const query = useListedJobs(businessId, { status: 'open' });
  const [jobId, setJobId] = useState<string | null>(null);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load your jobs`}
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
          <Trans>Publish a job, then invite your pool to it.</Trans>
        </EmptyState>
      }
    >
      {(data) => (
        <div className="col g4">
          <RadioGroup
            legend={t`Which job?`}
            options={data.pages.flatMap((page) => page.items).map(jobChoice)}
            value={jobId}
            onChange={setJobId}
          />
          <LoadMore query={query} />
          {jobId === null ? null : <Invitees key={jobId} pool={pool} jobId={jobId} onDone={onDone} />}
        </div>
      )}
    </QueryState>
  );
}

function Invitees({ pool, jobId, onDone }: { pool: Pool; jobId: string; onDone: () => void }) {
  const { t } = useLingui();
  const query = useInvitees(pool.id, jobId);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't check your pool`}
    >
      {(data) => <InviteForm pool={pool} jobId={jobId} invitees={data} onDone={onDone} />}
    </QueryState>
  );
}

function InviteForm({
  pool,
  jobId,
  invitees,
  onDone,
}: {
  pool: Pool;
  jobId: string;
  invitees: readonly PoolInvitee[];
  onDone: () => void;
}) {
  const { t } = useLingui();
  const invite = useInvitePool();
  const action = useAction();
  const draft = useTextDraft(`invite pool ${pool.id} ${jobId}`);
  const messageError = tooLong(draft.value, limits.messageMax);
  const ready = invitees.filter(({ outcome }) => outcome === 'ready');
  const notReady = invitees.filter(({ outcome }) => outcome !== 'ready');
  // Ids excluded by hand; people added by a refetch are included.
  const [out, setOut] = useState<readonly string[]>([]);
  const chosenIds = ready.map(({ worker }) => worker.workerId).filter((id) => !out.includes(id));
  const send = () =>
    action.run(async () => {
      const { results } = await invite.mutateAsync({
        poolId: pool.id,
        jobId,
        workerIds: chosenIds,
        message: draft.value.trim(),
      });
      draft.drop();
      showToast(inviteResultText(results));
      onDone();
    });
  return (
    <Form
      onSubmit={() => {
        if (chosenIds.length > 0 && !messageError) void send();
      }}
    >
      {ready.length === 0 ? (
        <p className="mute">
          <Trans>Nobody in this pool can be invited to this job.</Trans>
        </p>
      ) : (
        <CheckGroup
          legend={t`Who gets the invitation`}
          options={ready.map((invitee) => ({
            value: invitee.worker.workerId,
            label: invitee.worker.name,
            help: joined(
              invitee.free ? t`No booking with Nearhand then` : null,
              invitee.distanceM === null ? null : awayText(invitee.distanceM),
              invitee.timesWorked > 0
                ? plural(invitee.timesWorked, { one: 'worked here once', other: 'worked here # times' })
                : null,
            ),
          }))}
          value={chosenIds}
          onChange={(next) =>
            setOut(ready.map(({ worker }) => worker.workerId).filter((id) => !next.includes(id)))
          }
        />
      )}
      {notReady.length > 0 ? <NotInvited invitees={notReady} /> : null}
      {ready.length > 0 ? (
        <>
          <TextArea
            label={t`Message`}
            optional
            rows={3}
            maxLength={limits.messageMax}
            length={draft.value.length}
            value={draft.value}
            error={messageError}
            onChange={(event) => draft.set(event.target.value)}
          />
          <Refused text={action.refusal} />
          <div className="sheet-act">
            <Button kind="go" type="submit" full busy={action.busy} disabled={chosenIds.length === 0}>
              <Plural
                value={chosenIds.length}
                _0="Choose who to invite"
                one="Invite # person"
                other="Invite # people"
              />
            </Button>
          </div>
        </>
      ) : null}
    </Form>
  );
}

function NotInvited({ invitees }: { invitees: readonly PoolInvitee[] }) {
  const { t } = useLingui();
  return (
    <section>
      <h3 className="h-s">{t`Won't get it`}</h3>
      <ul className="card flush mt2">
        {invitees.map(({ worker, outcome }) => (
          <li key={worker.workerId} className="pool-row">
            <Avatar size="s" name={worker.name} src={fileUrl(worker.photoPath)} />
            <span className="grow mid">{worker.name}</span>
            <span className="sm mute">{inviteOutcomeText(outcome)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
