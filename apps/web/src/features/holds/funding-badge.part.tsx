import { useLingui } from '@lingui/react/macro';
import type { Funding } from '@nearhand/contract/terms';
import { Badge } from '../../ui/badge.tsx';

/** Whether the money of an offer or of booked work is set aside. */
export function FundingBadge({ funding }: { funding: Funding }) {
  const { t } = useLingui();
  if (funding === 'funded') return <Badge tone="good" icon="shield-check">{t`Funded`}</Badge>;
  return <Badge tone="wait">{funding === 'frozen' ? t`Funds frozen` : t`Not funded`}</Badge>;
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
      case 'not_funded':
        return t`Nothing is set aside for it.`;
    }
  };
}
