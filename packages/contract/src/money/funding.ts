import { dayMs, hourMs, subtractMs } from '../durations.ts';

/**
 * The funding of an offer or engagement (product.md, Hold). `planned`: the pay is set aside some days before the shift
 * (ADR 399); `frozen`: a chargeback is open; `partly_funded`: a lost chargeback took a part.
 */
export const fundings = ['not_funded', 'planned', 'partly_funded', 'funded', 'frozen'] as const;
export type Funding = (typeof fundings)[number];

/** The time the pay of a shift is set aside, and the deadline after which its booking ends (ADR 399). */
export type PlannedFunding = { at: string; by: string };

/**
 * Returns when the pay of a shift of a series is set aside: null if that is now, because the shift starts soon.
 * Settings in days and hours before the start.
 */
export function plannedFundingFor(
  startsAt: Date | null,
  { fundAheadDays, fundByHours }: { fundAheadDays: number; fundByHours: number },
  now: Date,
): PlannedFunding | null {
  if (startsAt === null) return null;
  const at = subtractMs(startsAt, fundAheadDays * dayMs);
  const by = subtractMs(startsAt, fundByHours * hourMs);
  return at > now && at <= by ? { at: at.toISOString(), by: by.toISOString() } : null;
}
