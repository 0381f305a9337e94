import { dayMs } from '@nearhand/contract/durations';
import type { Page, PageInput } from '@nearhand/contract/operation';
import type { Report } from '@nearhand/contract/trust/reports';
import { type ReportKind, type ReportReason, reportLimits } from '@nearhand/contract/trust/reports.rules';
import { viewJob } from '../../hiring/jobs/job-views.ts';
import { businessProfile } from '../../people/businesses/businesses.ts';
import { findRole } from '../../people/businesses/members.sql.ts';
import { findOwnFile } from '../../people/files/files.ts';
import { workerProfile } from '../../people/profiles/profiles.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { findPublishedSides } from '../reviews/review-views.ts';
import {
  addReportFiles,
  areFilesReported,
  countReports,
  findOwnReports,
  openReportCase,
  type ReportRow,
  saveReport,
} from './reports.sql.ts';

type Written = {
  kind: ReportKind;
  subjectId: string;
  reason: ReportReason;
  note: string;
  fileIds: string[];
};

/**
 * Reports a job, business, worker or review that the caller can see; one open case per subject. A repeat
 * updates it.
 */
export async function createReport(tx: Tx, scope: Scope, input: Written): Promise<Report> {
  const { accountId } = scope.actor;
  const { kind, subjectId, reason, note, fileIds } = input;
  const now = scope.clock.now();
  if (await isOwn(tx, scope, { kind, subjectId })) throw new AppError('report/own');
  const limit = reportLimits.perDay;
  if ((await countReports(tx, accountId, new Date(now.getTime() - dayMs))) >= limit)
    throw new AppError('report/too-many', { limit });
  for (const fileId of new Set(fileIds)) await findOwnFile(tx, accountId, fileId, 'report');
  if (new Set(fileIds).size < fileIds.length || (await areFilesReported(tx, fileIds)))
    throw new AppError('file/not-found');
  const dueAt = new Date(now.getTime() + reportLimits.targetDays * dayMs);
  const caseId = await openReportCase(tx, { id: newId(now), kind, subjectId, at: now, dueAt });
  const id = await saveReport(tx, {
    id: newId(now),
    caseId,
    accountId,
    reason,
    note,
    at: now,
  });
  await addReportFiles(tx, id, fileIds);
  const [row] = await findOwnReports(tx, accountId, { only: id, after: null, limit: 1 });
  return viewReport(row as ReportRow);
}

/**
 * @throws job/not-found, business/not-found, profile/not-found, review/not-found if the caller can't see the subject
 */
async function isOwn(
  db: Db,
  scope: Scope,
  { kind, subjectId }: { kind: ReportKind; subjectId: string },
): Promise<boolean> {
  const { accountId } = scope.actor;
  if (kind === 'job') return (await viewJob(db, accountId, subjectId)).member !== null;
  if (kind === 'worker') {
    if (subjectId === accountId) return true;
    await workerProfile(db, scope, { workerId: subjectId });
    return false;
  }
  if (kind === 'review') return isAuthor(db, scope, subjectId);
  await businessProfile(db, scope, { businessId: subjectId });
  return (await findRole(db, subjectId, accountId)) !== null;
}

/** A review about a business is public, one about a worker is not. */
async function isAuthor(db: Db, scope: Scope, reviewId: string): Promise<boolean> {
  const { accountId } = scope.actor;
  const review = await findPublishedSides(db, reviewId);
  if (!review) throw new AppError('review/not-found');
  const { workerId, businessId } = review;
  const isMember = (await findRole(db, businessId, accountId)) !== null;
  if (review.authorSide === 'worker') return workerId === accountId;
  if (workerId !== accountId && !isMember)
    await workerProfile(db, scope, { workerId }).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('review/not-found') : error;
    });
  return isMember;
}

/** Lists the caller's reports with their outcome, chat reports too, newest first. */
export async function myReports(db: Db, scope: Scope, input: PageInput): Promise<Page<Report>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findOwnReports(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return { items: page.items.map(viewReport), nextCursor: page.nextCursor };
}

const viewReport = (row: ReportRow): Report => ({
  ...row,
  subject: { kind: row.kind, id: row.subjectId, name: row.subjectName },
  at: row.at.toISOString(),
  outcome: row.status === 'open' ? null : row.status,
  decidedAt: row.decidedAt?.toISOString() ?? null,
});
