import { Trans, useLingui } from '@lingui/react/macro';
import type { PayoutMethod, WorkerBalance } from '@nearhand/contract/money/payouts';
import { type ReactNode, useState } from 'react';
import { afterPress } from '../../lib/forms/guard-double-click.ts';
import { typedAmountMax, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import {
  currencySymbol,
  formatCalendarDay,
  formatDate,
  formatMoney,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { MethodLine } from './methods-sheet.tsx';
import type { Balance } from './payouts.api.ts';
import type { WithdrawDesk } from './use-withdraw-desk.ts';
import { isShownAtOnce } from './withdraw.rules.ts';

type Parts = {
  id: string;
  desk: WithdrawDesk;
  balance: WorkerBalance;
  method: PayoutMethod;
  rules: Balance['rules'];
  onChange: () => void;
  onAsk: () => void;
};

export function WithdrawForm({ id, desk, balance, method, rules, onChange, onAsk }: Parts) {
  const { t } = useLingui();
  const { typed, digits, judged, quote } = desk;
  const [left, setLeft] = useState(false);
  const help = useWithdrawHelp({ desk, balance, method, rules });
  const money = (minor: number) => formatMoney(minor, balance.currency);
  const { problem } = judged;
  const problemText = () => {
    if (problem === 'below-minimum') return t`At least ${money(desk.minMinor)}.`;
    if (problem === 'too-much') return t`${money(balance.availableMinor)} is available.`;
    if (problem === 'too-fine')
      return digits === 0
        ? t`Whole amounts only, like 2000.`
        : t`Use up to ${digits} decimal places, like 20.50.`;
    return digits === 0 ? t`Enter an amount, like 2000.` : t`Enter an amount, like 20 or 20.50.`;
  };
  const fieldMessage =
    problem !== null && (desk.tried || (typed !== '' && (left || isShownAtOnce(problem))))
      ? problemText()
      : undefined;
  const arrives = quote ? formatCalendarDay(quote.arrivesOn) : '';
  const fee = money(balance.instantFeeMinor);
  return (
    <Form
      id={id}
      onSubmit={() => {
        desk.setTried(true);
        if (desk.canSend) onAsk();
      }}
    >
      <Field label={t`Withdraw`} error={fieldMessage} help={help}>
        {(control) => (
          <span className={`inp withdraw-amount${fieldMessage ? ' err' : ''}`}>
            <span className="withdraw-sign" aria-hidden="true">
              {currencySymbol(balance.currency)}
            </span>
            <input
              {...control}
              type="text"
              className="bare num"
              inputMode={digits === 0 ? 'numeric' : 'decimal'}
              autoComplete="off"
              maxLength={typedAmountMax}
              value={typed}
              onChange={(event) => {
                setLeft(false);
                desk.setTyped(event.target.value);
              }}
              onBlur={() => afterPress(() => setLeft(true))}
            />
            <button
              type="button"
              className="btn quiet xs"
              disabled={balance.availableMinor === 0}
              onClick={() => desk.setTyped(typedFromMinor(balance.availableMinor, digits))}
            >
              {t`All ${money(balance.availableMinor)}`}
            </button>
          </span>
        )}
      </Field>
      <div className="withdraw-speed">
        <RadioGroup
          legend={<span className="vh">{t`Speed`}</span>}
          columns
          value={desk.speed}
          onChange={desk.setSpeed}
          options={[
            {
              value: 'standard',
              label: t`Standard, free`,
              help: desk.speed === 'standard' && arrives ? t`Bank, ${arrives}` : t`Bank, next working day`,
            },
            {
              value: 'instant',
              label: t`Instant, ${fee}`,
              help: method.instant ? t`In minutes` : t`Not available for this account`,
              disabled: !method.instant,
            },
          ]}
        />
      </div>
      <MethodLine
        method={method}
        end={
          <button type="button" className="link sm hit" onClick={onChange}>
            {t`Change`}
            <span className="vh"> {t`the bank account`}</span>
          </button>
        }
      />
    </Form>
  );
}

function useWithdrawHelp({
  desk,
  balance,
  method,
  rules,
}: Pick<Parts, 'desk' | 'balance' | 'method' | 'rules'>): ReactNode {
  if (desk.held)
    return (
      <Trans>
        For your safety, you can use this new account from {formatDate(method.usableFrom, ownTimeZone())}.
      </Trans>
    );
  if (desk.none)
    return rules.freeFrom ? (
      <Trans>
        You've made {rules.perDay} withdrawals in 24 hours. You can withdraw again from{' '}
        {formatDate(rules.freeFrom, ownTimeZone())}.
      </Trans>
    ) : (
      <Trans>You've made {rules.perDay} withdrawals in 24 hours.</Trans>
    );
  if (desk.speed === 'instant' && desk.quote)
    return <Trans>{formatMoney(desk.quote.getsMinor, balance.currency)} arrives.</Trans>;
  if (balance.availableMinor === 0 && balance.pendingMinor > 0)
    return <Trans>Nothing is available yet. You can withdraw pending pay once it clears.</Trans>;
  if (balance.availableMinor < desk.minMinor)
    return <Trans>You can withdraw {formatMoney(desk.minMinor, balance.currency)} or more.</Trans>;
  return undefined;
}
