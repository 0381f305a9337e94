/**
 * Limits of booked work (product.md, Constants).
 * A name without a unit counts items or characters.
 */
export const workLimits = {
  /** People listed as working now, and the hours before a start and after an end in which they are. */
  workingNowMax: 500,
  workingNowHours: 12,
  /** The longest that a search for a replacement stays hidden from the public. */
  publicAfterMinutesMax: 72 * 60,
  /** Shifts at one business that start within this many days are confirmed together. */
  confirmTogetherDays: 7,
  confirmTogetherMax: 20,
  /** Minutes after the start from which an arrival is late. */
  lateArrivalMinutes: 5,
  siteCodeTries: 5,
  siteCodeTriesMinutes: 10,
  /** Codes of the following minutes, for a device at the site that loses its network (ADR 272). */
  siteCodeAheadMinutes: 240,
  kioskNameMax: 40,
  /** Shifts that a tablet at the door lists. */
  kioskShiftsMax: 100,
  /** Hours are as planned if start, end and break each differ from the plan by at most this. */
  asPlannedMinutes: 10,
  /** A worker's corrections of submitted hours, in each round. */
  hoursCorrectionsMax: 5,
  disputeFilesMax: 5,
} as const;
