import type { ApplicationAction, ApplicationStatus } from '@nearhand/contract/hiring/applications';
import { changedBy } from '../../people/businesses/changed-by.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  type ApplicationCircumstances,
  applicationActionsFor,
  canApplication,
  moverOf,
  type Relation,
} from './applications.policy.ts';
import { nextApplicationStatus } from './applications.rules.ts';
import { findLastMover, findStanding, type LockedApplication, lockApplication } from './applications.sql.ts';

type Standing = { worker_id: string; role: LockedApplication['role'] } | undefined;

function requireCan<Row extends Standing>(
  row: Row,
  accountId: string,
  action: ApplicationAction,
): asserts row is NonNullable<Row> {
  const relation: Relation = row?.worker_id === accountId ? 'worker' : (row?.role ?? null);
  if (!row || relation === null) throw new AppError('application/not-found');
  if (!canApplication(relation, action)) throw new AppError('application/not-allowed');
}

/**
 * Requires the caller to be a recruiter of the application's business; used by notes, tags and views.
 * @throws application/not-found, application/not-allowed for its worker and for finance
 */
export async function requireApplicant(
  db: Db,
  accountId: string,
  applicationId: string,
  action: ApplicationAction = 'view',
): Promise<{ jobId: string; businessId: string; workerId: string }> {
  const row = await findStanding(db, applicationId, accountId);
  requireCan(row, accountId, action);
  return { jobId: row.job_id, businessId: row.business_id, workerId: row.worker_id };
}

/**
 * Locks an application for a move that the caller may make. A repeat passes at any version, because its result is already there.
 * @param version what the caller saw, if they sent it
 * @throws application/not-found, application/not-allowed, application/stale (data: status and the name of who changed it),
 * application/wrong-state
 */
export async function requireMove(
  tx: Tx,
  scope: Scope,
  applicationId: string,
  action: ApplicationAction,
  version?: number,
): Promise<{ row: LockedApplication; to: ApplicationStatus }> {
  const row = await lockApplication(tx, applicationId, scope.actor.accountId);
  requireCan(row, scope.actor.accountId, action);
  const to = nextApplicationStatus(row.status, action, moverOf[action]);
  if (to === row.status && action !== 'edit') return { row, to };
  if (version !== undefined && version !== row.version && (to !== null || action !== 'edit'))
    throw new AppError('application/stale', {
      version: row.version,
      status: row.status,
      ...(await changedBy(
        tx,
        row,
        row.worker_id === scope.actor.accountId ? 'worker' : 'business',
        await findLastMover(tx, applicationId),
      )),
    });
  if (to === null) throw new AppError('application/wrong-state', { status: row.status });
  return { row, to };
}

/** What a recruiter can do with an application of this status. */
export const recruiterActions = (
  status: ApplicationStatus,
  circumstances: ApplicationCircumstances,
): ApplicationAction[] => applicationActionsFor('recruiter', status, circumstances);
