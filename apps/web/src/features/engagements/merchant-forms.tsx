import { Trans, useLingui } from '@lingui/react/macro';
import { share } from '@nearhand/contract/arithmetic';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { type ReactNode, useState } from 'react';
import { formatMoney, formatShare } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { SumRow } from '../../ui/card.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { merchantNews } from './merchant-words.ts';

export type MerchantFormProps = { work: Engagement; onDone: (text: string) => void; onClose: () => void };

/** Runs a move and keeps why it was refused, with who was faster. What was typed stays, and what is shown has been loaded anew by then. */
export function useMerchantMove() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (move: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      await move();
      return true;
    } catch (error) {
      setRefusal(merchantNews(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, refusal };
}

/** What is owed for an amount of pay: what the worker gets, the fee, the whole; and that nothing is set aside. */
export function Owed({ work, payMinor }: { work: Engagement; payMinor: number }) {
  const { t } = useLingui();
  const { terms, worker, releases, funding } = work;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const fee = share(payMinor, terms.merchantFeeBasisPoints);
  const workerFee = share(payMinor, terms.workerFeeBasisPoints);
  const before = releases.reduce(
    (sum, { kind, amountMinor }) => (kind === 'compensation' ? sum : sum + amountMinor),
    0,
  );
  const name = worker.name || t`the worker`;
  return (
    <div>
      <SumRow label={t`To ${name}`} value={money(payMinor - workerFee)} />
      {workerFee > 0 ? <SumRow label={t`Fee of the worker`} value={money(workerFee)} /> : null}
      <SumRow label={t`Nearhand fee, ${formatShare(terms.merchantFeeBasisPoints)}`} value={money(fee)} />
      <SumRow total label={t`You owe`} value={money(payMinor + fee)} />
      {before > 0 ? (
        <p className="sm mute mt2">
          <Trans>{money(before)} of the pay was agreed before and is part of it.</Trans>
        </p>
      ) : null}
      {funding === 'not_funded' ? (
        <div className="mt3">
          <Banner tone="wait" icon="lock-key">
            <p className="strong">{t`Not funded yet`}</p>
            <p>
              <Trans>
                Payments open later. What you approve is recorded as owed; no money moves, and both of you see
                it so.
              </Trans>
            </p>
          </Banner>
        </div>
      ) : null}
    </div>
  );
}

type ConfirmProps = {
  lead?: ReactNode;
  children?: ReactNode;
  /** With a label there is a text that the other side reads. */
  note?: { label: string; max: number; missing: string };
  send: string;
  kind?: ButtonKind;
  onSend: (note: string) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
};

/** What a move means, perhaps a reason, and the button that makes it. */
export function Confirm(props: ConfirmProps) {
  const { t } = useLingui();
  const { note: ask } = props;
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const { run, busy, refusal } = useMerchantMove();
  const missing = ask !== undefined && note.trim() === '';
  const send = async () => {
    setTried(true);
    if (missing || note.length > (ask?.max ?? limits.reasonMax)) return;
    if (await run(() => props.onSend(note.trim()))) props.onDone();
  };
  return (
    <form
      className="col g4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {props.lead ? <p className="mute">{props.lead}</p> : null}
      {props.children}
      {ask ? (
        <TextArea
          label={ask.label}
          help={t`The worker reads this.`}
          rows={3}
          maxLength={ask.max}
          length={note.length}
          value={note}
          error={tried && missing ? ask.missing : undefined}
          onChange={(event) => setNote(event.target.value)}
        />
      ) : null}
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
      <div className="row g2">
        <Button kind="quiet" className="grow" onClick={props.onClose}>
          {t`Not now`}
        </Button>
        <Button kind={props.kind ?? 'go'} type="submit" className="grow" busy={busy}>
          {props.send}
        </Button>
      </div>
    </form>
  );
}
