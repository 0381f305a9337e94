/** The statuses of an engagement (product.md, States). Shifts and tasks use different rows of one table. */
export const engagementStatuses = [
  'booked',
  'confirmed',
  'checked_in',
  'checked_out',
  'in_progress',
  'submitted',
  'counter_proposed',
  'delivered',
  'changes_requested',
  'approved',
  'completed',
  'disputed',
  'cancelled_by_worker',
  // The specification says merchant for the business (docs/glossary.md).
  'cancelled_by_merchant',
  'no_show_reported',
  'contested',
  // A colleague works the shift instead (ADR 385).
  'given_away',
] as const;
export type EngagementStatus = (typeof engagementStatuses)[number];

/** Work that is neither finished nor cancelled. */
export const liveEngagementStatuses = [
  'booked',
  'confirmed',
  'checked_in',
  'checked_out',
  'in_progress',
  'submitted',
  'counter_proposed',
  'delivered',
  'changes_requested',
  'approved',
  'disputed',
  'contested',
] as const satisfies readonly EngagementStatus[];

/** Work that was done: its pay is agreed, and paid or about to be. */
export const workedEngagementStatuses = [
  'approved',
  'completed',
] as const satisfies readonly EngagementStatus[];

/** Agreed work that has not started. */
export const upcomingEngagementStatuses = [
  'booked',
  'confirmed',
] as const satisfies readonly EngagementStatus[];

/** Work that its worker no longer does: cancelled by a side, or given to a colleague. */
export const cancelledEngagementStatuses = [
  'cancelled_by_worker',
  'cancelled_by_merchant',
  'given_away',
] as const satisfies readonly EngagementStatus[];

/** The groups in which a business reads its work. Only `due` and `late` also depend on the time. */
export const businessWorkGroups = [
  'due',
  'late',
  'here',
  'to_approve',
  'unsettled',
  'no_show',
  'ended',
] as const;
export type BusinessWorkGroup = (typeof businessWorkGroups)[number];

export const statusesOfGroup: Record<BusinessWorkGroup, readonly EngagementStatus[]> = {
  due: upcomingEngagementStatuses,
  late: upcomingEngagementStatuses,
  here: ['checked_in', 'checked_out', 'in_progress'],
  to_approve: ['submitted', 'delivered'],
  unsettled: ['counter_proposed', 'changes_requested', 'disputed', 'contested'],
  no_show: ['no_show_reported'],
  ended: [...workedEngagementStatuses, ...cancelledEngagementStatuses],
};

const includes = (statuses: readonly string[], status: string): boolean => statuses.includes(status);

/** Returns whether the work is agreed and not started. */
export const isUpcoming = (status: EngagementStatus): boolean => includes(upcomingEngagementStatuses, status);

/** Returns whether the pay of the work is agreed. */
export const isSettled = (status: EngagementStatus): boolean => includes(workedEngagementStatuses, status);

/** Returns whether the work is neither finished nor cancelled. */
export const isLiveWork = (status: string): boolean => includes(liveEngagementStatuses, status);
