import { engagementPath } from '@nearhand/contract/app-paths';
import type { Charge } from '@nearhand/contract/money/charges';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { addMissing } from '../../money/holds/cover.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { openEngagement } from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { workToPay } from '../engagements/engagements.ts';
import { approvableMinor } from '../timesheets/approval.ts';

/**
 * Adds to the hold what owed or approvable pay lacks, fee included, and releases owed pay. For recruiters.
 * @throws engagement/not-found, engagement/not-allowed, payment/nothing-missing, payment/balance-short (data:
 * missingMinor, currency), payment/card-not-found, payment/method-missing
 */
export async function coverWork(
  tx: Tx,
  scope: Scope,
  { engagementId, funding, returnTo }: { engagementId: string; funding: FundingSource; returnTo?: string },
): Promise<{ engagement: Engagement; charge: Charge | null }> {
  const { row } = await openEngagement(tx, scope, { engagementId, side: 'business' });
  const approvable = row.status === 'submitted' || row.status === 'delivered';
  const charge = await addMissing(tx, scope, workToPay(row, scope), {
    payMinor: approvable ? await approvableMinor(tx, row) : null,
    funding,
    description: `Pay added: ${row.terms.title}`,
    returnPath: returnTo ?? engagementPath(engagementId, 'business'),
  });
  return { engagement: await viewEngagement(tx, scope, engagementId), charge };
}
