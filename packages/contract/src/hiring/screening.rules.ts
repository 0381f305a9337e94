export const screeningRules = [
  'asks-fee',
  'asks-details',
  'off-platform',
  'pay-too-good',
  'copied-text',
] as const;
export type ScreeningRule = (typeof screeningRules)[number];

/** A rule that fired, with its evidence: the words, the pay against the median in minor units, or the copied job. */
export type ScreeningFinding = { rule: ScreeningRule; evidence: string };

/** A business whose jobs open at once: verified, this many completed jobs, no decision against it in that time. */
export const cleanBusiness = { completedMin: 3, quietDays: 365 } as const;
