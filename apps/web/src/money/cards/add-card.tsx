import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { expiryText } from '@nearhand/contract/money/account-mask';
import type { Card } from '@nearhand/contract/money/cards';
import {
  type BankMethod,
  bankMethods,
  cardNumberDigits,
  isCardExpired,
  isCardNumber,
  isSecurityCode,
  methodKind,
  securityCodeDigits,
} from '@nearhand/contract/money/cards.rules';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { errorText } from '../../lib/api/error.labels.ts';
import { sendToProvider } from '../../lib/api/provider-token.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { afterPress } from '../../lib/forms/guard-double-click.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { leaveForProvider, useReturnTo } from '../../lib/pages/use-return-to.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import '../../ui/desk.css';
import { hourMs, subtractMs } from '@nearhand/contract/durations';
import { useAddCard, useOpenCardPage } from './cards.api.ts';

/** If `tokenUrl` is null, the card is entered on the provider's page. */
export type CardFields = { tokenUrl: string | null; bankMethods: readonly BankMethod[]; test: boolean };

/** The expiry of a card, or the payment method of a bank. */
export function methodNote(card: Card): string {
  switch (methodKind(card.brand)) {
    case 'debit':
      return t`Takes several working days`;
    case 'bank':
      return t`You approve each payment at your bank`;
    case 'card':
      return t`Expires ${expiryText(card)}`;
  }
}

type CardField = 'number' | 'expiry' | 'cvc';

type AddCardProps = {
  businessId: string;
  /** A saved bank method is not offered again. */
  wallet: CardFields & { cards?: readonly Card[] };
  onDone: (card: Card) => void;
  /** Saving the card pays at once: the words of its button, and a check of what else is typed. */
  paying?: { label: string; check: () => boolean };
};

export function AddCard({ wallet, paying, ...rest }: AddCardProps) {
  const { tokenUrl, cards = [], test } = wallet;
  const methods = wallet.bankMethods.filter(
    (method) => !cards.some(({ brand }) => brand === bankMethods[method]),
  );
  return tokenUrl === null ? (
    <CardPage {...rest} methods={methods} />
  ) : (
    <CardForm {...rest} paying={paying} tokenUrl={tokenUrl} test={test} />
  );
}

/** Leads to the payment provider's page and back to this step; `ReturnedPage` stores the card (ADR 371). */
function CardPage({
  businessId,
  methods,
  onDone,
}: Omit<AddCardProps, 'wallet' | 'paying'> & { methods: readonly BankMethod[] }) {
  const { t } = useLingui();
  const open = useOpenCardPage();
  const action = useAction(errorText);
  const add = useAddCard();
  const returnTo = useReturnTo();
  const leave = () =>
    action.run(async () => leaveForProvider((await open.mutateAsync({ businessId, ...returnTo })).url));
  return (
    <section className="col g4" aria-label={t`New card`}>
      <p className="mute">
        <Trans>You enter the card on the payment provider's page and come back here afterwards.</Trans>
      </p>
      <Refused text={action.refusal} />
      <Button kind="ink" full icon="arrow-square-out" busy={action.busy} onClick={() => void leave()}>
        {t`Continue to the payment provider`}
      </Button>
      {methods.map((method) => (
        <Button
          key={method}
          kind="out"
          full
          icon="plus"
          busy={action.busy}
          onClick={() =>
            void action.run(async () =>
              onDone(await add.mutateAsync({ businessId, token: `method/${method}` })),
            )
          }
        >
          {t`Add ${bankMethods[method]}`}
        </Button>
      ))}
    </section>
  );
}

type CardFormProps = Omit<AddCardProps, 'wallet'> & { tokenUrl: string; test: boolean };

