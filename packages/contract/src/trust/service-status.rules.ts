export const serviceStatusLimits = {
  textMax: 300,
  /** The longest advance notice of a message. */
  aheadDays: 60,
} as const;

export const serviceParts = ['email', 'push', 'payments', 'tasks'] as const;
export type ServicePart = (typeof serviceParts)[number];
