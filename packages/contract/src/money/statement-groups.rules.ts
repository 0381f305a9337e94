/** A business's statement filters. */
export const businessGroups = ['all', 'funding', 'holds', 'releases', 'fees'] as const;
/** A worker's statement filters. */
export const workerGroups = ['all', 'earned', 'tips', 'withdrawals'] as const;
