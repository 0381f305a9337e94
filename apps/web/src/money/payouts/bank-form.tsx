import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import { limits } from '@nearhand/contract/limits';
import type { PayoutMethod } from '@nearhand/contract/money/payouts';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { errorText } from '../../lib/api/error.labels.ts';
import { type BankDetails, sendToProvider } from '../../lib/api/provider-token.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useAddMethod } from './payouts.api.ts';

/** The longest IBAN as typed: 34 characters plus spaces, with some slack. */
const typedIbanMax = 50;

const groupedIban = (text: string) =>
  text
    .replace(/[^a-z0-9]/gi, '')
    .toUpperCase()
    .replace(/(.{4})(?=.)/g, '$1 ');

type BankFields = { holderName: string; currency: string; iban: string; routing: string; account: string };
type BankField = keyof BankFields;

const fieldsFor = ({ currency }: BankFields): BankField[] =>
  currency === 'USD' ? ['holderName', 'routing', 'account'] : ['holderName', 'iban'];

const bankProblems = (): Record<BankField, string> => ({
  holderName: t`Enter the account holder's name.`,
  iban: t`This IBAN isn't valid. Check each character.`,
  routing: t`This routing number isn't valid. It has nine digits.`,
  account: t`This account number isn't valid.`,
  currency: t`This account can't receive this currency.`,
});

const missingProblems = (): Record<BankField, string> => ({
  ...bankProblems(),
  iban: t`Enter the IBAN.`,
  routing: t`Enter the routing number.`,
  account: t`Enter the account number.`,
});

/** True if a number has letters missing or swapped: ISO 13616 for an IBAN, nine digits for a routing number. */
function isMistyped(field: BankField, typed: string): boolean {
  if (field === 'routing') return plainDigits(typed).replace(/\D/g, '').length !== 9;
  if (field !== 'iban') return false;
  const iban = typed.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return true;
  const digits = [...(iban.slice(4) + iban.slice(0, 4))]
    .map((letter) => Number.parseInt(letter, 36))
    .join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) !== 1;
}

const detailsOf = ({ holderName, currency, iban, routing, account }: BankFields): BankDetails =>
  currency === 'USD'
    ? {
        kind: 'bank',
        holderName: holderName.trim(),
        country: 'US',
        currency: 'USD',
        routing: plainDigits(routing).replace(/\D/g, ''),
        account: plainDigits(account).replace(/\D/g, ''),
      }
    : {
        kind: 'bank',
        holderName: holderName.trim(),
        // An IBAN begins with its country.
        country: iban.slice(0, 2).toUpperCase(),
        currency,
        iban: iban.replace(/\s/g, ''),
      };

type BankFormProps = {
  tokenUrl: string;
  test: boolean;
  currency: Currency;
  /** The name to start with. */
  holderName: string;
  holdDays: number;
  onDone: (method: PayoutMethod) => void;
};

export function BankForm({ tokenUrl, test, currency, holderName, holdDays, onDone }: BankFormProps) {
  const { t } = useLingui();
  const add = useAddMethod();
  const action = useAction(errorText);
  const form = useFormModel<BankFields>({
    focusProblems: true,
    start: () => ({ holderName, currency, iban: '', routing: '', account: '' }),
    // The provider would refuse these one at a time.
    check: (values) =>
      Object.fromEntries(
        fieldsFor(values).flatMap((field) => {
          if (values[field].trim() === '') return [[field, missingProblems()[field]]];
          return isMistyped(field, values[field]) ? [[field, bankProblems()[field]]] : [];
        }),
      ),
  });
  const { values, change, idOf } = form;
  const isAmerican = values.currency === 'USD';
  const submit = () =>
    action.run(async () => {
      const response = await sendToProvider(tokenUrl, detailsOf(values));
      if ('field' in response) {
        // The country is read from the number, so a wrong one is shown there.
        const fields: BankField[] = ['currency', ...fieldsFor(values)];
        const field = fields.find((name) => name === response.field) ?? (isAmerican ? 'account' : 'iban');
        form.refuse({ fields: { [field]: bankProblems()[field] } });
        return;
      }
      onDone(await add.add(response.token));
    });
  return (
    <Form onSubmit={() => void form.submit(submit)}>
      <p className="mute">
        <Trans>
          Your account number goes to the payment provider, not to us. For your safety, you can use a new
          account {holdDays} days after you add it.
        </Trans>
      </p>
      {test ? (
        <Banner icon="info">
          <Trans>Test provider: no real money moves. Example: NL89 NRHD 0000 0090 00.</Trans>
        </Banner>
      ) : null}
      <Select
        label={t`Currency`}
        options={currencies.map((currency) => ({ value: currency, label: currency }))}
        {...form.textField('currency')}
      />
      <TextInput
        label={t`Account holder`}
        autoComplete="name"
        maxLength={limits.nameMax}
        {...form.textField('holderName')}
      />
      {isAmerican ? (
        <>
          <TextInput
            label={t`Routing number`}
            inputMode="numeric"
            autoComplete="off"
            {...form.textField('routing')}
          />
          <TextInput
            label={t`Account number`}
            inputMode="numeric"
            autoComplete="off"
            {...form.textField('account')}
          />
        </>
      ) : (
        <TextInput
          label={t`IBAN`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={typedIbanMax}
          id={idOf('iban')}
          value={values.iban}
          error={form.problems.iban}
          onChange={(event) => change({ iban: groupedIban(event.target.value) })}
        />
      )}
      <HelpLink article="bank-account">{t`About bank accounts`}</HelpLink>
      <Refused text={action.refusal} />
      <Button kind="ink" type="submit" full busy={action.busy}>
        {t`Add account`}
      </Button>
    </Form>
  );
}
