import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import type { Charge } from '@nearhand/contract/money/charges';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { useReturnTo } from '../../lib/pages/use-return-to.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { ChargeProgress } from '../../money/charges/charge-progress.tsx';
import { FundingPick } from '../../money/wallet/funding-pick.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useCover } from './pay.api.ts';

/** The pay that its hold lacks, and the form to add it: overtime before approval, or owed pay. */
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
  const move = useMove(errorText);
  const [funding, setFunding] = useState<FundingSource | null>(null);
  const [charge, setCharge] = useState<Charge | null>(null);
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
      {charge ? (
        <ChargeProgress key={charge.id} charge={charge} onDone={onDone} onFailed={() => setFunding(null)} />
      ) : null}
      <FundingPick
        key={`from ${charge?.id}`}
        businessId={businessId}
        currency={currency}
        amountMinor={missingMinor}
        value={funding}
        onChange={setFunding}
      />
      <Refused text={move.refusal} />
      <Button
        kind="ink"
        full
        busy={move.busy}
        disabled={funding === null}
        onClick={() =>
          void move.run(async () => {
            if (!funding) return;
            const response = await cover.mutateAsync({ engagementId, funding, ...returnTo });
            setCharge(response.charge);
            if (!response.charge) onDone();
          })
        }
      >
        {t`Add ${missing} to the hold`}
      </Button>
    </section>
  );
}
