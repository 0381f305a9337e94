import type { MemberRole } from '@nearhand/contract/operation';
import type { BusinessStatus } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Documents and domain change until staff rejected the business, suspended it, or it closed. */
export const mayChangeProof = (status: BusinessStatus): boolean =>
  ['draft', 'submitted', 'needs_info', 'verified'].includes(status);

/** Only an owner sends a business to staff, as `businesses.submit` requires. */
export const maySubmitProof = (role: MemberRole, status: BusinessStatus): boolean =>
  roleMay(role, 'ownership') && ['draft', 'needs_info'].includes(status);
