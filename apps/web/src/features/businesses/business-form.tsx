import { Trans, useLingui } from '@lingui/react/macro';
import { categoryIds } from '@nearhand/contract/taxonomy';
import type { ReactNode } from 'react';
import { countryOptions } from '../../lib/countries.ts';
import { categoryText } from '../../lib/taxonomy-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { FormPart } from '../../ui/form-part.tsx';
import { Select, TextArea, TextInput } from '../../ui/inputs.tsx';
import { AddressFields } from '../places/places.api.ts';
import type { BusinessErrors, BusinessField, BusinessForm } from './business-form.rules.ts';
import { LogoField } from './logo-field.tsx';

export type BusinessFormProps = {
  form: BusinessForm;
  onChange: (change: Partial<BusinessForm>) => void;
  errors: BusinessErrors;
  /** Id of a field's control, so that two forms can be on the page at once. */
  idOf: (field: BusinessField) => string;
  /** Said beside the legal name of a verified business. */
  legalNote?: ReactNode;
};

/** The fields of a business, for registering and for editing. */
export function BusinessFields(props: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <FormPart title={t`The business`}>
        <AboutFields {...props} />
      </FormPart>
      <FormPart
        title={t`Where it is`}
        lead={t`Workers see how far it is from them. The pin decides, so set it on the door.`}
      >
        <PlaceFields {...props} />
      </FormPart>
      <FormPart title={t`On paper`} lead={t`For verification and invoices. Workers do not see it.`}>
        <LegalFields {...props} />
      </FormPart>
      <FormPart
        title={t`How we reach you`}
        lead={t`Email and phone are for us and your team. The website is public.`}
      >
        <ContactFields {...props} />
      </FormPart>
    </>
  );
}

function AboutFields({ form, onChange, errors, idOf }: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('name')}
        label={t`Name`}
        help={t`As it stands over the door.`}
        autoComplete="organization"
        value={form.name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Select
        id={idOf('category')}
        label={t`Category`}
        placeholder={t`Choose a category`}
        options={categoryIds.map((value) => ({ value, label: categoryText(value) }))}
        value={form.category}
        error={errors.category}
        onChange={(event) => onChange({ category: event.target.value as BusinessForm['category'] })}
      />
      <TextArea
        id={idOf('description')}
        label={t`Description`}
        optional
        help={t`What you do and what it is like to work there.`}
        rows={4}
        maxLength={2_000}
        length={form.description.length}
        value={form.description}
        error={errors.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <LogoField value={form.logo} category={form.category} onChange={(logo) => onChange({ logo })} />
    </>
  );
}

function PlaceFields({ form, onChange, errors, idOf }: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <AddressFields
        own
        value={form}
        onChange={onChange}
        errors={errors}
        idOf={idOf}
        pin={{
          title: t`Where is the door?`,
          help: t`Search for the town, use your position if you are there, then move the pin.`,
        }}
        privateHelp={t`Turn it on where somebody lives there, for example when you hire for your own household.`}
      >
        <Select
          id={idOf('countryCode')}
          label={t`Country`}
          placeholder={t`Choose a country`}
          autoComplete="country"
          help={t`Pay is in its currency.`}
          options={countryOptions()}
          value={form.countryCode}
          error={errors.countryCode}
          onChange={(event) => onChange({ countryCode: event.target.value })}
        />
      </AddressFields>
      {form.privateAddress ? (
        <Banner tone="here" icon="lock-key" live>
          <Trans>
            Workers see the town and a circle of about 500 m. Only people you hire see the street and the pin.
          </Trans>
        </Banner>
      ) : null}
    </>
  );
}

function LegalFields({ form, onChange, errors, idOf, legalNote }: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('legalName')}
        label={t`Legal name`}
        help={legalNote ?? t`As it is registered. Your own name if you hire as a person.`}
        value={form.legalName}
        error={errors.legalName}
        onChange={(event) => onChange({ legalName: event.target.value })}
      />
      <TextInput
        id={idOf('registrationNumber')}
        label={t`Registration number`}
        optional
        help={t`From the trade register of your country. It makes verification quicker.`}
        autoCapitalize="characters"
        value={form.registrationNumber}
        error={errors.registrationNumber}
        onChange={(event) => onChange({ registrationNumber: event.target.value })}
      />
    </>
  );
}

function ContactFields({ form, onChange, errors, idOf }: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('email')}
        type="email"
        inputMode="email"
        label={t`Email`}
        optional
        autoComplete="email"
        value={form.email}
        error={errors.email}
        onChange={(event) => onChange({ email: event.target.value })}
      />
      <TextInput
        id={idOf('phone')}
        type="tel"
        inputMode="tel"
        label={t`Phone`}
        optional
        help={t`With its country code, for example +31 20 123 4567.`}
        autoComplete="tel"
        value={form.phone}
        error={errors.phone}
        onChange={(event) => onChange({ phone: event.target.value })}
      />
      <TextInput
        id={idOf('website')}
        type="url"
        inputMode="url"
        label={t`Website`}
        optional
        autoCapitalize="none"
        value={form.website}
        error={errors.website}
        onChange={(event) => onChange({ website: event.target.value })}
      />
    </>
  );
}
