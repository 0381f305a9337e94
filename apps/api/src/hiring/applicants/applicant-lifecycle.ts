import type { Applicant, BulkResult } from '@nearhand/contract/hiring/applicants';
import type { ApplicationAction } from '@nearhand/contract/hiring/applications';
import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import { type RejectReason, rejectionText } from '@nearhand/contract/reject-reasons';
import { sql } from 'kysely';
import { endCheckoutsSoon } from '../../money/holds/checkouts.ts';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { changedBy, lastMoves } from '../../people/businesses/changed-by.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { rowIds } from '../../platform/ids.ts';
import { type BranchLimit, inBranches, recruiters } from '../../platform/members/job-members.ts';
import { type ChangedRow, emitRows } from '../../platform/realtime/publish-records.ts';
import { requireApplicant, requireMove } from '../applications/application-access.ts';
import { notifyOf, notifyWorkers } from '../applications/application-notices.ts';
import { statusAfter, stopClocks, writeMove } from '../applications/application-transitions.ts';
import { findRestOfBlocks } from '../applications/applications.sql.ts';
import { endInterviewsOf } from '../interviews/end-interviews.ts';
import { applicantById } from './applicant-views.ts';

type ApplicationRef = { applicationId: string; version?: number };
type Rejection = { reason: RejectReason; note: string };
type RecruiterMove = Extract<ApplicationAction, 'shortlist' | 'unshortlist' | 'reject'>;

