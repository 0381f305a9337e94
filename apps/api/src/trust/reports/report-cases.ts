import { ownReportPath } from '@nearhand/contract/app-paths';
import type { FullReportCase, ReportCase } from '@nearhand/contract/trust/reports';
import type { ReportOutcome } from '@nearhand/contract/trust/reports.rules';
import type { Statement } from '@nearhand/contract/trust/sanctions';
import { storedFileOf } from '../../people/files/files.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import {
  findEarlier,
  findOfCase,
  findRemoval,
  findRunning,
  type Target,
} from '../sanctions/sanctions.sql.ts';
import { issueSanction, requireOutside, toSanction } from '../sanctions/sanctions.ts';
import {
  decideReports,
  findDismissal,
  findReportCase,
  findReportedFacts,
  findReporters,
  findReportFiles,
  findReportsOf,
  isReporter,
  lockReportCase,
  type ReportCaseRow,
} from './reports.sql.ts';

/**
 * Returns a case with its reports and earlier decisions, for operators.
 * @throws report/not-found, operator/own-record, operator/own-decision
 */
export async function getReportCase(
  db: Db,
  scope: Scope,
  input: { reportCaseId: string },
): Promise<FullReportCase> {
  return fullCase(db, scope, await requireForStaff(db, scope, input.reportCaseId, findReportCase));
}

/** Closes a case, for operators: dismissed without an action. Reporters get the outcome. */
export async function decideCase(
  tx: Tx,
  scope: Scope,
  input: { reportCaseId: string; answer: string; action: Statement | null },
): Promise<FullReportCase> {
  const row = await requireForStaff(tx, scope, input.reportCaseId, lockReportCase);
  const { answer, action } = input;
  const status = action === null ? 'dismissed' : 'actioned';
  if (row.status !== 'open') {
    if (row.status !== status || row.answer !== answer) throw new AppError('report/decided');
    return fullCase(tx, scope, row);
  }
  // Another decision has removed the review already, so it gets no second sanction.
  const isDone = action?.measure === 'removed' && (await findRemoval(tx, row.subjectId)) !== undefined;
  if (action !== null && !isDone)
    await issueSanction(tx, scope, {
      ...action,
      target: decisionTarget(row, action.measure),
      source: 'report',
      caseId: row.id,
    });
  // An action on a contested dismissal also answers everyone whose report was dismissed.
  const caseIds = row.contestedId === null || action === null ? [row.id] : [row.id, row.contestedId];
  const reporters = await findReporters(tx, caseIds);
  const by = scope.actor.accountId;
  await decideReports(tx, row.id, { status, answer, by, at: scope.clock.now() }, reporters);
  await notifyReporters(tx, scope, row, { status, answer, reporters });
  return fullCase(tx, scope, (await findReportCase(tx, row.id)) as ReportCaseRow);
}

/**
 * The reported subject. A suspension because of a job concerns its business, and most measures about a review
 * the side that wrote it.
 */
function decisionTarget(row: ReportCaseRow, measure: Statement['measure']): Target {
  if (row.kind === 'review' && measure !== 'removed')
    return row.authorSide === 'business'
      ? { kind: 'business', id: row.businessId ?? row.subjectId }
      : { kind: 'account', id: row.workerId ?? row.subjectId };
  if (row.kind === 'worker') return { kind: 'account', id: row.subjectId };
  if (row.kind === 'job' && measure === 'suspension')
    return { kind: 'business', id: row.businessId ?? row.subjectId };
  return { kind: row.kind, id: row.subjectId };
}

const notifyReporters = (
  tx: Tx,
  scope: Scope,
  row: ReportCaseRow,
  decided: {
    status: ReportOutcome;
    answer: string;
    reporters: readonly { id: string; accountId: string }[];
  },
): Promise<void> =>
  notifyAll(
    tx,
    scope,
    decided.reporters.map(({ id, accountId }) => ({
      accountId,
      topic: 'report-answered' as const,
      data: {
        variant: decided.status,
        mode: row.contestedId === null ? 'reporter' : 'contest',
        jobTitle: row.subjectName,
        reason: decided.answer,
      },
      path: ownReportPath(id),
      dedupeKey: `report-answered/${row.id}/${id}`,
    })),
  );

async function requireForStaff<D extends Db>(
  db: D,
  scope: Scope,
  caseId: string,
  find: (db: D, caseId: string) => Promise<ReportCaseRow | undefined>,
): Promise<ReportCaseRow> {
  const row = await find(db, caseId);
  if (!row) throw new AppError('report/not-found');
  await requireOutside(db, scope, { accountId: row.workerId, businessId: row.businessId });
  const { accountId } = scope.actor;
  const caseIds = row.contestedId === null ? [row.id] : [row.id, row.contestedId];
  if (await isReporter(db, caseIds, accountId)) throw new AppError('operator/own-record');
  if (row.contestedBy === accountId) throw new AppError('operator/own-decision');
  return row;
}

const toReportCase = (row: ReportCaseRow): ReportCase => ({
  ...row,
  subject: {
    kind: row.kind,
    id: row.subjectId,
    name: row.subjectName,
    text: row.subjectText,
    status: row.subjectStatus,
  },
  business:
    row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? row.subjectName },
  author: row.authorSide,
  worker: row.workerId === null ? null : { id: row.workerId, name: row.workerName ?? '' },
  openedAt: row.openedAt.toISOString(),
  dueAt: row.dueAt.toISOString(),
});

const maxShown = { reports: 100, earlier: 20 };

async function viewReports(db: Db, caseId: string): Promise<FullReportCase['reports']> {
  const reports = await findReportsOf(db, caseId, maxShown.reports);
  const files = await findReportFiles(db, caseId);
  return reports.map((report) => ({
    id: report.id,
    by: { accountId: report.accountId, name: report.name },
    reason: report.reason,
    note: report.note,
    at: report.at.toISOString(),
    files: files
      .filter((file) => file.reportId === report.id)
      .map(({ reportId: _report, ...file }) => storedFileOf(file)),
  }));
}

async function viewDismissal(db: Db, caseId: string): Promise<FullReportCase['contested']> {
  const dismissal = await findDismissal(db, caseId);
  return dismissal
    ? {
        caseId,
        answer: dismissal.answer,
        by: dismissal.by,
        decidedAt: dismissal.decidedAt.toISOString(),
        reports: await viewReports(db, caseId),
      }
    : null;
}

async function fullCase(db: Db, scope: Scope, row: ReportCaseRow): Promise<FullReportCase> {
  const now = scope.clock.now();
  const target = decisionTarget(row, row.kind === 'review' ? 'removed' : 'warning');
  const earlier = await findEarlier(db, target, maxShown.earlier);
  const imposed = await findOfCase(db, row.id);
  const { kind, id } = decisionTarget(row, 'suspension');
  return {
    ...toReportCase(row),
    ...(await findReportedFacts(db, row)),
    reports: await viewReports(db, row.id),
    contested: row.contestedId === null ? null : await viewDismissal(db, row.contestedId),
    earlier: earlier.filter(({ id }) => id !== imposed?.id).map((sanction) => toSanction(sanction, now)),
    running: await findRunning(db, { kind: kind === 'business' ? kind : 'account', id }),
    outcome:
      row.decidedAt === null
        ? null
        : {
            answer: row.answer ?? '',
            decidedAt: row.decidedAt.toISOString(),
            sanction: imposed ? toSanction(imposed, now) : null,
          },
  };
}
