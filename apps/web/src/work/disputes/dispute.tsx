import { Trans, useLingui } from '@lingui/react/macro';
import type { Dispute, Engagement } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { WorkFile } from '../timesheets/deliveries.tsx';
import {
  actorText,
  disputeNextText,
  disputeStatusText,
  disputeStepText,
  disputeWhyText,
} from './dispute.labels.ts';
import { AcceptProposal, DisputeForm } from './dispute-forms.tsx';

/** The reason of an automatic dispute is the note on the worker's last hours. */
const wroteReason = ({ filedBy }: Dispute) => (filedBy === 'timer' ? 'worker' : filedBy);

type DisputeAction = Dispute['actions'][number];

export function DisputePart({ engagement }: { engagement: Engagement }) {
  return engagement.dispute ? <DisputeCard engagement={engagement} dispute={engagement.dispute} /> : null;
}

type DisputeProps = { engagement: Engagement; dispute: Dispute };

function DisputeCard({ engagement, dispute }: DisputeProps) {
  const { t } = useLingui();
  const [chosenAction, setChosenAction] = useState<DisputeAction | null>(null);
  const { terms } = engagement;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const { label, tone } = disputeStatusText(dispute);
  const next = disputeNextText(dispute, engagement);
  const finish = (text: string) => {
    setChosenAction(null);
    showToast(text);
  };
  const labels: Record<DisputeAction, string> = {
    answer: t`Answer`,
    propose: dispute.proposal ? t`Propose another amount` : t`Propose an amount`,
    'accept-proposal': t`Agree to ${money(dispute.proposal?.amountMinor ?? 0)}`,
  };
  const order: readonly DisputeAction[] = ['accept-proposal', 'answer', 'propose'];
  const open = order.filter((action) => dispute.actions.includes(action));
  return (
    <Card as="section" roomy label={t`Pay dispute`}>
      <div className="row wrap g2">
        <h2 className="h-m grow">{t`Pay dispute`}</h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {next ? <p className="mute mt2">{next}</p> : null}
      <div className="mt2">
        <HelpLink article="disputes">{t`How disputes work`}</HelpLink>
      </div>
      {dispute.why === 'filed' ? null : <p className="mt3">{disputeWhyText(dispute.why)}</p>}
      {dispute.reason ? (
        <p className="mt3 pre-line break" dir="auto">
          <span className="mid">{actorText(wroteReason(dispute), engagement)}: </span>
          {dispute.reason}
        </p>
      ) : null}
      <Amounts engagement={engagement} dispute={dispute} />
      {open.length > 0 ? (
        <div className="row wrap g2 mt4">
          {open.map((action, index) => (
            <Button
              key={action}
              kind={index === 0 ? 'ink' : 'out'}
              size="s"
              needsNetwork
              onClick={() => setChosenAction(action)}
            >
              {labels[action]}
            </Button>
          ))}
        </div>
      ) : null}
      <DisputeHistory engagement={engagement} dispute={dispute} />
      <Sheet
        open={chosenAction === 'answer' || chosenAction === 'propose'}
        onClose={() => setChosenAction(null)}
        title={chosenAction ? labels[chosenAction] : ''}
      >
        {chosenAction === 'answer' || chosenAction === 'propose' ? (
          <DisputeForm
            key={chosenAction}
            step={chosenAction}
            engagement={engagement}
            dispute={dispute}
            onClose={() => setChosenAction(null)}
            onDone={() => finish(chosenAction === 'answer' ? t`Answer sent` : t`Proposal sent`)}
          />
        ) : null}
      </Sheet>
      <Sheet
        open={chosenAction === 'accept-proposal'}
        onClose={() => setChosenAction(null)}
        title={labels['accept-proposal']}
      >
        {chosenAction === 'accept-proposal' ? (
          <AcceptProposal
            engagement={engagement}
            dispute={dispute}
            onClose={() => setChosenAction(null)}
            onDone={() => finish(t`Settled`)}
          />
        ) : null}
      </Sheet>
    </Card>
  );
}

function Amounts({ engagement, dispute }: DisputeProps) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, engagement.terms.currency);
  return (
    <>
      <div className="mt3">
        <SumRow
          label={actorText('worker', engagement)}
          value={dispute.workerAmountMinor === null ? t`No amount yet` : money(dispute.workerAmountMinor)}
        />
        <SumRow
          label={actorText('business', engagement)}
          value={dispute.businessAmountMinor === null ? t`No amount yet` : money(dispute.businessAmountMinor)}
        />
        {dispute.proposal ? (
          <SumRow
            label={<Trans>Proposed by: {actorText(dispute.proposal.by, engagement)}</Trans>}
            value={money(dispute.proposal.amountMinor)}
          />
        ) : null}
        {dispute.settledMinor === null ? null : (
          <SumRow total label={t`Settled on`} value={money(dispute.settledMinor)} />
        )}
      </div>
      {dispute.proposal?.note ? (
        <p className="sm mute mt2 pre-line break" dir="auto">
          {dispute.proposal.note}
        </p>
      ) : null}
    </>
  );
}

function DisputeHistory({ engagement, dispute }: DisputeProps) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, engagement.terms.currency);
  return (
    <>
      <div className="mt5">
        <Timeline
          items={dispute.steps.map((step, index) => ({
            title: disputeStepText(step, engagement),
            time: formatDate(step.at, ownTimeZone()),
            state: index === dispute.steps.length - 1 && dispute.status !== 'settled' ? 'now' : 'done',
            note: [
              step.amountMinor === null ? null : money(step.amountMinor),
              step.reason && ownText(step.reason),
            ]
              .filter(Boolean)
              .join(': '),
          }))}
        />
      </div>
      {dispute.steps.some(({ files }) => files.length > 0) ? (
        <div className="col g2 mt4">
          <h3 className="h-s">{t`Photos and files`}</h3>
          {dispute.steps.flatMap((step) =>
            step.files.map((file) => (
              <div key={file.id}>
                <p className="sm mute">{actorText(step.by, engagement)}</p>
                <WorkFile file={file} />
              </div>
            )),
          )}
        </div>
      ) : null}
    </>
  );
}
