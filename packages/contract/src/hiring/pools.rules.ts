/** Limits of a business's pools. Two requests at once can pass `pools` by one. */
export const poolLimits = { name: 60, pools: 50, workers: 200 };
