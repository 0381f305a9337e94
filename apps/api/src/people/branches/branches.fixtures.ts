import type { Branch, BranchInput } from '@nearhand/contract/people/branches';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createBranch } from './branches.ts';

export const branchInput = (options: Partial<BranchInput> = {}): BranchInput => ({
  name: 'Noord',
  address: 'NDSM-Plein 8',
  area: 'Noord, Amsterdam',
  lat: 52.4011,
  lng: 4.8935,
  privateAddress: false,
  contactName: 'Joris Bakker',
  contactPhone: '+31201234567',
  openingNotes: 'Use the side door before nine.',
  giveaways: 'approval',
  ...options,
});

export const makeBranch = (
  db: Db,
  scope: Scope,
  businessId: string,
  options: Partial<BranchInput> = {},
): Promise<Branch> =>
  db.transaction().execute((tx) => createBranch(tx, scope, { businessId, ...branchInput(options) }));
