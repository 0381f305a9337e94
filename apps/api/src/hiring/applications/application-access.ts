import { type ApplicationAction, applicationActions } from '@nearhand/contract/hiring/applications';
import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import type { Mover } from '@nearhand/contract/moves';
import { type Relation, relationTo, roleMay } from '@nearhand/contract/people/team.rules';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';

import { nextApplicationStatus } from './applications.rules.ts';
import { findCallerRole, type LockedApplication, lockApplication } from './applications.sql.ts';

type Standing = { workerId: string; role: LockedApplication['role'] } | undefined;

function requireCan<Row extends Standing>(
  row: Row,
  accountId: string,
  action: ApplicationAction,
): asserts row is NonNullable<Row> {
  const relation = relationTo(row, accountId);
  if (!row || relation === null) throw new AppError('application/not-found');
  if (!canApplication(relation, action)) throw new AppError('application/not-allowed');
}

/**
 * Requires a recruiter of the application's business.
 * @throws application/not-found, application/not-allowed
 */
export async function requireApplicant(
  db: Db,
  accountId: string,
  applicationId: string,
  action: ApplicationAction = 'view',
): Promise<{ jobId: string; businessId: string; workerId: string }> {
  const row = await findCallerRole(db, applicationId, accountId);
  requireCan(row, accountId, action);
  return { jobId: row.jobId, businessId: row.businessId, workerId: row.workerId };
}

/**
 * Locks an application for a move that the caller may make. A retry of a completed move passes at any version.
 * @throws application/not-found, application/not-allowed, application/stale (data: status, by),
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
  const to = nextApplicationStatus(row.status, action, applicationMover[action]);
  if (to === row.status && action !== 'edit') return { row, to };
  if (version !== undefined && version !== row.version && (to !== null || action !== 'edit'))
    throw new AppError('application/stale', {
      version: row.version,
      status: row.status,
      ...(await changedBy(
        tx,
        row,
        row.workerId === scope.actor.accountId ? 'worker' : 'business',
        await lastMove(tx, 'application_moves', applicationId, 'view'),
      )),
    });
  if (to === null) throw new AppError('application/wrong-state', { status: row.status });
  return { row, to };
}

export const recruiterActions = (
  status: ApplicationStatus,
  circumstances: ApplicationCircumstances,
): ApplicationAction[] => applicationActionsFor('recruiter', status, circumstances);

export const applicationMover: Record<ApplicationAction, Mover> = {
  edit: 'worker',
  withdraw: 'worker',
  view: 'business',
  shortlist: 'business',
  unshortlist: 'business',
  reject: 'business',
  'propose-interview': 'business',
  offer: 'business',
  'join-waitlist': 'worker',
  'leave-waitlist': 'worker',
};
const inPlace: readonly ApplicationAction[] = [
  'edit',
  'propose-interview',
  'join-waitlist',
  'leave-waitlist',
];

const canApplication = (relation: Relation, action: ApplicationAction): boolean =>
  applicationMover[action] === 'worker'
    ? relation === 'worker'
    : relation !== 'worker' && roleMay(relation, 'applicants');

type ApplicationCircumstances = {
  waiting?: boolean;
  jobFilled?: boolean;
  interviewOpen?: boolean;
  jobHires?: boolean;
  spotFree?: boolean;
};

/** Actions this person can take now. Repeats are not offered. */
export function applicationActionsFor(
  relation: Relation,
  status: ApplicationStatus,
  circumstances: ApplicationCircumstances = {},
): ApplicationAction[] {
  const { waiting = false, jobFilled = true, interviewOpen = false } = circumstances;
  const { jobHires = true, spotFree = true } = circumstances;
  const possible: Partial<Record<ApplicationAction, boolean>> = {
    'propose-interview': !interviewOpen && jobHires,
    offer: spotFree,
    'join-waitlist': !waiting && jobFilled,
    'leave-waitlist': waiting,
  };
  return applicationActions.filter((action) => {
    const next = nextApplicationStatus(status, action, applicationMover[action]);
    return (
      canApplication(relation, action) &&
      (possible[action] ?? true) &&
      next !== null &&
      (inPlace.includes(action) || next !== status)
    );
  });
}
