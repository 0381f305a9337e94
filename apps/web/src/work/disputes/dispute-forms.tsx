import { Trans, useLingui } from '@lingui/react/macro';
import { shareOfAmount } from '@nearhand/contract/arithmetic';
import { limits } from '@nearhand/contract/limits';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { Dispute, Engagement } from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { newsText } from '../../lib/api/news.labels.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { type Action, useAction } from '../../lib/pages/use-action.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney, formatShare, minorDigits } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { engagementMove } from '../engagements/engagements.api.ts';
import { ReleaseCost } from '../pay/release-cost.tsx';
import { hoursToCounter, minimumOf, payOfHours } from '../timesheets/hours.rules.ts';
import { workerClaimOf } from '../timesheets/hours-compare.rules.ts';
import { useUploads, WorkFilesField } from '../timesheets/work-files.tsx';
import { disputeAmount, disputeBounds, disputeStatusText } from './dispute.labels.ts';

const useDisputeMove = () =>
  useAction((error) =>
    newsText(error, (status) => disputeStatusText({ status: status as Dispute['status'] })?.label),
  );

type End = { onDone: () => void; onClose: () => void };

/** A business disputes the submitted amount, so its form starts at the pay for the recorded hours. */
function amountToFile(work: Engagement): number {
  const recorded = work.side === 'business' ? hoursToCounter(work, workerClaimOf(work)) : null;
  return recorded
    ? Math.min(payOfHours(recorded, work.terms, minimumOf(work)).amountMinor, work.amountMinor)
    : work.amountMinor;
}

/** Opens a pay dispute. The caller owns the move, because it words engagement statuses. */
export function FileDispute({
  engagement,
  action,
  onDone,
  onClose,
}: { engagement: Engagement; action: Action } & End) {
  const { t } = useLingui();
  const { disputeAnswerDays } = useSettings();
  const file = useFileDispute();
  return (
    <AmountForm
      engagement={engagement}
      start={amountToFile(engagement)}
      lead={
        <Trans>
          The other side has {disputeAnswerDays} days to answer. Then you can agree on an amount. If you
          don't, Nearhand decides. The amount both sides agree on is paid either way.
        </Trans>
      }
      noteLabel={t`What's wrong?`}
      noteRequired
      send={t`Open dispute`}
      draft={`dispute ${engagement.id}`}
      action={action}
      onClose={onClose}
      onDone={onDone}
      withFiles
      onSend={(reason, amountMinor, fileIds) =>
        file.mutateAsync({
          engagementId: engagement.id,
          version: engagement.version,
          reason,
          amountMinor,
          fileIds,
        })
      }
    />
  );
}

export function DisputeForm({
  step,
  engagement,
  dispute,
  onDone,
  onClose,
}: { step: 'answer' | 'propose'; engagement: Engagement; dispute: Dispute } & End) {
  const { t } = useLingui();
  const response = useAnswerDispute();
  const { disputeProposalDays } = useSettings();
  const propose = useProposeDispute();
  const action = useDisputeMove();
  const ownAmount = engagement.side === 'worker' ? dispute.workerAmountMinor : dispute.businessAmountMinor;
  return (
    <AmountForm
      engagement={engagement}
      start={ownAmount ?? engagement.amountMinor}
      lead={
        step === 'answer' ? (
          <Trans>
            Describe what happened from your side. Both sides see what you write. If you enter the other
            side's amount, the dispute is settled.
          </Trans>
        ) : (
          <Trans>
            The other side has {disputeProposalDays} days to agree. If they do, the dispute is closed.
          </Trans>
        )
      }
      noteLabel={step === 'answer' ? t`What happened?` : t`Add a note`}
      noteRequired={step === 'answer'}
      send={step === 'answer' ? t`Send answer` : t`Send proposal`}
      draft={`${step} ${dispute.id} ${dispute.steps.length}`}
      action={action}
      onClose={onClose}
      onDone={onDone}
      withFiles={step === 'answer'}
      onSend={(note, amountMinor, fileIds) => {
        const input = { disputeId: dispute.id, version: dispute.version, note, amountMinor };
        return step === 'answer' ? response.mutateAsync({ ...input, fileIds }) : propose.mutateAsync(input);
      }}
    />
  );
}

