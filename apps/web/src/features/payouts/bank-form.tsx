import { Trans, useLingui } from '@lingui/react/macro';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import { limits } from '@nearhand/contract/limits';
import type { PayoutMethod } from '@nearhand/contract/payouts';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { type BankDetails, sendToProvider } from '../../lib/provider-token.ts';
import { useMove } from '../../lib/use-move.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/inputs.tsx';
import { useAddMethod } from './payouts.api.ts';

const grouped = (text: string) =>
  text
    .replace(/[^a-z0-9]/gi, '')
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, '$1 ');

/** A new bank account, sent to the provider past us: the content of a sheet. */
export function BankForm({
  tokenUrl,
  test,
  currency,
  holdDays,
  onDone,
}: {
  tokenUrl: string;
  test: boolean;
  currency: Currency;
  holdDays: number;
  onDone: (added: PayoutMethod) => void;
}) {
  const { t } = useLingui();
  const add = useAddMethod();
  const move = useMove(errorText);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [form, setForm] = useState({
    holderName: '',
    currency: currency as string,
    iban: '',
    routing: '',
    account: '',
  });
  const american = form.currency === 'USD';
  const set = (part: Partial<typeof form>) => {
    setForm({ ...form, ...part });
    setWrong({});
  };
  const problems: Record<string, string> = {
    holderName: t`Say whose account it is.`,
    iban: t`This is not a valid IBAN. Check it letter by letter.`,
    routing: t`This is not a valid routing number. It has nine digits.`,
    account: t`This is not a valid account number.`,
    currency: t`This currency cannot be paid out to this account.`,
  };
  const details = (): BankDetails =>
    american
      ? {
          kind: 'bank',
          holderName: form.holderName.trim(),
          country: 'US',
          currency: 'USD',
          routing: form.routing.replace(/\D/g, ''),
          account: form.account.replace(/\D/g, ''),
        }
      : {
          kind: 'bank',
          holderName: form.holderName.trim(),
          // An IBAN begins with its country.
          country: form.iban.slice(0, 2).toUpperCase(),
          currency: form.currency,
          iban: form.iban.replace(/\s/g, ''),
        };
  const submit = async () => {
    const empty = (american ? ['holderName', 'routing', 'account'] : ['holderName', 'iban']).filter(
      (field) => form[field as keyof typeof form].trim() === '',
    );
    if (empty.length > 0) {
      setWrong(Object.fromEntries(empty.map((field) => [field, problems[field] ?? ''])));
      return;
    }
    const done = await move.run(async () => {
      const answer = await sendToProvider(tokenUrl, details());
      if ('field' in answer) {
        setWrong({ [answer.field]: problems[answer.field] ?? answer.problem });
        return;
      }
      onDone(await add.add(answer.token));
    });
    return done;
  };
  return (
    <form
      className="col g4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="mute">
        <Trans>
          The number goes to the payment provider, not to us. For your safety a new account can be used{' '}
          {holdDays} days after it was added.
        </Trans>
      </p>
      {test ? (
        <Banner icon="info">
          <Trans>Test provider: no real money moves. Example: NL89 NRHD 0000 0090 00.</Trans>
        </Banner>
      ) : null}
      <Select
        label={t`Currency`}
        options={currencies.map((one) => ({ value: one, label: one }))}
        value={form.currency}
        error={wrong.currency}
        onChange={(event) => set({ currency: event.target.value })}
      />
      <TextInput
        label={t`Account holder`}
        autoComplete="name"
        maxLength={limits.nameMax}
        value={form.holderName}
        error={wrong.holderName}
        onChange={(event) => set({ holderName: event.target.value })}
      />
      {american ? (
        <>
          <TextInput
            label={t`Routing number`}
            inputMode="numeric"
            autoComplete="off"
            value={form.routing}
            error={wrong.routing}
            onChange={(event) => set({ routing: event.target.value })}
          />
          <TextInput
            label={t`Account number`}
            inputMode="numeric"
            autoComplete="off"
            value={form.account}
            error={wrong.account}
            onChange={(event) => set({ account: event.target.value })}
          />
        </>
      ) : (
        <TextInput
          label={t`IBAN`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={50}
          value={form.iban}
          error={wrong.iban}
          onChange={(event) => set({ iban: grouped(event.target.value) })}
        />
      )}
      <Refused text={move.refusal} />
      <Button kind="ink" type="submit" full busy={move.busy}>
        {t`Add this account`}
      </Button>
    </form>
  );
}
