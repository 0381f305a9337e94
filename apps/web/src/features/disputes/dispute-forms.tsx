import { Trans, useLingui } from '@lingui/react/macro';
import type { Dispute, Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatMoney, minorDigits } from '../../lib/format.ts';
import { typedFromMinor } from '../../lib/typed-amount.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import {
  useAcceptProposalDispute,
  useAnswerDispute,
  useFileDispute,
  useProposeDispute,
} from '../engagements/engagements.api.ts';
import { disputeAmount, leastMinor, mostMinor } from './dispute-words.ts';

type End = { onDone: () => void; onClose: () => void };

/** The content of a sheet: opens a dispute about the pay. */
export function FileDispute({ engagement, onDone, onClose }: { engagement: Engagement } & End) {
  const { t } = useLingui();
  const file = useFileDispute();
  return (
    <AmountForm
      engagement={engagement}
      start={engagement.amountMinor}
      lead={
        <Trans>
          The other side has {limits.disputeAnswerDays} days to answer. You can then agree on an amount; if
          you do not, somebody at Nearhand decides. What both sides hold to be right is owed in any case.
        </Trans>
      }
      noteLabel={t`What is not right?`}
      noteRequired
      send={t`Open the dispute`}
      busy={file.isPending}
      error={file.error}
      onClose={onClose}
      onSend={async (reason, amountMinor) => {
        await file.mutateAsync({
          engagementId: engagement.id,
          version: engagement.version,
          reason,
          amountMinor,
        });
        onDone();
      }}
    />
  );
}

/** Answers a dispute or proposes an amount to settle on. */
export function DisputeForm({
  step,
  engagement,
  dispute,
  onDone,
  onClose,
}: { step: 'answer' | 'propose'; engagement: Engagement; dispute: Dispute } & End) {
  const { t } = useLingui();
  const answer = useAnswerDispute();
  const propose = useProposeDispute();
  const run = step === 'answer' ? answer : propose;
  const own = engagement.side === 'worker' ? dispute.workerAmountMinor : dispute.businessAmountMinor;
  return (
    <AmountForm
      engagement={engagement}
      start={own ?? engagement.amountMinor}
      lead={
        step === 'answer' ? (
          <Trans>
            Say how it was from where you stand. Both sides see what is written here. Naming the amount of the
            other side settles it.
          </Trans>
        ) : (
          <Trans>
            The other side has {limits.disputeProposalDays} days to agree. If it does, the matter is closed.
          </Trans>
        )
      }
      noteLabel={step === 'answer' ? t`How was it?` : t`A few words to it`}
      noteRequired={step === 'answer'}
      send={step === 'answer' ? t`Send the answer` : t`Send the proposal`}
      busy={run.isPending}
      error={run.error}
      onClose={onClose}
      onSend={async (note, amountMinor) => {
        const input = { disputeId: dispute.id, version: dispute.version, note, amountMinor };
        await (step === 'answer' ? answer.mutateAsync(input) : propose.mutateAsync(input));
        onDone();
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
  const amount = formatMoney(dispute.proposal?.amountMinor ?? 0, engagement.terms.currency);
  return (
    <div className="col g4">
      <p>
        <Trans>
          You both settle on {amount} for the whole work. The dispute is closed with it, and nobody can take
          it back.
        </Trans>
      </p>
      <Failed error={accept.error} />
      <div className="row g2">
        <Button kind="quiet" className="grow" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button
          kind="go"
          className="grow"
          busy={accept.isPending}
          onClick={() =>
            void accept
              .mutateAsync({ disputeId: dispute.id, version: dispute.version })
              .then(onDone)
              .catch(() => undefined)
          }
        >
          {t`Agree to ${amount}`}
        </Button>
      </div>
    </div>
  );
}

function Failed({ error }: { error: unknown }) {
  return error ? (
    <Banner tone="bad" icon="warning-circle" live>
      {errorText(error)}
    </Banner>
  ) : null;
}

type AmountFormProps = {
  engagement: Engagement;
  start: number;
  lead: ReactNode;
  noteLabel: string;
  noteRequired: boolean;
  send: string;
  busy: boolean;
  error: unknown;
  onClose: () => void;
  onSend: (note: string, amountMinor: number) => Promise<void>;
};

function AmountForm(props: AmountFormProps) {
  const { t } = useLingui();
  const { terms } = props.engagement;
  const most = formatMoney(mostMinor(props.engagement), terms.currency);
  const least = formatMoney(leastMinor(props.engagement), terms.currency);
  const [typed, setTyped] = useState(() => typedFromMinor(props.start, minorDigits(terms.currency)));
  const [note, setNote] = useState('');
  const [checked, setChecked] = useState(false);
  const amount = disputeAmount(typed, props.engagement);
  const noteMissing = props.noteRequired && note.trim() === '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (noteMissing || 'error' in amount || note.length > limits.messageMax) return;
    // The refusal is shown from the mutation.
    await props.onSend(note.trim(), amount.minor).catch(() => undefined);
  };
  return (
    <form className="col g4" noValidate onSubmit={(event) => void submit(event)}>
      <p className="mute">{props.lead}</p>
      <TextInput
        label={t`What is right for the whole work`}
        help={t`Between ${least} and ${most}, before fees.`}
        error={checked && 'error' in amount ? amount.error : undefined}
        inputMode="decimal"
        autoComplete="off"
        before={terms.currency}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <TextArea
        label={props.noteLabel}
        optional={!props.noteRequired}
        help={t`The other side reads this.`}
        rows={4}
        maxLength={limits.messageMax}
        length={note.length}
        value={note}
        error={checked && noteMissing ? t`Write a sentence or two.` : undefined}
        onChange={(event) => setNote(event.target.value)}
      />
      <Failed error={props.error} />
      <div className="row g2">
        <Button kind="quiet" className="grow" onClick={props.onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={props.busy}>
          {props.send}
        </Button>
      </div>
    </form>
  );
}
