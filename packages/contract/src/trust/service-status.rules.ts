export const serviceStatusLimits = {
  textMax: 300,
  /** How far ahead a message can be announced. */
  aheadDays: 60,
} as const;

/** Parts of the service whose failures people notice. */
export const serviceParts = ['email', 'push', 'payments', 'tasks'] as const;
export type ServicePart = (typeof serviceParts)[number];
