import { limits } from '@nearhand/contract/limits';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { EngagementRow } from '../engagements/engagement-moves.service.ts';
import { notifyOfEngagement } from '../engagements/engagement-notices.service.ts';

/** Notifies recruiters of the first arrival of a shift and of late ones (ADR 42). */
export async function notifyOfArrival(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: EngagementRow,
  at: Date,
  late: number,
): Promise<void> {
  const isLate = late > limits.lateArrivalMinutes;
  await notifyOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-checked-in',
    event: isLate ? row.id : `first/${row.job_id}/${row.starts_at?.toISOString()}`,
    data: {
      what: isLate ? 'late' : 'first',
      checkedInAt: at.toISOString(),
      ...(isLate ? { count: late } : {}),
    },
  });
}
