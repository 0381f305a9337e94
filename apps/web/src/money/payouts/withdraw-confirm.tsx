import { Trans, useLingui } from '@lingui/react/macro';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { PayoutMethod } from '@nearhand/contract/money/payouts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatCalendarDay, formatMoney } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useWithdraw } from './payouts.api.ts';
import type { WithdrawDesk } from './use-withdraw-desk.ts';

export type WithdrawAsk = {
  request: NonNullable<WithdrawDesk['request']>;
  quote: WithdrawDesk['quote'];
  method: PayoutMethod;
  instantFeeMinor: number;
  onClose: () => void;
  onDone: (text: string) => void;
};

export function WithdrawConfirm({ request, quote, method, instantFeeMinor, onClose, onDone }: WithdrawAsk) {
  const { t } = useLingui();
  const { withdraw } = useWithdraw();
  const action = useAction();
  const money = (minor: number) => formatMoney(minor, method.currency);
  const isInstant = request.speed === 'instant';
  const fee = quote?.feeMinor ?? (isInstant ? instantFeeMinor : 0);
  const gets = money(request.amountMinor - fee);
  const account = bankText(method);
  const send = async () => {
    const withdrawal = await withdraw(request);
    onDone(
      withdrawal.status === 'in_review' ? t`We'll check the bank account first` : t`${gets} is on its way`,
    );
  };
  return (
    <div className="col g4">
      <div>
        <SumRow label={t`From your balance`} value={money(request.amountMinor)} />
        <SumRow
          label={isInstant ? t`Fee, instant` : t`Fee, standard`}
          value={fee === 0 ? t`free` : money(-fee)}
        />
        <SumRow total label={t`Arrives at ${account}`} value={gets} />
      </div>
      <p className="sm mute">
        <ArrivalText quote={quote} holderName={method.holderName} isInstant={isInstant} />
      </p>
      <Refused text={action.refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" className="grow" busy={action.busy} onClick={() => void action.run(send)}>
          {t`Withdraw ${money(request.amountMinor)}`}
        </Button>
      </div>
    </div>
  );
}

type ArrivalTextProps = Pick<WithdrawAsk, 'quote'> & { holderName: string; isInstant: boolean };

/** The arrival of the money, and until when it can be cancelled. */
function ArrivalText({ quote, holderName, isInstant }: ArrivalTextProps) {
  if (quote?.isReviewed)
    return (
      <Trans>
        The account holder, {holderName}, isn't the name we verified. A person on our team checks it first,
        usually within two days. You can cancel until then. There is no fee.
      </Trans>
    );
  if (isInstant) return <Trans>It's sent right away and arrives in minutes. You can't cancel it.</Trans>;
  if (!quote) return <Trans>You can cancel it for a few minutes, until it's sent.</Trans>;
  const arrives = formatCalendarDay(quote.arrivesOn);
  return <Trans>Expected {arrives}. You can cancel it for a few minutes, until it's sent.</Trans>;
}
