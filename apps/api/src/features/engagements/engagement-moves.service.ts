import type { Engagement, EngagementStatus } from '@nearhand/contract/engagements';
import type { Mover } from '@nearhand/contract/moves';
import type { Side } from '@nearhand/contract/terms';
import type { Updateable } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Engagements } from '../../platform/tables.gen.ts';
import { changedBy } from '../businesses/changed-by.service.ts';
import { sayOfMove } from './engagement-lines.service.ts';
import { actingSide, mayDecide, relationTo } from './engagements.policy.ts';
import { type EngagementMoveName, nextEngagementStatus } from './engagements.rules.ts';
import {
  type EngagementRow,
  findLastMover,
  insertEngagementMove,
  lockEngagement,
  updateEngagement,
  updateNext,
} from './engagements.sql.ts';

export type { EngagementRow };

/** Who moves an engagement: a person on their side, an operator, or the timer. */
export type EngagementMover = { side: Side | 'operator'; accountId: string } | { side: 'timer' };

/** The mover as the tables of moves name it. */
export const moverOf = ({ side }: EngagementMover): Mover =>
  (({ worker: 'W', business: 'M', operator: 'O', timer: 'T' }) as const)[side];

/**
 * For the slices in which an engagement goes on (attendance, timesheets, disputes): the engagement, locked, as the caller stands to it.
 * @param wish `version` as the caller saw it; absent where a stale one does no harm (a check-in from a device that was offline). `repeatOf` lets an old
 * version pass where the caller made that very move before: a double click is no conflict (`repeated`, product.md, States: repeat = no-op)
 * @throws engagement/not-found for strangers, engagement/not-allowed for who only looks or stands on the other side than `side`, engagement/stale
 * (data: status, by)
 */
export async function openEngagement(
  tx: Tx,
  scope: Scope,
  wish: { engagementId: string; version?: number; side?: Side; repeatOf?: EngagementMoveName },
): Promise<{ row: EngagementRow; mover: EngagementMover & { side: Side }; repeated: boolean }> {
  const row = await lockEngagement(tx, wish.engagementId, scope.actor.accountId);
  const relation = relationTo(row, scope.actor);
  if (!row || relation === null) throw new AppError('engagement/not-found');
  const side = actingSide(relation);
  if (side === null || (wish.side !== undefined && wish.side !== side))
    throw new AppError('engagement/not-allowed');
  const mover = { side, accountId: scope.actor.accountId };
  return { row, mover, repeated: await demandVersion(tx, row, mover, wish) };
}

/** Whether an older version is the caller's own repeat. @throws engagement/stale (data: status, by) */
async function demandVersion(
  tx: Tx,
  row: EngagementRow,
  mover: { side: Side | 'operator'; accountId: string },
  wish: { version?: number; repeatOf?: EngagementMoveName },
): Promise<boolean> {
  if (wish.version === undefined || wish.version === row.version) return false;
  const last = await findLastMover(tx, row.id);
  if (wish.repeatOf !== undefined && last?.actor === mover.accountId && last.action === wish.repeatOf)
    return true;
  const reader = mover.side === 'worker' ? 'worker' : 'business';
  throw new AppError('engagement/stale', {
    status: row.status,
    ...(await changedBy(tx, row, reader, last?.actor)),
  });
}

/**
 * For what operators decide: the engagement, locked, for an operator who is on neither side of it.
 * @throws engagement/not-found, operator/own-record, engagement/stale (data: status, by)
 */
export async function openForDecision(
  tx: Tx,
  scope: Scope,
  wish: { engagementId: string; version?: number; repeatOf?: EngagementMoveName },
): Promise<{ row: EngagementRow; mover: { side: 'operator'; accountId: string }; repeated: boolean }> {
  const row = await lockEngagement(tx, wish.engagementId, scope.actor.accountId);
  if (!row) throw new AppError('engagement/not-found');
  if (!mayDecide(relationTo(row, scope.actor))) throw new AppError('operator/own-record');
  const mover = { side: 'operator' as const, accountId: scope.actor.accountId };
  return { row, mover, repeated: await demandVersion(tx, row, mover, wish) };
}

/** For the timers of the same slices: the engagement, locked; undefined where there is none. */
export const engagementForTimer = (tx: Tx, engagementId: string): Promise<EngagementRow | undefined> =>
  lockEngagement(tx, engagementId, null);

/** Where a move would lead for this mover. @throws engagement/wrong-state (data: status) */
export function demandEngagementMove(
  row: Pick<EngagementRow, 'kind' | 'status'>,
  action: EngagementMoveName,
  mover: EngagementMover,
): EngagementStatus {
  const to = nextEngagementStatus(row.kind, row.status, action, moverOf(mover));
  if (to === null) throw new AppError('engagement/wrong-state', { status: row.status });
  return to;
}

/**
 * Makes one move of the table in the caller's transaction and logs it; the row must be locked. A repeat writes nothing and returns false.
 * @param changes columns that the move sets besides the status
 * @throws engagement/wrong-state, engagement/stale
 */
export async function makeEngagementMove(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: EngagementRow,
  action: EngagementMoveName,
  mover: EngagementMover,
  changes: Updateable<Engagements> = {},
  reason: string | null = null,
): Promise<boolean> {
  const to = demandEngagementMove(row, action, mover);
  if (to === row.status) return false;
  const now = scope.clock.now();
  if (!(await updateEngagement(tx, row, { ...changes, status: to, updated_at: now })))
    throw new AppError('engagement/stale', { status: row.status });
  await insertEngagementMove(tx, {
    id: newId(now),
    engagement_id: row.id,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action,
    from_status: row.status,
    to_status: to,
    reason,
    at: now,
  });
  await sayOfMove(tx, scope, row, {
    ...{ action, side: mover.side, reason, amountMinor: changes.amount_minor },
    at:
      action === 'check-in' ? changes.checked_in_at : action === 'check-out' ? changes.checked_out_at : null,
  });
  return true;
}

/**
 * For disputes: what happens next by itself while the engagement stays in its state. No move and no new version: nothing that anybody decides upon has
 * changed.
 */
export async function setEngagementNext(
  tx: Tx,
  engagementId: string,
  next: { what: NonNullable<Engagement['next']>['what']; at: Date },
): Promise<void> {
  await updateNext(tx, engagementId, next.what, next.at);
}

/**
 * For attendance: changes an engagement without a move of its state (a break), the row being locked.
 * @throws engagement/stale
 */
export async function changeEngagement(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: EngagementRow,
  changes: Updateable<Engagements>,
): Promise<void> {
  if (!(await updateEngagement(tx, row, { ...changes, updated_at: scope.clock.now() })))
    throw new AppError('engagement/stale', { status: row.status });
}
