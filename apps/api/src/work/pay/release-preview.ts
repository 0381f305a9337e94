import type { Engagement } from '@nearhand/contract/work/engagements';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import { quoteRelease } from '../../money/holds/release-quotes.ts';
import { creditOf } from '../../money/payouts/clearing.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';

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
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state
 */
export async function previewRelease(
  db: Db,
  scope: Scope,
  input: { engagementId: string; payMinor?: number | undefined },
): Promise<ReleasePreview> {
  const engagement = await viewEngagement(db, scope, input.engagementId);
  if (engagement.side !== 'business') throw new AppError('engagement/not-allowed');
  const { status, terms } = engagement;
  const owes = engagement.releases.some(({ state }) => state === 'not_funded');
  if (!settling.includes(status) && !owes) throw new AppError('engagement/wrong-state', { status });
  const pay = settling.includes(status) ? (input.payMinor ?? payNow(engagement)) : null;
  const quote = await quoteRelease(db, engagement.id, pay);
  const credit = await creditOf(db, scope, engagement.worker.id);
  return {
    ...quote,
    engagementId: engagement.id,
    currency: quote.hold.currency,
    merchantFeeBasisPoints: terms.merchantFeeBasisPoints,
    workerFeeBasisPoints: terms.workerFeeBasisPoints,
    clearsAt: credit.clearsAt?.toISOString() ?? null,
  };
}

const payNow = ({ terms, claims }: Engagement): number =>
  terms.kind === 'task' ? terms.payTotalMinor : (claims.at(-1)?.amountMinor ?? terms.payTotalMinor);
