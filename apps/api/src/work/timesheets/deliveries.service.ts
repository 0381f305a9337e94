import { dayMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { findOwnFile } from '../../people/files/files.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  makeEngagementMove,
  openEngagement,
  requireEngagementMove,
} from '../engagements/engagement-moves.service.ts';
import { deliveriesOf } from '../engagements/engagement-record.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { silentOutcomeOf } from '../settlement/pay-bounds.service.ts';
import { notifyOfWork } from '../settlement/pay-notices.service.ts';
import { nextStep, remindAt, setSettlementTimer } from '../settlement/settlement-timer.service.ts';
import { insertDelivery, setChangesAsked } from './timesheets.sql.ts';

/**
 * The worker delivers a task with a note or their own files. Approved automatically without a reply.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, timesheet/no-delivery, file/not-found, file/wrong-type
 */
export async function deliverWork(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number; note: string; fileIds: string[] },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'worker',
  });
  if (requireEngagementMove(row, 'deliver', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const fileIds = [...new Set(input.fileIds)];
  if (input.note === '' && fileIds.length === 0) throw new AppError('timesheet/no-delivery');
  for (const fileId of fileIds) await findOwnFile(tx, scope.actor.accountId, fileId, 'work');
  const now = scope.clock.now();
  const round = (await deliveriesOf(tx, row.id)).length + 1;
  await insertDelivery(
    tx,
    { id: newId(now), engagement_id: row.id, round, note: input.note, at: now },
    fileIds,
  );
  const by = new Date(now.getTime() + scope.config.AUTO_APPROVE_TASK_DAYS * dayMs);
  const silence = await silentOutcomeOf(tx, row);
  await makeEngagementMove(
    tx,
    scope,
    row,
    'deliver',
    mover,
    nextStep({ what: silence.what, at: by, amountMinor: silence.amountMinor }),
    input.note || null,
  );
  await setSettlementTimer(tx, row.id, remindAt(by));
  await notifyOfWork(tx, scope, row, {
    topic: 'work-delivered',
    to: ['business'],
    event: `${row.id}/${round}`,
    data: {
      by: by.toISOString(),
      count: fileIds.length,
      amountMinor: row.terms.payTotalMinor,
      silence: silence.what,
      silentMinor: silence.amountMinor,
      ...(input.note ? { reason: input.note } : {}),
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * A recruiter requests changes to a delivery. The approval timer stops until the next delivery.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function requestChanges(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number; note: string },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
  });
  if (requireEngagementMove(row, 'request-changes', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  await makeEngagementMove(tx, scope, row, 'request-changes', mover, nextStep(null), input.note);
  await setChangesAsked(tx, row.id, input.note, scope.clock.now());
  const round = (await deliveriesOf(tx, row.id)).length;
  await notifyOfWork(tx, scope, row, {
    topic: 'changes-requested',
    to: ['worker'],
    event: `${row.id}/${round}`,
    data: { reason: input.note },
  });
  return viewEngagement(tx, scope, row.id);
}

/** For an account that is removed (ADR 160). */
export { forgetTimesheets } from './timesheets.sql.ts';