/** Marks an application as viewed, and the worker's others for the same series. */
export async function viewApplication(
  tx: Tx,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<Applicant> {
  const actor = scope.actor.accountId;
  const { businessId } = await requireApplicant(tx, actor, applicationId);
  const newIds = await findNewInSeries(tx, applicationId, actor);
  const rows = await lockApplications(tx, { businessId, limit: null }, [...newIds, applicationId]);
  const opened = rows.find(({ id }) => id === applicationId);
  if (!opened) throw new AppError('application/not-found');
  if (statusAfter(opened.status, 'view') === null)
    throw new AppError('application/wrong-state', { status: opened.status });
  const ids = rows.flatMap(({ id, status }) => (status === 'submitted' ? [id] : []));
  if (ids.length > 0)
    await writeMoves(tx, ids, { to: 'viewed', actor, action: 'view', reason: null, at: scope.clock.now() });
  if (opened.status === 'submitted') await notifyOf(tx, scope, opened, { worker: 'application-viewed' });
  return applicantById(tx, applicationId);
}

/** The worker's new applications for the job or its series, where the account is a recruiter. */
async function findNewInSeries(tx: Tx, applicationId: string, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select other.id from applications application join jobs job on job.id = application.job_id
      join applications other on other.worker_id = application.worker_id and other.status = 'submitted'
      join jobs shift on shift.id = other.job_id and (shift.id = job.id or shift.series_id = job.series_id)
      join job_members member on member.job_id = shift.id and member.account_id = ${accountId} and member.role in ${recruiters}
    where application.id = ${applicationId}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Shortlists an applicant. For recruiters. */
export async function shortlistApplication(tx: Tx, scope: Scope, input: ApplicationRef): Promise<Applicant> {
  if (await moveApplicant(tx, scope, input, 'shortlist', null))
    await notifyWorkers(tx, scope, 'application-shortlisted', [input.applicationId]);
  return applicantById(tx, input.applicationId);
}

/** Removes an applicant from the shortlist without notifying them. For recruiters. */
export async function unshortlistApplication(
  tx: Tx,
  scope: Scope,
  input: ApplicationRef,
): Promise<Applicant> {
  await moveApplicant(tx, scope, input, 'unshortlist', null);
  return applicantById(tx, input.applicationId);
}

/** Rejects an applicant without an offer, for all dates of a block. The worker sees the reason. For recruiters. */
export async function rejectApplication(
  tx: Tx,
  scope: Scope,
  input: ApplicationRef & Rejection,
): Promise<Applicant> {
  const reason = rejectionText(input.reason, input.note);
  const { applicationId } = input;
  const restIds = await findRestOfBlocks(tx, [applicationId]);
  if (restIds.length > 0) {
    const { businessId } = await requireApplicant(tx, scope.actor.accountId, applicationId);
    await lockApplications(tx, { businessId, limit: null }, [applicationId, ...restIds]);
  }
  const rejectedIds = [applicationId, ...restIds];
  let isMoved = false;
  for (const id of rejectedIds) {
    const ref = id === applicationId ? input : { applicationId: id };
    if (await moveApplicant(tx, scope, ref, 'reject', reason)) isMoved = true;
  }
  if (isMoved) await afterRejection(tx, scope, rejectedIds, reason);
  return applicantById(tx, input.applicationId);
}

async function afterRejection(tx: Tx, scope: Scope, ids: readonly string[], reason: string): Promise<void> {
  await stopClocks(tx, ids);
  await endInterviewsOf(tx, scope, ids, { by: scope.actor.accountId, reason: null });
  await endCheckoutsSoon(tx, ids);
  await notifyWorkers(tx, scope, 'application-rejected', ids, { reason });
}

async function moveApplicant(
  tx: Tx,
  scope: Scope,
  { applicationId, version }: ApplicationRef,
  action: RecruiterMove,
  reason: string | null,
) {
  const { row, to } = await requireMove(tx, scope, applicationId, action, version);
  if (to === row.status) return null;
  const actor = scope.actor.accountId;
  await writeMove(tx, scope, row, { action, to, actor, reason: reason ?? undefined });
  return row;
}

type Bulk = { businessId: string; items: ApplicationRef[] } & (
  | { action: 'shortlist' | 'unshortlist' }
  | ({ action: 'reject' } & Rejection)
);

/** Moves up to 100 applicants, and rejects them for all dates of a block. Returns a result for each of `items`. */
export async function moveApplications(
  tx: Tx,
  scope: Scope,
  input: Bulk,
): Promise<{ results: BulkResult[] }> {
  const limit = await requireBusinessRecruiter(tx, scope.actor, input.businessId);
  const itemIds = input.items.map(({ applicationId }) => applicationId);
  const restIds = input.action === 'reject' ? await findRestOfBlocks(tx, itemIds) : [];
  const rows = new Map(
    (await lockApplications(tx, { businessId: input.businessId, limit }, [...itemIds, ...restIds])).map(
      (row) => [row.id, row],
    ),
  );
  const moving = new Map<string, NonNullable<ReturnType<typeof statusAfter>>>();
  const results = input.items.map(({ applicationId, version }): BulkResult => {
    const answer = { applicationId, ok: false, code: null, status: null, by: null };
    const row = rows.get(applicationId);
    if (!row) return { ...answer, code: 'application/not-found' };
    const to = statusAfter(row.status, input.action);
    if (to === row.status) return { ...answer, ok: true };
    if (version !== undefined && version !== row.version)
      return { ...answer, code: 'application/stale', status: row.status };
    if (to === null) return { ...answer, code: 'application/wrong-state', status: row.status };
    moving.set(applicationId, to);
    return { ...answer, ok: true };
  });
  for (const id of input.action === 'reject' ? await findRestOfBlocks(tx, [...moving.keys()]) : []) {
    const row = rows.get(id);
    const to = row ? statusAfter(row.status, input.action) : null;
    if (to === null) continue;
    moving.set(id, to);
    for (const result of results)
      if (result.applicationId === id)
        Object.assign(result, { ok: true, code: null, status: null, by: null });
  }
  await nameMovers(tx, results, rows);
  const ids = [...moving.keys()];
  const [to] = moving.values();
  if (to === undefined) return { results };
  const reason = input.action === 'reject' ? rejectionText(input.reason, input.note) : null;
  const { action } = input;
  await writeMoves(tx, ids, { to, actor: scope.actor.accountId, action, reason, at: scope.clock.now() });
  if (reason !== null) await afterRejection(tx, scope, ids, reason);
  else if (action === 'shortlist') await notifyWorkers(tx, scope, 'application-shortlisted', ids);
  return { results };
}

async function nameMovers(
  tx: Tx,
  results: BulkResult[],
  rows: ReadonlyMap<string, { businessId: string; workerId: string }>,
): Promise<void> {
  const stale = results.filter(({ code }) => code === 'application/stale');
  if (stale.length === 0) return;
  const moves = await lastMoves(
    tx,
    'application_moves',
    stale.map(({ applicationId }) => applicationId),
    'view',
  );
  const names = new Map<string, string | null>();
  for (const result of stale) {
    const row = rows.get(result.applicationId);
    const last = moves.get(result.applicationId);
    if (!row || !last) continue;
    if (!names.has(last.actor))
      names.set(last.actor, (await changedBy(tx, row, 'business', last)).by ?? null);
    result.by = names.get(last.actor) ?? null;
  }
}

type LockedRow = {
  id: string;
  status: ApplicationStatus;
  version: number;
  businessId: string;
  jobId: string;
  workerId: string;
  decideBy: Date;
};

async function lockApplications(
  tx: Tx,
  access: { businessId: string; limit: BranchLimit },
  applicationIds: readonly string[],
): Promise<LockedRow[]> {
  const { rows } = await sql<LockedRow>`
    select id, status, version, business_id, job_id, worker_id, decide_by from applications
      where id = any(${[...applicationIds]}::uuid[]) and business_id = ${access.businessId}
      ${inBranches(sql`job_id`, access.limit)}
    order by id for update`.execute(tx);
  return rows;
}

async function writeMoves(
  tx: Tx,
  applicationIds: readonly string[],
  move: { to: ApplicationStatus; actor: string; action: string; reason: string | null; at: Date },
): Promise<void> {
  const { rows } = await sql<ChangedRow>`
    with before as (select id, status from applications where id = any(${[...applicationIds]}::uuid[])),
    moved as (
      update applications set status = ${move.to}, updated_at = ${move.at},
        version = version + case when ${move.action} = 'view' then 0 else 1 end,
        viewed_at = case when ${move.action} in ('view', 'shortlist') then coalesce(viewed_at, ${move.at}::timestamptz) else viewed_at end
      from before where applications.id = before.id
      returning applications.id, applications.job_id, applications.worker_id, applications.business_id),
    logged as (
    insert into application_moves (id, application_id, actor, action, from_status, to_status, reason, at)
    select ${rowIds(move.at)}, id, ${move.actor}, ${move.action}, status, ${move.to}, ${move.reason}, ${move.at}::timestamptz
    from before)
    select * from moved`.execute(tx);
  emitRows(tx, 'application', rows);
}
