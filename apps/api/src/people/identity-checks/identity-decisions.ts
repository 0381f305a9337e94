import type { IdentityCheckStatus, IdentityDecision } from '@nearhand/contract/people/identity-checks';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteFilesNow } from '../files/files.ts';
import { peopleHooks } from '../hooks.ts';
import { type CheckRow, deletePhotos, findCheck, photosDeletedAt, storeDecision } from './identity-checks.ts';

export const deletePhotosTask = {
  name: 'identity-checks.delete-photos',
  payload: z.object({ checkId: z.uuid() }),
};

const statusOf = { verify: 'verified', 'request-info': 'needs_info', refuse: 'refused' } as const;

/** Decides a check as an operator, and deletes the photos in 30 days. Idempotent. */
export async function decideIdentity(
  tx: Tx,
  scope: Scope,
  { checkId, decision, reason }: { checkId: string; decision: IdentityDecision; reason: string },
): Promise<{ checkId: string; status: IdentityCheckStatus }> {
  const row = await findCheck(tx, checkId);
  if (!row) throw new AppError('identity-check/not-found');
  if (row.accountId === scope.actor.accountId) throw new AppError('operator/own-record');
  const status = await decideCheck(tx, scope, row, { decision, reason, by: scope.actor.accountId });
  return { checkId, status };
}

/** Applies the decision of an operator, or of a provider (`by` null). Idempotent. */
export async function decideCheck(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: CheckRow,
  { decision, reason, by }: { decision: IdentityDecision; reason: string; by: string | null },
): Promise<IdentityCheckStatus> {
  const [status, now] = [statusOf[decision], scope.clock.now()];
  const isStored = await storeDecision(tx, row, {
    status,
    reason: reason || null,
    decidedBy: by,
    decidedAt: now,
  });
  if (!isStored) {
    const current = await findCheck(tx, row.id);
    if (current?.status === status) return status;
    throw new AppError('identity-check/wrong-state', { status: current?.status ?? row.status });
  }
  const runAt = photosDeletedAt(now);
  await enqueue(tx, deletePhotosTask, { checkId: row.id }, { runAt, key: `identity-photos/${row.id}` });
  await peopleHooks.on.identityDecided(tx, scope, row, { decision, reason });
  return status;
}

export async function deletePhotosOf({ db }: Pick<TaskScope, 'db'>, checkId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await deleteFilesNow(tx, await deletePhotos(tx, checkId));
  });
}
