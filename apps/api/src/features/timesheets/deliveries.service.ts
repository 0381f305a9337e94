import { dayMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  demandEngagementMove,
  makeEngagementMove,
  openEngagement,
} from '../engagements/engagement-moves.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { findOwnFile } from '../files/files.service.ts';
import { nextStep, setSettlementTimer } from './settlement-timer.service.ts';
import { tellOfWork } from './timesheet-notices.service.ts';
import { findDeliveries, insertDelivery, setChangesAsked } from './timesheets.sql.ts';

/**
 * Delivers a task with a note, photos or files; its worker, with files of their own for work. Approved by itself when nobody answers.
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
  if (demandEngagementMove(row, 'deliver', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const fileIds = [...new Set(input.fileIds)];
  if (input.note === '' && fileIds.length === 0) throw new AppError('timesheet/no-delivery');
  for (const fileId of fileIds) await findOwnFile(tx, scope.actor.accountId, fileId, 'work');
  const now = scope.clock.now();
  const round = (await findDeliveries(tx, row.id)).length + 1;
  await insertDelivery(
    tx,
    { id: newId(now), engagement_id: row.id, round, note: input.note, at: now },
    fileIds,
  );
  const by = new Date(now.getTime() + scope.config.AUTO_APPROVE_TASK_DAYS * dayMs);
  await makeEngagementMove(
    tx,
    scope,
    row,
    'deliver',
    mover,
    nextStep({ what: 'auto-approve', at: by }),
    input.note || null,
  );
  await setSettlementTimer(tx, row.id, by);
  await tellOfWork(tx, scope, row, {
    topic: 'work-delivered',
    to: ['business'],
    event: `${row.id}/${round}`,
    data: {
      by: by.toISOString(),
      count: fileIds.length,
      amountMinor: row.terms.payTotalMinor,
      ...(input.note ? { reason: input.note } : {}),
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Asks for changes to a delivery; recruiters of the business. The clock stands until it is delivered again.
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
  if (demandEngagementMove(row, 'request-changes', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  await makeEngagementMove(tx, scope, row, 'request-changes', mover, nextStep(null), input.note);
  await setChangesAsked(tx, row.id, input.note, scope.clock.now());
  const round = (await findDeliveries(tx, row.id)).length;
  await tellOfWork(tx, scope, row, {
    topic: 'changes-requested',
    to: ['worker'],
    event: `${row.id}/${round}`,
    data: { reason: input.note },
  });
  return viewEngagement(tx, scope, row.id);
}
