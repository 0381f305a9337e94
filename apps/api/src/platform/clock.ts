/** The only reader of time in the server (architecture.md, Rules: Time). Tests hand in a clock that they move. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
