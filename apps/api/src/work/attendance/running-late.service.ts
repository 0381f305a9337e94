import type { LateChoice } from '@nearhand/contract/work/attendance.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  changeEngagement,
  logEngagementNote,
  openEngagement,
  requireActionMoment,
} from '../engagements/engagement-moves.service.ts';
import { notifyOfEngagement } from '../engagements/engagement-notices.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';

/**
 * The worker says that they will be late, from 12 hours before the start until its end and before checking in: by 15, 30 or 60 minutes after
 * the start, with a note, or a note alone. Recruiters are notified, and a no-show can be reported later by as much. Saying it again replaces
 * it, and the same again is a no-op.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, engagement/too-early, engagement/too-late
 */
export async function sayLate(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; minutes: LateChoice | null; note: string },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  await requireActionMoment(tx, scope, row, 'say-late', mover.side);
  const { minutes } = input;
  const note = input.note === '' ? null : input.note;
  if (row.late_at !== null && row.late_minutes === minutes && row.late_note === note)
    return viewEngagement(tx, scope, row.id);
  const now = scope.clock.now();
  await changeEngagement(tx, scope, row, { late_minutes: minutes, late_note: note, late_at: now });
  await logEngagementNote(tx, scope, row, mover, {
    action: minutes === null ? 'running-late' : `running-late-${minutes}`,
    reason: note,
  });
  await notifyOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-running-late',
    event: `${row.id}/${row.version}`,
    data: {
      ...(minutes === null ? {} : { what: String(minutes) }),
      ...(note === null ? {} : { reason: note }),
    },
  });
  return viewEngagement(tx, scope, row.id);
}
