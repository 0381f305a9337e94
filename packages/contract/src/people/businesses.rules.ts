import { limits } from '../limits.ts';

/** The statuses of a business (product.md, States). */
export const businessStatuses = [
  'draft',
  'submitted',
  'verified',
  'needs_info',
  'rejected',
  'resubmitted',
  'suspended',
  'closed',
] as const;
export type BusinessStatus = (typeof businessStatuses)[number];

/**
 * Returns whether a business may hire, is public, and can be suspended. An unverified one has a limited number of open jobs
 * (product.md).
 */
export const mayHire = (status: BusinessStatus): boolean =>
  ['draft', 'submitted', 'needs_info', 'verified'].includes(status);

export const businessLimits = {
  name: limits.nameMax,
  legalName: 160,
  registrationNumber: 60,
  vatId: 30,
  postcode: 20,
  description: 2_000,
  email: 200,
  website: 300,
  address: limits.addressMax,
  area: limits.areaMax,
} as const;
