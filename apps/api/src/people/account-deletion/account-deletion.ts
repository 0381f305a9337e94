import { randomUUID } from 'node:crypto';
import { addMs, dayMs } from '@nearhand/contract/durations';
import {
  type AccountDeletionState,
  accountDeletion,
  type DeletionObstacle,
} from '@nearhand/contract/people/account-deletion';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { eraseAccount, type FormerMember } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteAccountSettings } from '../account-settings/account-settings.ts';
import { makeAnonymous } from '../accounts/accounts.ts';
import { eraseContacts } from '../branches/branches.ts';
import { deleteMemberships, findLastOwned } from '../businesses/members.sql.ts';
import { deleteCertificatesOf } from '../certificates/certificate-decisions.ts';
import { endExports } from '../data-exports/data-exports.ts';
import { deleteChangesOf } from '../email-change/email-change.ts';
import { deleteFilesOf } from '../files/files.ts';
import { eraseFirebaseIdentity } from '../firebase-sign-in/firebase-identities.ts';
import { peopleHooks } from '../hooks.ts';
import { deleteIdentityChecks } from '../identity-checks/identity-checks.ts';
import { deletePasskeysOf } from '../passkeys/passkeys.sql.ts';
import { clearProfile } from '../profiles/profiles.ts';
import { endSessions, eraseSessions } from '../sessions/sessions.ts';
import { requireRecentCheck } from '../sign-in/credentials.ts';
import { deleteSignIn } from '../sign-in/sign-in.sql.ts';
import { hasPassword, requirePassword } from '../sign-in/sign-in.ts';
import { eraseTeams } from '../team/team.sql.ts';
import { eraseChecks } from '../verification/verification.ts';
import {
  type DeletionRow,
  deleteCode,
  findDeletion,
  findLeaver,
  insertDeletion,
  lockDeletion,
  lockLeaver,
  moveDeletion,
} from './account-deletion.sql.ts';
import {
  removal,
  removalKey,
  requireCode,
  sendCode,
  sendDeletionCodeTask,
  sendPostponedTask,
  sendRemovedTask,
  sendScheduledTask,
} from './deletion-codes.ts';

/** Shows the caller only their own. The status is `none` if they haven't requested a deletion. */
async function deletionState(db: Db, scope: Scope): Promise<AccountDeletionState> {
  const { accountId } = scope.actor;
  const row = await findDeletion(db, accountId);
  return {
    status: row?.status ?? 'none',
    requestedAt: row?.requestedAt.toISOString() ?? null,
    deleteAt: row?.deleteAt.toISOString() ?? null,
    obstacles: await findObstacles(db, accountId),
    mayReturn: await peopleHooks.needs.moneyThatMayReturn(db, accountId, scope.clock.now()),
    confirmBy: (await hasPassword(db, accountId)) ? 'password' : 'code',
    graceDays: scope.config.ACCOUNT_DELETION_DAYS,
  };
}

/**
 * Reasons why the account can't be deleted yet, such as booked work, money, or a business without another
 * owner.
 */
export async function findObstacles(db: Db, accountId: string): Promise<DeletionObstacle[]> {
  const businesses = await findLastOwned(db, accountId);
  return [
    ...(await peopleHooks.needs.accountObstacles(db, accountId)),
    ...businesses.map(({ id, name }) => ({ kind: 'business' as const, businessId: id, name })),
  ];
}

/** Runs before the transaction, because hashing takes 0.1 s and a failed attempt must count. */
async function confirmDeletion(
  scope: Scope,
  { password, code, byPasskey }: { password?: string; code?: string; byPasskey?: true },
  db: Db,
): Promise<{ confirmed: true }> {
  if (byPasskey) await requireRecentCheck(db, scope, 'password', passkeyLimits.proofMinutes);
  else if (await hasPassword(db, scope.actor.accountId)) await requirePassword(db, scope, password ?? '');
  else await requireCode(db, scope, code ?? '');
  return { confirmed: true };
}

/** Schedules deletion in `ACCOUNT_DELETION_DAYS`, and hides the profile and ends sessions now. */
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
  const deleteAt = addMs(now, scope.config.ACCOUNT_DELETION_DAYS * dayMs);
  const id = newId(now);
  // Runs before the row is inserted, which would make the withdrawals fail.
  await peopleHooks.on.accountLeaving(tx, scope, accountId);
  await insertDeletion(tx, { id, accountId, now, deleteAt });
  await deleteCode(tx, accountId);
  await enqueue(tx, removal, { deletionId: id }, { runAt: deleteAt, key: removalKey(id) });
  await enqueue(tx, sendScheduledTask, {
    to: leaver.email,
    deleteAt: deleteAt.toISOString(),
    key: `deletion-scheduled-${id}`,
  });
  emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
  const state = await deletionState(tx, scope);
  await endSessions(tx, accountId);
  return state;
}

