import type { Applicant, ApplicationAction, RejectReason } from '@nearhand/contract/applications';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTasks } from '../../platform/tasks.ts';
import { demandRole } from '../businesses/members.service.ts';
import { endInterviewsOf } from '../interviews/interview-endings.service.ts';
import { demandMove } from './application-access.service.ts';
import { tellOf, tellWorkers } from './application-notices.service.ts';
import { applicantById } from './application-views.service.ts';
import { clockKey } from './applications.clock.ts';
import { nextApplicationStatus } from './applications.rules.ts';
import { lockSome, moveApplication, moveSome } from './applications.sql.ts';
import { rejectionText } from './rejection.rules.ts';

type One = { applicationId: string; version?: number };
type Rejection = { reason: RejectReason; note: string };
type RecruiterMove = Extract<ApplicationAction, 'view' | 'shortlist' | 'unshortlist' | 'reject'>;

/**
 * Marks an application as seen by the business; its recruiters do so by opening it. The worker is told. A repeat changes nothing.
 * @throws application/not-found, application/not-allowed, application/wrong-state
 */
export async function viewApplication(
  tx: Tx,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<Applicant> {
  const row = await move(tx, scope, { applicationId }, 'view', null);
  if (row)
    await tellOf(
      tx,
      scope,
      { id: row.id, jobId: row.job_id, workerId: row.worker_id, decideBy: row.decide_by },
      { worker: 'application-viewed' },
    );
  return applicantById(tx, applicationId);
}

/**
 * Puts an applicant on the shortlist; recruiters of the business may. The worker is told the first time.
 * @throws application/not-found, application/not-allowed, application/stale (data: status, by), application/wrong-state
 */
export async function shortlistApplication(tx: Tx, scope: Scope, input: One): Promise<Applicant> {
  if (await move(tx, scope, input, 'shortlist', null))
    await tellWorkers(tx, scope, 'application-shortlisted', [input.applicationId]);
  return applicantById(tx, input.applicationId);
}

/** Takes an applicant off the shortlist; the worker is not told. @throws as `shortlistApplication` */
export async function unshortlistApplication(tx: Tx, scope: Scope, input: One): Promise<Applicant> {
  await move(tx, scope, input, 'unshortlist', null);
  return applicantById(tx, input.applicationId);
}

/**
 * Turns an applicant down, with a reason that the worker sees; an open interview is called off. Somebody with an offer out is not turned down: the offer is
 * withdrawn.
 * @throws as `shortlistApplication`
 */
export async function rejectApplication(tx: Tx, scope: Scope, input: One & Rejection): Promise<Applicant> {
  const reason = rejectionText(input.reason, input.note);
  if (await move(tx, scope, input, 'reject', reason))
    await afterRejection(tx, scope, [input.applicationId], reason);
  return applicantById(tx, input.applicationId);
}

async function afterRejection(tx: Tx, scope: Scope, ids: readonly string[], reason: string): Promise<void> {
  await cancelTasks(tx, ids.map(clockKey));
  await endInterviewsOf(tx, scope, ids, { by: scope.actor.accountId, reason: null });
  await tellWorkers(tx, scope, 'application-rejected', ids, { reason });
}

/** Null for a repeat, which writes nothing. */
async function move(
  tx: Tx,
  scope: Scope,
  { applicationId, version }: One,
  action: RecruiterMove,
  reason: string | null,
) {
  const { row, to } = await demandMove(tx, scope, applicationId, action, version);
  if (to === row.status) return null;
  const now = scope.clock.now();
  const moved = await moveApplication(tx, {
    id: newId(now),
    applicationId,
    actor: scope.actor.accountId,
    action,
    from: row.status,
    to,
    at: now,
    ...(reason === null ? {} : { reason }),
  });
  if (!moved) throw new AppError('application/wrong-state');
  return row;
}

type Bulk = { businessId: string; applicationIds: string[] } & (
  | { action: 'shortlist' | 'unshortlist' }
  | ({ action: 'reject' } & Rejection)
);
type BulkResult = { applicationId: string; ok: boolean; code: string | null };

/**
 * Moves up to 100 applicants of a business at once; its recruiters may. What cannot be moved says why and leaves the others be; one that is there already counts
 * as moved. All that can be moved is moved in one transaction.
 * @throws business/not-found, business/not-allowed
 */
export async function moveApplications(
  tx: Tx,
  scope: Scope,
  input: Bulk,
): Promise<{ results: BulkResult[] }> {
  await demandRole(tx, input.businessId, scope.actor.accountId, 'recruiter');
  const rows = new Map(
    (await lockSome(tx, input.businessId, input.applicationIds)).map((row) => [row.id, row]),
  );
  const moving = new Map<string, NonNullable<ReturnType<typeof nextApplicationStatus>>>();
  const results = input.applicationIds.map((applicationId): BulkResult => {
    const row = rows.get(applicationId);
    if (!row) return { applicationId, ok: false, code: 'application/not-found' };
    const to = nextApplicationStatus(row.status, input.action, 'M');
    if (to === null) return { applicationId, ok: false, code: 'application/wrong-state' };
    if (to !== row.status) moving.set(applicationId, to);
    return { applicationId, ok: true, code: null };
  });
  const ids = [...moving.keys()];
  const [to] = moving.values();
  if (to === undefined) return { results };
  const reason = input.action === 'reject' ? rejectionText(input.reason, input.note) : null;
  const { action } = input;
  await moveSome(tx, ids, { to, actor: scope.actor.accountId, action, reason, at: scope.clock.now() });
  if (reason !== null) await afterRejection(tx, scope, ids, reason);
  else if (action === 'shortlist') await tellWorkers(tx, scope, 'application-shortlisted', ids);
  return { results };
}
