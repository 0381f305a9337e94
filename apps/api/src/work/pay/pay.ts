import type { Charge } from '@nearhand/contract/money/charges';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { pay, type ReleasePreview } from '@nearhand/contract/work/pay';
import { quoteRelease } from '../../money/holds/release-quotes.ts';
import { creditOf } from '../../money/payouts/clearing.ts';
import { seesMoney, spendableMinor } from '../../money/wallet/wallet.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { openEngagement } from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { addMissingPay, approvableMinor } from '../timesheets/approval.ts';
import { giveTip } from './tips.ts';

const settling: readonly string[] = [
  'submitted',
  'counter_proposed',
  'delivered',
  'changes_requested',
  'disputed',
];

/**
 * Previews the effect of an approval on the hold. For members of the business.
 * @param input.payMinor defaults to the submitted hours, or the price of the task
 */
async function previewRelease(
  db: Db,
  scope: Scope,
  input: { engagementId: string; payMinor?: number },
): Promise<ReleasePreview> {
  const engagement = await viewEngagement(db, scope, input.engagementId);
  if (engagement.side !== 'business') throw new AppError('engagement/not-allowed');
  const { status, terms } = engagement;
  const hasUnfundedPay = engagement.releases.some(({ state }) => state === 'not_funded');
  if (!settling.includes(status) && !hasUnfundedPay) throw new AppError('engagement/wrong-state', { status });
  const pay = settling.includes(status) ? (input.payMinor ?? payNow(engagement)) : null;
  const quote = await quoteRelease(db, engagement.id, pay);
  const { businessId, currency } = quote.hold;
  const credit = await creditOf(db, scope, engagement.worker.id);
  return {
    ...quote,
    engagementId: engagement.id,
    currency,
    balanceCovers:
      quote.missingMinor > 0 &&
      (await seesMoney(db, scope, businessId)) &&
      (await spendableMinor(db, businessId, currency)) >= quote.missingMinor,
    businessFeeBasisPoints: terms.businessFeeBasisPoints,
    workerFeeBasisPoints: terms.workerFeeBasisPoints,
    clearsAt: credit.clearsAt?.toISOString() ?? null,
  };
}

const payNow = ({ terms, claims }: Engagement): number =>
  terms.kind === 'task' ? terms.payTotalMinor : (claims.at(-1)?.amountMinor ?? terms.payTotalMinor);

/**
 * Sets aside the missing part of owed or approvable pay, fee included, and releases owed pay. For members who pay.
 */
export async function coverWork(
  tx: Tx,
  scope: Scope,
  { engagementId, funding, returnTo }: { engagementId: string; funding: FundingSource; returnTo?: string },
): Promise<{ engagement: Engagement; charge: Charge | null }> {
  const { row } = await openEngagement(tx, scope, { engagementId, side: 'business', capability: 'pay' });
  const canApprove = row.status === 'submitted' || row.status === 'delivered';
  const payMinor = canApprove ? await approvableMinor(tx, row) : null;
  const charge = await addMissingPay(tx, scope, row, { payMinor, funding, returnTo });
  return { engagement: await viewEngagement(tx, scope, engagementId), charge };
}

export const payRoutes = {
  releasePreview: read(pay.releasePreview, previewRelease),
  cover: write(pay.cover, coverWork),
  tip: write(pay.tip, giveTip),
};
