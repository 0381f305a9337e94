import { engagementPath } from '@nearhand/contract/app-paths';
import type { Tip } from '@nearhand/contract/money/tips';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { tipUntil } from '@nearhand/contract/work/pay.rules';
import { payTip } from '../../money/tips/tips.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { openEngagement } from '../engagements/engagement-transitions.ts';

/** Pays a tip or bonus, all of it to the worker, until `TIP_DAYS` after the approval. Minor units. */
export async function giveTip(
  tx: Tx,
  scope: Scope,
  input: {
    engagementId: string;
    kind: 'tip' | 'bonus';
    amountMinor: number;
    note: string;
    funding?: FundingSource;
    returnTo?: string;
  },
): Promise<Tip> {
  const { engagementId, kind } = input;
  const { row } = await openEngagement(tx, scope, { engagementId, side: 'business', capability: 'pay' });
  if (row.status !== 'completed') throw new AppError('engagement/wrong-state', { status: row.status });
  const until = tipUntil(row.approvedAt ?? row.updatedAt, scope.config.TIP_DAYS);
  if (scope.clock.now() > until) throw new AppError('payment/tip-too-late', { until: until.toISOString() });
  return payTip(tx, scope, {
    ...input,
    businessId: row.businessId,
    workerId: row.workerId,
    currency: row.terms.currency,
    description: `${kind === 'tip' ? 'Tip' : 'Bonus'}: ${row.terms.title}`,
    returnPath: input.returnTo ?? engagementPath(engagementId, 'business'),
  });
}
