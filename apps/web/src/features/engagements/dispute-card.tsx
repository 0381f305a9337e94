import { Trans, useLingui } from '@lingui/react/macro';
import type { Dispute, Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { showToast } from '../../ui/toast.tsx';
import { stamp } from './engagement-words.ts';
import { useAcceptProposalDispute, useAnswerDispute, useProposeDispute } from './engagements.api.ts';
import { NoteForm } from './note-form.tsx';
import { useMove } from './use-move.ts';

/** The most that can be at stake: the pay as planned, or as claimed where that is more. */
export const mostAtStake = ({ terms, claims }: Pick<Engagement, 'terms' | 'claims'>): number =>
  Math.max(terms.payTotalMinor, ...claims.map(({ amountMinor }) => amountMinor));

/** A dispute with its dated steps: what each holds right, what is proposed, what one can do now. */
export function DisputeCard({ work, dispute }: { work: Engagement; dispute: Dispute }) {
  const { t } = useLingui();
  const { terms, business } = work;
  const answer = useAnswerDispute();
  const propose = useProposeDispute();
  const accept = useAcceptProposalDispute();
  const { run, busy, refusal } = useMove();
  const [open, setOpen] = useState<'answer' | 'propose' | null>(null);
  const money = (minor: number | null) =>
    minor === null ? t`not said yet` : formatMoney(minor, terms.currency);
  const one = { disputeId: dispute.id, version: dispute.version };
  const states: Record<Dispute['status'], string> = {
    open: t`Waits for an answer`,
    answered: t`Waits for a proposal`,
    proposed: t`A proposal is on the table`,
    with_operator: t`One of us looks at it`,
    settled: t`Settled`,
  };
  const names: Record<string, string> = {
    file: t`Opened`,
    answer: t`Answered`,
    propose: t`Proposed`,
    'accept-proposal': t`Agreed`,
    agree: t`Both say the same`,
    escalate: t`Handed to Nearhand`,
    stop: t`Ended by the last day`,
  };
  const who = { worker: t`You`, business: business.name, timer: t`By itself`, operator: t`Nearhand` };
  const take = async () => {
    const amount = money(dispute.proposal?.amountMinor ?? 0);
    const said = await showAlert({
      tone: 'ask',
      title: t`Settle on ${amount}?`,
      message: t`The dispute ends with it, and the amount cannot be changed afterwards.`,
      buttons: [
        { value: 'yes', label: t`Settle on ${amount}` },
        { value: 'no', label: t`Not yet`, kind: 'quiet' },
      ],
    });
    if (said !== 'yes') return;
    if (await run(() => accept.mutateAsync(one))) showToast(t`The dispute is settled`);
  };
  const most = mostAtStake(work);
  return (
    <Card as="section" label={t`Dispute`} roomy>
      <div className="row wrap">
        <h2 className="h-m grow">{t`Dispute about the pay`}</h2>
        <Badge tone={dispute.status === 'settled' ? 'good' : 'bad'}>{states[dispute.status]}</Badge>
      </div>
      <p className="pre-line mt2" dir="auto">
        {dispute.reason}
      </p>
      <div className="mt3">
        <SumRow label={t`You hold right`} value={money(dispute.workerAmountMinor)} />
        <SumRow label={t`${business.name} holds right`} value={money(dispute.businessAmountMinor)} />
        {dispute.proposal ? (
          <SumRow
            label={dispute.proposal.by === 'worker' ? t`You propose` : t`${business.name} proposes`}
            value={money(dispute.proposal.amountMinor)}
          />
        ) : null}
        {dispute.settledMinor === null ? null : (
          <SumRow total label={t`Settled on`} value={money(dispute.settledMinor)} />
        )}
      </div>
      {dispute.proposal?.note ? (
        <p className="sm pre-line mt2" dir="auto">
          {dispute.proposal.note}
        </p>
      ) : null}
      {dispute.status === 'settled' ? null : (
        <p className="sm mute mt3">
          {dispute.dueAt ? (
            <Trans>The next step is due by {stamp(dispute.dueAt, terms.timeZone)}. </Trans>
          ) : null}
          <Trans>It ends on {stamp(dispute.stopAt, terms.timeZone)} at the latest.</Trans>
        </p>
      )}
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
      <div className="col g2 mt4">
        {dispute.actions.includes('accept-proposal') ? (
          <Button kind="go" full busy={busy} onClick={() => void take()}>
            {t`Accept ${money(dispute.proposal?.amountMinor ?? 0)}`}
          </Button>
        ) : null}
        {dispute.actions.includes('answer') ? (
          <Button kind="ink" full onClick={() => setOpen('answer')}>
            {t`Answer`}
          </Button>
        ) : null}
        {dispute.actions.includes('propose') ? (
          <Button kind="out" full onClick={() => setOpen('propose')}>
            {t`Propose an amount`}
          </Button>
        ) : null}
      </div>
      <div className="mt4">
        <Timeline
          items={dispute.steps.map((step, index) => ({
            title: `${who[step.by]}: ${names[step.action] ?? step.action}${step.amountMinor === null ? '' : `, ${money(step.amountMinor)}`}`,
            time: stamp(step.at, terms.timeZone),
            state: index === dispute.steps.length - 1 ? ('now' as const) : ('done' as const),
            ...(step.reason ? { note: step.reason } : {}),
          }))}
        />
      </div>
      <Sheet
        open={open !== null}
        onClose={() => setOpen(null)}
        title={open === 'answer' ? t`Answer the dispute` : t`Propose an amount`}
      >
        {open ? (
          <NoteForm
            key={open}
            label={open === 'answer' ? t`What happened, as you see it` : t`A word about it`}
            optional={open === 'propose'}
            max={limits.messageMax}
            send={open === 'answer' ? t`Send the answer` : t`Send the proposal`}
            amount={{
              label: open === 'answer' ? t`What you hold right` : t`The amount to settle on`,
              currency: terms.currency,
              start: dispute.workerAmountMinor ?? work.amountMinor,
              most,
            }}
            onSend={(note, amountMinor) =>
              (open === 'answer' ? answer : propose).mutateAsync({ ...one, note, amountMinor })
            }
            onDone={() => setOpen(null)}
          />
        ) : null}
      </Sheet>
    </Card>
  );
}
