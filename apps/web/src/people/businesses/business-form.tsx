import { Trans, useLingui } from '@lingui/react/macro';
import { businessLimits } from '@nearhand/contract/people/businesses.rules';
import { companyExamples } from '@nearhand/contract/people/company-facts.rules';
import type { StoredFile } from '@nearhand/contract/people/files';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import { type ReactNode, useRef, useState } from 'react';
import { phoneExample, usePhones } from '../../lib/forms/phone.ts';
import { pictureErrorText, pictureProblem } from '../../lib/forms/picture.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { categoryText } from '../../lib/words/category.labels.ts';
import { countryOptions } from '../../lib/words/countries.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { FormPart } from '../../ui/controls/form-part.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { AddressFields } from '../places/address-fields.tsx';
import { currencyNote, useCountryOfPin } from './business-country.ts';
import type { BusinessErrors, BusinessField, BusinessForm } from './business-form.rules.ts';
import { useUploadPicture } from './businesses.api.ts';

export type BusinessFormProps = {
  form: BusinessForm;
  onChange: (change: Partial<BusinessForm>) => void;
  errors: BusinessErrors;
  idOf: (field: BusinessField) => string;
  /** A new business's legal name follows its name until someone changes it. */
  fresh?: boolean;
  legalNote?: ReactNode;
  /** The result of the check of the saved VAT id. */
  vatIdNote?: ReactNode;
};

export function BusinessFields(props: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <FormPart title={t`The business`}>
        <AboutFields {...props} />
      </FormPart>
      <FormPart
        title={t`Location`}
        lead={t`Workers see how far away it is. Distance is measured from the pin, so put it on the entrance.`}
      >
        <PlaceFields {...props} />
      </FormPart>
      <FormPart title={t`Legal details`} lead={t`For verification and invoices. Workers don't see it.`}>
        <LegalFields {...props} />
      </FormPart>
      <FormPart
        title={t`Registered address`}
        lead={t`In the country above. Your invoices need it, even if it's also where people work.`}
      >
        <SpotFields {...props} />
      </FormPart>
      <FormPart
        title={t`Contact details`}
        lead={t`Only we and your team see the email and phone number. The website is public.`}
      >
        <ContactFields {...props} />
      </FormPart>
    </>
  );
}

function AboutFields({ form, onChange, errors, idOf, fresh = false }: BusinessFormProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('name')}
        label={t`Name`}
        help={t`The name on your sign.`}
        autoComplete="organization"
        value={form.name}
        error={errors.name}
        onChange={({ target: { value: name } }) =>
          onChange({ name, ...(fresh && form.legalName === form.name ? { legalName: name } : {}) })
        }
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
        help={t`What you do and what it's like to work with you.`}
        rows={4}
        maxLength={businessLimits.description}
        length={form.description.length}
        value={form.description}
        error={errors.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <PictureField
        id={idOf('logo')}
        purpose="logo"
        value={form.logo}
        error={errors.logo}
        onChange={(logo) => onChange({ logo })}
      />
      <PictureField
        id={idOf('cover')}
        purpose="photo"
        value={form.cover}
        error={errors.cover}
        onChange={(cover) => onChange({ cover })}
      />
    </>
  );
}

