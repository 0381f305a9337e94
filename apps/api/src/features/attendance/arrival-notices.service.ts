import { limits } from '@nearhand/contract/limits';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { EngagementRow } from '../engagements/engagement-moves.service.ts';
import { tellOfEngagement } from '../engagements/engagement-notices.service.ts';

/**
 * Tells the recruiters of an arrival: of everybody who is more than five minutes late, and of the first who comes to a shift; the others are on the screen
 * (ADR 0042).
 */
export async function tellOfArrival(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: EngagementRow,
  at: Date,
  late: number,
): Promise<void> {
  const isLate = late > limits.lateArrivalMinutes;
  await tellOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-checked-in',
    event: isLate ? row.id : `first/${row.job_id}/${row.starts_at?.toISOString()}`,
    data: {
      what: isLate ? 'late' : 'first',
      checkedInAt: at.toISOString(),
      ...(isLate ? { count: late } : {}),
    },
  });
}
