import { otherSide, type Side } from '@nearhand/contract/sides';
import {
  type DisputeAction,
  type DisputeMoveName,
  isTurn,
  nextDisputeStatus,
} from '@nearhand/contract/work/disputes.rules';
import type { DisputeWhy, Engagement } from '@nearhand/contract/work/engagements';
import { boundsProblem, silentMinor } from '@nearhand/contract/work/pay.rules';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { z } from 'zod';
import { disputeHold } from '../../money/holds/hold-transitions.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { findOwnFile } from '../../people/files/files.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { DisputeSteps, Disputes } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import {
  type EngagementMover,
  type EngagementRow,
  engagementForTimer,
  makeEngagementMove,
  openEngagement,
  requireEngagementMove,
  setEngagementNext,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import {
  lastAmounts,
  payBoundsOf,
  plannedAndAgreedPay,
  recordedPay,
  workOverAt,
} from '../settlement/pay-bounds.ts';
import { notifyOfWork, type PayDecision, settlePay } from '../settlement/settlement.ts';
import { dueAt, fileUntil, stopAmount, stopAt } from './disputes.rules.ts';

type Opening = {
  reason: string;
  workerAmountMinor: number | null;
  businessAmountMinor: number | null;
  fileIds?: readonly string[];
};

/**
 * Creates a pay dispute with its first step; the engagement must be locked.
 * @throws engagement/wrong-state, engagement/stale
 */
async function createDispute(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  mover: PersonMover | { side: 'timer' },
  opening: Opening & { status: 'open' | 'answered'; why: DisputeWhy },
): Promise<void> {
  const now = scope.clock.now();
  const stop = stopAt(now, scope.config);
  const dueBy = dueAt(opening.status, now, stop, scope.config) ?? stop;
  await makeEngagementMove(tx, scope, row, {
    action: 'dispute',
    mover,
    changes: nextStep({ kind: 'dispute', at: dueBy }),
    reason: opening.reason || null,
  });
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
    dueAt: dueBy,
    stopAt: stop,
    createdAt: now,
    updatedAt: now,
  });
  const amountsMinor = {
    worker: opening.workerAmountMinor,
    business: opening.businessAmountMinor,
    timer: null,
  };
  const stepId = newId(now);
  await insertStep(tx, {
    id: stepId,
    disputeId,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action: 'file',
    fromStatus: null,
    toStatus: opening.status,
    amountMinor: amountsMinor[mover.side],
    reason: opening.reason || null,
    at: now,
  });
  await insertDisputeFiles(tx, stepId, opening.fileIds ?? []);
  await setDisputeTimer(tx, disputeId, dueBy);
  await notifyOfWork(tx, scope, row, {
    topic: 'dispute-opened',
    to: mover.side === 'timer' ? ['worker', 'business'] : [otherSide(mover.side)],
    event: disputeId,
    data: { by: dueBy.toISOString(), reason: opening.reason, variant: opening.why },
  });
}

/** Creates a dispute after the last counter-proposal, or where silence can't decide (ADR 43). `why` is a code. */
export async function createAutomaticDispute(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  opening: Opening & { why: Exclude<DisputeWhy, 'filed'> },
): Promise<void> {
  const areBothNamed = opening.workerAmountMinor !== null && opening.businessAmountMinor !== null;
  const status = areBothNamed ? 'answered' : 'open';
  await createDispute(tx, scope, row, { side: 'timer' }, { ...opening, status });
}

const disputeClockTask = defineTask({
  name: 'disputes.clock',
  payload: z.object({ disputeId: z.uuid() }),
  run: (scope, { disputeId }) => advanceDispute(scope, disputeId),
});

async function setDisputeTimer(tx: Tx, disputeId: string, at: Date): Promise<void> {
  await enqueue(
    tx,
    disputeClockTask,
    { disputeId },
    { runAt: at, key: `${disputeClockTask.name}/${disputeId}` },
  );
}

export type DisputeRow = Selectable<Disputes>;

const signalColumns = [
  'disputes.id',
  sql<string>`(select worker_id from engagements where id = disputes.engagement_id)`.as('workerId'),
  sql<string>`(select business_id from engagements where id = disputes.engagement_id)`.as('businessId'),
  sql<string>`(select job_id from engagements where id = disputes.engagement_id)`.as('jobId'),
] as const;

async function insertDispute(tx: Tx, row: Insertable<Disputes>): Promise<void> {
  emitRecord(
    tx,
    'dispute',
    await tx.insertInto('disputes').values(row).returning(signalColumns).executeTakeFirst(),
  );
}

