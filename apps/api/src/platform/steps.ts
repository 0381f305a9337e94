/** The points between two effects of one movement of money, where a process that dies must leave nothing half done; the experiments end it at each of them. */
export const steps = [
  'fund/created',
  'fund/charged',
  'fund/posted',
  'fund/sent',
  'release/posted',
  'release/recorded',
  'withdraw/requested',
  'withdraw/processing',
  'withdraw/sent',
  'withdraw/posted',
] as const;

export type Step = (typeof steps)[number];

// Read once, at the start: a running server cannot be made to end by a later change, and outside the tests there is nothing to read.
const exitAt = process.env.NODE_ENV === 'test' ? process.env.EXIT_AT : undefined;

/** Marks a step. It does nothing, unless a test started this process to end here as if it were killed: no clean-up, no answer. */
export function step(label: Step): void {
  if (label === exitAt) process.exit(137);
}
