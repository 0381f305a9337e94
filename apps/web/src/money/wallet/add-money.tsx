import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { bankTransferPath } from '@nearhand/contract/app-paths';
import { maxMinor } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { cardText } from '@nearhand/contract/money/account-mask';
import { transferCurrency } from '@nearhand/contract/money/bank-transfers.rules';
import type { Charge } from '@nearhand/contract/money/charges';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { afterPress } from '../../lib/forms/guard-double-click.ts';
import { isAboveMaximum, minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useReturnTo } from '../../lib/pages/use-return-to.ts';
import { formatDate, formatMoney, minorDigits, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { type Choice, RadioGroup } from '../../ui/controls/choices.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { AddCard } from '../cards/add-card.tsx';
import { ChargeProgress } from '../charges/charge-progress.tsx';
import { isChargeOver } from '../charges/charges.api.ts';
import { cardNote, methodsFor, suggestedCard } from './funding-pick.tsx';
import { useTopUp, type Wallet } from './wallet.api.ts';

type AddMoneyProps = {
  businessId: string;
  wallet: Wallet;
  currency: Currency;
  amountMinor?: number;
  hasTransfer?: boolean;
  onDone: (text: string) => void;
};

function amountProblem(typed: string, currency: Currency): string | undefined {
  const digits = minorDigits(currency);
  const minor = minorFromTyped(typed, digits);
  const minAmount = formatMoney(moneyLimits.topUpMinMinor, currency);
  const maxAmount = formatMoney(maxMinor, currency);
  if (minor === null)
    return isAboveMaximum(typed, digits) ? t`At most ${maxAmount}.` : t`Enter an amount, like 100 or 250.50.`;
  return minor < moneyLimits.topUpMinMinor ? t`At least ${minAmount}.` : undefined;
}

/** The typed amount, the card and the payment of a top-up. */
function useAddMoney({ businessId, wallet, currency, amountMinor }: AddMoneyProps) {
  const topUp = useTopUp();
  const returnTo = useReturnTo();
  const action = useAction(topUpRefusal);
  const [typed, setTyped] = useState(amountMinor ? typedFromMinor(amountMinor, minorDigits(currency)) : '');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const [charge, setCharge] = useState<Charge | null>(null);
  const [tried, setTried] = useState(false);
  // While a payment is in progress, a second tap would pay again.
  const [underWay, setUnderWay] = useState(false);
  const methods = methodsFor(wallet.cards, currency);
  const card = methods.find(({ id }) => id === chosenId) ?? suggestedCard(methods);
  const minor = minorFromTyped(typed, minorDigits(currency));
  const problem = amountProblem(typed, currency);
  // A card that was saved just now is not in the wallet yet.
  const hasCard = card !== undefined || chosenId !== null;
  const pay = (cardId = card?.id ?? chosenId) => {
    setTried(true);
    if (problem || minor === null || !cardId || underWay) return;
    void action.run(async () => {
      const newCharge = await topUp.mutateAsync({
        businessId,
        amountMinor: minor,
        currency,
        cardId,
        ...returnTo,
      });
      setCharge(newCharge);
      setUnderWay(!isChargeOver(newCharge));
    });
  };
  const checkAmount = () => {
    setTried(true);
    return problem === undefined;
  };
  const retry = () => {
    setChosenId(null);
    setUnderWay(false);
  };
  return {
    action,
    typed,
    setTyped,
    methods,
    card,
    chooseCard: (cardId: string) => {
      setAdding(false);
      setChosenId(cardId);
    },
    isAdding: adding || !hasCard,
    addCard: () => setAdding(true),
    hasCard,
    charge,
    tried,
    setTried,
    underWay,
    minor,
    problem,
    pay,
    checkAmount,
    retry,
  };
}

/**
 * Tops up the balance from a card. `amountMinor` is the shortage, if there is one. `hasTransfer` adds the way to a
 * bank transfer, which leaves the page.
 */
export function AddMoney(props: AddMoneyProps) {
  const { t } = useLingui();
  const { businessId, wallet, currency, hasTransfer = false, onDone } = props;
  const topUp = useAddMoney(props);
  const { charge, typed, tried, problem, card, minor } = topUp;
  const options: Choice<string>[] = topUp.methods.map((method) => ({
    value: method.id,
    label: cardText(method),
    help: cardNote(method),
  }));
  const amount = minor === null ? '' : formatMoney(minor, currency);
  // Next to a card that is being typed, a second button would charge another card.
  const paysByNewCard = topUp.isAdding && (wallet.tokenUrl !== null || !topUp.hasCard);
  const newCardText = amount && !problem ? t`Save card and add ${amount}` : t`Save card and add money`;
  const chargedAmount = charge ? formatMoney(charge.amountMinor, charge.currency) : '';
  return (
    <div className="col g4">
      <TextInput
        label={t`Amount`}
        inputMode="decimal"
        autoComplete="off"
        before={currency}
        value={typed}
        error={tried ? problem : undefined}
        onBlur={() => afterPress(() => topUp.setTried(tried || typed !== ''))}
        onChange={(event) => topUp.setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter would submit a surrounding form.
          event.preventDefault();
          if (paysByNewCard) topUp.checkAmount();
          else topUp.pay();
        }}
      />
      {options.length > 0 ? (
        <RadioGroup
          legend={t`From`}
          options={options}
          value={topUp.isAdding ? null : (card?.id ?? null)}
          onChange={topUp.chooseCard}
        />
      ) : null}
      {charge ? (
        <ChargeProgress
          key={charge.id}
          charge={charge}
          onDone={() => onDone(t`${chargedAmount} added to the balance`)}
          onFailed={topUp.retry}
        />
      ) : null}
      {topUp.isAdding ? (
        <AddCard
          businessId={businessId}
          wallet={wallet}
          paying={paysByNewCard ? { label: newCardText, check: topUp.checkAmount } : undefined}
          onDone={(saved) => {
            topUp.chooseCard(saved.id);
            if (wallet.tokenUrl !== null) topUp.pay(saved.id);
          }}
        />
      ) : (
        <div>
          <Button kind="text" size="s" icon="plus" needsNetwork onClick={topUp.addCard}>
            {t`Add a card`}
          </Button>
        </div>
      )}
      {hasTransfer && currency === transferCurrency ? (
        <div>
          <ButtonLink kind="text" size="s" icon="bank" to={bankTransferPath(businessId)}>
            {t`Add money by bank transfer`}
          </ButtonLink>
        </div>
      ) : null}
      <p className="sm mute">
        <Trans>
          The money stays yours. You can send what you don't use back to the card it came from at any time.
        </Trans>
      </p>
      <Refused text={topUp.action.refusal} />
      {paysByNewCard ? null : (
        <Button kind="go" full busy={topUp.action.busy} disabled={topUp.underWay} onClick={() => topUp.pay()}>
          {amount && !problem ? t`Add ${amount}` : t`Add money`}
        </Button>
      )}
    </div>
  );
}

/** The text of a refused top-up. At the daily limit, it says how much can still be added, or when. */
export function topUpRefusal(error: unknown): string {
  if (!isApiError(error, 'payment/top-up-limit') || !error.data) return errorText(error);
  const { perDayMinor, leftMinor, currency, from, verified } = error.data;
  const perDay = formatMoney(perDayMinor, currency);
  const remainder = formatMoney(leftMinor, currency);
  const at = formatDate(from, ownTimeZone());
  const now =
    leftMinor > 0
      ? t`You can add ${perDay} in 24 hours, and ${remainder} of it now.`
      : t`You've added the ${perDay} that you can add in 24 hours. You can add more from ${at}.`;
  return verified ? now : t`${now} Verified businesses can add more.`;
}
