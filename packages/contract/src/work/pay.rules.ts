import { addMs, dayMs } from '../durations.ts';

/**
 * The worker's relation to the business, which states it: self-employed, its employee, or working in a
 * private household. It decides which document a worker gets for their pay, and is shown before they apply.
 */
export const jobRelations = ['self_employed', 'employed', 'household'] as const;
export type JobRelation = (typeof jobRelations)[number];

/** The deadline for a tip on completed work, inclusive. */
export const tipUntil = (approvedAt: Date, tipDays: number): Date => addMs(approvedAt, tipDays * dayMs);

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

/** The bounds of the pay for a reported no-show who worked. */
export const workedBounds = (plannedMinor: number): PayBounds => ({ minMinor: 1, maxMinor: plannedMinor });

/** Checks an amount against inclusive bounds. Minor units. */
export function boundsProblem(
  amountMinor: number,
  { minMinor, maxMinor }: PayBounds,
): 'too-little' | 'too-much' | null {
  if (amountMinor < minMinor) return 'too-little';
  return amountMinor > maxMinor ? 'too-much' : null;
}

/** An amount a timer may settle. Only `silentMinor` makes one, within what the business agreed to (ADR 43). */
export type SilentMinor = number & { readonly agreed: unique symbol };

/** Amounts the business agreed to: the plan, pay already released, and its own figure. */
export type AgreedPay = { plannedMinor: number; agreedMinor: number; businessMinor?: number | null };

/** Caps an amount at what the business agreed to, but never below the pay already agreed. */
export const silentMinor = (
  amountMinor: number,
  { plannedMinor, agreedMinor, businessMinor }: AgreedPay,
): SilentMinor =>
  Math.max(
    agreedMinor,
    Math.min(amountMinor, Math.max(plannedMinor, agreedMinor, businessMinor ?? 0)),
  ) as SilentMinor;

/** The pay is settled, or `amountMinor` is paid at once and a dispute opens about the rest. */
export type SilentOutcome =
  | { kind: 'auto-approve' | 'pay-recorded'; amountMinor: SilentMinor }
  | { kind: 'review'; amountMinor: SilentMinor; why: 'no-check-in' | 'beyond-plan' | 'counter' };

/** Claimed time beyond the plan that opens no dispute automatically: the plan is paid. */
export const overtimeToleranceMinutes = 5;

/**
 * The outcome if nobody replies (ADR 43), by which hours or a delivery are settled without a reply. A business's own rule
 * (`payByRule`) may approve hours sooner.
 * @param facts.claims all hours claims in order; none for a delivery
 * @param facts.recordedMinor pay for recorded hours within the plan; null if incomplete or contested
 * @param facts.toleranceMinor pay for `overtimeToleranceMinutes`
 */
export function silentOutcome(facts: {
  plannedMinor: number;
  agreedMinor: number;
  claims: readonly { by: 'worker' | 'business' | 'timer'; amountMinor: number }[];
  recordedMinor: number | null;
  attended: boolean;
  toleranceMinor: number;
}): SilentOutcome {
  const { claims, recordedMinor } = facts;
  const claim = claims.findLast(({ by }) => by !== 'business');
  if (!claim) return { kind: 'auto-approve', amountMinor: silentMinor(facts.plannedMinor, facts) };
  const undisputed = silentMinor(claim.amountMinor, facts);
  if (claims.at(-1)?.by === 'business')
    return recordedMinor === null
      ? { kind: 'review', why: 'counter', amountMinor: silentMinor(0, facts) }
      : { kind: 'pay-recorded', amountMinor: silentMinor(Math.min(recordedMinor, undisputed), facts) };
  if (claim.by === 'timer' && !facts.attended)
    return {
      kind: 'review',
      why: recordedMinor === null ? 'no-check-in' : 'beyond-plan',
      amountMinor: silentMinor(0, facts),
    };
  return claim.amountMinor - undisputed > facts.toleranceMinor
    ? { kind: 'review', why: 'beyond-plan', amountMinor: undisputed }
    : { kind: 'auto-approve', amountMinor: undisputed };
}
