/**
 * The yes-or-no settings of a job, false unless the business turns them on. A new one needs its name here, a column of that name in snake case,
 * and a checkbox in the form; contract, storage and drafts follow from this list.
 */
export const jobFlags = ['cvRequired', 'instantHire'] as const;
export type JobFlag = (typeof jobFlags)[number];
export type JobFlags = Record<JobFlag, boolean>;

/** Every flag, from the first source that has it. */
export const flagsOf = (...sources: readonly Partial<JobFlags>[]): JobFlags =>
  Object.fromEntries(
    jobFlags.map((flag) => [flag, sources.find((source) => source[flag] !== undefined)?.[flag] ?? false]),
  ) as JobFlags;
