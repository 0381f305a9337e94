import { Trans, useLingui } from '@lingui/react/macro';
import type { Funding, PlannedFunding } from '@nearhand/contract/money/funding';
import { formatDate } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';

export function FundingBadge({ funding }: { funding: Funding }) {
  const { t } = useLingui();
  if (funding === 'funded') return <Badge tone="good" icon="shield-check">{t`Funded`}</Badge>;
  if (funding === 'planned') return <Badge icon="calendar-check">{t`Funded later`}</Badge>;
  const words = { frozen: t`Funds frozen`, partly_funded: t`Partly funded`, not_funded: t`Not funded` };
  return <Badge tone="wait">{words[funding]}</Badge>;
}

/** Explains to the business why less is held than was set aside. */
const weakestFirst: readonly Funding[] = ['frozen', 'not_funded', 'partly_funded', 'planned', 'funded'];

/** The funding to show for several offers together, such as those of a series. */
export const weakestFunding = (offers: readonly { funding: Funding }[]): Funding | undefined =>
  weakestFirst.find((weak) => offers.some(({ funding }) => funding === weak));

export function FundingShort({ funding }: { funding: Funding }) {
  if (funding !== 'partly_funded') return null;
  return (
    <Banner tone="wait" icon="warning">
      <Trans>
        Part of what you set aside went back to your card. You'll add the missing amount when you approve the
        work.
      </Trans>
    </Banner>
  );
}

export function useFundingMeaning() {
  const { t } = useLingui();
  return (
    funding: Funding,
    businessName: string,
    terms: { plannedFunding?: PlannedFunding | null; timeZone: string },
  ): string => {
    switch (funding) {
      case 'funded':
        return t`Your pay is set aside with us. While you're booked, ${businessName} can't take it back.`;
      case 'frozen':
        return t`The bank of ${businessName} has asked for its money back. Until that's decided, your pay stays on hold.`;
      case 'partly_funded':
        return t`The bank of ${businessName} took part of the money back, so less than your full pay is set aside. You get the rest once ${businessName} adds it.`;
      case 'planned': {
        const { plannedFunding, timeZone } = terms;
        if (!plannedFunding) return t`Your pay is set aside before the shift.`;
        const at = formatDate(plannedFunding.at, timeZone);
        const by = formatDate(plannedFunding.by, timeZone);
        return Date.parse(plannedFunding.at) <= Date.now()
          ? t`Your pay isn’t set aside yet. If ${businessName} hasn’t paid by ${by}, the booking ends and doesn’t count against you.`
          : t`Your pay will be set aside on ${at}. If ${businessName} hasn’t paid by ${by}, the booking ends and doesn’t count against you.`;
      }
      case 'not_funded':
        return t`No pay is set aside for this.`;
    }
  };
}
