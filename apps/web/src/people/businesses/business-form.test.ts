import { i18n } from '@lingui/core';
import type { Business } from '@nearhand/contract/people/businesses';
import { plainWebsite } from '@nearhand/contract/people/contact.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  businessErrors,
  changesOfBusiness,
  emptyBusinessForm,
  formOfBusiness,
  inputOfBusiness,
  isBusinessForm,
} from './business-form.rules.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const whole = {
  ...emptyBusinessForm('hi@kopi.example', 'NL'),
  name: ' Kopi & Crumb ',
  legalName: 'Kopi en Crumb B.V.',
  category: 'hospitality' as const,
  address: 'Westerstraat 112',
  area: 'Jordaan',
  point: { lat: 52.379, lng: 4.882 },
};

describe('the form of a business', () => {
  it('reports every missing field', () => {
    expect(Object.keys(businessErrors(emptyBusinessForm('', ''))).sort()).toEqual(
      ['address', 'area', 'category', 'countryCode', 'legalName', 'name', 'point'].sort(),
    );
    expect(businessErrors(whole)).toEqual({});
  });

  it('accepts numbers and sites in any format', () => {
    expect(
      inputOfBusiness({ ...whole, phone: '0031 (20) 123-4567', website: 'kopi.example/menu' }),
    ).toMatchObject({
      name: 'Kopi & Crumb',
      phone: '+31201234567',
      website: 'https://kopi.example/menu',
    });
    expect(businessErrors({ ...whole, phone: '020 1234567', website: 'kopi', email: 'kopi' })).toMatchObject({
      phone: expect.any(String),
      website: expect.any(String),
      email: expect.any(String),
    });
    expect(plainWebsite('javascript:alert(1)')).toBeNull();
  });

  it('sends only the changes', () => {
    const after = { ...whole, area: 'Westerpark', point: { lat: 52.38, lng: 4.882 } };
    expect(changesOfBusiness(whole, after)).toEqual({ area: 'Westerpark', lat: 52.38 });
    expect(changesOfBusiness(whole, { ...whole, name: 'Kopi & Crumb' })).toEqual({});
  });

  it('restores only its own saved form', () => {
    expect(isBusinessForm(JSON.parse(JSON.stringify(whole)))).toBe(true);
    expect(isBusinessForm({ name: 'Kopi' })).toBe(false);
    expect(isBusinessForm(null)).toBe(false);
    const saved = { ...inputOfBusiness(whole), logo: null } as unknown as Business;
    expect(formOfBusiness(saved)).toMatchObject({ name: 'Kopi & Crumb', phone: '', point: whole.point });
  });
});

describe('the company facts of a business', () => {
  it('reports what is wrong at each field, by country', () => {
    const odd = {
      ...whole,
      registrationNumber: 'abc',
      vatId: 'DE136695976',
      registeredStreet: 'Westerstraat 118',
      registeredPostcode: '1015',
    };
    expect(businessErrors(odd)).toEqual({
      registrationNumber: expect.stringContaining('81264097'),
      vatId: expect.stringContaining('Netherlands'),
      registeredPostcode: expect.stringContaining('1015 MN'),
      registeredTown: expect.any(String),
    });
    expect(businessErrors({ ...odd, countryCode: 'BR' })).toMatchObject({ vatId: expect.any(String) });
  });

  it('asks for the country first', () => {
    const errors = businessErrors({ ...whole, countryCode: '', vatId: '12', registeredTown: 'Breda' });
    expect(errors).toEqual({ countryCode: 'Choose a country.', registeredStreet: expect.any(String) });
  });

  it('accepts a complete set', () => {
    const given = {
      ...whole,
      registrationNumber: '8126 4097',
      vatId: 'nl 0044.95.445.b01',
      registeredStreet: 'Westerstraat 118',
      registeredPostcode: '1015 mn',
      registeredTown: 'Amsterdam',
    };
    expect(businessErrors(given)).toEqual({});
    expect(inputOfBusiness(given)).toMatchObject({ registeredPostcode: '1015 MN', countryCode: 'NL' });
  });
});
