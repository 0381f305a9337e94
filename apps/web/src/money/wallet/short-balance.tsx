import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { useState } from 'react';
import { formatMoney } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { AddMoney } from './add-money.tsx';
import { balanceIn, useWallet } from './wallet.api.ts';

type Props = {
  businessId: string;
  currency: Currency;
  missingMinor: number;
  /** The shortage is that of a refusal, which nobody calculates again: it goes once as much money has arrived. */
  isRefusal?: boolean;
  action?: (amount: string) => string;
  onAdded: () => void;
};

/** Names the shortage to someone who may not see the balance. */
export function BalanceTooLow() {
  return (
    <Banner tone="wait" icon="wallet" live>
      <p className="strong">
        <Trans>The balance of your business is too low for this</Trans>
      </p>
      <p>
        <Trans>Ask an owner, a manager or someone in finance to add money.</Trans>
      </p>
    </Banner>
  );
}

/** Shows a shortage of the balance, with the way to add money. */
export function ShortBalance({
  businessId,
  currency,
  missingMinor,
  isRefusal = false,
  action,
  onAdded,
}: Props) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const missing = formatMoney(missingMinor, currency);
  // The provider's minimum; the rest stays in the balance.
  const topUpMinor = Math.max(missingMinor, moneyLimits.topUpMinMinor);
  const amount = formatMoney(topUpMinor, currency);
  const query = useWallet(businessId);
  const balanceMinor = balanceIn(query.data, currency);
  const [refusedAtMinor, setRefusedAtMinor] = useState<number | null>(null);
  if (refusedAtMinor === null && query.isFetchedAfterMount && query.data) setRefusedAtMinor(balanceMinor);
  // The open sheet follows its payment to the end.
  if (isRefusal && !open && refusedAtMinor !== null && balanceMinor >= refusedAtMinor + missingMinor)
    return null;
  return (
    <>
      <Banner tone="wait" icon="wallet" live>
        <p className="strong">
          <Trans>Your balance is {missing} short</Trans>
        </p>
        {topUpMinor > missingMinor ? (
          <p>
            <Trans>{amount} is the least you can add. The rest stays in your balance.</Trans>
          </p>
        ) : null}
        {query.data && !query.data.canManage ? (
          <p>
            <Trans>Ask an owner, a manager or someone in finance to add money.</Trans>
          </p>
        ) : (
          <Button kind="ink" size="s" className="mt2" needsNetwork onClick={() => setOpen(true)}>
            {action ? action(amount) : t`Add ${amount}`}
          </Button>
        )}
      </Banner>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Add money`}>
        {open ? (
          <QueryState
            query={query}
            loading={<RowsSkeleton count={2} />}
            errorTitle={t`We couldn't load your payment methods`}
          >
            {(wallet) => (
              <AddMoney
                businessId={businessId}
                wallet={wallet}
                currency={currency}
                amountMinor={topUpMinor}
                onDone={() => {
                  setOpen(false);
                  onAdded();
                }}
              />
            )}
          </QueryState>
        ) : null}
      </Sheet>
    </>
  );
}