function PlaceFields({ form, onChange, errors, idOf, fresh = false }: BusinessFormProps) {
  const { t } = useLingui();
  useCountryOfPin(form.point, (countryCode) => onChange({ countryCode }));
  return (
    <>
      <AddressFields
        own
        value={form}
        onChange={onChange}
        errors={errors}
        idOf={idOf}
        pin={{
          title: t`Where's the entrance?`,
          help: t`Search for the town or use your location, then move the pin.`,
        }}
        privateHelp={t`Turn this on if someone lives there, for example when you hire for your own home.`}
      >
        <Select
          id={idOf('countryCode')}
          label={t`Country`}
          placeholder={t`Choose a country`}
          autoComplete="country"
          help={
            form.countryCode === ''
              ? t`Follows the pin. You pay in its currency.`
              : fresh
                ? t`Follows the pin. ${currencyNote(form.countryCode)} You can change it until your first job.`
                : currencyNote(form.countryCode)
          }
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

function LegalFields({ form, onChange, errors, idOf, legalNote, vatIdNote }: BusinessFormProps) {
  const { t } = useLingui();
  const { registrationNumber, vatId } = companyExamples(form.countryCode);
  return (
    <>
      <TextInput
        id={idOf('legalName')}
        label={t`Legal name`}
        help={legalNote ?? t`As registered. Use your own name if you hire as an individual.`}
        value={form.legalName}
        error={errors.legalName}
        onChange={(event) => onChange({ legalName: event.target.value })}
      />
      <TextInput
        id={idOf('registrationNumber')}
        label={t`Registration number`}
        optional
        help={t`From your country's business register, for example ${registrationNumber}. It speeds up verification.`}
        autoCapitalize="characters"
        value={form.registrationNumber}
        error={errors.registrationNumber}
        onChange={(event) => onChange({ registrationNumber: event.target.value })}
      />
      <TextInput
        id={idOf('vatId')}
        label={t`VAT ID`}
        optional
        help={
          vatId === null
            ? t`Leave it empty if the business has none.`
            : t`For example ${vatId}. Leave it empty if the business has none.`
        }
        autoCapitalize="characters"
        value={form.vatId}
        error={errors.vatId}
        onChange={(event) => onChange({ vatId: event.target.value })}
      />
      {vatIdNote}
    </>
  );
}

function SpotFields({ form, onChange, errors, idOf }: BusinessFormProps) {
  const { t } = useLingui();
  const isEmpty = form.registeredStreet + form.registeredPostcode + form.registeredTown === '';
  return (
    <>
      {isEmpty && form.address.trim() !== '' ? (
        <p>
          <Button
            kind="out"
            size="s"
            onClick={() => {
              onChange({
                registeredStreet: form.address,
                registeredTown: form.area.split(',').at(-1)?.trim() ?? '',
              });
              document.getElementById(idOf('registeredPostcode'))?.focus();
            }}
          >
            {t`Use the address above`}
          </Button>
        </p>
      ) : null}
      <TextInput
        id={idOf('registeredStreet')}
        label={t`Street and number`}
        optional
        autoComplete="billing street-address"
        value={form.registeredStreet}
        error={errors.registeredStreet}
        onChange={(event) => onChange({ registeredStreet: event.target.value })}
      />
      <TextInput
        id={idOf('registeredPostcode')}
        label={t`Postcode`}
        optional
        autoCapitalize="characters"
        autoComplete="billing postal-code"
        value={form.registeredPostcode}
        error={errors.registeredPostcode}
        onChange={(event) => onChange({ registeredPostcode: event.target.value })}
      />
      <TextInput
        id={idOf('registeredTown')}
        label={t`Town`}
        optional
        autoComplete="billing address-level2"
        value={form.registeredTown}
        error={errors.registeredTown}
        onChange={(event) => onChange({ registeredTown: event.target.value })}
      />
    </>
  );
}

function ContactFields({ form, onChange, errors, idOf }: BusinessFormProps) {
  usePhones();
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
        help={t`With its country code, for example ${phoneExample}.`}
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

type PictureFieldProps = {
  id: string;
  purpose: 'logo' | 'photo';
  value: StoredFile | null;
  onChange: (picture: StoredFile | null) => void;
  error?: string;
};

/** A picture of the business, uploaded right away and attached when the form is sent. */
function PictureField({ id, purpose, value, onChange, error }: PictureFieldProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const upload = useUploadPicture(purpose);
  const words =
    purpose === 'logo'
      ? {
          label: t`Logo`,
          change: t`Change logo`,
          choose: t`Choose a logo`,
          help: t`A square picture works best. Without one, we show your category's icon.`,
        }
      : {
          label: t`Cover photo`,
          change: t`Change photo`,
          choose: t`Choose a photo`,
          help: t`A wide photo of the place. Workers see it on your jobs.`,
        };
  const maxSize = formatBytes(bytesAllowed(purpose));

  const take = async (file: File | undefined) => {
    if (!file) return;
    setProblem(undefined);
    if (!looksAccepted(purpose, file)) return setProblem(t`Choose a JPEG, PNG, WebP, AVIF or GIF picture.`);
    if (file.size > bytesAllowed(purpose)) return setProblem(t`Choose a picture of ${maxSize} or less.`);
    const fileProblem = await pictureProblem(file);
    if (fileProblem) return setProblem(fileProblem);
    try {
      onChange(await upload.send(file));
    } catch (failure) {
      setProblem(pictureErrorText(failure));
    }
  };

  return (
    <div className="field">
      <p className="flabel" id={`${id}-label`}>
        {words.label}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      <div className="row wrap">
        {value && purpose === 'photo' ? (
          <img className="cover-photo small" src={fileUrl(value.path)} alt="" />
        ) : value ? (
          <BusinessMark src={fileUrl(value.path)} category="office" size="l" />
        ) : (
          <IconSign icon="image" size="l" />
        )}
        <FileInput ref={input} accept={pickableTypes(purpose)} onFiles={([file]) => void take(file)} />
        <Button
          kind="out"
          size="s"
          icon="upload-simple"
          busy={upload.isPending}
          id={id}
          aria-describedby={`${id}-note`}
          onClick={() => input.current?.click()}
        >
          {value ? words.change : words.choose}
        </Button>
        {value ? (
          <Button kind="text" size="s" onClick={() => onChange(null)}>
            {t`Remove`}
          </Button>
        ) : null}
      </div>
      <FieldNote id={`${id}-note`} help={words.help} error={problem ?? error} />
    </div>
  );
}
