import type { AuthorityReport } from '@nearhand/contract/trust/case-facts';
import {
  type AuthorityFact,
  authorityReportLimits,
  type ReportableKind,
} from '@nearhand/contract/trust/cases.rules';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { requireRecentCheck } from '../../people/sign-in/credentials.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { AuthorityReports } from '../../platform/tables.gen.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { requireOutside } from '../sanctions/sanctions.ts';
import { findConcerned } from './cases.sql.ts';
import { refusedReportMailTask } from './cases.tasks.ts';
import { addEntry, requireOpen } from './cases.ts';

type ReportRow = Selectable<AuthorityReports> & { recorderName: string; deciderName: string | null };

const reportRows = (rest: RawBuilder<unknown>) => sql<ReportRow>`
  select report.*, recorder.name as recorder_name, decider.name as decider_name
  from authority_reports report join accounts recorder on recorder.id = report.recorded_by
  left join accounts decider on decider.id = report.decided_by ${rest}`;

/** A report to an authority. The caller checks access. */
export async function findAuthorityReport(db: Db, id: string): Promise<AuthorityReport | undefined> {
  const { rows } = await reportRows(sql`where report.id = ${id}`).execute(db);
  return rows[0] && toAuthorityReport(rows[0]);
}

/** The newest reports to an authority about a case. The caller checks access. */
export async function findAuthorityReports(
  db: Db,
  { kind, subjectId }: { kind: string; subjectId: string },
): Promise<AuthorityReport[]> {
  const { rows } =
    await reportRows(sql`where report.case_subject = ${subjectId} and report.case_kind = ${kind}
    order by report.recorded_at desc, report.id desc limit ${authorityReportLimits.shown}`).execute(db);
  return rows.map(toAuthorityReport);
}

/**
 * Records a report to an authority about an open case, for its operator with a second factor confirmed within
 * ten minutes. The people concerned are not notified.
 */
export async function reportToAuthority(
  tx: Tx,
  scope: Scope,
  input: {
    kind: ReportableKind;
    subjectId: string;
    authority: string;
    reportedAt: string;
    reference: string | null;
    facts: AuthorityFact[];
    passedOn: string;
    reason: string;
  },
): Promise<AuthorityReport> {
  const { kind, subjectId, authority, reference, passedOn, reason } = input;
  const now = scope.clock.now();
  const row = await requireOpen(tx, scope, input);
  await requireRecentCheck(tx, scope, 'second-factor', authorityReportLimits.secondFactorMinutes);
  const reportedAt = new Date(input.reportedAt);
  if (reportedAt > now)
    throw new AppError('request/invalid', {
      issues: [{ path: 'reportedAt', message: 'a time that has passed' }],
    });
  const id = newId(now);
  await tx
    .insertInto('authority_reports')
    .values({
      id,
      caseKind: kind,
      caseSubject: subjectId,
      authority,
      reportedAt,
      reference,
      facts: [...new Set(input.facts)],
      passedOn,
      reason,
      accountIds: await findConcerned(tx, row),
      businessId: row.businessId,
      recordedBy: scope.actor.accountId,
      recordedAt: now,
      state: 'waiting',
    })
    .execute();
  return readBack(tx, id);
}

/** Confirms or refuses a report to an authority. For an operator other than its author. */
export async function decideAuthorityReport(
  tx: Tx,
  scope: Scope,
  input: { authorityReportId: string; decision: 'confirm' | 'refuse'; note: string },
): Promise<AuthorityReport> {
  const { authorityReportId: id, decision, note } = input;
  const { accountId: by } = scope.actor;
  const { rows } = await reportRows(sql`where report.id = ${id} for update of report`).execute(tx);
  const row = rows[0];
  if (!row) throw new AppError('case/not-found');
  if (row.recordedBy === by) throw new AppError('operator/own-decision');
  const state = decision === 'confirm' ? ('confirmed' as const) : ('refused' as const);
  if (row.state === state && row.decidedBy === by) return toAuthorityReport(row);
  if (row.state !== 'waiting')
    throw new AppError('approval/over', { state: row.state === 'confirmed' ? 'approved' : 'refused' });
  if (decision === 'refuse' && note === '')
    throw new AppError('request/invalid', { issues: [{ path: 'note', message: 'why it is refused' }] });
  await tx
    .updateTable('authority_reports')
    .set({ state, decidedBy: by, decidedAt: scope.clock.now(), note: note || null })
    .where('id', '=', id)
    .execute();
  if (state === 'refused') {
    const key = `authority-report-refused/${id}`;
    await enqueue(tx, refusedReportMailTask, { authorityReportId: id, key }, { key });
  }
  return readBack(tx, id);
}

/**
 * Records the reference that an authority gave later, for operators with the role. A note on the case keeps
 * each one, so that a correction loses nothing.
 * @throws case/not-found, operator/own-record
 */
export async function setAuthorityReference(
  tx: Tx,
  scope: Scope,
  input: { kind: ReportableKind; subjectId: string; authorityReportId: string; reference: string },
): Promise<AuthorityReport> {
  const { kind, subjectId, authorityReportId: id, reference } = input;
  const { rows } = await reportRows(sql`where report.id = ${id} and report.case_kind = ${kind}
    and report.case_subject = ${subjectId} for update of report`).execute(tx);
  const row = rows[0];
  if (!row) throw new AppError('case/not-found');
  if (row.accountIds.includes(scope.actor.accountId)) throw new AppError('operator/own-record');
  await requireOutside(tx, scope, { accountId: null, businessId: row.businessId });
  if (row.reference === reference) return toAuthorityReport(row);
  await tx.updateTable('authority_reports').set({ reference }).where('id', '=', id).execute();
  const earlier = row.reference === null ? '' : ` instead of ${row.reference}`;
  await addEntry(
    tx,
    scope,
    { kind, subjectId },
    { what: 'note', body: `${row.authority}: reference ${reference}${earlier}` },
  );
  return readBack(tx, id);
}

const readBack = async (tx: Tx, id: string): Promise<AuthorityReport> =>
  (await findAuthorityReport(tx, id)) as AuthorityReport;

const toAuthorityReport = (row: ReportRow): AuthorityReport => ({
  ...row,
  case: { kind: row.caseKind, subjectId: row.caseSubject },
  facts: row.facts as AuthorityFact[],
  reportedAt: row.reportedAt.toISOString(),
  recordedBy: { id: row.recordedBy, name: row.recorderName },
  recordedAt: row.recordedAt.toISOString(),
  decidedBy: row.decidedBy === null ? null : { id: row.decidedBy, name: row.deciderName ?? '' },
  decidedAt: row.decidedAt?.toISOString() ?? null,
});

/** Removes a deleted account's words from all reports, as from case notes; the reports stay. */
export async function eraseAuthorityReports(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update authority_reports set authority = ${withoutWords('authority', member)},
      passed_on = ${withoutWords('passed_on', member)}, reason = ${withoutWords('reason', member)},
      note = ${withoutWords('note', member)}, reference = ${withoutWords('reference', member)}
    where exists (select from unnest(${[...member.words]}::text[]) word where length(word) >= 3
      and strpos(lower(concat_ws(' ', authority, passed_on, reason, note, reference)), lower(word)) > 0)`.execute(
    tx,
  );
}
