/** Points between the effects of a money movement, where experiments kill the process. */
export const steps = [
  'fund/created',
  'fund/charged',
  'fund/drawn',
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

// Read once, so that a later change can't make a running server exit.
const exitAt = process.env.NODE_ENV === 'test' ? process.env.EXIT_AT : undefined;

/** Exits without cleanup if a test chose this step; otherwise a no-op. */
export function crashPoint(label: Step): void {
  if (label === exitAt) process.exit(137);
}
