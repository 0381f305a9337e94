import { t } from '@lingui/core/macro';
import type { Business, BusinessInput } from '@nearhand/contract/businesses';
import type { StoredFile } from '@nearhand/contract/files';
import { limits } from '@nearhand/contract/limits';
import type { CategoryId } from '@nearhand/contract/taxonomy';

/** A business as it is typed. */
export type BusinessForm = {
  name: string;
  legalName: string;
  registrationNumber: string;
  category: CategoryId | '';
  description: string;
  email: string;
  phone: string;
  website: string;
  logo: StoredFile | null;
  address: string;
  area: string;
  countryCode: string;
  point: { lat: number; lng: number } | null;
  privateAddress: boolean;
};
export type BusinessField = keyof BusinessForm;
export type BusinessErrors = Partial<Record<BusinessField, string>>;

/** In the order of the page, so that the summary of errors reads like it. */
export const businessFields: readonly BusinessField[] = [
  'name',
  'category',
  'description',
  'logo',
  'point',
  'address',
  'area',
  'countryCode',
  'legalName',
  'registrationNumber',
  'email',
  'phone',
  'website',
];

export const emptyBusinessForm = (email: string, countryCode: string): BusinessForm => ({
  name: '',
  legalName: '',
  registrationNumber: '',
  category: '',
  description: '',
  email,
  phone: '',
  website: '',
  logo: null,
  address: '',
  area: '',
  countryCode,
  point: null,
  privateAddress: false,
});

/** Whether something kept on the device still has the shape of the form. */
export function isBusinessForm(value: unknown): value is BusinessForm {
  if (typeof value !== 'object' || value === null) return false;
  const kept = value as Record<string, unknown>;
  const empty = emptyBusinessForm('', '');
  return (Object.keys(empty) as BusinessField[]).every((key) =>
    key === 'logo' || key === 'point'
      ? kept[key] === null || typeof kept[key] === 'object'
      : typeof kept[key] === typeof empty[key],
  );
}

export const formOfBusiness = (business: Business): BusinessForm => ({
  name: business.name,
  legalName: business.legalName,
  registrationNumber: business.registrationNumber,
  category: business.category,
  description: business.description,
  email: business.email ?? '',
  phone: business.phone ?? '',
  website: business.website ?? '',
  logo: business.logo,
  address: business.address,
  area: business.area,
  countryCode: business.countryCode,
  point: { lat: business.lat, lng: business.lng },
  privateAddress: business.privateAddress,
});

/** What people type for a number, in the form that is stored. */
export const plainPhone = (text: string): string => text.replace(/[\s().-]/g, '').replace(/^00/, '+');

/** A site is often typed without its scheme. */
export function plainWebsite(text: string): string | null {
  const typed = text.trim();
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`);
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href : null;
  } catch {
    return null;
  }
}

const within = (text: string, most: number): string | undefined =>
  text.trim().length > most ? t`Shorten this to ${most} characters.` : undefined;

/** What keeps a business from being registered, field by field. The server decides in the end; this tells it sooner. */
export function businessErrors(form: BusinessForm): BusinessErrors {
  const errors: BusinessErrors = {};
  const put = (field: BusinessField, text: string | undefined) => {
    if (text) errors[field] = text;
  };
  const need = (field: BusinessField, text: string, missing: string, most: number) =>
    put(field, text.trim() === '' ? missing : within(text, most));
  need('name', form.name, t`Write the name people know the business by.`, limits.nameMax);
  need('legalName', form.legalName, t`Write the legal name, as it is registered.`, 160);
  put('registrationNumber', within(form.registrationNumber, 60));
  put('category', form.category === '' ? t`Choose a category.` : undefined);
  put('description', within(form.description, 2_000));
  need('address', form.address, t`Write street and number.`, limits.addressMax);
  need('area', form.area, t`Write the town or quarter.`, 120);
  put('countryCode', /^[A-Z]{2}$/.test(form.countryCode) ? undefined : t`Choose the country.`);
  put('point', form.point ? undefined : t`Put the pin on the door, so that distances are right.`);
  const email = form.email.trim();
  put(
    'email',
    email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? t`This is not an email address.` : undefined,
  );
  put(
    'phone',
    form.phone.trim() !== '' && !/^\+[1-9]\d{6,14}$/.test(plainPhone(form.phone))
      ? t`Write the number with its country code, for example +31 20 123 4567.`
      : undefined,
  );
  put(
    'website',
    form.website.trim() !== '' && plainWebsite(form.website) === null
      ? t`Write the address of the site, for example kopi.example.`
      : undefined,
  );
  return errors;
}

/** What goes to the server; only for a form without errors. */
export function inputOfBusiness(form: BusinessForm): BusinessInput {
  return {
    name: form.name.trim(),
    legalName: form.legalName.trim(),
    registrationNumber: form.registrationNumber.trim(),
    category: form.category as CategoryId,
    description: form.description.trim(),
    email: form.email.trim() || null,
    phone: plainPhone(form.phone) || null,
    website: form.website.trim() === '' ? null : plainWebsite(form.website),
    logoFileId: form.logo?.id ?? null,
    address: form.address.trim(),
    area: form.area.trim(),
    countryCode: form.countryCode,
    lat: form.point?.lat ?? 0,
    lng: form.point?.lng ?? 0,
    privateAddress: form.privateAddress,
  };
}

/** Only what differs from what was loaded, so that an edit touches nothing else. */
export function changesOfBusiness(before: BusinessForm, after: BusinessForm): Partial<BusinessInput> {
  const from = inputOfBusiness(before);
  return Object.fromEntries(
    Object.entries(inputOfBusiness(after)).filter(
      ([key, value]) => value !== from[key as keyof BusinessInput],
    ),
  );
}
