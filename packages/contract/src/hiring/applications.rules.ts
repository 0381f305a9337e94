/** The statuses of an application (product.md, States). */
export const applicationStatuses = [
  'submitted',
  'viewed',
  'shortlisted',
  'interviewing',
  'offered',
  'hired',
  'withdrawn',
  'rejected',
  'offer_declined',
  'offer_expired',
  'offer_withdrawn',
  'no_response',
  'position_filled',
  'job_closed',
] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

/** Statuses in which the business has still to decide. */
export const undecidedApplicationStatuses = [
  'submitted',
  'viewed',
  'shortlisted',
  'interviewing',
] as const satisfies readonly ApplicationStatus[];

/** Statuses in which an application is live; one live application per worker and job. */
export const liveApplicationStatuses = [
  ...undecidedApplicationStatuses,
  'offered',
  'hired',
] as const satisfies readonly ApplicationStatus[];
