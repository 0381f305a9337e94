import { engagementPath } from '@nearhand/contract/app-paths';
import type { Charge } from '@nearhand/contract/money/charges';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { addMissing } from '../../money/holds/cover.ts';
import { quoteRelease, requireCovered } from '../../money/holds/release-quotes.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { claimsOf } from '../engagements/engagement-record.ts';
import {
  type EngagementRow,
  openEngagement,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { workToPay } from '../engagements/engagements.ts';
import { settlePay } from '../settlement/settlement.ts';

/** The submitted hours, or the price of the task, in minor units. */
export async function approvableMinor(tx: Tx, row: EngagementRow): Promise<number> {
  if (row.kind === 'task') return row.terms.payTotalMinor;
  const claim = (await claimsOf(tx, row.id)).at(-1);
  if (!claim) throw new Error(`engagement ${row.id} is submitted without a claim`);
  return claim.amountMinor;
}

/** Adds what a hold lacks for this pay. `returnTo` is the page after a bank's check of the card. */
export const addMissingPay = (
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { returnTo, ...pay }: { payMinor: number | null; funding: FundingSource; returnTo?: string },
): Promise<Charge | null> =>
  addMissing(tx, scope, workToPay(row, scope), {
    ...pay,
    description: `Pay added: ${row.terms.title}`,
    returnPath: returnTo ?? engagementPath(row.id, 'business'),
  });

/**
 * Approves hours or a delivery, which releases unpaid pay. For members who pay. The hold must cover it; the balance
 * adds what is missing, up to `addMinor`, so that it never takes more than the member agreed to.
 * @throws payment/hold-short, payment/balance-short (data: missingMinor, currency)
 */
export async function approveWork(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number; addMinor?: number },
): Promise<Engagement> {
  const { row, mover, repeated } = await openEngagement(tx, scope, {
    ...input,
    side: 'business',
    capability: 'pay',
    repeatOf: 'approve',
  });
  if (repeated && row.status === 'completed') return viewEngagement(tx, scope, row.id);
  if (requireEngagementMove(row, 'approve', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const amountMinor = await approvableMinor(tx, row);
  if (input.addMinor !== undefined) {
    const { missingMinor } = await quoteRelease(tx, row.id, amountMinor);
    if (missingMinor > 0 && missingMinor <= input.addMinor)
      await addMissingPay(tx, scope, row, { payMinor: amountMinor, funding: { from: 'balance' } });
  }
  await requireCovered(tx, row.id, amountMinor);
  await settlePay(tx, scope, row, { action: 'approve', mover, amountMinor });
  return viewEngagement(tx, scope, row.id);
}
