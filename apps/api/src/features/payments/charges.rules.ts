import type { chargeStatuses } from '@nearhand/contract/payments';

export type ChargeStatus = (typeof chargeStatuses)[number];
/** What the provider can say of a charge. */
export type ProviderStatus = Exclude<ChargeStatus, 'created'>;

const anything: readonly ProviderStatus[] = [
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'cancelled',
];

/**
 * From which states of ours the provider's move a charge. Money that was taken always counts, also after we had given a charge up: it lands in the balance then.
 * Whatever is not listed is old news and changes nothing.
 */
const moves: Record<ChargeStatus, readonly ProviderStatus[]> = {
  created: anything,
  processing: anything.filter((status) => status !== 'processing'),
  requires_action: anything.filter((status) => status !== 'requires_action'),
  succeeded: [],
  failed: ['succeeded'],
  cancelled: ['succeeded'],
};

/** Whether news of the provider move a charge of ours. */
export const movesCharge = (from: ChargeStatus, to: ProviderStatus): boolean => moves[from].includes(to);

/** States in which a charge may still turn out either way. */
export const openStatuses: readonly ChargeStatus[] = ['created', 'processing', 'requires_action'];

export type ChargebackStatus = 'open' | 'won' | 'lost';

/** The steps of a chargeback from what we know to what the provider says, none left out: one whose opening we never heard of is opened first. */
export function chargebackSteps(
  known: ChargebackStatus | null,
  told: ChargebackStatus | null,
): ChargebackStatus[] {
  if (told === null || known === told || known === 'won' || known === 'lost') return [];
  const whole: ChargebackStatus[] = told === 'open' ? ['open'] : ['open', told];
  return known === 'open' ? whole.slice(1) : whole;
}

/**
 * Spreads a refund over charges in the order given, each up to what is left of it.
 * @returns the parts, and what no charge could take
 */
export function spreadRefund<Charge extends { amount_minor: number; refunded_minor: number }>(
  charges: readonly Charge[],
  amountMinor: number,
): { parts: { charge: Charge; amountMinor: number }[]; missingMinor: number } {
  const parts: { charge: Charge; amountMinor: number }[] = [];
  let missingMinor = amountMinor;
  for (const charge of charges) {
    const part = Math.min(missingMinor, charge.amount_minor - charge.refunded_minor);
    if (part <= 0) continue;
    parts.push({ charge, amountMinor: part });
    missingMinor -= part;
  }
  return { parts, missingMinor };
}