/** The typed card, and sending it to the provider, whose token the server stores. */
function useCardForm({ businessId, tokenUrl, onDone }: CardFormProps) {
  const { t } = useLingui();
  const add = useAddCard();
  const action = useAction(errorText);
  const expired = t`This card has expired.`;
  const words: Record<CardField, string> = {
    number: t`This card number isn't valid. Check each digit.`,
    expiry: t`Enter the month and year on the card, like 09/28.`,
    cvc: t`Enter the 3 or 4 digits of the security code.`,
  };
  const form = useFormModel<Record<CardField, string>>({
    focusProblems: true,
    start: () => ({ number: '', expiry: '', cvc: '' }),
    check: ({ number, expiry, cvc }) => {
      const late = cardExpiryProblem(expiry, new Date());
      return {
        number: isCardNumber(bareNumber(number)) ? undefined : words.number,
        expiry: late ? (late === 'expired' ? expired : words.expiry) : undefined,
        cvc: isSecurityCode(cvc) ? undefined : words.cvc,
      };
    },
  });
  const send = ({ number, expiry, cvc }: Record<CardField, string>) =>
    action.run(async () => {
      const { month: expiresMonth, year: expiresYear } = readExpiry(expiry) ?? { month: 0, year: 0 };
      const response = await sendToProvider(tokenUrl, {
        kind: 'card',
        number: bareNumber(number),
        expiresMonth,
        expiresYear,
        cvc,
      });
      if ('field' in response) {
        const field = response.field === 'number' || response.field === 'cvc' ? response.field : 'expiry';
        form.refuse({ fields: { [field]: response.problem === 'expired' ? expired : words[field] } });
        return;
      }
      onDone(await add.mutateAsync({ businessId, token: response.token }));
    });
  return { form, action, send };
}

function CardForm(props: CardFormProps) {
  const { test, paying } = props;
  const { t } = useLingui();
  const { form, action, send } = useCardForm(props);
  const { values, problems, idOf, change } = form;
  // A field that was left empty has no problem yet.
  const leave = (field: CardField) => values[field] !== '' && form.verify([field]);
  const submit = () => {
    if (paying && !paying.check()) return form.verify(['number', 'expiry', 'cvc']);
    void form.submit(send);
  };
  return (
    // Forms can't nest, so Enter in this section must submit the card and not the surrounding form.
    <section
      className="col g4"
      aria-label={t`New card`}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        submit();
      }}
    >
      {test ? (
        <Banner icon="info">
          <Trans>
            Test provider: no real money moves. 4242 4242 4242 4242 works, 4000 0000 0000 0002 is declined.
          </Trans>
        </Banner>
      ) : null}
      <TextInput
        label={t`Card number`}
        inputMode="numeric"
        autoComplete="cc-number"
        icon="credit-card"
        help={t`This goes to the payment provider, not to us.`}
        id={idOf('number')}
        value={values.number}
        error={problems.number}
        onChange={(event) => change({ number: groupedNumber(event.target.value) })}
        onBlur={() => afterPress(() => leave('number'))}
      />
      <div className="form-pair">
        <TextInput
          label={t`Expires`}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder={t`MM/YY`}
          id={idOf('expiry')}
          value={values.expiry}
          error={problems.expiry}
          onChange={(event) => change({ expiry: typedExpiry(event.target.value) })}
          onBlur={() => afterPress(() => leave('expiry'))}
        />
        <TextInput
          label={t`Security code`}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={securityCodeDigits.max}
          id={idOf('cvc')}
          value={values.cvc}
          error={problems.cvc}
          onChange={(event) => change({ cvc: plainDigits(event.target.value).replace(/\D/g, '') })}
          onBlur={() => afterPress(() => leave('cvc'))}
        />
      </div>
      <Refused text={action.refusal} />
      <Button kind={paying ? 'go' : 'ink'} full busy={action.busy} onClick={submit}>
        {paying?.label ?? t`Save card`}
      </Button>
    </section>
  );
}

const bareNumber = (text: string): string => plainDigits(text).replace(/\D/g, '');

export const groupedNumber = (text: string): string =>
  bareNumber(text)
    .slice(0, cardNumberDigits.max)
    .replace(/(\d{4})(?=\d)/g, '$1 ');

/**
 * Formats an expiry as `12/28` while it is typed; accepts `1228`, `12
 * 28` and `12/2028`.
 */
export function typedExpiry(text: string): string {
  const digits = plainDigits(text).replace(/\D/g, '');
  if (digits.length > 4) return `${digits.slice(0, 2)}/${digits.slice(4, 6)}`;
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : text.replace(/[^\d/]/g, '');
}

export function readExpiry(text: string): { month: number; year: number } | null {
  const match = /^(\d{1,2})\/(\d{2})$/.exec(text);
  const month = Number(match?.[1]);
  if (!match || month < 1 || month > 12) return null;
  return { month, year: 2000 + Number(match[2]) };
}

/** The last time zone on earth is this far behind UTC; the provider decides. */
const lastZoneMs = 12 * hourMs;

/** The problem of a typed expiry: unreadable, or its month has ended everywhere. */
export function cardExpiryProblem(text: string, now: Date): 'unreadable' | 'expired' | null {
  const expiry = readExpiry(text);
  if (!expiry) return 'unreadable';
  return isCardExpired(expiry, subtractMs(now, lastZoneMs)) ? 'expired' : null;
}
