/** Limits of a business's pools. Two concurrent requests can exceed `pools` by one. */
export const poolLimits = { name: 60, pools: 50, workers: 200 };
