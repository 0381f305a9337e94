import { dayMs } from '@nearhand/contract/durations';
import type { StaffAppeal } from '@nearhand/contract/trust/appeals';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.service.ts';
import { notifyOfSanction } from '../sanctions/sanction-notices.service.ts';
import { appealUntil, viewSanction } from '../sanctions/sanction-views.service.ts';
import {
  emitSanction,
  endSanction,
  findConcerning,
  findSanction,
  lockSanction,
  partiesOf,
  requireOutside,
  type SanctionRow,
} from '../sanctions/sanctions.service.ts';
import { appealDeadline } from './appeals.clock.ts';
import {
  type AppealRow,
  findAppeal,
  findDeciders,
  insertAppeal,
  updateDecided,
  updateEscalated,
} from './appeals.sql.ts';

/**
 * Appeals a decision about the caller, or a business they hire for; once, within six months.
 * @throws sanction/not-found, appeal/exists, appeal/too-late (also: it was lifted)
 */
export async function createAppeal(
  tx: Tx,
  scope: Scope,
  input: { sanctionId: string; words: string },
): Promise<Sanction> {
  const now = scope.clock.now();
  const { accountId } = scope.actor;
  if (!(await findConcerning(tx, accountId, input.sanctionId))) throw new AppError('sanction/not-found');
  const row = (await lockSanction(tx, input.sanctionId)) as SanctionRow;
  if (row.appeal_id !== null) throw new AppError('appeal/exists');
  if (appealUntil(row, now) === null) throw new AppError('appeal/too-late');
  const id = newId(now);
  const dueAt = new Date(now.getTime() + sanctionLimits.appealAnswerDays * dayMs);
  await insertAppeal(tx, {
    id,
    sanction_id: row.id,
    sanction_by: row.decided_by,
    account_id: accountId,
    words: input.words,
    at: now,
    due_at: dueAt,
  });
  emitSanction(tx, row);
  await enqueue(tx, appealDeadline, { appealId: id }, { runAt: dueAt, key: `appeal-deadline:${id}` });
  return viewSanction((await findSanction(tx, row.id)) as SanctionRow, now);
}

/** For operators: one appeal with its decision. @throws appeal/not-found, operator/own-record */
export async function getAppeal(db: Db, scope: Scope, input: { appealId: string }): Promise<StaffAppeal> {
  const row = await findAppeal(db, input.appealId);
  if (!row) throw new AppError('appeal/not-found');
  await requireOutside(db, scope, partiesOf((await findSanction(db, row.sanction_id)) as SanctionRow));
  return viewAppeal(db, scope, row);
}

/**
 * For an operator who did not make the decision: upholds or overturns it, with a reason to those concerned. Overturned, the job is shown
 * and the suspension ends. The same outcome again is a no-op.
 * @throws appeal/not-found, appeal/decided, operator/own-record, operator/own-decision
 */
export async function decideAppeal(
  tx: Tx,
  scope: Scope,
  input: { appealId: string; outcome: 'upheld' | 'overturned'; reason: string },
): Promise<StaffAppeal> {
  const found = await findAppeal(tx, input.appealId);
  if (!found) throw new AppError('appeal/not-found');
  const sanction = (await lockSanction(tx, found.sanction_id)) as SanctionRow;
  await requireOutside(tx, scope, partiesOf(sanction));
  const { accountId } = scope.actor;
  if (sanction.decided_by === accountId) throw new AppError('operator/own-decision');
  const { outcome, reason } = input;
  const decision = { outcome, reason, by: accountId, at: scope.clock.now() };
  if (await updateDecided(tx, found.id, decision)) {
    emitSanction(tx, sanction);
    if (outcome === 'overturned') await endSanction(tx, scope, sanction, { ending: 'overturned', reason });
    await notifyOfSanction(tx, scope, sanction, { topic: 'appeal-decided', what: outcome, reason });
  } else if ((await findAppeal(tx, found.id))?.outcome !== outcome) throw new AppError('appeal/decided');
  return viewAppeal(tx, scope, (await findAppeal(tx, found.id)) as AppealRow);
}

/** The deadline of an appeal passed without a decision: every operator who may decide is notified. Run by a timer, once. */
export async function escalateAppeal(
  tx: Tx,
  scope: Pick<TaskScope, 'clock' | 'config'>,
  { appealId }: { appealId: string },
): Promise<void> {
  if (!(await updateEscalated(tx, appealId, scope.clock.now()))) return;
  const row = (await findAppeal(tx, appealId)) as AppealRow;
  emitSanction(tx, (await findSanction(tx, row.sanction_id)) as SanctionRow);
  await notifyAll(
    tx,
    scope,
    (await findDeciders(tx, row)).map((accountId) => ({
      accountId,
      topic: 'appeal-overdue' as const,
      data: {},
      path: '/notifications',
      dedupeKey: `appeal-overdue/${appealId}`,
    })),
  );
}

async function viewAppeal(db: Db, scope: Scope, row: AppealRow): Promise<StaffAppeal> {
  const sanction = (await findSanction(db, row.sanction_id)) as SanctionRow;
  return {
    id: row.id,
    words: row.words,
    at: row.at.toISOString(),
    dueAt: row.due_at.toISOString(),
    outcome: row.outcome,
    reason: row.reason,
    decidedAt: row.decided_at?.toISOString() ?? null,
    sanction: viewSanction(sanction, scope.clock.now()),
    by: { accountId: row.account_id, name: row.account_name },
    escalatedAt: row.escalated_at?.toISOString() ?? null,
  };
}

/** For an account that is removed (ADR 160). */
export { forgetAppeals } from './appeals.sql.ts';
