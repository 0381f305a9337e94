import { dayMs } from '@nearhand/contract/durations';
import {
  type AccountDeletionState,
  accountDeletion,
  type DeletionObstacle,
} from '@nearhand/contract/people/account-deletion';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { cancelTask, enqueue } from '../../platform/tasks/tasks.ts';
import { findLastOwned } from '../businesses/members.sql.ts';
import { peopleHooks } from '../hooks.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { requireRecentPassword } from '../sign-in/sign-in.service.ts';
import { hasPassword, requirePassword } from '../sign-in/sign-in.ts';
import {
  deleteCode,
  findDeletion,
  findLeaver,
  insertDeletion,
  lockLeaver,
  moveDeletion,
  removal,
  removalKey,
  requireCode,
  sendCode,
  sendScheduled,
} from './deletion-codes.ts';

async function deletionState(db: Db, scope: Scope): Promise<AccountDeletionState> {
  const { accountId } = scope.actor;
  const row = await findDeletion(db, accountId);
  return {
    status: row?.status ?? 'none',
    requestedAt: row?.requestedAt.toISOString() ?? null,
    deleteAt: row?.deleteAt.toISOString() ?? null,
    obstacles: await findObstacles(db, accountId),
    mayReturn: await peopleHooks.on.moneyThatMayReturn(db, accountId, scope.clock.now()),
    confirmBy: (await hasPassword(db, accountId)) ? 'password' : 'code',
    graceDays: scope.config.ACCOUNT_DELETION_DAYS,
  };
}

export async function findObstacles(db: Db, accountId: string): Promise<DeletionObstacle[]> {
  const businesses = await findLastOwned(db, accountId);
  return [
    ...(await peopleHooks.on.accountObstacles(db, accountId)),
    ...businesses.map(({ id, name }) => ({ kind: 'business' as const, businessId: id, name })),
  ];
}

/** Runs before the transaction, because hashing takes 0.1 s and a failed attempt must count. */
async function confirmDeletion(
  scope: Scope,
  { password, code, byPasskey }: { password?: string; code?: string; byPasskey?: true },
  db: Db,
): Promise<{ confirmed: true }> {
  if (byPasskey) await requireRecentPassword(db, scope, passkeyLimits.proofMinutes);
  else if (await hasPassword(db, scope.actor.accountId)) await requirePassword(db, scope, password ?? '');
  else await requireCode(db, scope, code ?? '');
  return { confirmed: true };
}

/** Schedules deletion in `ACCOUNT_DELETION_DAYS`, and hides the profile and ends sessions now. Idempotent. */
async function requestDeletion(
  tx: Tx,
  scope: Scope,
  _input: unknown,
  _prepared: { confirmed: true },
): Promise<AccountDeletionState> {
  const { accountId } = scope.actor;
  await lockLeaver(tx, accountId);
  if (await findDeletion(tx, accountId)) return deletionState(tx, scope);
  const obstacles = await findObstacles(tx, accountId);
  if (obstacles.length > 0)
    throw new AppError('account/cannot-be-deleted', {
      obstacles: [...new Set(obstacles.map(({ kind }) => kind))],
    });
  const leaver = await findLeaver(tx, accountId);
  if (!leaver) throw new AppError('session/expired');
  const now = scope.clock.now();
  const deleteAt = new Date(now.getTime() + scope.config.ACCOUNT_DELETION_DAYS * dayMs);
  const id = newId(now);
  // Runs before the row is inserted, which would make the withdrawals fail.
  await peopleHooks.on.accountLeaving(tx, scope, accountId);
  await insertDeletion(tx, { id, accountId, now, deleteAt });
  await deleteCode(tx, accountId);
  await enqueue(tx, removal, { deletionId: id }, { runAt: deleteAt, key: removalKey(id) });
  await enqueue(tx, sendScheduled, {
    to: leaver.email,
    deleteAt: deleteAt.toISOString(),
    key: `deletion-scheduled-${id}`,
  });
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
  const state = await deletionState(tx, scope);
  await endAllSessions(tx, accountId);
  return state;
}

/** Cancels the caller's deletion. Withdrawn applications stay withdrawn. Idempotent. */
async function undoDeletion(tx: Tx, scope: Scope): Promise<AccountDeletionState> {
  const { accountId } = scope.actor;
  const row = await findDeletion(tx, accountId);
  if (row && (await moveDeletion(tx, row.id, 'undone', scope.clock.now()))) {
    await cancelTask(tx, removalKey(row.id));
    emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
  }
  return deletionState(tx, scope);
}

export const accountDeletionRoutes = {
  get: read(accountDeletion.get, deletionState),
  sendCode: write(accountDeletion.sendCode, sendCode),
  // The input has a password, so not even its hash is stored.
  request: write(accountDeletion.request, requestDeletion, { prepare: confirmDeletion, stored: false }),
  undo: write(accountDeletion.undo, undoDeletion),
};
