import type { chargeStatuses } from '@nearhand/contract/money/charges';

export type ChargeStatus = (typeof chargeStatuses)[number];
export type ProviderStatus = Exclude<ChargeStatus, 'created'>;

const anything: readonly ProviderStatus[] = [
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'cancelled',
];

/** Money taken after a cancellation still counts, and goes to the balance. */
const moves: Record<ChargeStatus, readonly ProviderStatus[]> = {
  created: anything,
  processing: anything.filter((status) => status !== 'processing'),
  requires_action: anything.filter((status) => status !== 'requires_action'),
  succeeded: [],
  failed: ['succeeded'],
  cancelled: ['succeeded'],
};

/** Returns whether the provider's status is news. Repeated and late events are not. */
export const movesCharge = (from: ChargeStatus, to: ProviderStatus): boolean => moves[from].includes(to);

export const openStatuses: readonly ChargeStatus[] = ['created', 'processing', 'requires_action'];

export type ChargebackStatus = 'open' | 'won' | 'lost';

/**
 * The chargeback states still to be applied, in order. An event may have been missed, so that "won" arrives
 * before "open".
 */
export function chargebackSteps(
  storedStatus: ChargebackStatus | null,
  reported: ChargebackStatus,
): ChargebackStatus[] {
  if (storedStatus === reported || storedStatus === 'won' || storedStatus === 'lost') return [];
  const statuses: ChargebackStatus[] = reported === 'open' ? ['open'] : ['open', reported];
  return storedStatus === 'open' ? statuses.slice(1) : statuses;
}

/** The state of a charge with several chargebacks: open before lost before won. */
export const chargebackSummary = (statuses: readonly ChargebackStatus[]): ChargebackStatus | null =>
  (['open', 'lost', 'won'] as const).find((status) => statuses.includes(status)) ?? null;

/**
 * Splits a refund over charges in order.
 * @returns the parts, and the amount no charge could take
 */
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
