import { Trans, useLingui } from '@lingui/react/macro';
import type { Card } from '@nearhand/contract/money/cards';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { sendToProvider } from '../../lib/provider-token.ts';
import { useMove } from '../../lib/use-move.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import '../../ui/desk.css';
import {
  expiryProblem,
  fitsCheckDigit,
  groupedNumber,
  readExpiry,
  typedExpiry,
} from './card-fields.rules.ts';
import { useAddCard } from './cards.api.ts';

/** Where the card number goes, and whether it is a test provider. */
export type CardFields = { tokenUrl: string; test: boolean };

type Wrong = Partial<Record<'number' | 'expiry' | 'cvc', string | undefined>>;

/** A new card, sent to the provider past us: fields and a button, to stand in a sheet or under a choice. */
export function AddCard({
  businessId,
  wallet,
  onDone,
}: {
  businessId: string;
  wallet: CardFields;
  onDone: (card: Card) => void;
}) {
  const { t } = useLingui();
  const add = useAddCard();
  const move = useMove(errorText);
  const [form, setForm] = useState({ number: '', expiry: '', cvc: '' });
  const [wrong, setWrong] = useState<Wrong>({});
  const problems = {
    number: t`This card number isn't valid. Check each digit.`,
    expiry: t`Enter the month and year on the card, like 09/28.`,
    cvc: t`Enter the 3 or 4 digits of the security code.`,
  };
  const expired = t`This card has expired.`;
  const set = (part: Partial<typeof form>) => {
    setForm({ ...form, ...part });
    const [field] = Object.keys(part);
    setWrong({ ...wrong, [field ?? '']: undefined });
  };
  const judge = (field: keyof Wrong): string | undefined => {
    if (field === 'number') return fitsCheckDigit(form.number) ? undefined : problems.number;
    if (field === 'cvc') return /^\d{3,4}$/.test(form.cvc) ? undefined : problems.cvc;
    const problem = expiryProblem(form.expiry, new Date());
    return problem === 'expired' ? expired : problem ? problems.expiry : undefined;
  };
  // Said on leaving a field, not while it is typed, and not of one that was only passed.
  const leave = (field: keyof Wrong) => form[field] !== '' && setWrong({ ...wrong, [field]: judge(field) });
  const submit = async () => {
    const found: Wrong = { number: judge('number'), expiry: judge('expiry'), cvc: judge('cvc') };
    setWrong(found);
    const expiry = readExpiry(form.expiry);
    if (found.number || found.expiry || found.cvc || !expiry) return;
    await move.run(async () => {
      const answer = await sendToProvider(wallet.tokenUrl, {
        kind: 'card',
        number: form.number.replace(/\D/g, ''),
        expiresMonth: expiry.month,
        expiresYear: expiry.year,
        cvc: form.cvc,
      });
      if ('field' in answer) {
        const field = answer.field === 'number' || answer.field === 'cvc' ? answer.field : 'expiry';
        setWrong({ [field]: answer.problem === 'expired' ? expired : problems[field] });
        return;
      }
      onDone(await add.mutateAsync({ businessId, token: answer.token }));
    });
  };
  return (
    // It stands inside the form of what is paid, and a form cannot: Enter is for the card, not for that.
    <section
      className="col g4"
      aria-label={t`New card`}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        void submit();
      }}
    >
      {wallet.test ? (
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
        value={form.number}
        error={wrong.number}
        onChange={(event) => set({ number: groupedNumber(event.target.value) })}
        onBlur={() => leave('number')}
      />
      <div className="form-pair">
        <TextInput
          label={t`Expires`}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder={t`MM/YY`}
          value={form.expiry}
          error={wrong.expiry}
          onChange={(event) => set({ expiry: typedExpiry(event.target.value) })}
          onBlur={() => leave('expiry')}
        />
        <TextInput
          label={t`Security code`}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={4}
          value={form.cvc}
          error={wrong.cvc}
          onChange={(event) => set({ cvc: event.target.value.replace(/\D/g, '') })}
          onBlur={() => leave('cvc')}
        />
      </div>
      <Refused text={move.refusal} />
      <Button kind="ink" full busy={move.busy} onClick={() => void submit()}>
        {t`Save card`}
      </Button>
    </section>
  );
}
