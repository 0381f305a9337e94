import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Page, PageInput } from '@nearhand/contract/operation';
import type { Report } from '@nearhand/contract/trust/reports';
import { type ReportKind, type ReportReason, reportLimits } from '@nearhand/contract/trust/reports.rules';
import { sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
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
import { contestChatReport } from '../../talk/chat-reports/chat-reports.ts';
import { findPublishedSides } from '../reviews/review-views.ts';
import {
  addReportFiles,
  areFilesReported,
  countReports,
  findOwnReports,
  isReporter,
  openContestCase,
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
  if ((await countReports(tx, accountId, subtractMs(now, dayMs))) >= limit)
    throw new AppError('report/too-many', { limit });
  for (const fileId of new Set(fileIds)) await findOwnFile(tx, accountId, fileId, 'report');
  if (new Set(fileIds).size < fileIds.length || (await areFilesReported(tx, fileIds)))
    throw new AppError('file/not-found');
  const dueAt = addMs(now, reportLimits.targetDays * dayMs);
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
  return toReport(await requireOwn(tx, accountId, id), now);
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

/**
 * Returns whether the caller wrote a review. Reviews of businesses are public; reviews of workers are not.
 */
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

/**
 * Contests the dismissal of a report, for its author. Other reporters of the case who contest it too join the
 * same new case until it is decided.
 */
export async function contestReport(
  tx: Tx,
  scope: Scope,
  { reportId, words }: { reportId: string; words: string },
): Promise<Report> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const row = await requireOwn(tx, accountId, reportId);
  if (row.status !== 'dismissed') throw new AppError('report/not-dismissed');
  if (row.contestWords !== null) throw new AppError('report/contested');
  if (contestEnd(row) <= now) throw new AppError('report/too-late');
  if (row.caseId === null) {
    if (!(await contestChatReport(tx, scope, { reportId, words }))) throw new AppError('report/contested');
  } else {
    const dueAt = addMs(now, reportLimits.targetDays * dayMs);
    const contest = await openContestCase(tx, { id: newId(now), caseId: row.caseId, at: now, dueAt });
    if (contest.status !== 'open' || (await isReporter(tx, [contest.id], accountId)))
      throw new AppError('report/contested');
    const { reason } = row;
    await saveReport(tx, { id: newId(now), caseId: contest.id, accountId, reason, note: words, at: now });
  }
  return toReport(await requireOwn(tx, accountId, reportId), now);
}

async function requireOwn(db: Db, accountId: string, reportId: string): Promise<ReportRow> {
  const [row] = await findOwnReports(db, accountId, { only: reportId, after: null, limit: 1 });
  if (!row) throw new AppError('report/not-found');
  return row;
}

/** The Digital Services Act, article 20, gives reporters as much time as the people concerned. */
const contestEnd = ({ decidedAt }: ReportRow): Date =>
  new Date((decidedAt?.getTime() ?? 0) + sanctionLimits.appealDays * dayMs);

function contestUntil(row: ReportRow, now: Date): Date | null {
  const isPossible =
    row.status === 'dismissed' &&
    row.contestWords === null &&
    (row.contestStatus === null || row.contestStatus === 'open');
  return isPossible && contestEnd(row) > now ? contestEnd(row) : null;
}

/** Lists the caller's reports with their outcome, chat reports too, newest first. */
export async function myReports(db: Db, scope: Scope, input: PageInput): Promise<Page<Report>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findOwnReports(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  const now = scope.clock.now();
  return { items: page.items.map((row) => toReport(row, now)), nextCursor: page.nextCursor };
}

const reportOutcome = (status: ReportRow['status'] | null): Report['outcome'] =>
  status === 'open' ? null : status;

/** The dismissal, or the action after another reporter contested it. */
const reportAnswer = (row: ReportRow): Pick<Report, 'outcome' | 'answer' | 'decidedAt'> =>
  row.contestWords === null && row.contestStatus === 'actioned'
    ? {
        outcome: 'actioned',
        answer: row.contestAnswer,
        decidedAt: row.contestDecidedAt?.toISOString() ?? null,
      }
    : {
        outcome: reportOutcome(row.status),
        answer: row.answer,
        decidedAt: row.decidedAt?.toISOString() ?? null,
      };

const toReport = (row: ReportRow, now: Date): Report => ({
  ...row,
  subject: { kind: row.kind, id: row.subjectId, name: row.subjectName },
  at: row.at.toISOString(),
  ...reportAnswer(row),
  contestUntil: contestUntil(row, now)?.toISOString() ?? null,
  contest:
    row.contestWords === null || row.contestAt === null
      ? null
      : {
          words: row.contestWords,
          at: row.contestAt.toISOString(),
          outcome: reportOutcome(row.contestStatus),
          answer: row.contestAnswer,
          decidedAt: row.contestDecidedAt?.toISOString() ?? null,
        },
});