async function insertStep(tx: Tx, row: Insertable<DisputeSteps>): Promise<void> {
  await tx.insertInto('dispute_steps').values(row).execute();
}

async function insertDisputeFiles(tx: Tx, stepId: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await tx
    .insertInto('dispute_files')
    .values(fileIds.map((fileId, position) => ({ stepId, fileId, position })))
    .execute();
}

export async function findEngagementId(db: Db, disputeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('disputes')
    .select('engagementId')
    .where('id', '=', disputeId)
    .executeTakeFirst();
  return row?.engagementId ?? null;
}

/** Locks after the engagement (lock order, ADR 38). */
export async function lockDispute(tx: Tx, disputeId: string): Promise<DisputeRow | undefined> {
  return tx.selectFrom('disputes').selectAll().where('id', '=', disputeId).forUpdate().executeTakeFirst();
}

/** Updates a dispute and returns it; undefined if its version changed in the meantime. */
async function updateDispute(
  tx: Tx,
  row: Pick<DisputeRow, 'id' | 'version' | 'status'>,
  changes: Updateable<Disputes>,
): Promise<DisputeRow | undefined> {
  const updated = await tx
    .updateTable('disputes')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .where('status', '=', row.status)
    .returningAll()
    .returning(signalColumns)
    .executeTakeFirst();
  emitRecord(tx, 'dispute', updated);
  return updated;
}

