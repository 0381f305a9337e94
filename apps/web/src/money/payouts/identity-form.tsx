import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { PayoutIdentity } from '@nearhand/contract/money/payouts';
import { useState } from 'react';
import { countryOptions } from '../../lib/countries.ts';
import { errorText } from '../../lib/error-text.ts';
import { useMove } from '../../lib/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextInput } from '../../ui/inputs.tsx';
import { useVerifyIdentity } from './payouts.api.ts';

/** Who is paid, for the provider: the content of a sheet. */
export function IdentityForm({
  test,
  homeCountry,
  onDone,
}: {
  test: boolean;
  /** To begin with; where it is not known it is left to be chosen. */
  homeCountry: string | null;
  onDone: (status: PayoutIdentity['status']) => void;
}) {
  const { t } = useLingui();
  const verify = useVerifyIdentity();
  const move = useMove(errorText);
  const [tried, setTried] = useState(false);
  const [form, setForm] = useState({
    legalName: '',
    bornOn: '',
    countryCode: homeCountry ?? '',
    address: '',
  });
  const set = (part: Partial<typeof form>) => setForm({ ...form, ...part });
  const missing = (text: string, words: string) => (tried && text.trim() === '' ? words : undefined);
  const submit = async () => {
    setTried(true);
    if (Object.values(form).some((text) => text.trim() === '')) return;
    await move.run(async () => onDone((await verify.mutateAsync(form)).status));
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
          The payment provider has to know who it pays. Once you're verified, new pay is available right away
          instead of after a few days.
        </Trans>
      </p>
      <TextInput
        label={t`Legal name`}
        help={t`As shown on your passport or ID card.`}
        autoComplete="name"
        maxLength={limits.nameMax}
        value={form.legalName}
        error={missing(form.legalName, t`Enter your legal name.`)}
        onChange={(event) => set({ legalName: event.target.value })}
      />
      <TextInput
        label={t`Date of birth`}
        type="date"
        autoComplete="bday"
        value={form.bornOn}
        error={missing(form.bornOn, t`Enter your date of birth.`)}
        help={test ? t`Test provider: 1901-01-01 is verified right away, 1902-01-01 is rejected.` : undefined}
        onChange={(event) => set({ bornOn: event.target.value })}
      />
      <Select
        label={t`Country`}
        options={countryOptions()}
        placeholder={t`Choose`}
        autoComplete="country"
        value={form.countryCode}
        error={missing(form.countryCode, t`Pick the country you live in.`)}
        onChange={(event) => set({ countryCode: event.target.value })}
      />
      <TextInput
        label={t`Address`}
        autoComplete="street-address"
        maxLength={limits.addressMax}
        value={form.address}
        error={missing(form.address, t`Enter your address.`)}
        onChange={(event) => set({ address: event.target.value })}
      />
      <Refused text={move.refusal} />
      <Button kind="ink" type="submit" full busy={move.busy}>
        {t`Send for verification`}
      </Button>
    </form>
  );
}
