import type { Account } from '@nearhand/contract/people/accounts';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Profile } from '@nearhand/contract/people/profiles';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import type { SessionUser } from '../src/lib/session.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;

export const leila: SessionUser = {
  id: id('a1'),
  email: 'leila@example.org',
  emailVerified: true,
  name: 'Leila Haddad',
};

export const nadia: SessionUser = {
  id: id('a2'),
  email: 'nadia@example.org',
  emailVerified: true,
  name: 'Nadia Rahmani',
};

export const sampleBusiness = (change: Partial<Business> = {}): Business => ({
  id: id('b1'),
  version: 1,
  status: 'verified',
  role: 'owner',
  branchIds: null,
  actions: ['edit', 'create-job'],
  name: 'Kopi & Crumb',
  legalName: 'Kopi & Crumb B.V.',
  registrationNumber: '12345678',
  vatId: '',
  registeredStreet: '',
  registeredPostcode: '',
  registeredTown: '',
  category: 'hospitality',
  description: 'Coffee and cake.',
  email: null,
  phone: null,
  website: null,
  logo: null,
  cover: null,
  address: 'Westerstraat 112',
  area: 'Jordaan, Amsterdam',
  countryCode: 'NL',
  lat: 52.378,
  lng: 4.883,
  privateAddress: false,
  timeZone: 'Europe/Amsterdam',
  currency: 'EUR',
  openJobs: 1,
  rating: { count: 0, averageTenths: null },
  newApplicants: 0,
  budgetRequests: 0,
  createdAt: '2026-10-01T08:00:00Z',
  ...change,
});

/** The account of a signed-in user; memberships follow from the businesses given. */
export const sampleAccount = (user: SessionUser, businesses: readonly Business[] = []): Account => ({
  id: user.id,
  email: user.email,
  emailVerified: user.emailVerified,
  name: user.name,
  intent: businesses.length > 0 ? 'hire' : 'work',
  returnTo: null,
  createdAt: '2026-10-01T08:00:00Z',
  termsAccepted: '1',
  termsInForce: '1',
  memberships: businesses.map(({ id: businessId, name, role, status }) => ({
    businessId,
    name,
    role,
    status,
    logoPath: null,
  })),
  restrictions: [],
  unreadNotifications: 0,
  photoPath: null,
});

export const sampleSettings: SettingsView = {
  ...settingDefaults,
  operator: 'Nearhand BV, Amsterdam',
  contactEmail: 'hello@nearhand.example',
  settlementBody: '',
  settlementBodyUrl: '',
  mapHost: '',
};

export const sampleProfile = (change: Partial<Profile> = {}): Profile => ({
  accountId: leila.id,
  version: 3,
  name: leila.name,
  phone: '+31612345678',
  bio: 'I make good coffee.',
  home: null,
  languages: [],
  availability: [],
  weekHoursMax: null,
  skills: [{ skill: 'barista', level: 'practised', years: 2 }],
  photo: null,
  cv: null,
  findable: 'off',
  ...change,
});
