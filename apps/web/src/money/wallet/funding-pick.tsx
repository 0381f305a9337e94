import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { cardText } from '@nearhand/contract/money/account-mask';
import type { Card } from '@nearhand/contract/money/cards';
import { methodKind } from '@nearhand/contract/money/cards.rules';
import type { Charge } from '@nearhand/contract/money/charges';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { isNative } from '../../lib/device/platform.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type Choice, RadioGroup } from '../../ui/controls/choices.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { BudgetNotes, type PlannedOffer } from '../budgets/budgets.tsx';
import { AddCard, methodNote } from '../cards/add-card.tsx';
import { ChargeProgress } from '../charges/charge-progress.tsx';
import { balanceIn, useSeesBalance, useWallet, type Wallet } from './wallet.api.ts';

type Props = {
  businessId: string;
  currency: Currency;
  amountMinor: number;
  /** Money that the same step returns to the balance first. */
  returningMinor?: number;
  /** A tip or bonus, which promotional credit doesn't pay. */
  forTip?: boolean;
  /** Offers, which count against budgets. */
  offers?: readonly PlannedOffer[];
  legend?: string;
  /** Undefined until the payment methods are loaded. */
  value: FundingSource | null | undefined;
  onChange: (value: FundingSource | null) => void;
  /** The number of times the form's button was pressed: without a payment method, each press leads here. */
  asks?: number;
};

/** The card suggested for a payment: the default one, unless its last payment was declined. */
export const suggestedCard = (cards: readonly Card[]): Card | undefined =>
  cards.find(({ isDefault, declined }) => isDefault && !declined) ?? cards.find(({ declined }) => !declined);

/** Bank methods are for euros only. */
export const methodsFor = (cards: readonly Card[], currency: Currency): Card[] =>
  cards.filter(({ brand }) => currency === 'EUR' || methodKind(brand) === 'card');

export function cardNote(card: Card): string {
  if (card.declined) return t`Declined last time`;
  return methodNote(card);
}

/** The default payment method: the balance if it is enough, otherwise the suggested card. */
export function firstFunding(
  wallet: Pick<Wallet, 'balances' | 'cards'>,
  currency: Currency,
  amountMinor: number,
  forTip = false,
  returningMinor = 0,
): FundingSource | null {
  if (balanceIn(wallet, currency, forTip) + returningMinor >= amountMinor) return { from: 'balance' };
  const card = suggestedCard(methodsFor(wallet.cards, currency));
  return card ? fromCard(card.id) : null;
}

const fromCard = (cardId: string): FundingSource => ({
  from: 'card',
  cardId,
  inApp: isNative() || undefined,
});

/**
 * Pays from the balance or a saved card; a card can be added on the spot. Null while there is nothing to pay
 * with.
 */
export function FundingPick(props: Props) {
  const { t } = useLingui();
  const query = useWallet(props.businessId);
  if (!useSeesBalance(props.businessId)) return <UnseenBalance {...props} />;
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={2} />}
      errorTitle={t`We couldn't load your payment methods`}
    >
      {(wallet) => (
        <>
          <PickSource {...props} wallet={wallet} />
          {props.offers ? <BudgetNotes offers={props.offers} /> : null}
        </>
      )}
    </QueryState>
  );
}

/** Pays from the balance without showing it, for a role that may not see it. */
function UnseenBalance({ currency, amountMinor, offers, value, onChange }: Props) {
  const cost = formatMoney(amountMinor, currency);
  useEffect(() => {
    if (value?.from !== 'balance') onChange({ from: 'balance' });
  }, [value, onChange]);
  return (
    <>
      <p>
        <Trans>{cost} is set aside from the balance of your business.</Trans>
      </p>
      {offers ? <BudgetNotes offers={offers} /> : null}
    </>
  );
}

/** The chosen source of the money, shown next to the button of a long form. */
export function PaidFrom({ businessId, value }: Pick<Props, 'businessId' | 'value'>) {
  const { t } = useLingui();
  const cards = useWallet(businessId).data?.cards ?? [];
  if (!value) return null;
  const card = value.from === 'card' ? cards.find(({ id }) => id === value.cardId) : null;
  return (
    <p className="sm mute">
      {value.from === 'balance' ? t`From your balance` : card ? t`With ${cardText(card)}` : null}
    </p>
  );
}