/** Part of account removal: replaces the person's name in reasons and notes. */
export async function eraseDisputes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update disputes set reason = ${withoutWords('reason', member)}, proposal_note = ${withoutWords('proposal_note', member)}
    where engagement_id in (select id from engagements where worker_id = ${member.accountId})`.execute(tx);
  await sql`update dispute_steps set reason = ${withoutWords('reason', member)} where reason is not null and dispute_id in (
    select dispute.id from disputes dispute join engagements work on work.id = dispute.engagement_id
    where work.worker_id = ${member.accountId})`.execute(tx);
}

type DisputeRef = { disputeId: string; version: number };
type PersonMover = Exclude<EngagementMover, { side: 'timer' }> & { side: Side };

/** @throws dispute/amount-impossible (data: minMinor, maxMinor) */
export async function requireDisputedAmount(tx: Tx, row: EngagementRow, amountMinor: number): Promise<void> {
  const bounds = await payBoundsOf(tx, row);
  if (boundsProblem(amountMinor, bounds)) throw new AppError('dispute/amount-impossible', bounds);
}

/** @throws file/not-found, file/wrong-type */
async function requireOwnFiles(tx: Tx, scope: Scope, fileIds: readonly string[] = []): Promise<void> {
  for (const fileId of fileIds) await findOwnFile(tx, scope.actor.accountId, fileId, 'work');
}

/** Maps engagement codes to dispute codes, for callers that pass a dispute id. */
const disputeCodes: Record<string, 'dispute/not-found' | 'dispute/not-allowed'> = {
  'engagement/not-found': 'dispute/not-found',
  'engagement/not-allowed': 'dispute/not-allowed',
};

/**
 * Locks a dispute and its engagement.
 * @throws dispute/not-found, dispute/not-allowed, dispute/wrong-state
 * (data: status), engagement/stale (data: status, by)
 */
async function lockForStep(
  tx: Tx,
  scope: Scope,
  input: DisputeRef,
  action: DisputeAction,
): Promise<{ dispute: DisputeRow; row: EngagementRow; mover: PersonMover }> {
  const engagementId = await findEngagementId(tx, input.disputeId);
  if (engagementId === null) throw new AppError('dispute/not-found');
  const { row, mover } = await openEngagement(tx, scope, { engagementId, capability: 'settle' }).catch(
    (error: unknown) => {
      const code = error instanceof AppError ? disputeCodes[error.code] : undefined;
      throw code ? new AppError(code) : error;
    },
  );
  const dispute = await lockDispute(tx, input.disputeId);
  if (!dispute) throw new AppError('dispute/not-found');
  if (dispute.version !== input.version) {
    const change = await changedBy(tx, row, mover.side, await lastMove(tx, 'dispute_steps', dispute.id));
    throw new AppError('engagement/stale', { status: dispute.status, ...change });
  }
  if (nextDisputeStatus(dispute.status, action, mover.side) === null)
    throw new AppError('dispute/wrong-state', { status: dispute.status });
  const turn = { status: dispute.status, filedBy: dispute.filedBy, proposalBy: dispute.proposalBy };
  if (action === 'accept-proposal' && dispute.proposalBy === null)
    throw new AppError('dispute/wrong-state', { status: dispute.status });
  if (!isTurn(mover.side, action, turn)) throw new AppError('dispute/not-allowed');
  return { dispute, row, mover };
}

/**
 * Opens a pay dispute within 7 days of the end of the work. For either side. The amount covers the whole job,
 * in minor units.
 */
export async function fileDispute(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number; reason: string; amountMinor: number; fileIds?: string[] },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, capability: 'settle' });
  if (requireEngagementMove(row, 'dispute', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const over = await workOverAt(tx, row);
  if (over !== null && scope.clock.now() > fileUntil(over, scope.config))
    throw new AppError('dispute/too-late', { until: fileUntil(over, scope.config).toISOString() });
  await requireDisputedAmount(tx, row, input.amountMinor);
  await requireOwnFiles(tx, scope, input.fileIds);
  const amounts = await lastAmounts(tx, row);
  await createDispute(tx, scope, row, mover, {
    ...amounts,
    ...(mover.side === 'worker'
      ? { workerAmountMinor: input.amountMinor }
      : { businessAmountMinor: input.amountMinor }),
    reason: input.reason,
    fileIds: input.fileIds ?? [],
    status: 'open',
    why: 'filed',
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Answers a dispute with an amount. For the other side, or either side of an automatic one. Naming the
 * other's amount settles it.
 */
export async function answerDispute(
  tx: Tx,
  scope: Scope,
  input: DisputeRef & { note: string; amountMinor: number; fileIds?: string[] },
): Promise<Engagement> {
  const { dispute, row, mover } = await lockForStep(tx, scope, input, 'answer');
  await requireDisputedAmount(tx, row, input.amountMinor);
  await requireOwnFiles(tx, scope, input.fileIds);
  const ownColumns =
    mover.side === 'worker'
      ? { workerAmountMinor: input.amountMinor }
      : { businessAmountMinor: input.amountMinor };
  const answeredDispute = await continueDispute(
    tx,
    scope,
    { dispute, row, mover },
    {
      action: 'answer',
      amountMinor: input.amountMinor,
      reason: input.note,
      fileIds: input.fileIds ?? [],
      changes: ownColumns,
    },
  );
  if (answeredDispute.workerAmountMinor === answeredDispute.businessAmountMinor)
    await settleDispute(tx, scope, answeredDispute, row, {
      action: 'agree',
      mover,
      amountMinor: input.amountMinor,
    });
  return viewEngagement(tx, scope, row.id);
}

/** Proposes an amount to settle on. For either side. The other side has 2 days to reply. */
export async function proposeSettlement(
  tx: Tx,
  scope: Scope,
  input: DisputeRef & { note: string; amountMinor: number },
): Promise<Engagement> {
  const { dispute, row, mover } = await lockForStep(tx, scope, input, 'propose');
  await requireDisputedAmount(tx, row, input.amountMinor);
  await continueDispute(
    tx,
    scope,
    { dispute, row, mover },
    {
      action: 'propose',
      amountMinor: input.amountMinor,
      reason: input.note || null,
      changes: {
        proposalBy: mover.side,
        proposalAmountMinor: input.amountMinor,
        proposalNote: input.note,
        proposalAt: scope.clock.now(),
      },
    },
  );
  return viewEngagement(tx, scope, row.id);
}

/** Accepts the other side's proposal, which settles the pay and completes the engagement. */
export async function acceptProposal(tx: Tx, scope: Scope, input: DisputeRef): Promise<Engagement> {
  const { dispute, row, mover } = await lockForStep(tx, scope, input, 'accept-proposal');
  await settleDispute(tx, scope, dispute, row, {
    action: 'accept-proposal',
    mover,
    amountMinor: dispute.proposalAmountMinor ?? 0,
  });
  return viewEngagement(tx, scope, row.id);
}

type DisputeStep = {
  action: DisputeMoveName;
  amountMinor: number | null;
  reason?: string | null;
  changes?: Updateable<Disputes>;
  fileIds?: readonly string[];
};

/**
 * Moves a dispute by one step, which it records, and returns the updated dispute.
 * @throws dispute/wrong-state, engagement/stale
 */
async function recordStep(
  tx: Tx,
  scope: MoneyScope,
  dispute: DisputeRow,
  mover: EngagementMover,
  step: DisputeStep,
): Promise<DisputeRow> {
  const status = nextDisputeStatus(dispute.status, step.action, mover.side);
  if (status === null) throw new AppError('dispute/wrong-state', { status: dispute.status });
  const now = scope.clock.now();
  const dueBy = dueAt(status, now, dispute.stopAt, scope.config);
  const changes = { ...step.changes, status, dueAt: dueBy, updatedAt: now };
  const updatedDispute = await updateDispute(tx, dispute, changes);
  if (!updatedDispute) throw new AppError('engagement/stale', { status: dispute.status });
  const stepId = newId(now);
  await insertStep(tx, {
    id: stepId,
    disputeId: dispute.id,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action: step.action,
    fromStatus: dispute.status,
    toStatus: status,
    amountMinor: step.amountMinor,
    reason: step.reason ?? null,
    at: now,
  });
  await insertDisputeFiles(tx, stepId, step.fileIds ?? []);
  return updatedDispute;
}

const topics = {
  answer: 'dispute-answered',
  propose: 'dispute-proposal',
  escalate: 'dispute-escalated',
} as const;

/** Continues a dispute by a step that keeps it open, and notifies the other side; both rows must be locked. */
async function continueDispute(
  tx: Tx,
  scope: MoneyScope,
  {
    dispute,
    row,
    mover,
  }: { dispute: DisputeRow; row: EngagementRow; mover: PersonMover | { side: 'timer' } },
  step: DisputeStep & { action: keyof typeof topics },
): Promise<DisputeRow> {
  const after = await recordStep(tx, scope, dispute, mover, step);
  const next = after.dueAt ?? after.stopAt;
  await setEngagementNext(tx, row.id, { kind: 'dispute', at: next });
  await setDisputeTimer(tx, dispute.id, next);
  await notifyOfWork(tx, scope, row, {
    topic: topics[step.action],
    to: mover.side === 'timer' ? ['worker', 'business'] : [otherSide(mover.side)],
    event: `${dispute.id}/${after.version}`,
    data: {
      by: next.toISOString(),
      amountMinor: step.amountMinor ?? undefined,
      reason: step.reason || undefined,
    },
  });
  return after;
}

/** Ends a dispute with a total amount in minor units, settles the pay and notifies both sides. */
export async function settleDispute(
  tx: Tx,
  scope: MoneyScope,
  dispute: DisputeRow,
  row: EngagementRow,
  end: PayDecision & { action: 'agree' | 'accept-proposal' | 'stop' | 'decide'; reason?: string },
): Promise<void> {
  await recordStep(tx, scope, dispute, end.mover, {
    action: end.action,
    amountMinor: end.amountMinor,
    reason: end.reason ?? null,
    changes: { settledMinor: end.amountMinor },
  });
  await settlePay(tx, scope, row, { ...end, action: 'settle' });
  await notifyOfWork(tx, scope, row, {
    topic: 'dispute-settled',
    to: ['worker', 'business'],
    event: dispute.id,
    data: {
      amountMinor: end.amountMinor,
      variant: end.action === 'decide' ? 'decided' : end.action,
      reason: end.reason,
    },
  });
}

/** Escalates an unanswered dispute, and ends it by the record at the hard stop (ADR 44). Idempotent. */
export async function advanceDispute(scope: TaskScope, disputeId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const engagementId = await findEngagementId(tx, disputeId);
    const row = engagementId === null ? undefined : await engagementForTimer(tx, engagementId);
    const dispute = await lockDispute(tx, disputeId);
    if (!row || !dispute || dispute.status === 'settled' || row.status !== 'disputed') return;
    const now = scope.clock.now();
    const timer = { side: 'timer' } as const;
    if (now >= dispute.stopAt) {
      const byRecord = stopAmount(
        {
          workerAmountMinor: dispute.workerAmountMinor,
          businessAmountMinor: dispute.businessAmountMinor,
        },
        await recordedPay(tx, row),
        await payBoundsOf(tx, row),
      );
      const amountMinor = silentMinor(byRecord, {
        ...(await plannedAndAgreedPay(tx, row)),
        businessMinor: dispute.businessAmountMinor,
      });
      await settleDispute(tx, scope, dispute, row, { action: 'stop', mover: timer, amountMinor });
    } else if (dispute.dueAt && now >= dispute.dueAt)
      await continueDispute(
        tx,
        scope,
        { dispute, row, mover: timer },
        { action: 'escalate', amountMinor: null },
      );
    else await setDisputeTimer(tx, disputeId, dispute.dueAt ?? dispute.stopAt);
  });
}

export const disputesTasks = [disputeClockTask];
