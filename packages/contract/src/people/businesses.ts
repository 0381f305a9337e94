import { z } from 'zod';
import { refusedBy } from '../field-issues.rules.ts';
import { memberRoles } from '../member-roles.ts';
import { currency } from '../money.ts';
import { id, instant, isStraight, line, operation, prose, version } from '../operation.ts';
import { businessLimits, businessStatuses } from './businesses.rules.ts';
import { countryCodes } from './company-facts.rules.ts';
import { hasCredentials } from './contact.rules.ts';
import { contactEmail } from './email.ts';
import { storedFile } from './files.ts';
import { businessName } from './names.ts';
import { chosenTimeZone, point } from './places.ts';
import { phone } from './profiles.ts';
import { rating } from './rating.ts';
import { categoryIds } from './taxonomy.ts';

export const businessActions = ['edit', 'submit', 'close', 'create-job'] as const;
export type BusinessAction = (typeof businessActions)[number];

const address = {
  address: line(businessLimits.address),
  /** Town or neighbourhood, shown instead of the exact address. */
  area: line(businessLimits.area),
  countryCode: z.enum(countryCodes),
  ...point.shape,
  /** True for a home, which is shown blurred until a hire. */
  privateAddress: z.boolean(),
  timeZone: chosenTimeZone,
};

/**
 * A member's input about a business. The time zone follows from the point unless one is chosen, the currency
 * from the country.
 */
export const businessInput = z.object({
  name: businessName(businessLimits.name),
  legalName: businessName(businessLimits.legalName),
  registrationNumber: line(businessLimits.registrationNumber, 0),
  /** Accepted with or without its prefix; stored with it. Empty if there is none. */
  vatId: line(businessLimits.vatId, 0).optional(),
  /** The address of the registered office, in the business's country, for invoices: whole, or empty. */
  registeredStreet: line(businessLimits.address, 0).optional(),
  registeredPostcode: line(businessLimits.postcode, 0).optional(),
  registeredTown: line(businessLimits.area, 0).optional(),
  category: z.enum(categoryIds),
  description: prose(businessLimits.description),
  email: contactEmail(businessLimits.email).nullable(),
  phone: phone.nullable(),
  website: z
    .url({ protocol: /^https?$/ })
    .max(businessLimits.website)
    .refine(
      (address) => !hasCredentials(address) && isStraight(address),
      refusedBy('web-address', 'a web address without a password'),
    )
    .nullable(),
  logoFileId: id.nullable(),
  /** A wide photo of the place, uploaded as `photo`; absent or null if there is none. */
  coverFileId: id.nullable().optional(),
  ...address,
});
export type BusinessInput = z.infer<typeof businessInput>;

export const business = z.object({
  id,
  version,
  status: z.enum(businessStatuses),
  role: z.enum(memberRoles),
  branchIds: z.array(id).nullable(),
  actions: z.array(z.enum(businessActions)),
  name: z.string(),
  legalName: z.string(),
  registrationNumber: z.string(),
  vatId: z.string(),
  registeredStreet: z.string(),
  registeredPostcode: z.string(),
  registeredTown: z.string(),
  category: z.enum(categoryIds),
  description: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  logo: storedFile.nullable(),
  cover: storedFile.nullable(),
  address: z.string(),
  area: z.string(),
  countryCode: z.string(),
  lat: z.number(),
  lng: z.number(),
  privateAddress: z.boolean(),
  timeZone: z.string(),
  currency,
  openJobs: z.number().int(),
  newApplicants: z.number().int(),
  /** Requests to go over a budget that wait for an owner; 0 for other members. */
  budgetRequests: z.number().int(),
  rating,
  createdAt: instant,
});
export type Business = z.infer<typeof business>;

/** A closed business, with the promotional credit that ended with it, in minor units. */
export const closedBusiness = business.extend({
  endedCredit: z.array(z.object({ amountMinor: z.number().int(), currency })),
});
export type ClosedBusiness = z.infer<typeof closedBusiness>;

