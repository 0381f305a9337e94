import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { isAboveMaximum, minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatMoney, minorDigits } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { useRefundBalance } from './charges.api.ts';

export function RefundMoney({
  businessId,
  balance,
  isAll = false,
  onDone,
}: {
  businessId: string;
  balance: { currency: Currency; availableMinor: number; promoMinor: number };
  /** True if the whole amount is filled in, as for a business that closes. */
  isAll?: boolean;
  onDone: (text: string) => void;
}) {
  const { t } = useLingui();
  const digits = minorDigits(balance.currency);
  const refund = useRefundBalance();
  const action = useAction(errorText);
  const refundableMinor = balance.availableMinor - balance.promoMinor;
  const [typed, setTyped] = useState(isAll ? typedFromMinor(refundableMinor, digits) : '');
  const [tried, setTried] = useState(false);
  const money = (minor: number) => formatMoney(minor, balance.currency);
  const minor = minorFromTyped(typed, digits);
  const problem =
    isAboveMaximum(typed, digits) || (minor !== null && minor > refundableMinor)
      ? t`You can send back up to ${money(refundableMinor)}.`
      : minor === null || minor === 0
        ? t`Enter an amount, like 20 or 20.50.`
        : undefined;
  return (
    <Form
      className="col g3"
      onSubmit={() => {
        setTried(true);
        if (problem || minor === null) return;
        void action.run(async () => {
          await refund.mutateAsync({ businessId, amountMinor: minor, currency: balance.currency });
          onDone(t`${money(minor)} is on its way back to the card. Banks take a few days.`);
        });
      }}
    >
      <p className="sm mute">
        <Trans>Money returns to the cards it came from, newest payment first. Banks take a few days.</Trans>{' '}
        {balance.promoMinor > 0 ? t`Credit pays for hires and can't be sent to a card.` : null}
      </p>
      <TextInput
        label={t`Amount`}
        inputMode="decimal"
        autoComplete="off"
        before={balance.currency}
        value={typed}
        error={tried ? problem : undefined}
        after={
          <button
            type="button"
            className="link sm hit"
            onClick={() => setTyped(typedFromMinor(refundableMinor, digits))}
          >
            {t`All ${money(refundableMinor)}`}
          </button>
        }
        onChange={(event) => setTyped(event.target.value)}
      />
      <Refused text={action.refusal} />
      <Button kind="out" type="submit" full busy={action.busy}>
        {minor && !problem ? t`Send ${money(minor)} back` : t`Send money back`}
      </Button>
    </Form>
  );
}
