import { t } from '@lingui/core/macro';
import type { IssueRule } from '@nearhand/contract/field-issues.rules';
import type { Business, BusinessInput } from '@nearhand/contract/people/businesses';
import { businessLimits } from '@nearhand/contract/people/businesses.rules';
import {
  type CompanyFacts,
  companyExamples,
  companyProblems,
  countryCodes,
} from '@nearhand/contract/people/company-facts.rules';
import { isEmail, plainWebsite } from '@nearhand/contract/people/contact.rules';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { phoneIn, phoneProblem } from '../../lib/forms/phone.ts';
import { nameError, tooLong } from '../../lib/forms/too-long.ts';
import { countryName } from '../../lib/words/countries.ts';

export type BusinessForm = {
  name: string;
  legalName: string;
  registrationNumber: string;
  vatId: string;
  registeredStreet: string;
  registeredPostcode: string;
  registeredTown: string;
  category: CategoryId | '';
  description: string;
  email: string;
  phone: string;
  website: string;
  logo: StoredFile | null;
  cover: StoredFile | null;
  address: string;
  area: string;
  countryCode: string;
  point: { lat: number; lng: number } | null;
  privateAddress: boolean;
  /** An empty value means the pin's time zone. */
  timeZone: string;
};
export type BusinessField = keyof BusinessForm;
export type BusinessErrors = Partial<Record<BusinessField, string>>;

export const businessFields: readonly BusinessField[] = [
  'name',
  'category',
  'description',
  'logo',
  'cover',
  'point',
  'address',
  'area',
  'countryCode',
  'legalName',
  'registrationNumber',
  'vatId',
  'registeredStreet',
  'registeredPostcode',
  'registeredTown',
  'email',
  'phone',
  'website',
];

export const emptyBusinessForm = (email: string, countryCode: string): BusinessForm => ({
  name: '',
  legalName: '',
  registrationNumber: '',
  vatId: '',
  registeredStreet: '',
  registeredPostcode: '',
  registeredTown: '',
  category: '',
  description: '',
  email,
  phone: '',
  website: '',
  logo: null,
  cover: null,
  address: '',
  area: '',
  countryCode,
  point: null,
  privateAddress: false,
  timeZone: '',
});

export function isBusinessForm(value: unknown): value is BusinessForm {
  if (typeof value !== 'object' || value === null) return false;
  const stored = value as Record<string, unknown>;
  const empty = emptyBusinessForm('', '');
  return (Object.keys(empty) as BusinessField[]).every((key) =>
    key === 'logo' || key === 'cover' || key === 'point'
      ? stored[key] === null || typeof stored[key] === 'object'
      : typeof stored[key] === typeof empty[key],
  );
}

export const formOfBusiness = (business: Business): BusinessForm => ({
  name: business.name,
  legalName: business.legalName,
  registrationNumber: business.registrationNumber,
  vatId: business.vatId,
  registeredStreet: business.registeredStreet,
  registeredPostcode: business.registeredPostcode,
  registeredTown: business.registeredTown,
  category: business.category,
  description: business.description,
  email: business.email ?? '',
  phone: business.phone ?? '',
  website: business.website ?? '',
  logo: business.logo,
  cover: business.cover,
  address: business.address,
  area: business.area,
  countryCode: business.countryCode,
  point: { lat: business.lat, lng: business.lng },
  privateAddress: business.privateAddress,
  timeZone: business.timeZone,
});

