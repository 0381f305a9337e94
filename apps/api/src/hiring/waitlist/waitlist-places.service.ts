import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { requireApplicant, requireMove } from '../applications/application-access.service.ts';
import { notifyOf } from '../applications/application-notices.service.ts';
import { getApplication } from '../applications/application-views.service.ts';
import { holdJobOf, setWaitlisted } from './waitlist.sql.ts';

type One = { applicationId: string };

/**
 * Adds the caller to the end of a full job's waitlist: freed spots are offered in order. Recruiters are notified. A repeat keeps the
 * place.
 * @throws application/not-found, application/not-allowed, application/wrong-state where the application did not end because the job was
 * filled, application/not-waiting where the job is no longer full
 */
export async function joinWaitlist(tx: Tx, scope: Scope, { applicationId }: One): Promise<MyApplication> {
  await requireApplicant(tx, scope.actor.accountId, applicationId, 'join-waitlist');
  const job = await holdJobOf(tx, applicationId);
  const { row } = await requireMove(tx, scope, applicationId, 'join-waitlist');
  if (row.waitlisted_at === null) {
    if (job?.status !== 'filled') throw new AppError('application/not-waiting');
    await setWaitlisted(tx, applicationId, scope.clock.now());
    const notified = { id: row.id, jobId: row.job_id, workerId: row.worker_id, decideBy: row.decide_by };
    await notifyOf(tx, scope, notified, { worker: 'waitlist-joined', recruiters: 'waitlist-joined' });
  }
  return getApplication(tx, scope, { applicationId });
}

/**
 * Removes the caller from the waitlist; the place is lost. A repeat is a no-op.
 * @throws application/not-found, application/not-allowed, application/wrong-state
 */
export async function leaveWaitlist(tx: Tx, scope: Scope, { applicationId }: One): Promise<MyApplication> {
  const { row } = await requireMove(tx, scope, applicationId, 'leave-waitlist');
  if (row.waitlisted_at !== null) await setWaitlisted(tx, applicationId, null);
  return getApplication(tx, scope, { applicationId });
}
