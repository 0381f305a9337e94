export const helpLimits = {
  slugMax: 60,
  deviceMax: 60,
  /** Answers of one network's guests in 24 hours. */
  guestVotesPerDay: 100,
} as const;
