import { Trans, useLingui } from '@lingui/react/macro';
import type { PayoutMethod, PayoutSpeed, WorkerBalance } from '@nearhand/contract/payouts';
import { useDeferredValue, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatCalendarDay, formatDate, formatMoney, minorDigits, ownTimeZone } from '../../lib/format.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/typed-amount.ts';
import { useMove } from '../../lib/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { MethodLine } from './methods-sheet.tsx';
import { methodText } from './payout-words.ts';
import { type Balance, useWithdraw, useWithdrawalQuote } from './payouts.api.ts';

/** Amounts of the rules are in a currency of two digits; in others they are the same figure in major units. */
export const ruleMinor = (minor: number, digits: number): number =>
  digits >= 2 ? minor * 10 ** (digits - 2) : Math.ceil(minor / 10 ** (2 - digits));

type Parts = {
  balance: WorkerBalance;
  rules: Balance['rules'];
  method: PayoutMethod;
  onChange: () => void;
  onDone: (text: string) => void;
};

/** Amount, speed and account, then one look at what arrives before it is sent. */
export function WithdrawForm({ balance, rules, method, onChange, onDone }: Parts) {
  const { t } = useLingui();
  const digits = minorDigits(balance.currency);
  const money = (minor: number) => formatMoney(minor, balance.currency);
  const [typed, setTyped] = useState('');
  const [speed, setSpeed] = useState<PayoutSpeed>('standard');
  const [asking, setAsking] = useState(false);
  const [tried, setTried] = useState(false);
  const minimum = ruleMinor(rules.minimumMinor, digits);
  const instantFee = ruleMinor(rules.instantFeeMinor, digits);
  const minor = minorFromTyped(typed, digits);
  const held = new Date(method.usableFrom) > new Date();
  const chosen: PayoutSpeed = method.instant ? speed : 'standard';
  const trouble =
    minor === null
      ? t`Type an amount, like 20 or 20.50.`
      : minor < minimum
        ? t`At least ${money(minimum)}.`
        : minor > balance.availableMinor
          ? t`${money(balance.availableMinor)} is available.`
          : null;
  const wish =
    trouble === null && minor !== null ? { methodId: method.id, amountMinor: minor, speed: chosen } : null;
  const quote = useWithdrawalQuote(useDeferredValue(held ? null : wish));
  const arrives = quote.data ? formatCalendarDay(quote.data.arrivesOn) : '';
  const none = rules.leftToday <= 0;
  return (
    <form
      className="col g4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (wish && !held && !none) setAsking(true);
      }}
    >
      <Field
        label={t`Withdraw`}
        error={(tried || typed !== '') && trouble ? trouble : undefined}
        help={
          held ? (
            <Trans>
              This account is new. For your safety it can be used from{' '}
              {formatDate(method.usableFrom, ownTimeZone())}.
            </Trans>
          ) : none ? (
            <Trans>You withdrew {rules.perDay} times in 24 hours. Go on tomorrow.</Trans>
          ) : undefined
        }
      >
        {(control) => (
          <span className={`inp withdraw-amount${tried && trouble ? ' err' : ''}`}>
            <span className="mute">{balance.currency}</span>
            <input
              {...control}
              type="text"
              className="bare"
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <button
              type="button"
              className="btn quiet xs"
              disabled={balance.availableMinor === 0}
              onClick={() => setTyped(typedFromMinor(balance.availableMinor, digits))}
            >
              {t`All ${money(balance.availableMinor)}`}
            </button>
          </span>
        )}
      </Field>
      <RadioGroup
        legend={t`How fast`}
        columns
        value={chosen}
        onChange={setSpeed}
        options={[
          {
            value: 'standard',
            label: t`Standard, free`,
            help: chosen === 'standard' && arrives ? t`Bank, ${arrives}` : t`Bank, next business day`,
          },
          {
            value: 'instant',
            label: t`Instant, ${money(instantFee)}`,
            help: method.instant ? t`In minutes` : t`Not for this account`,
            disabled: !method.instant,
          },
        ]}
      />
      <MethodLine
        method={method}
        end={
          <button type="button" className="link sm" onClick={onChange}>
            {t`Change`}
          </button>
        }
      />
      <Button kind="go" type="submit" full disabled={held || none || balance.availableMinor === 0}>
        {wish ? t`Withdraw ${money(wish.amountMinor)}` : t`Withdraw`}
      </Button>
      <Sheet open={asking} onClose={() => setAsking(false)} title={t`Withdraw`}>
        {wish ? (
          <Confirm
            wish={wish}
            method={method}
            money={money}
            fee={chosen === 'instant' ? instantFee : 0}
            arrives={arrives}
            onClose={() => setAsking(false)}
            onDone={(text) => {
              setAsking(false);
              setTyped('');
              setTried(false);
              onDone(text);
            }}
          />
        ) : null}
      </Sheet>
    </form>
  );
}

function Confirm({
  wish,
  method,
  money,
  fee,
  arrives,
  onClose,
  onDone,
}: {
  wish: { methodId: string; amountMinor: number; speed: PayoutSpeed };
  method: PayoutMethod;
  money: (minor: number) => string;
  fee: number;
  arrives: string;
  onClose: () => void;
  onDone: (text: string) => void;
}) {
  const { t } = useLingui();
  const { withdraw } = useWithdraw();
  const move = useMove(errorText);
  const gets = money(wish.amountMinor - fee);
  return (
    <div className="col g4">
      <div>
        <p className="sum">
          <span className="k">{t`From your balance`}</span>
          <span>{money(wish.amountMinor)}</span>
        </p>
        <p className="sum">
          <span className="k">{wish.speed === 'instant' ? t`Instant payout` : t`Standard payout`}</span>
          <span>{fee === 0 ? t`free` : `−${money(fee)}`}</span>
        </p>
        <p className="sum total">
          <span className="k">{t`Arrives at ${methodText(method)}`}</span>
          <span>{gets}</span>
        </p>
      </div>
      <p className="sm mute">
        {wish.speed === 'instant' ? (
          <Trans>It is sent at once and arrives in minutes. It cannot be cancelled.</Trans>
        ) : (
          <Trans>Expected {arrives}. You can cancel it until it is sent.</Trans>
        )}
      </p>
      <Refused text={move.refusal} />
      <div className="row g2">
        <Button kind="quiet" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button
          kind="go"
          className="grow"
          busy={move.busy}
          onClick={() =>
            void move.run(async () => {
              await withdraw(wish);
              onDone(t`${gets} is on its way`);
            })
          }
        >
          {t`Withdraw ${money(wish.amountMinor)}`}
        </Button>
      </div>
    </div>
  );
}
