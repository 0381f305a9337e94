import type { ReferralCase } from '@nearhand/contract/work/referrals';
import { formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts, FactsCard } from './facts-card.tsx';

const when = (instant: string) => formatDayTime(instant, ownTimeZone());

const flagWords: Record<ReferralCase['flags'][number], string> = {
  device: 'Same device',
  payout: 'Same payout method',
  address: 'Same address',
  loop: 'They invited each other',
  'own-business': 'First job for a business of the inviter',
  'closed-account': 'One of the accounts is closed',
};

/** A reward for an invitation, with what raised the question. */
export function ReferralFacts({ referral }: { referral: ReferralCase }) {
  const { inviter, invited } = referral;
  return (
    <FactsCard title="Referral">
      <p className="row g2 wrap">
        {referral.flags.map((flag) => (
          <Badge key={flag} tone="wait">
            {flagWords[flag]}
          </Badge>
        ))}
      </p>
      <Facts
        rows={[
          ['Invited by', `${inviter.name}, ${inviter.email}, account since ${when(inviter.createdAt)}`],
          ['Joined', `${invited.name}, ${invited.email}, account since ${when(invited.createdAt)}`],
          ['Joined as', referral.side],
          ['Rewards of the inviter so far', String(referral.rewardedBefore)],
          ['First work', referral.engagementId],
          ['To check since', when(referral.since)],
        ]}
      />
    </FactsCard>
  );
}
