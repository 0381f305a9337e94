import { bankText, endingIn } from '@nearhand/contract/money/account-mask';
import type { HeldPayout } from '@nearhand/contract/trust/payout-reviews';
import type { ReferralCase } from '@nearhand/contract/work/referrals';
import { formatMoney, formatSpan, joined } from '../../lib/words/format.ts';
import { Link } from '../../ui/controls/link.tsx';
import { codeText, countryName, measureText, statusText } from '../queue/case.labels.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { foundRecordPath } from '../search/search.labels.ts';
import { ChatAround } from './case-messages.tsx';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

const sources: Record<HeldPayout['names']['verified'][number]['source'], string> = {
  document: 'identity document',
  provider: 'payment provider',
};

const enteredByText = ({ name, isYou }: NonNullable<HeldPayout['enteredBy']>): string =>
  isYou ? 'You. Someone else has to release it.' : name;

/** The reason for which the withdrawal was held, as a sentence. */
function heldBecause({ method, names, enteredBy }: HeldPayout): string {
  if (enteredBy) return `${enteredBy.name} entered this bank account for a removed account.`;
  const verified = names.verified.map(({ name }) => name);
  return verified.length === 0
    ? `The bank account is in the name of ${method.holderName}, and no name of the person is verified.`
    : `The bank account is in the name of ${method.holderName}. The verified name is ${joined(...verified)}.`;
}

/** A withdrawal to a bank account whose holder is not the verified person. */
export function PayoutFacts({
  heldPayout,
  caseRef,
  inAppeal = false,
}: {
  heldPayout: HeldPayout;
  caseRef: CaseRef;
  /** An appeal lists the decisions about the person itself. */
  inAppeal?: boolean;
}) {
  const when = useWhen();
  const { person, method, names } = heldPayout;
  const money = (minor: number) => formatMoney(minor, heldPayout.currency);
  return (
    <>
      <FactsCard title="The two names">
        <Facts
          rows={[
            ['Account holder', <strong key="holder">{method.holderName}</strong>],
            ...names.verified.map(
              ({ name, source, at }) =>
                [`Verified by ${sources[source]}`, `${name}, ${when(at)}`] as [string, string],
            ),
            ['Name in the profile', person.name],
            ['Verified businesses they own', names.businesses.join('\n')],
          ]}
        />
      </FactsCard>
      <FactsCard title="Withdrawal">
        <Facts
          rows={[
            ['Status', statusText('withdrawal', heldPayout.status)],
            ['Why it was held', heldBecause(heldPayout)],
            ['Amount', money(heldPayout.amountMinor)],
            ['Fee', heldPayout.feeMinor === 0 ? null : money(heldPayout.feeMinor)],
            ['Arrives', heldPayout.feeMinor === 0 ? null : money(heldPayout.getsMinor)],
            ['Speed', codeText(heldPayout.speed)],
            ['Requested', when(heldPayout.requestedAt)],
            ['Balance now', money(heldPayout.availableMinor)],
            [
              'Bank account',
              `${bankText(method)}, ${countryName(method.country)}, added ${when(method.addedAt)}`,
            ],
            ['Bank account entered by', heldPayout.enteredBy && enteredByText(heldPayout.enteredBy)],
            ['Person', `${person.name}, ${person.email}, account since ${when(person.createdAt)}`],
          ]}
        />
      </FactsCard>
      {heldPayout.sharedWith.length > 0 ? (
        <FactsCard title="The same bank account">
          <ul className="c-words">
            {heldPayout.sharedWith.map((holder) => (
              <li key={holder.id}>
                <Link
                  className="link hit"
                  to={foundRecordPath(
                    { kind: 'person', id: holder.id },
                    { case: { kind: caseRef.kind, subjectId: caseRef.subjectId } },
                  )}
                >
                  {holder.name}
                </Link>{' '}
                saved it too, in the name of {holder.holderName}.
              </li>
            ))}
          </ul>
        </FactsCard>
      ) : null}
      <FactsCard title="Work paid before it">
        {heldPayout.work.length === 0 ? (
          <p className="sm mute">None. No work was paid to this person before the withdrawal.</p>
        ) : (
          <ul className="c-words">
            {heldPayout.work.map((work) => (
              <li key={work.engagementId}>
                <p className="strong">{joined(work.title, work.business)}</p>
                <p className="sm">
                  {joined(
                    work.startsAt && work.endsAt && formatSpan(work.startsAt, work.endsAt, work.timeZone),
                    `${formatMoney(work.getsMinor, work.currency)} paid ${when(work.paidAt)}`,
                  )}
                </p>
                <div className="mt2">
                  <ChatAround caseRef={caseRef} engagementId={work.engagementId} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </FactsCard>
      <FactsCard title="Other withdrawals">
        {heldPayout.earlier.length === 0 ? (
          <p className="sm mute">None. This is the only one.</p>
        ) : (
          <Facts
            rows={heldPayout.earlier.map((withdrawal): [string, string] => [
              when(withdrawal.requestedAt),
              `${formatMoney(withdrawal.amountMinor, withdrawal.currency)}, ${statusText('withdrawal', withdrawal.status).toLowerCase()}, ${endingIn(withdrawal.last4)}${withdrawal.sameAccount ? ' (this account)' : ''}`,
            ])}
          />
        )}
      </FactsCard>
      {heldPayout.decisions.length > 0 && !inAppeal ? (
        <FactsCard title="Other decisions about them">
          <Facts
            rows={heldPayout.decisions.map((decision): [string, string] => [
              when(decision.decidedAt),
              `${measureText(decision.measure)}${decision.ending ? `, ${decision.ending}` : ''}\n${decision.facts}`,
            ])}
          />
        </FactsCard>
      ) : null}
    </>
  );
}

const flagText: Record<ReferralCase['flags'][number], string> = {
  device: 'Same device',
  network: 'Same network',
  card: 'Same card',
  payout: 'Same bank account',
  address: 'Same address',
  'payer-device': 'One of them shares a device with the other side of the work',
  'payer-network': 'One of them shares a network with the other side of the work',
  'payer-card': 'One of them shares a card with the other side of the work',
  'payer-payout': 'One of them shares a bank account with the other side of the work',
  loop: 'They invited each other',
  'closed-account': 'One of the accounts is closed',
  suspended: 'One of the accounts is suspended from everything',
  'day-cap': 'Above what the platform pays in a day',
};

export function ReferralFacts({ referral }: { referral: ReferralCase }) {
  const when = useWhen();
  const { inviter, invited } = referral;
  return (
    <FactsCard title="Referral">
      <Facts
        rows={[
          [
            'To check',
            <strong key="flags">{referral.flags.map((flag) => flagText[flag]).join('\n')}</strong>,
          ],
          ['Invited by', `${inviter.name}, ${inviter.email}, account since ${when(inviter.createdAt)}`],
          ['Joined', `${invited.name}, ${invited.email}, account since ${when(invited.createdAt)}`],
          ['Joined as', codeText(referral.side)],
          ['Rewards of the inviter so far', String(referral.rewardedBefore)],
          ['To check since', when(referral.since)],
        ]}
      />
    </FactsCard>
  );
}
