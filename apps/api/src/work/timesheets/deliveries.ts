import { addMs, dayMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { type Insertable, sql } from 'kysely';
import { findOwnFile } from '../../people/files/files.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRows } from '../../platform/realtime/publish-records.ts';
import type { Deliveries, HoursClaims } from '../../platform/tables.gen.ts';
import { listDeliveries } from '../engagements/engagement-record.ts';
import {
  makeEngagementMove,
  openEngagement,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import { silentOutcomeNow } from '../settlement/pay-bounds.ts';
import { notifyOfWork, remindAt, setSettlementTimer } from '../settlement/settlement.ts';

export async function insertClaim(tx: Tx, row: Insertable<HoursClaims>): Promise<void> {
  await tx.insertInto('hours_claims').values(row).execute();
}

async function insertDelivery(
  tx: Tx,
  row: Insertable<Deliveries>,
  fileIds: readonly string[],
): Promise<void> {
  await tx.insertInto('deliveries').values(row).execute();
  if (fileIds.length > 0)
    await tx
      .insertInto('delivery_files')
      .values(fileIds.map((fileId, position) => ({ deliveryId: row.id, fileId, position })))
      .execute();
}

async function setChangesAsked(tx: Tx, engagementId: string, note: string, now: Date): Promise<void> {
  await sql`update deliveries set changes_note = ${note}, changes_at = ${now}
    where engagement_id = ${engagementId}
      and round = (select max(round) from deliveries latest where latest.engagement_id = ${engagementId})`.execute(
    tx,
  );
}

/** Part of account removal: replaces the person's name in notes. */
export async function eraseTimesheets(tx: Tx, member: FormerMember): Promise<void> {
  const ownEngagements = sql`engagement_id in (select id from engagements where worker_id = ${member.accountId})`;
  await sql`update hours_claims set note = ${withoutWords('note', member)} where note <> '' and ${ownEngagements}`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string; workerId: string; businessId: string; jobId: string }>`
    with changed as (
      update deliveries set note = ${withoutWords('note', member)}, changes_note = ${withoutWords('changes_note', member)}
      where ${ownEngagements} returning engagement_id)
    select id, worker_id, business_id, job_id from engagements where id in (select engagement_id from changed)`.execute(
    tx,
  );
  emitRows(tx, 'engagement', rows);
}

/** Delivers a task with a note or files. For its worker. Approved automatically without a reply. */
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
  const round = (await listDeliveries(tx, row.id)).length + 1;
  await insertDelivery(
    tx,
    { id: newId(now), engagementId: row.id, round, note: input.note, at: now },
    fileIds,
  );
  const by = addMs(now, scope.config.AUTO_APPROVE_TASK_DAYS * dayMs);
  const silence = await silentOutcomeNow(tx, row);
  await makeEngagementMove(tx, scope, row, {
    action: 'deliver',
    mover,
    changes: nextStep({ kind: silence.kind, at: by, amountMinor: silence.amountMinor }),
    reason: input.note || null,
  });
  await setSettlementTimer(tx, row.id, remindAt(by));
  await notifyOfWork(tx, scope, row, {
    topic: 'work-delivered',
    to: ['business'],
    event: `${row.id}/${round}`,
    data: {
      by: by.toISOString(),
      count: fileIds.length,
      amountMinor: row.terms.payTotalMinor,
      silence: silence.kind,
      silentMinor: silence.amountMinor,
      reason: input.note || undefined,
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/** Requests changes to a delivery, which stops the approval timer. For recruiters. */
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
  await makeEngagementMove(tx, scope, row, {
    action: 'request-changes',
    mover,
    changes: nextStep(null),
    reason: input.note,
  });
  await setChangesAsked(tx, row.id, input.note, scope.clock.now());
  const round = (await listDeliveries(tx, row.id)).length;
  await notifyOfWork(tx, scope, row, {
    topic: 'changes-requested',
    to: ['worker'],
    event: `${row.id}/${round}`,
    data: { reason: input.note },
  });
  return viewEngagement(tx, scope, row.id);
}
