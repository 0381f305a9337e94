import type { CorrectionEffect, LedgerEntry } from '@nearhand/contract/money/corrections';
import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { formatMoney } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { SumRow } from '../../ui/card.tsx';
import { codeText } from '../queue/case.labels.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { PaidGoodwill } from '../search/goodwill.tsx';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';
import { EffectView } from './pay-amount.tsx';
import { PayFacts } from './pay-facts.tsx';
import { PayoutFacts, ReferralFacts } from './payment-facts.tsx';

type Of<Kind extends CaseFacts['kind']> = Extract<CaseFacts, { kind: Kind }>;

/** A decision about a large amount that another operator made, with its case. */
export function SecondApprovalFacts({
  approval,
  pay,
  referral,
  held: heldPayout,
  recipient,
  earlierGoodwill,
  caseRef,
}: Of<'second_approval'> & { caseRef: CaseRef }) {
  const when = useWhen();
  const decision = () => {
    if (pay?.outcome === 'absent') return 'They were absent';
    if (pay)
      return `${pay.outcome === 'worked' ? 'They worked, total pay' : 'Total pay'} ${formatMoney(pay.effect.amountMinor, pay.currency)}`;
    if (heldPayout) return 'Send the withdrawal';
    if (approval.kind === 'goodwill') return 'Give goodwill';
    return approval.kind === 'credit_limit' ? 'Set the credit limit' : 'Pay the reward';
  };
  return (
    <>
      <FactsCard title="The decision">
        <Facts
          rows={[
            ['Decided by', `${approval.requestedBy.name}, ${when(approval.requestedAt)}`],
            ['Decision', decision()],
            ['To', recipient && `${recipient.name} (${recipient.kind})`],
            [
              approval.kind === 'credit_limit' ? 'New limit' : 'Moves',
              formatMoney(approval.amountMinor, approval.currency),
            ],
            [
              heldPayout || ['goodwill', 'credit_limit'].includes(approval.kind)
                ? 'Reason'
                : 'Reason for both sides',
              approval.reason,
            ],
            ['Expires', when(approval.expiresAt)],
          ]}
        />
        {pay ? (
          <div className="mt3">
            <EffectView
              effect={{
                name: { worker: pay.worker.name, business: pay.business.name },
                effect: { ...pay.effect, takesSecondPerson: false },
              }}
            />
          </div>
        ) : null}
      </FactsCard>
      {approval.kind === 'goodwill' ? (
        <FactsCard title="Goodwill before">
          {earlierGoodwill.length > 0 ? (
            <PaidGoodwill paid={earlierGoodwill} />
          ) : (
            <p className="sm mute">None so far.</p>
          )}
        </FactsCard>
      ) : null}
      {pay ? <PayFacts facts={{ ...pay, kind: approval.kind }} caseRef={caseRef} /> : null}
      {referral ? <ReferralFacts referral={referral} /> : null}
      {heldPayout ? <PayoutFacts heldPayout={heldPayout} caseRef={caseRef} /> : null}
    </>
  );
}

export function CorrectionFacts({ approval, entry, correction }: Of<'correction'>) {
  const when = useWhen();
  return (
    <>
      <FactsCard title="The correction">
        <Facts
          rows={[
            ['Asked by', `${approval.requestedBy.name}, ${when(approval.requestedAt)}`],
            ['Reason for both sides', approval.reason],
            ['Expires', when(approval.expiresAt)],
          ]}
        />
        <div className="mt3">
          <CorrectionView correction={correction} />
        </div>
      </FactsCard>
      <FactsCard title="The payment">
        <EntryView entry={entry} />
      </FactsCard>
    </>
  );
}

const problems: Record<NonNullable<CorrectionEffect['problem']>, string> = {
  reversed: 'This payment was already reversed.',
  'not-a-payment': 'This entry is no payment to a worker and no reward.',
  'at-provider': 'This money moved at the payment provider. The ledger alone cannot take it back.',
  'charged-back': 'The card payment was charged back, so the business already has this money.',
  'work-goes-on': 'The work is not settled yet. Decide its dispute instead.',
  spent: 'Whoever got it does not have the money any more.',
};
export function CorrectionView({ correction }: { correction: CorrectionEffect }) {
  const { worker, business } = correction;
  const money = (minor: number) => formatMoney(minor, correction.currency);
  return (
    <div className="c-effect">
      <p className="label">What it does</p>
      {correction.workerLosesMinor > 0 ? (
        <SumRow label={`${worker.name} loses`} value={money(correction.workerLosesMinor)} total />
      ) : null}
      {business && correction.businessLosesMinor > 0 ? (
        <SumRow label={`${business.name} loses`} value={money(correction.businessLosesMinor)} total />
      ) : null}
      {business && correction.businessGetsMinor > 0 ? (
        <SumRow label={`${business.name} gets back`} value={money(correction.businessGetsMinor)} />
      ) : null}
      <p className="sm mute mt2">
        {correction.kind === 'reward'
          ? `A reward for an invitation, earned by ${worker.name}. The ledger keeps it and adds its reversal. They read the reason.`
          : `For ${correction.jobTitle}. The ledger keeps the payment and adds its reversal. What was paid by card goes to the balance too. Both sides read the reason.`}
      </p>
      {correction.problem ? <p className="sm mt2">{problems[correction.problem]}</p> : null}
    </div>
  );
}

export function EntryView({ entry }: { entry: LedgerEntry }) {
  const when = useWhen();
  return (
    <>
      <p className="row g2 wrap">
        <Badge>{codeText(entry.kind)}</Badge>
        {entry.reversedBy ? <Badge tone="wait">Reversed</Badge> : null}
      </p>
      <Facts
        rows={[
          ['When', when(entry.at)],
          ['Entry', entry.id],
          ['About', entry.about],
          ['Reverses', entry.reverses],
        ]}
      />
      <div className="mt3">
        {entry.lines.map((line, index) => (
          <SumRow
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry's lines never change
            key={index}
            label={`${codeText(line.account)}${line.owner ? `: ${line.owner.name}` : ''}`}
            value={formatMoney(line.amountMinor, entry.currency)}
          />
        ))}
      </div>
    </>
  );
}
