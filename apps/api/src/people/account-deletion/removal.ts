import { randomUUID } from 'node:crypto';
import { dayMs } from '@nearhand/contract/durations';
import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { forgetAccount } from '../../platform/account-erasure.ts';
import type { FormerMember } from '../../platform/anonymise.ts';
import type { Tx } from '../../platform/db.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteAccountSettings } from '../account-settings/account-settings.ts';
import { makeAnonymous } from '../accounts/accounts.ts';
import { forgetContacts } from '../branches/branches.ts';
import { deleteMemberships } from '../businesses/members.sql.ts';
import { deleteCertificatesOf } from '../certificates/certificate-decisions.ts';
import { endExports } from '../data-exports/data-exports.ts';
import { deleteChangesOf } from '../email-change/email-change.ts';
import { deleteFilesOf } from '../files/files.ts';
import { forgetFirebaseIdentity } from '../firebase-sign-in/firebase-identities.ts';
import { peopleHooks } from '../hooks.ts';
import { deleteIdentityChecks } from '../identity-checks/identity-checks.ts';
import { deletePasskeysOf } from '../passkeys/passkeys.sql.ts';
import { clearProfile } from '../profiles/profiles.ts';
import { forgetSessions } from '../sessions/sessions.ts';
import { deleteSignIn } from '../sign-in/sign-in.sql.ts';
import { forgetTeams } from '../team/invitation-views.ts';
import { forgetChecks } from '../verification/verification.ts';
import { findObstacles } from './account-deletion.ts';
import {
  type DeletionRow,
  findLeaver,
  lockDeletion,
  lockLeaver,
  moveDeletion,
  removal,
  removalKey,
  sendDeletionCode,
  sendPostponed,
  sendRemoved,
  sendScheduled,
} from './deletion-codes.ts';

/** Removes a due account, or postpones it by a day if an obstacle appeared. Idempotent. */
export async function runRemoval(scope: TaskScope, deletionId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockDeletion(tx, deletionId);
    if (!row || row.deleteAt > scope.clock.now()) return;
    await lockLeaver(tx, row.accountId);
    const obstacles = await findObstacles(tx, row.accountId);
    if (obstacles.length > 0) await postpone(tx, scope, row, obstacles);
    else await remove(tx, scope, row);
  });
}

async function postpone(
  tx: Tx,
  scope: TaskScope,
  row: DeletionRow,
  obstacles: readonly DeletionObstacle[],
): Promise<void> {
  const now = scope.clock.now();
  const again = new Date(now.getTime() + dayMs);
  await moveDeletion(tx, row.id, 'postponed', now);
  await enqueue(tx, removal, { deletionId: row.id }, { runAt: again, key: removalKey(row.id) });
  const leaver = await findLeaver(tx, row.accountId);
  if (!leaver || row.status === 'postponed') return;
  await enqueue(tx, sendPostponed, {
    to: leaver.email,
    reasons: [...new Set(obstacles.map(({ kind }) => kind))],
    key: `deletion-postponed-${row.id}`,
  });
}

/** Removes all personal data. Ledger entries never contain names and remain (ADR 160). */
async function remove(tx: Tx, scope: TaskScope, row: DeletionRow): Promise<void> {
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
  const phones = await forgetChecks(tx, accountId);
  await deleteIdentityChecks(tx, accountId);
  await deleteCertificatesOf(tx, accountId);
  await forgetContacts(tx, member);
  await forgetTeams(tx, accountId, leaver.email);
  await endExports(tx, accountId, now);
  await deleteAccountSettings(tx, accountId);
  await clearProfile(tx, accountId, now);
  await deleteMemberships(tx, accountId, now);
  await deleteFilesOf(tx, accountId);
  await deleteChangesOf(tx, accountId);
  await forgetSessions(tx, accountId);
  await deletePasskeysOf(tx, accountId);
  await forgetFirebaseIdentity(tx, accountId);
  await deleteSignIn(tx, accountId);
  await makeAnonymous(tx, scope, accountId, `former-${randomUUID()}@former.invalid`);
  await forgetAccount(tx, { accountId, addresses: [leaver.email, ...phones] });
  // The payload holds the old address until it is sent.
  await enqueue(tx, sendRemoved, { to: leaver.email, key: `deletion-removed-${row.id}` });
}

const removeAccount = defineTask({
  ...removal,
  queue: 'housekeeping',
  run: (scope, { deletionId }) => runRemoval(scope, deletionId),
});

export const accountDeletionTasks = [
  removeAccount,
  sendDeletionCode,
  sendScheduled,
  sendPostponed,
  sendRemoved,
];
