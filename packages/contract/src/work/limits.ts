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
  /** The most by which a rule that approves hours may let them differ from the plan. */
  ruleMinutesMax: 30,
  /** A worker's corrections of submitted hours, in each round. */
  hoursCorrectionsMax: 5,
  disputeFilesMax: 5,
  /** The largest tolerated inaccuracy of a position, in metres. A vaguer one must not admit someone further away (ADR 42). */
  accuracyCapM: 250,
  /** Hours before the start from which lateness can be reported. */
  lateOpensHours: 12,
  /** Minutes after a booking in which either side cancels for free (ADR 388). */
  freeCancelMinutes: 5,
  /** Hours in which the worker of a booked shift answers a change of it (ADR 389). */
  changeAnswerHours: 24,
  /** A worker asks for a day off a series at least these days before it, and silence grants it (ADR 406). */
  dayOffAskDays: 3,
  dayOffAnswerHours: 24,
  /** Minutes paid at least to a punctual worker who is sent home early, or the plan if it is shorter. */
  sentHomeMinutes: 240,
  kiosksPerBranch: 10,
  /** Minutes in which a new tablet must be paired. */
  pairingMinutes: 15,
} as const;
