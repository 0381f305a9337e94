export const businessGroups = ['all', 'funding', 'holds', 'releases', 'fees'] as const;
export const workerGroups = ['all', 'earned', 'tips', 'withdrawals'] as const;
