import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { moneyLimits } from '@nearhand/contract/money/limits';
import type { PayoutIdentity } from '@nearhand/contract/money/payouts';
import { birthdayProblem } from '@nearhand/contract/money/payouts.rules';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { nameError } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { countryOptions } from '../../lib/words/countries.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useVerifyIdentity } from './payouts.api.ts';

type IdentityFields = { legalName: string; bornOn: string; countryCode: string; address: string };
type IdentityField = keyof IdentityFields;

export function IdentityForm({
  test,
  homeCountry,
  onDone,
}: {
  test: boolean;
  homeCountry: string | null;
  onDone: (status: PayoutIdentity['status']) => void;
}) {
  const { t } = useLingui();
  const verify = useVerifyIdentity();
  const action = useAction(errorText);
  const form = useFormModel<IdentityFields>({
    focusProblems: true,
    start: () => ({ legalName: '', bornOn: '', countryCode: homeCountry ?? '', address: '' }),
    check: (values) => {
      const words = {
        legalName: t`Enter your legal name.`,
        bornOn: t`Enter your date of birth.`,
        countryCode: t`Pick the country you live in.`,
        address: t`Enter your address.`,
      };
      const empty = (Object.keys(words) as IdentityField[]).filter((field) => values[field].trim() === '');
      const birthday = values.bornOn === '' ? null : birthdayProblem(values.bornOn, new Date());
      const age = moneyLimits.identityAgeMin;
      const name = nameError(values.legalName, 'person', limits.nameMax);
      return {
        legalName: name,
        ...Object.fromEntries(empty.map((field) => [field, words[field]])),
        ...(birthday === 'impossible'
          ? { bornOn: t`Check the year: this can't be your date of birth.` }
          : {}),
        ...(birthday === 'too-young' ? { bornOn: t`You have to be at least ${age} to be verified.` } : {}),
      };
    },
  });
  const send = (input: IdentityFields) =>
    action.run(async () => onDone((await verify.mutateAsync(input)).status));
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p className="mute">
        <Trans>
          The payment provider has to know who it pays. Once you're verified, new pay is available right away
          instead of after a few days.
        </Trans>
      </p>
      <TextInput
        label={t`Legal name`}
        help={t`As shown on your passport or ID card.`}
        autoComplete="name"
        maxLength={limits.nameMax}
        {...form.textField('legalName')}
      />
      <TextInput
        label={t`Date of birth`}
        type="date"
        autoComplete="bday"
        {...form.textField('bornOn')}
        help={test ? t`Test provider: 1901-01-01 is verified right away, 1902-01-01 is rejected.` : undefined}
      />
      <Select
        label={t`Country`}
        options={countryOptions()}
        placeholder={t`Choose`}
        autoComplete="country"
        {...form.textField('countryCode')}
      />
      <TextInput
        label={t`Address`}
        autoComplete="street-address"
        maxLength={limits.addressMax}
        {...form.textField('address')}
      />
      <HelpLink article="verify-identity">{t`Why we check your identity`}</HelpLink>
      <Refused text={action.refusal} />
      <Button kind="ink" type="submit" full busy={action.busy}>
        {t`Send for verification`}
      </Button>
    </Form>
  );
}