/** Reasons a business can't be closed. Amounts are in minor units. */
export const businessClosing = z.object({
  /** Jobs in review, open or paused. */
  openJobs: z.number().int(),
  /**
   * Up to 100 of them, soonest first, which can close with the business. A task has no start. `heldMinor` is set aside
   * for spots that nobody is booked for, as instant hire does, and is free once the job is closed.
   */
  jobs: z.array(
    z.object({
      id,
      title: z.string(),
      startsAt: instant.nullable(),
      timeZone: z.string(),
      currency,
      heldMinor: z.number().int(),
    }),
  ),
  /** Jobs that are full or have started, until their work ends. */
  bookedJobs: z.number().int(),
  money: z.array(
    z.object({
      currency,
      balanceMinor: z.number().int(),
      heldMinor: z.number().int(),
      /** Charges and refunds that are not settled yet, and charges disputed at a bank. */
      onItsWayMinor: z.number().int(),
      /** The amount that was drawn on the credit limit and not repaid. */
      owedMinor: z.number().int(),
    }),
  ),
  /** Promotional credit, which ends with the business and keeps nothing open. */
  credit: z.array(z.object({ amountMinor: z.number().int(), currency })),
});
export type BusinessClosing = z.infer<typeof businessClosing>;

export const publicBusiness = z.object({
  id,
  name: z.string(),
  category: z.enum(categoryIds),
  description: z.string(),
  area: z.string(),
  verified: z.boolean(),
  logoPath: z.string().nullable(),
  coverPath: z.string().nullable(),
  website: z.string().nullable(),
  openJobs: z.number().int(),
  memberSince: instant,
  rating,
});
export type PublicBusiness = z.infer<typeof publicBusiness>;

const businessRef = z.object({ businessId: id });

/** The last VIES result for a VAT id. `unknown` means no answer yet and blocks nothing. */
export const vatIdCheck = z.object({
  state: z.enum(['valid', 'invalid', 'unknown']),
  checkedAt: instant.nullable(),
  /** The registered name, if the member state publishes it. */
  registeredName: z.string(),
  /** Proves the check to a tax authority; empty if VIES gave none. */
  consultationNumber: z.string(),
});
export type VatIdCheck = z.infer<typeof vatIdCheck>;

/** Businesses: registering, editing, closing, and their public view. */
export const businesses = {
  register: operation({
    access: 'verified',
    errors: ['business/too-many', 'file/not-found', 'file/wrong-type'],
    effects: ['hire'],
  })
    .route({
      method: 'POST',
      path: '/businesses',
      summary: 'Register a business and become its owner',
      successStatus: 201,
    })
    .input(businessInput)
    .output(business),
  mine: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/businesses',
      summary: 'Businesses the account is a member of (at most 100, by name)',
    })
    .output(z.array(business)),
  get: operation({ access: 'member', errors: ['business/not-found'] })
    .route({ method: 'GET', path: '/businesses/{businessId}', summary: 'Get a business as a member' })
    .input(businessRef)
    .output(business),
  vatIdCheck: operation({ access: 'member', errors: ['business/not-found'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/vat-id-check',
      summary:
        'The check of its VAT id by VIES; null without an id that VIES knows, and where the server does not ask it',
    })
    .input(businessRef)
    .output(vatIdCheck.nullable()),
  profile: operation({ access: 'public', errors: ['business/not-found'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/profile',
      summary: 'The public view of a business',
    })
    .input(businessRef)
    .output(publicBusiness),
  update: operation({
    access: 'member:manager',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'business/stale',
      'business/wrong-state',
      'business/currency-fixed',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: [],
  })
    .route({
      method: 'PATCH',
      path: '/businesses/{businessId}',
      summary: 'Edit a business; a new legal name needs verification again',
    })
    .input(businessInput.partial().extend({ businessId: id, version }))
    .output(business),
  submit: operation({
    access: 'member:owner',
    errors: ['business/not-found', 'business/not-allowed', 'business/wrong-state', 'business/nothing-added'],
    effects: ['hire'],
  })
    .route({ method: 'POST', path: '/businesses/{businessId}/submit', summary: 'Request verification' })
    .input(businessRef)
    .output(business),
  closing: operation({
    access: 'member:owner',
    errors: ['business/not-found', 'business/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/closing',
      summary: 'List what blocks closing a business: jobs, and money by where it is',
    })
    .input(businessRef)
    .output(businessClosing),
  close: operation({
    access: 'member:owner',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'business/wrong-state',
      'business/has-open-jobs',
      'business/has-money',
    ],
    effects: ['guarded'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/close',
      summary:
        'Close a business without open jobs, or with `closeJobs` its open jobs too (at most 100); its promotional credit ends (see `promoMinor` of its wallet before)',
    })
    .input(businessRef.extend({ closeJobs: z.boolean().default(false) }))
    .output(closedBusiness),
};
