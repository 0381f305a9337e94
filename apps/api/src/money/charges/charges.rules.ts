import type { chargeStatuses } from '@nearhand/contract/money/charges';

export type ChargeStatus = (typeof chargeStatuses)[number];
/** Statuses the provider reports. */
export type ProviderStatus = Exclude<ChargeStatus, 'created'>;

const anything: readonly ProviderStatus[] = [
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'cancelled',
];

/**
 * Which provider statuses move a charge, by our status. Money that was taken always counts, even after we cancelled the charge: it goes to the balance.
 * Anything else is outdated news.
 */
const moves: Record<ChargeStatus, readonly ProviderStatus[]> = {
  created: anything,
  processing: anything.filter((status) => status !== 'processing'),
  requires_action: anything.filter((status) => status !== 'requires_action'),
  succeeded: [],
  failed: ['succeeded'],
  cancelled: ['succeeded'],
};

/** Whether a provider status moves a charge. */
export const movesCharge = (from: ChargeStatus, to: ProviderStatus): boolean => moves[from].includes(to);

/** Statuses of charges in progress. */
export const openStatuses: readonly ChargeStatus[] = ['created', 'processing', 'requires_action'];

export type ChargebackStatus = 'open' | 'won' | 'lost';

/** The steps of one chargeback from our state to the provider's; a missed opening is applied first. */
export function chargebackSteps(
  known: ChargebackStatus | null,
  reported: ChargebackStatus,
): ChargebackStatus[] {
  if (known === reported || known === 'won' || known === 'lost') return [];
  const whole: ChargebackStatus[] = reported === 'open' ? ['open'] : ['open', reported];
  return known === 'open' ? whole.slice(1) : whole;
}

/** The summary of a charge's chargebacks: open if one is, otherwise lost if one was; null without any. */
export const chargebackSummary = (statuses: readonly ChargebackStatus[]): ChargebackStatus | null =>
  (['open', 'lost', 'won'] as const).find((status) => statuses.includes(status)) ?? null;

/** Splits a refund over charges in the given order, each up to what is left of it. @returns the parts, and what no charge could take */
export function spreadRefund<Charge extends { amountMinor: number; refundedMinor: number }>(
  charges: readonly Charge[],
  amountMinor: number,
): { parts: { charge: Charge; amountMinor: number }[]; missingMinor: number } {
  const parts: { charge: Charge; amountMinor: number }[] = [];
  let missingMinor = amountMinor;
  for (const charge of charges) {
    const part = Math.min(missingMinor, charge.amountMinor - charge.refundedMinor);
    if (part <= 0) continue;
    parts.push({ charge, amountMinor: part });
    missingMinor -= part;
  }
  return { parts, missingMinor };
}
