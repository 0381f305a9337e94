import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { TaxDetails } from '@nearhand/contract/money/worker-invoices';
import {
  hasVatRules,
  smallBusinessLaw,
  taxProblems,
  type VatStatus,
} from '@nearhand/contract/money/worker-invoices.rules';
import { useMutation } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { countryOptions } from '../../lib/words/countries.ts';
import { companyProblemText } from '../../people/businesses/business-form.rules.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type Choice, RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import '../../ui/desk.css';

type Fields = Omit<TaxDetails, 'updatedAt' | 'vatStatus' | 'vatSince'> & {
  vatStatus: VatStatus | '';
  vatSince: string;
};

const empty: Fields = {
  legalName: '',
  street: '',
  postcode: '',
  town: '',
  countryCode: '',
  taxNumber: '',
  vatStatus: '',
  vatId: '',
  vatSince: '',
};

const inputFrom = ({ vatStatus, vatId, vatSince, ...fields }: Fields) => {
  const isRegistered = vatStatus === 'registered';
  return {
    ...fields,
    vatStatus: vatStatus || ('unsure' as const),
    vatId: isRegistered ? vatId : '',
    vatSince: isRegistered && vatSince !== '' ? vatSince : null,
  };
};

export const refetchWorkerInvoices = () =>
  queryClient.invalidateQueries({ queryKey: apiQuery.workerInvoices.key() });

function detailProblems(values: Fields): Partial<Record<keyof Fields, string>> {
  const missing = {
    legalName: t`Enter your legal name.`,
    street: t`Enter your street and number.`,
    postcode: t`Enter your postcode.`,
    town: t`Enter your town.`,
    countryCode: t`Pick the country you live in.`,
    taxNumber: t`Enter your tax number. Without a VAT ID, an invoice needs one.`,
    vatStatus: t`Choose one of the options.`,
    vatId: t`Enter your VAT ID.`,
    vatSince: t`Enter the first day with VAT.`,
  };
  const problems: Partial<Record<keyof Fields, string>> = {};
  for (const field of ['legalName', 'street', 'town', 'countryCode'] as const)
    if (values[field].trim() === '') problems[field] = missing[field];
  if (values.vatStatus === '') problems.vatStatus = missing.vatStatus;
  for (const { path, rule } of taxProblems(inputFrom(values))) {
    const field = path as keyof Fields;
    problems[field] ??= rule === 'missing' ? missing[field] : companyProblemText(rule, values.countryCode);
  }
  return problems;
}

/** Edits the worker's particulars on invoices. */
export function TaxDetailsForm({ details, onDone }: { details: TaxDetails | null; onDone: () => void }) {
  const { t } = useLingui();
  const save = useMutation({
    mutationFn: sendOnce('workerInvoices.saveDetails', api.workerInvoices.saveDetails),
    onSuccess: refetchWorkerInvoices,
  });
  const action = useAction(errorText);
  const form = useFormModel<Fields>({
    focusProblems: true,
    start: () => {
      if (details === null) return empty;
      const { updatedAt: _at, vatSince, ...fields } = details;
      return { ...fields, vatSince: vatSince ?? '' };
    },
    check: detailProblems,
  });
  const { values, problems, idOf, change } = form;
  // The same choice means something else next to other choices.
  const changeCountry = (countryCode: string) =>
    change({
      countryCode,
      vatStatus: offersVat(countryCode) === offersVat(values.countryCode) ? values.vatStatus : '',
    });
  const send = (fields: Fields) =>
    action.run(async () => {
      await save.mutateAsync(inputFrom(fields));
      onDone();
    });
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p className="mute">
        <Trans>Your invoices show these to the businesses you work for.</Trans>
      </p>
      <TextInput label={t`Legal name`} autoComplete="name" {...form.textField('legalName')} />
      <TextInput label={t`Street and number`} autoComplete="street-address" {...form.textField('street')} />
      <div className="form-pair">
        <TextInput label={t`Postcode`} autoComplete="postal-code" {...form.textField('postcode')} />
        <TextInput label={t`Town`} autoComplete="address-level2" {...form.textField('town')} />
      </div>
      <Select
        label={t`Country`}
        options={countryOptions()}
        placeholder={t`Choose`}
        autoComplete="country"
        id={idOf('countryCode')}
        value={values.countryCode}
        error={problems.countryCode}
        onChange={(event) => changeCountry(event.target.value)}
      />
      <RadioGroup
        legend={t`Are you registered for VAT?`}
        options={vatOptions(values.countryCode)}
        value={values.vatStatus || null}
        error={problems.vatStatus}
        onChange={(vatStatus) => change({ vatStatus })}
      />
      {values.vatStatus === 'registered' ? (
        <>
          <TextInput
            label={t`VAT ID`}
            help={t`Your invoices show VAT as part of what you were paid.`}
            autoCapitalize="characters"
            {...form.textField('vatId')}
          />
          <TextInput
            label={t`VAT applies from`}
            type="date"
            help={t`The day your registration began. Work paid before that day has no VAT.`}
            {...form.textField('vatSince')}
          />
        </>
      ) : null}
      <TextInput
        label={t`Tax number`}
        optional={values.vatStatus === 'registered' || values.vatStatus === 'unsure'}
        help={t`From the tax office or your country’s business register. Needed without a VAT ID.`}
        {...form.textField('taxNumber')}
      />
      <Refused text={action.refusal} />
      <div className="sheet-act">
        <Button kind="ink" type="submit" full busy={action.busy} needsNetwork>
          {t`Save tax details`}
        </Button>
      </div>
    </Form>
  );
}

const offersVat = (countryCode: string): boolean => countryCode === '' || hasVatRules(countryCode);

function vatOptions(countryCode: string): Choice<VatStatus>[] {
  if (!offersVat(countryCode))
    return [
      { value: 'exempt', label: t`No`, help: t`Your invoices have no VAT.` },
      {
        value: 'unsure',
        label: t`Yes, or I’m not sure`,
        help: t`You get pro formas and write your own invoices: ours can’t show your country’s VAT.`,
      },
    ];
  const law = countryCode === '' ? '' : smallBusinessLaw(countryCode);
  return [
    { value: 'registered', label: t`Yes` },
    {
      value: 'exempt',
      label: t`No, I’m in the small-business scheme`,
      help: law === '' ? undefined : t`Your invoices have no VAT and cite its law: ${law}.`,
    },
    {
      value: 'unsure',
      label: t`I’m not sure`,
      help: t`You get pro formas, and no invoices, until you answer. Your tax office can tell you.`,
    },
  ];
}