export function AcceptProposal({
  engagement,
  dispute,
  onDone,
  onClose,
}: { engagement: Engagement; dispute: Dispute } & End) {
  const { t } = useLingui();
  const accept = useAcceptProposalDispute();
  const action = useDisputeMove();
  const amount = formatMoney(dispute.proposal?.amountMinor ?? 0, engagement.terms.currency);
  return (
    <ReasonForm
      send={t`Agree to ${amount}`}
      action={action}
      onSend={() => accept.mutateAsync({ disputeId: dispute.id, version: dispute.version })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        <Trans>
          You both settle on {amount} for the whole job. This closes the dispute and can't be undone.
        </Trans>
      </p>
      {engagement.side === 'business' && dispute.proposal ? (
        <ReleaseCost engagementId={engagement.id} payMinor={dispute.proposal.amountMinor} />
      ) : null}
      {engagement.side === 'worker' && dispute.proposal ? (
        <WorkersPart payMinor={dispute.proposal.amountMinor} terms={engagement.terms} />
      ) : null}
    </ReasonForm>
  );
}

function WorkersPart({ payMinor, terms }: { payMinor: number; terms: Engagement['terms'] }) {
  const { t } = useLingui();
  const { currency, workerFeeBasisPoints } = terms;
  if (!workerFeeBasisPoints) return null;
  const feeMinor = shareOfAmount(payMinor, workerFeeBasisPoints);
  return (
    <div>
      <SumRow
        label={t`Nearhand fee, ${formatShare(workerFeeBasisPoints)}`}
        value={formatMoney(-feeMinor, currency)}
      />
      <SumRow total label={t`For you`} value={formatMoney(payMinor - feeMinor, currency)} />
    </div>
  );
}

type AmountFormProps = {
  engagement: Engagement;
  start: number;
  lead: ReactNode;
  noteLabel: string;
  noteRequired: boolean;
  send: string;
  draft: string;
  action: Action;
  withFiles: boolean;
  onSend: (note: string, amountMinor: number, fileIds: string[]) => Promise<unknown>;
} & End;

/** The typed amount, note and files, stored until they are sent. */
function useAmountForm(props: AmountFormProps) {
  const { t } = useLingui();
  const { terms } = props.engagement;
  const draft = useSessionDraft(props.draft, () => ({
    typed: typedFromMinor(props.start, minorDigits(terms.currency)),
    note: '',
    files: [] as StoredFile[],
  }));
  const form = useFormModel<{ typed: string; note: string; files: StoredFile[] }>({
    focusProblems: true,
    draft,
    check: ({ typed, note }) => {
      const amount = disputeAmount(typed, props.engagement);
      const wrongNote =
        props.noteRequired && note.trim() === ''
          ? t`Write a sentence or two.`
          : tooLong(note, limits.messageMax);
      return {
        typed: 'error' in amount ? amount.error : undefined,
        note: wrongNote,
      };
    },
  });
  const { typed, note, files } = form.values;
  const latest = useRef(form.values);
  latest.current = form.values;
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const uploads = useUploads(
    { count: files.length, max: workLimits.disputeFilesMax },
    setFileProblem,
    (file) => {
      // Several uploads may end between two renders.
      latest.current = { ...latest.current, files: [...latest.current.files, file] };
      draft.set(latest.current);
    },
  );
  const send = async () => {
    if (uploads.going.length > 0) return setFileProblem(t`Wait for uploads to finish, or cancel them.`);
    const amount = disputeAmount(typed, props.engagement);
    if ('error' in amount) return;
    if (
      !(await props.action.run(() =>
        props.onSend(
          note.trim(),
          amount.minor,
          files.map(({ id }) => id),
        ),
      ))
    )
      return;
    draft.drop();
    props.onDone();
  };
  return { form, files, uploads, fileProblem, send };
}

function AmountForm(props: AmountFormProps) {
  const { t } = useLingui();
  const { terms } = props.engagement;
  const bounds = disputeBounds(props.engagement);
  const maxAmount = formatMoney(bounds.maxMinor, terms.currency);
  const minAmount = formatMoney(bounds.minMinor, terms.currency);
  const { form, files, uploads, fileProblem, send } = useAmountForm(props);
  const { typed, note } = form.values;
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p className="mute">{props.lead}</p>
      <TextInput
        label={t`Correct amount for the whole job`}
        help={t`Between ${minAmount} and ${maxAmount}, before fees.`}
        id={form.idOf('typed')}
        error={form.problems.typed}
        inputMode="decimal"
        autoComplete="off"
        before={terms.currency}
        value={typed}
        onChange={(event) => form.change({ typed: event.target.value })}
      />
      <TextArea
        label={props.noteLabel}
        optional={!props.noteRequired}
        help={t`The other side will see this.`}
        rows={4}
        maxLength={limits.messageMax}
        length={note.length}
        value={note}
        id={form.idOf('note')}
        error={form.problems.note}
        onChange={(event) => form.change({ note: event.target.value })}
      />
      {props.withFiles ? (
        <WorkFilesField
          legend={t`Photos and files that show it`}
          max={workLimits.disputeFilesMax}
          files={files}
          uploads={uploads}
          problem={fileProblem}
          onRemove={(removed) => form.change({ files: files.filter(({ id }) => id !== removed.id) })}
        />
      ) : null}
      <HelpLink article="disputes">{t`How disputes work`}</HelpLink>
      <Refused text={props.action.refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" className="grow" onClick={props.onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={props.action.busy}>
          {props.send}
        </Button>
      </div>
    </Form>
  );
}

const useFileDispute = () => useMutation(apiQuery.disputes.file.mutationOptions(engagementMove));
const useAnswerDispute = () => useMutation(apiQuery.disputes.answer.mutationOptions(engagementMove));
const useProposeDispute = () => useMutation(apiQuery.disputes.propose.mutationOptions(engagementMove));
const useAcceptProposalDispute = () =>
  useMutation(apiQuery.disputes.acceptProposal.mutationOptions(engagementMove));
