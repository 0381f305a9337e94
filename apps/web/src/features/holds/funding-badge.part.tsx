import { Trans, useLingui } from '@lingui/react/macro';
import type { Funding } from '@nearhand/contract/terms';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';

/** Whether the money of an offer or of booked work is set aside. */
export function FundingBadge({ funding }: { funding: Funding }) {
  const { t } = useLingui();
  if (funding === 'funded') return <Badge tone="good" icon="shield-check">{t`Funded`}</Badge>;
  const words = { frozen: t`Funds frozen`, partly_funded: t`Partly funded`, not_funded: t`Not funded` };
  return <Badge tone="wait">{words[funding]}</Badge>;
}

/** For the business: why less lies there than it set aside, and what to do. Nothing where that is not so. */
export function FundingShort({ funding }: { funding: Funding }) {
  if (funding !== 'partly_funded') return null;
  return (
    <Banner tone="wait" icon="warning">
      <Trans>
        A part of what you set aside went back to your card. What is missing is asked of you when you approve
        the work.
      </Trans>
    </Banner>
  );
}

/** What that means for the worker, in a sentence. */
export function useFundingMeaning() {
  const { t } = useLingui();
  return (funding: Funding, businessName: string): string => {
    switch (funding) {
      case 'funded':
        return t`Your pay is already set aside with us. While you are booked, ${businessName} cannot take it out.`;
      case 'frozen':
        return t`The bank of ${businessName} asks its money back. Until that is decided your pay is neither paid nor given back.`;
      case 'partly_funded':
        return t`The bank of ${businessName} took a part back: less than your pay is set aside. The rest is paid once ${businessName} adds it.`;
      case 'not_funded':
        return t`Nothing is set aside for it.`;
    }
  };
}
