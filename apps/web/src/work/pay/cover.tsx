import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { useReturnTo } from '../../lib/pages/use-return-to.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { PaymentForm } from '../../money/wallet/funding-pick.tsx';
import { Banner } from '../../ui/banner.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useCover } from './pay.api.ts';

/** The part of the pay that isn't set aside, and the form to add it: overtime before approval, or owed pay. */
export function Cover({
  engagementId,
  businessId,
  currency,
  missingMinor,
  owed,
  beyondPlan = false,
  onDone,
}: {
  engagementId: string;
  businessId: string;
  currency: Currency;
  missingMinor: number;
  /** True if the amount is already agreed; it is paid as soon as it is covered. */
  owed: boolean;
  /** True if more hours were submitted than planned; otherwise the hold lost money, such as to a chargeback. */
  beyondPlan?: boolean;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const cover = useCover();
  const returnTo = useReturnTo();
  const missing = formatMoney(missingMinor, currency);
  return (
    <section className="col g4" aria-label={t`Missing pay`}>
      <Banner tone="wait" icon="lock-key">
        {owed ? (
          <Trans>{missing} of the agreed pay isn't set aside. Add it and it's paid right away.</Trans>
        ) : beyondPlan ? (
          <Trans>
            The hold is {missing} short, fee included, because more hours were submitted than planned.
          </Trans>
        ) : (
          <Trans>The hold is {missing} short, fee included. Add it to release the pay.</Trans>
        )}
      </Banner>
      <PaymentForm
        businessId={businessId}
        currency={currency}
        amountMinor={missingMinor}
        kind="ink"
        label={t`Add ${missing} to the hold`}
        pay={async (funding) => {
          const { charge } = await cover.mutateAsync({ engagementId, funding, ...returnTo });
          return { charge, isPaid: charge === null };
        }}
        onDone={() => {
          if (!owed) showToast(t`${missing} was added to the hold`);
          onDone();
        }}
      />
    </section>
  );
}
