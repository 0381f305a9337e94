/** The points between two effects of one movement of money, where a crash must leave nothing half done; experiments kill the process at each. */
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

// Read once, at the start, and only in tests: a running server can't be made to exit by a later change.
const exitAt = process.env.NODE_ENV === 'test' ? process.env.EXIT_AT : undefined;

/** Marks a step. A no-op, unless a test started this process to exit here as if killed: no cleanup, no response. */
export function step(label: Step): void {
  if (label === exitAt) process.exit(137);
}
