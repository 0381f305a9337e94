import { limits } from '../limits.ts';

/** Limits of a business's branches: how many, closed ones included, and how long their texts may be, in characters. */
export const branchLimits = {
  branches: 200,
  name: 80,
  address: limits.addressMax,
  area: limits.areaMax,
  contactName: limits.nameMax,
  openingNotes: 500,
} as const;
