import { limits } from '../limits.ts';

/**
 * Limits of a business's branches: their number, closed ones included, and the length of their texts in
 * characters.
 */
export const branchLimits = {
  branches: 200,
  name: 80,
  address: limits.addressMax,
  area: limits.areaMax,
  contactName: limits.nameMax,
  openingNotes: 500,
} as const;

/** A branch's rule about giving away its booked shifts: never, once a recruiter agrees, or without asking. */
export const giveawayModes = ['off', 'approval', 'free'] as const;
export type GiveawayMode = (typeof giveawayModes)[number];
