import { randomUUID } from 'node:crypto';
import { dayMs } from '@nearhand/contract/durations';
import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import type { Tx } from '../../platform/db.ts';
import { forgetAccount } from '../../platform/forget-account.ts';
import type { FormerMember } from '../../platform/former-member.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteAccountSettings } from '../account-settings/account-settings.service.ts';
import { makeAnonymous } from '../accounts/accounts.service.ts';
import { forgetContacts } from '../branches/branches.service.ts';
import { endMemberships } from '../businesses/members.service.ts';
import { forgetCertificates } from '../certificates/certificates.service.ts';
import { endExports } from '../data-exports/data-exports.service.ts';
import { deleteChangesOf } from '../email-change/email-change.service.ts';
import { deleteFilesOf } from '../files/former-files.service.ts';
import { forgetFirebaseIdentity } from '../firebase-sign-in/firebase-identities.service.ts';
import { forgetIdentity } from '../identity-checks/identity-checks.service.ts';
import { peopleOutcomes } from '../outcomes.ts';
import { forgetPasskeys } from '../passkeys/passkeys.service.ts';
import { clearProfile } from '../profiles/profiles.service.ts';
import { forgetSessions } from '../sessions/sessions.service.ts';
import { forgetSignIn } from '../sign-in/sign-in.service.ts';
import { forgetTeams } from '../team/team.service.ts';
import { forgetChecks } from '../verification/verification.service.ts';
import { findObstacles } from './account-deletion.service.ts';
import {
  type DeletionRow,
  findLeaver,
  lockDeletion,
  lockLeaver,
  moveDeletion,
} from './account-deletion.sql.ts';
import { removal, removalKey, sendPostponed, sendRemoved } from './account-deletion.tasks.ts';

/**
 * For the runner, when a deletion is due: removes the account, or postpones it by a day if something came up in between. A repeat, and one that was undone, is a
 * no-op.
 */
export async function runRemoval(scope: TaskScope, deletionId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockDeletion(tx, deletionId);
    if (!row || row.delete_at > scope.clock.now()) return;
    await lockLeaver(tx, row.account_id);
    const obstacles = await findObstacles(tx, row.account_id);
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
  const leaver = await findLeaver(tx, row.account_id);
  if (!leaver || row.status === 'postponed') return;
  await enqueue(tx, sendPostponed, {
    to: leaver.email,
    reasons: [...new Set(obstacles.map(({ kind }) => kind))],
    key: `deletion-postponed-${row.id}`,
  });
}

/** Takes everything that names the person out of the database. Ledger entries never held a name, so they stay as they are (ADR 160). */
async function remove(tx: Tx, scope: TaskScope, row: DeletionRow): Promise<void> {
  const accountId = row.account_id;
  const leaver = await findLeaver(tx, accountId);
  if (!leaver) return;
  const now = scope.clock.now();
  const member: FormerMember = {
    accountId,
    words: [leaver.name, leaver.email, leaver.phone ?? ''].filter((word) => word !== ''),
  };
  await moveDeletion(tx, row.id, 'removed', now);
  // The other domains first: they find what is theirs by the memberships and files that end here.
  await peopleOutcomes.on.accountRemoved(tx, scope, member);
  const phones = await forgetChecks(tx, accountId);
  await forgetIdentity(tx, accountId);
  await forgetCertificates(tx, accountId);
  await forgetContacts(tx, member);
  await forgetTeams(tx, accountId, leaver.email);
  await endExports(tx, accountId, now);
  await deleteAccountSettings(tx, accountId);
  await clearProfile(tx, accountId, now);
  await endMemberships(tx, accountId, now);
  await deleteFilesOf(tx, accountId);
  await deleteChangesOf(tx, accountId);
  await forgetSessions(tx, accountId);
  await forgetPasskeys(tx, accountId);
  await forgetFirebaseIdentity(tx, accountId);
  await forgetSignIn(tx, accountId);
  await makeAnonymous(tx, scope, accountId, `former-${randomUUID()}@former.invalid`);
  await forgetAccount(tx, { accountId, addresses: [leaver.email, ...phones] });
  // The payload holds the old address until it is sent.
  await enqueue(tx, sendRemoved, { to: leaver.email, key: `deletion-removed-${row.id}` });
}