function PickSource({
  wallet,
  businessId,
  currency,
  amountMinor,
  returningMinor = 0,
  forTip = false,
  legend,
  value,
  onChange,
  asks = 0,
}: Props & { wallet: Wallet }) {
  const { t } = useLingui();
  const [adding, setAdding] = useState(false);
  const available = balanceIn(wallet, currency, forTip) + returningMinor;
  const short = available < amountMinor;
  const missing = formatMoney(Math.max(0, amountMinor - available), currency);
  const after = formatMoney(available - amountMinor, currency);
  const first = firstFunding(wallet, currency, amountMinor, forTip, returningMinor);
  const [pickedMethod, setPickedMethod] = useState<string | null>(null);
  const isPicked = value && pickedMethod === (value.from === 'balance' ? 'balance' : value.cardId);
  const isPickPossible =
    isPicked && (value.from === 'balance' ? !short : wallet.cards.some(({ id }) => id === value.cardId));
  // Until someone picks, the suggestion follows the amount, so that a corrected amount is paid from the
  // balance again.
  useEffect(() => {
    if (!isPickPossible && JSON.stringify(first) !== JSON.stringify(value)) onChange(first);
  }, [isPickPossible, first, value, onChange]);
  const box = useRef<HTMLDivElement>(null);
  const isUnfunded = asks > 0 && value === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on every press, not only the first.
  useEffect(() => {
    if (isUnfunded) box.current?.scrollIntoView?.({ block: 'center' });
  }, [asks, isUnfunded]);
  const options: Choice<string>[] = [
    {
      value: 'balance',
      label: t`Balance, ${formatMoney(available - returningMinor, currency)}`,
      help: short ? t`${missing} short` : amountMinor > 0 ? t`${after} left after this` : undefined,
      disabled: short,
    },
    ...methodsFor(wallet.cards, currency).map((card: Card) => ({
      value: card.id,
      label: cardText(card),
      help: cardNote(card),
    })),
  ];
  return (
    <div className="col g3" ref={box}>
      <RadioGroup
        legend={legend ?? t`Pay with`}
        error={
          isUnfunded && wallet.canManage
            ? t`Your balance is too low for this. Add money, or use a card.`
            : undefined
        }
        options={options}
        value={value?.from === 'balance' ? 'balance' : (value?.cardId ?? null)}
        onChange={(option) => {
          setPickedMethod(option);
          onChange(option === 'balance' ? { from: 'balance' } : fromCard(option));
        }}
      />
      {adding ? (
        <AddCard
          businessId={businessId}
          wallet={wallet}
          onDone={(card) => {
            setAdding(false);
            setPickedMethod(card.id);
            onChange(fromCard(card.id));
          }}
        />
      ) : null}
      {!adding && wallet.canManage ? (
        <div>
          <Button kind="text" size="s" icon="plus" needsNetwork onClick={() => setAdding(true)}>
            {t`Add a card`}
          </Button>
        </div>
      ) : null}
      {!adding && !wallet.canManage && wallet.cards.length === 0 && short ? (
        <Banner tone="wait" icon="wallet">
          <Trans>Your balance is too low and there's no saved card. Ask an owner to add one.</Trans>
        </Banner>
      ) : null}
    </div>
  );
}

type PaymentFormProps = {
  businessId: string;
  currency: Currency;
  amountMinor: number;
  kind: 'go' | 'ink';
  label: string;
  /** `charge` is a card payment that may still need confirmation. */
  pay: (funding: FundingSource) => Promise<{ charge: Charge | null; isPaid: boolean }>;
  onDone: () => void;
};

/** Pays an amount from the balance or by card, and follows the card payment to its end. */
export function PaymentForm({ kind, label, pay, onDone, ...amount }: PaymentFormProps) {
  const action = useAction(errorText);
  const [funding, setFunding] = useState<FundingSource | null>(null);
  const [charge, setCharge] = useState<Charge | null>(null);
  const submit = async () => {
    if (!funding) return;
    const payment = await pay(funding);
    if (payment.isPaid) onDone();
    else setCharge(payment.charge);
  };
  return (
    <>
      {charge ? (
        <ChargeProgress key={charge.id} charge={charge} onDone={onDone} onFailed={() => setFunding(null)} />
      ) : null}
      <FundingPick key={`from ${charge?.id}`} {...amount} value={funding} onChange={setFunding} />
      <Refused text={action.refusal} />
      <Button
        kind={kind}
        full
        busy={action.busy}
        disabled={funding === null}
        onClick={() => void action.run(submit)}
      >
        {label}
      </Button>
    </>
  );
}
