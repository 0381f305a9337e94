import type { Side } from '@nearhand/contract/sides';
import type { DisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { DisputeWhy } from '@nearhand/contract/work/engagements';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { z } from 'zod';
import { disputeHold, type MoneyScope } from '../../money/holds/holds.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { emitRow } from '../../platform/realtime/publish-records.ts';
import type { DisputeSteps, Disputes } from '../../platform/tables.gen.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { nextStep } from '../engagements/engagement-lines.ts';
import {
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { notifyOfWork } from '../settlement/settlement.ts';
import { dueAt, stopAt } from './disputes.rules.ts';

type Opening = {
  /** The note of the side that opened it; may be empty. */
  reason: string;
  workerAmountMinor: number | null;
  businessAmountMinor: number | null;
  fileIds?: readonly string[];
};

/** Opens a pay dispute; the engagement must be locked. @throws engagement/wrong-state, engagement/stale */
export async function openDispute(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  mover: EngagementMover,
  opening: Opening & { status: 'open' | 'answered'; why: DisputeWhy },
): Promise<void> {
  const now = scope.clock.now();
  const stop = stopAt(now, scope.config);
  const due = dueAt(opening.status, now, stop, scope.config) ?? stop;
  await makeEngagementMove(
    tx,
    scope,
    row,
    'dispute',
    mover,
    nextStep({ what: 'dispute', at: due }),
    opening.reason || null,
  );
  await disputeHold(tx, scope, row.id);
  const disputeId = newId(now);
  await insertDispute(tx, {
    id: disputeId,
    engagementId: row.id,
    status: opening.status,
    filedBy: mover.side,
    why: opening.why,
    reason: opening.reason,
    workerAmountMinor: opening.workerAmountMinor,
    businessAmountMinor: opening.businessAmountMinor,
    dueAt: due,
    stopAt: stop,
    createdAt: now,
    updatedAt: now,
  });
  const stepId = newId(now);
  await insertStep(tx, {
    id: stepId,
    disputeId,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action: 'file',
    toStatus: opening.status,
    amountMinor:
      mover.side === 'worker'
        ? opening.workerAmountMinor
        : mover.side === 'business'
          ? opening.businessAmountMinor
          : null,
    reason: opening.reason || null,
    at: now,
  });
  await insertDisputeFiles(tx, stepId, opening.fileIds ?? []);
  await setDisputeTimer(tx, disputeId, due);
  await notifyOfWork(tx, scope, row, {
    topic: 'dispute-opened',
    to: mover.side === 'timer' ? ['worker', 'business'] : [mover.side === 'worker' ? 'business' : 'worker'],
    event: disputeId,
    data: { by: due.toISOString(), reason: opening.reason, what: opening.why },
  });
}

/** Opens a dispute automatically: after the last counter-proposal, or where silence can't decide (ADR 43). `why` is a code that screens and mails word. */
export async function openDisputeAutomatically(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  opening: Opening & { why: Exclude<DisputeWhy, 'filed'> },
): Promise<void> {
  const bothNamed = opening.workerAmountMinor !== null && opening.businessAmountMinor !== null;
  const status = bothNamed ? 'answered' : 'open';
  await openDispute(tx, scope, row, { side: 'timer' }, { ...opening, status });
}

/** The task that escalates an unanswered dispute and ends it at the hard stop. */
export const disputeClock = { name: 'disputes.clock', payload: z.object({ disputeId: z.uuid() }) };

/** Sets or replaces a dispute's timer. The task rechecks the record. */
export async function setDisputeTimer(tx: Tx, disputeId: string, at: Date): Promise<void> {
  await enqueue(tx, disputeClock, { disputeId }, { runAt: at, key: `${disputeClock.name}/${disputeId}` });
}

export type DisputeRow = Omit<Selectable<Disputes>, 'status' | 'why' | 'filedBy' | 'proposalBy'> & {
  status: DisputeStatus;
  why: DisputeWhy;
  filedBy: Side | 'timer';
  proposalBy: Side | null;
};

/** Ids taken from the engagement, for the signals. */
const seen = [
  'disputes.id',
  sql<string>`(select worker_id from engagements where id = disputes.engagement_id)`.as('workerId'),
  sql<string>`(select business_id from engagements where id = disputes.engagement_id)`.as('businessId'),
  sql<string>`(select job_id from engagements where id = disputes.engagement_id)`.as('jobId'),
] as const;

async function insertDispute(tx: Tx, row: Insertable<Disputes>): Promise<void> {
  emitRow(tx, 'dispute', await tx.insertInto('disputes').values(row).returning(seen).executeTakeFirst());
}

export async function insertStep(tx: Tx, row: Insertable<DisputeSteps>): Promise<void> {
  await tx.insertInto('dispute_steps').values(row).execute();
}

export async function insertDisputeFiles(tx: Tx, stepId: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await tx
    .insertInto('dispute_files')
    .values(fileIds.map((fileId, position) => ({ stepId, fileId, position })))
    .execute();
}

/** The engagement of a dispute, which is locked first. */
export async function findEngagementId(db: Db, disputeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('disputes')
    .select('engagementId')
    .where('id', '=', disputeId)
    .executeTakeFirst();
  return row?.engagementId ?? null;
}

export async function lockDispute(tx: Tx, disputeId: string): Promise<DisputeRow | undefined> {
  const row = await tx
    .selectFrom('disputes')
    .selectAll()
    .where('id', '=', disputeId)
    .forUpdate()
    .executeTakeFirst();
  return row as DisputeRow | undefined;
}

/** The actor of the last step. */
export async function findLastStepper(db: Db, disputeId: string): Promise<string | undefined> {
  const { rows } = await sql<{ actor: string }>`
    select actor from dispute_steps where dispute_id = ${disputeId} order by at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0]?.actor;
}

/** Updates a dispute if its version is unchanged; false if it changed in the meantime. */
export async function updateDispute(
  tx: Tx,
  row: Pick<DisputeRow, 'id' | 'version' | 'status'>,
  changes: Updateable<Disputes>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('disputes')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .where('status', '=', row.status)
    .returning(seen)
    .executeTakeFirst();
  emitRow(tx, 'dispute', updated);
  return updated !== undefined;
}

/** For a removed account: what was written in its disputes loses its name. */
export async function forgetDisputes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update disputes set reason = ${withoutWords('reason', member)}, proposal_note = ${withoutWords('proposal_note', member)}
    where engagement_id in (select id from engagements where worker_id = ${member.accountId})`.execute(tx);
  await sql`update dispute_steps set reason = ${withoutWords('reason', member)} where reason is not null and dispute_id in (
    select dispute.id from disputes dispute join engagements work on work.id = dispute.engagement_id
    where work.worker_id = ${member.accountId})`.execute(tx);
}
