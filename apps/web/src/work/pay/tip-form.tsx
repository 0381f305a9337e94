import { t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { limits } from '@nearhand/contract/limits';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { tipProblem } from '@nearhand/contract/money/releases.rules';
import type { Tip } from '@nearhand/contract/money/tips';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { afterPress } from '../../lib/forms/guard-double-click.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { isAboveMaximum, minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useReturnTo } from '../../lib/pages/use-return-to.ts';
import { formatMoney, minorDigits } from '../../lib/words/format.ts';
import { ChargeProgress } from '../../money/charges/charge-progress.tsx';
import { isChargeOver } from '../../money/charges/charges.api.ts';
import { FundingPick } from '../../money/wallet/funding-pick.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useTip } from './pay.api.ts';

export const tipChoices = (currency: Currency): number[] =>
  [5, 10, 20].map((major) => major * 10 ** minorDigits(currency) * (currency === 'JPY' ? 100 : 1));

/** The reason a typed amount can't be a tip; undefined if it can. */
export function tipError(typed: string, currency: Currency): string | undefined {
  const digits = minorDigits(currency);
  const problem = isAboveMaximum(typed, digits) ? 'too-much' : tipProblem(minorFromTyped(typed, digits) ?? 0);
  if (problem === null) return undefined;
  const max = tipMaxText(currency);
  return problem === 'nothing' ? text`Enter an amount, like 5 or 7.50.` : text`Enter ${max} or less.`;
}

export const tipMaxText = (currency: Currency): string => formatMoney(moneyLimits.tipMaxMinor, currency);

type TipFormProps = {
  engagementId: string;
  businessId: string;
  currency: Currency;
  workerName: string;
  onDone: (text: string) => void;
};

/** The tip as typed, and its payment. */
function useTipForm({ engagementId, currency, workerName, onDone }: TipFormProps) {
  const { t } = useLingui();
  const tip = useTip();
  const returnTo = useReturnTo();
  const action = useAction(errorText);
  const [kind, setKind] = useState<Tip['kind']>('tip');
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState('');
  const [funding, setFunding] = useState<FundingSource | null>(null);
  const [sentTip, setSentTip] = useState<Tip | null>(null);
  // While a payment is in progress, a second press would be a second tip.
  const [underWay, setUnderWay] = useState(false);
  const [tried, setTried] = useState(false);
  const minor = minorFromTyped(typed, minorDigits(currency));
  const error = tipError(typed, currency);
  const noteError = tooLong(note, limits.reasonMax);
  const amount = minor ? formatMoney(minor, currency) : '';
  const finish = () =>
    onDone(
      kind === 'bonus' ? t`A bonus of ${amount} for ${workerName}` : t`A tip of ${amount} for ${workerName}`,
    );
  const submit = () => {
    setTried(true);
    if (error || noteError || !minor || !funding || underWay) return;
    void action.run(async () => {
      const values = { engagementId, kind, amountMinor: minor, note: note.trim(), funding };
      const result = await tip.mutateAsync({ ...values, ...returnTo });
      if (result.status === 'paid') return finish();
      setSentTip(result);
      setUnderWay(result.charge !== null && !isChargeOver(result.charge));
    });
  };
  const retry = () => {
    setFunding(null);
    setUnderWay(false);
  };
  return {
    action,
    kind,
    setKind,
    typed,
    setTyped,
    note,
    setNote,
    funding,
    setFunding,
    charge: sentTip?.charge ?? null,
    underWay,
    minor,
    amount,
    isValid: error === undefined,
    amountError: tried ? error : undefined,
    noteError: tried ? noteError : undefined,
    leaveAmount: () => afterPress(() => setTried(tried || typed !== '')),
    submit,
    finish,
    retry,
  };
}

export function TipForm(props: TipFormProps) {
  const { t } = useLingui();
  const { businessId, currency, workerName } = props;
  const form = useTipForm(props);
  const { minor, amount, charge, funding } = form;
  return (
    <Form onSubmit={form.submit}>
      <Segmented
        label={t`Type`}
        options={[
          { value: 'tip', label: t`Tip` },
          { value: 'bonus', label: t`Bonus` },
        ]}
        value={form.kind}
        onChange={form.setKind}
      />
      <Chips label={t`Amount`} wrap>
        {tipChoices(currency).map((choice) => (
          <Chip
            key={choice}
            pressed={choice === minor}
            onClick={() => form.setTyped(typedFromMinor(choice, minorDigits(currency)))}
          >
            {formatMoney(choice, currency)}
          </Chip>
        ))}
      </Chips>
      <TextInput
        label={t`Amount`}
        inputMode="decimal"
        autoComplete="off"
        before={currency}
        help={t`Up to ${tipMaxText(currency)}.`}
        value={form.typed}
        error={form.amountError}
        onBlur={form.leaveAmount}
        onChange={(event) => form.setTyped(event.target.value)}
      />
      <TextArea
        label={t`Message to ${workerName}`}
        optional
        rows={2}
        maxLength={limits.reasonMax}
        length={form.note.length}
        value={form.note}
        error={form.noteError}
        onChange={(event) => form.setNote(event.target.value)}
      />
      {charge ? (
        <ChargeProgress key={charge.id} charge={charge} onDone={form.finish} onFailed={form.retry} />
      ) : null}
      <FundingPick
        key={`from ${charge?.id}`}
        businessId={businessId}
        currency={currency}
        amountMinor={minor ?? 0}
        forTip
        value={funding}
        onChange={form.setFunding}
      />
      <p className="sm mute">
        <Trans>{workerName} gets all of it. There's no fee.</Trans>
      </p>
      <HelpLink article="tips">{t`How tips work`}</HelpLink>
      <Refused text={form.action.refusal} />
      <Button
        kind="go"
        type="submit"
        full
        busy={form.action.busy}
        disabled={funding === null || form.underWay}
      >
        {amount && form.isValid ? t`Give ${amount}` : t`Give`}
      </Button>
    </Form>
  );
}
