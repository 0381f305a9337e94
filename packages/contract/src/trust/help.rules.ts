export const helpLimits = {
  slugMax: 60,
  deviceMax: 60,
  /** The maximum of answers by guests of one network in 24 hours. */
  guestVotesPerDay: 100,
} as const;