/** Cancels the caller's deletion. Withdrawn applications stay withdrawn. */
async function undoDeletion(tx: Tx, scope: Scope): Promise<AccountDeletionState> {
  const { accountId } = scope.actor;
  const row = await findDeletion(tx, accountId);
  if (row && (await moveDeletion(tx, row.id, 'undone', scope.clock.now()))) {
    await cancelTask(tx, removalKey(row.id));
    emitRecord(tx, 'profile', { id: accountId, workerId: accountId });
  }
  return deletionState(tx, scope);
}

/** Removes a due account, or postpones it by a day if an obstacle appeared. Idempotent. */
export async function removeAccount(scope: TaskScope, deletionId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockDeletion(tx, deletionId);
    if (!row || row.deleteAt > scope.clock.now()) return;
    await lockLeaver(tx, row.accountId, await peopleHooks.needs.removalBusinesses(tx, row.accountId));
    const obstacles = await findObstacles(tx, row.accountId);
    if (obstacles.length > 0) await postponeDeletion(tx, scope, row, obstacles);
    else await removeDueAccount(tx, scope, row);
  });
}

async function postponeDeletion(
  tx: Tx,
  scope: TaskScope,
  row: DeletionRow,
  obstacles: readonly DeletionObstacle[],
): Promise<void> {
  const now = scope.clock.now();
  const retryAt = addMs(now, dayMs);
  await moveDeletion(tx, row.id, 'postponed', now);
  await enqueue(tx, removal, { deletionId: row.id }, { runAt: retryAt, key: removalKey(row.id) });
  const leaver = await findLeaver(tx, row.accountId);
  if (!leaver || row.status === 'postponed') return;
  await enqueue(tx, sendPostponedTask, {
    to: leaver.email,
    reasons: [...new Set(obstacles.map(({ kind }) => kind))],
    key: `deletion-postponed-${row.id}`,
  });
}

/** Removes all personal data. Ledger entries never contain names and remain (ADR 160). */
async function removeDueAccount(tx: Tx, scope: TaskScope, row: DeletionRow): Promise<void> {
  const accountId = row.accountId;
  const leaver = await findLeaver(tx, accountId);
  if (!leaver) return;
  const now = scope.clock.now();
  const member: FormerMember = {
    accountId,
    words: [leaver.name, leaver.email, leaver.phone ?? ''].filter((word) => word !== ''),
  };
  await moveDeletion(tx, row.id, 'removed', now);
  // The other domains run first because they look rows up by memberships and files deleted below.
  await peopleHooks.on.accountRemoved(tx, scope, member);
  const phones = await eraseChecks(tx, accountId);
  await deleteIdentityChecks(tx, accountId);
  await deleteCertificatesOf(tx, accountId);
  await eraseContacts(tx, member);
  await eraseTeams(tx, accountId, leaver.email);
  await endExports(tx, accountId, now);
  await deleteAccountSettings(tx, accountId);
  await clearProfile(tx, accountId, now);
  await deleteMemberships(tx, accountId, now);
  await deleteFilesOf(tx, accountId);
  await deleteChangesOf(tx, accountId);
  await eraseSessions(tx, accountId);
  await deletePasskeysOf(tx, accountId);
  await eraseFirebaseIdentity(tx, accountId);
  await deleteSignIn(tx, accountId);
  await makeAnonymous(tx, scope, accountId, `former-${randomUUID()}@former.invalid`);
  await eraseAccount(tx, { accountId, addresses: [leaver.email, ...phones] });
  // The payload holds the old address until it is sent.
  await enqueue(tx, sendRemovedTask, { to: leaver.email, key: `deletion-removed-${row.id}` });
}

const removeAccountTask = defineTask({
  ...removal,
  queue: 'housekeeping',
  run: (scope, { deletionId }) => removeAccount(scope, deletionId),
});

export const accountDeletionTasks = [
  removeAccountTask,
  sendDeletionCodeTask,
  sendScheduledTask,
  sendPostponedTask,
  sendRemovedTask,
];

export const accountDeletionRoutes = {
  get: read(accountDeletion.get, deletionState),
  sendCode: write(accountDeletion.sendCode, sendCode),
  // The input has a password, so not even its hash is stored.
  request: write(accountDeletion.request, requestDeletion, { prepare: confirmDeletion, stored: false }),
  undo: write(accountDeletion.undo, undoDeletion),
};
