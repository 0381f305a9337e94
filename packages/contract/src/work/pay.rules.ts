import { dayMs } from '../durations.ts';

/** Until when a tip can be added to completed work, inclusive. */
export const tipUntil = (approvedAt: Date, tipDays: number): Date =>
  new Date(approvedAt.getTime() + tipDays * dayMs);

/** The bounds of any agreement about pay, in minor units, both inclusive. */
export type PayBounds = { minMinor: number; maxMinor: number };

/** Pay stays between what is agreed already and the planned pay, or the highest claim if that is more. */
export const payBounds = (facts: {
  agreedMinor: number;
  plannedMinor: number;
  claims: readonly { amountMinor: number }[];
}): PayBounds => ({
  minMinor: facts.agreedMinor,
  maxMinor: Math.max(facts.plannedMinor, ...facts.claims.map(({ amountMinor }) => amountMinor)),
});

/** The bounds of the pay when a no-show turns out to have worked. */
export const workedBounds = (plannedMinor: number): PayBounds => ({ minMinor: 1, maxMinor: plannedMinor });

/** On which side of the bounds an amount lies; null within them. */
export function boundsProblem(
  amountMinor: number,
  { minMinor, maxMinor }: PayBounds,
): 'too-little' | 'too-much' | null {
  if (amountMinor < minMinor) return 'too-little';
  return amountMinor > maxMinor ? 'too-much' : null;
}
