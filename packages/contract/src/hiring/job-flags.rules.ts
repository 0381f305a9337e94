/** Boolean settings of a job, false by default. A new one also needs a column in snake case and a checkbox. */
export const jobFlags = ['cvRequired', 'instantHire'] as const;
export type JobFlag = (typeof jobFlags)[number];
export type JobFlags = Record<JobFlag, boolean>;

export const flagsOf = (...sources: readonly Partial<JobFlags>[]): JobFlags =>
  Object.fromEntries(
    jobFlags.map((flag) => [flag, sources.find((source) => source[flag] !== undefined)?.[flag] ?? false]),
  ) as JobFlags;