/** Problems that prevent registering, by field. The server decides; this shows them earlier. */
export function businessErrors(form: BusinessForm): BusinessErrors {
  const errors: BusinessErrors = {};
  const addError = (field: BusinessField, text: string | undefined) => {
    if (text) errors[field] = text;
  };
  const need = (field: BusinessField, text: string, missing: string, max: number) =>
    addError(field, text.trim() === '' ? missing : tooLong(text, max));
  need('name', form.name, t`Enter the name people know the business by.`, businessLimits.name);
  need('legalName', form.legalName, t`Enter the registered legal name.`, businessLimits.legalName);
  for (const field of ['name', 'legalName'] as const) {
    addError(field, nameError(form[field], 'business', businessLimits[field]));
  }
  addError('registrationNumber', tooLong(form.registrationNumber, businessLimits.registrationNumber));
  addError('vatId', tooLong(form.vatId, businessLimits.vatId));
  addError('registeredStreet', tooLong(form.registeredStreet, businessLimits.address));
  addError('registeredPostcode', tooLong(form.registeredPostcode, businessLimits.postcode));
  addError('registeredTown', tooLong(form.registeredTown, businessLimits.area));
  // Without a country, only its own field asks for it.
  for (const { path, rule } of companyProblems(companyOf(form)))
    if (rule === 'missing' || form.countryCode !== '')
      addError(path as keyof CompanyFacts, companyProblemText(rule, form.countryCode));
  addError('category', form.category === '' ? t`Choose a category.` : undefined);
  addError('description', tooLong(form.description, businessLimits.description));
  need('address', form.address, t`Enter the street and number.`, businessLimits.address);
  need('area', form.area, t`Enter the town or neighbourhood.`, businessLimits.area);
  addError('countryCode', countryCodes.includes(form.countryCode) ? undefined : t`Choose a country.`);
  addError('point', form.point ? undefined : t`Put the pin on the entrance to get distances right.`);
  const email = form.email.trim();
  addError(
    'email',
    email !== '' && !isEmail(email) ? t`Enter an address such as name@example.com.` : undefined,
  );
  addError(
    'phone',
    form.phone.trim() !== '' && phoneIn(form.phone, form.countryCode) === null
      ? (phoneProblem(form.phone) ?? undefined)
      : undefined,
  );
  addError(
    'website',
    form.website.trim() !== '' && plainWebsite(form.website) === null
      ? t`Enter an address such as https://example.com.`
      : undefined,
  );
  return errors;
}

const companyOf = (form: BusinessForm): CompanyFacts => ({
  countryCode: form.countryCode,
  registrationNumber: form.registrationNumber.trim(),
  vatId: form.vatId.trim(),
  registeredStreet: form.registeredStreet.trim(),
  registeredPostcode: form.registeredPostcode.trim().toUpperCase(),
  registeredTown: form.registeredTown.trim(),
});

export function companyProblemText(rule: IssueRule | undefined, countryCode: string): string {
  const { registrationNumber, vatId, taxNumber, postcode } = companyExamples(countryCode);
  const postcodeExample = postcode ?? '';
  if (countryCode === '') return t`Choose a country.`;
  const country = countryName(countryCode);
  switch (rule) {
    case 'registration-number':
      return t`That isn't a registration number from this country (${country}). One looks like ${registrationNumber}.`;
    case 'vat-id':
      return vatId === null
        ? t`We can't check VAT IDs from this country (${country}). Leave this empty.`
        : t`That isn't a VAT ID from this country (${country}). One looks like ${vatId}.`;
    case 'tax-number':
      return t`That isn't a tax number from this country (${country}). One looks like ${taxNumber}.`;
    case 'postcode':
      return t`That isn't a postcode from this country (${country}). One looks like ${postcodeExample}.`;
    default:
      return t`An address on invoices needs street, postcode and town. Fill this in, or empty the others.`;
  }
}

export function inputOfBusiness(form: BusinessForm): BusinessInput {
  return {
    name: form.name.trim(),
    legalName: form.legalName.trim(),
    ...companyOf(form),
    category: form.category as CategoryId,
    description: form.description.trim(),
    email: form.email.trim() || null,
    phone: phoneIn(form.phone, form.countryCode),
    website: form.website.trim() === '' ? null : plainWebsite(form.website),
    logoFileId: form.logo?.id ?? null,
    coverFileId: form.cover?.id ?? null,
    address: form.address.trim(),
    area: form.area.trim(),
    lat: form.point?.lat ?? 0,
    lng: form.point?.lng ?? 0,
    privateAddress: form.privateAddress,
    ...(form.timeZone ? { timeZone: form.timeZone } : {}),
  };
}

/** Returns only the changed fields, so that an edit touches nothing else. */
export function changesOfBusiness(before: BusinessForm, after: BusinessForm): Partial<BusinessInput> {
  const from = inputOfBusiness(before);
  return Object.fromEntries(
    Object.entries(inputOfBusiness(after)).filter(
      ([key, value]) => value !== from[key as keyof BusinessInput],
    ),
  );
}
