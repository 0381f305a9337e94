import { addMs, dayMs } from '@nearhand/contract/durations';
import { operatorRoleTable } from '@nearhand/contract/operator-roles';
import { appeals, type StaffAppeal } from '@nearhand/contract/trust/appeals';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { type Insertable, sql } from 'kysely';
import { z } from 'zod';
import { reviewBusiness } from '../../people/business-verification/business-decisions.ts';
import { certificateEvidence } from '../../people/certificates/certificates.ts';
import { identityEvidence } from '../../people/identity-checks/identity-checks.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { isoText } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Appeals } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { readReported } from '../../talk/conversations/message-views.ts';
import { operatorMail } from '../operators/operators.ts';
import { payoutEvidence } from '../payout-reviews/payout-reviews.ts';
import { findReportCase } from '../reports/reports.sql.ts';
import {
  dismissersOf,
  emitSanction,
  findConcerning,
  findEarlier,
  findSanction,
  lockSanction,
  type SanctionRow,
} from '../sanctions/sanctions.sql.ts';
import {
  appealUntil,
  endSanction,
  isCopyNeeded,
  notifyOfSanction,
  rehearseEnd,
  requireOutside,
  sanctionedParties,
  toSanction,
} from '../sanctions/sanctions.ts';

type AppealRow = {
  id: string;
  sanctionId: string;
  sanctionBy: string;
  accountId: string;
  accountName: string;
  words: string;
  at: Date;
  dueAt: Date;
  escalatedAt: Date | null;
  outcome: 'upheld' | 'overturned' | null;
  reason: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
};

const appealRows = sql`select appeal.id, appeal.sanction_id, appeal.sanction_by, appeal.account_id, account.name as account_name, appeal.words,
    appeal.at, appeal.due_at, appeal.escalated_at, appeal.outcome, appeal.reason, appeal.decided_by, appeal.decided_at
  from appeals appeal join accounts account on account.id = appeal.account_id`;

async function findAppeal(db: Db, appealId: string): Promise<AppealRow | undefined> {
  const { rows } = await sql<AppealRow>`${appealRows} where appeal.id = ${appealId}`.execute(db);
  return rows[0];
}

/** Inserts an appeal; returns false if the decision was appealed before. */
async function insertAppeal(tx: Tx, row: Insertable<Appeals>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('appeals')
    .values(row)
    .onConflict((conflict) => conflict.column('sanctionId').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Decides an appeal; returns false if it was decided before. The database refuses the operator who made the decision.
 */
async function updateDecided(
  tx: Tx,
  appealId: string,
  decision: { outcome: 'upheld' | 'overturned'; reason: string; by: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('appeals')
    .set({
      outcome: decision.outcome,
      reason: decision.reason,
      decidedBy: decision.by,
      decidedAt: decision.at,
    })
    .where('id', '=', appealId)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Marks an open appeal whose deadline passed; returns false otherwise. */
async function updateEscalated(tx: Tx, appealId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('appeals')
    .set({ escalatedAt: at })
    .where('id', '=', appealId)
    .where('outcome', 'is', null)
    .where('escalatedAt', 'is', null)
    .where('dueAt', '<=', at)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

const findDismissers = (sanctionId: string) =>
  sql`(select unnest(${dismissersOf(sql`sanction`)}) from sanctions sanction where id = ${sanctionId})`;

/** Finds the operator who claimed an open appeal, otherwise everyone whose roles may decide it. */
async function findDeciders(db: Db, appeal: AppealRow): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    with decider as (
      select account_id, exists (select from case_work work where work.kind = 'appeal' and work.subject_id = ${appeal.id}
        and work.claimed_by = account_id) as claims
      from operators where removed_at is null and roles && ${[...operatorRoleTable.appeals]}::text[]
        and account_id not in (${appeal.sanctionBy}, ${appeal.accountId})
        and account_id not in ${findDismissers(appeal.sanctionId)}
    ) select account_id from decider where claims or not exists (select from decider where claims)`.execute(
    db,
  );
  return rows.map((row) => row.accountId);
}

/** Part of account removal: replaces the person's name in words and reasons. */
export async function eraseAppeals(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update appeals set words = ${withoutWords('words', member)}, reason = ${withoutWords('reason', member)}
    where account_id = ${member.accountId} or sanction_id in
      (select id from sanctions where account_id = ${member.accountId})`.execute(tx);
}

/** Appeals a decision, once within six months. For the people concerned. */
async function createAppeal(
  tx: Tx,
  scope: Scope,
  input: { sanctionId: string; words: string },
): Promise<Sanction> {
  const now = scope.clock.now();
  const { accountId } = scope.actor;
  if (!(await findConcerning(tx, accountId, input.sanctionId))) throw new AppError('sanction/not-found');
  const row = (await lockSanction(tx, input.sanctionId)) as SanctionRow;
  if (row.appealId !== null) throw new AppError('appeal/exists');
  if (appealUntil(row, now) === null) throw new AppError('appeal/too-late');
  const id = newId(now);
  const dueAt = addMs(now, sanctionLimits.appealAnswerDays * dayMs);
  await insertAppeal(tx, {
    id,
    sanctionId: row.id,
    sanctionBy: row.decidedBy,
    accountId,
    words: input.words,
    at: now,
    dueAt,
  });
  emitSanction(tx, row);
  await enqueue(tx, appealDeadlineTask, { appealId: id }, { runAt: dueAt, key: `appeal-deadline:${id}` });
  return toSanction((await findSanction(tx, row.id)) as SanctionRow, now);
}

/**
 * Returns an appeal with its decision, for operators.
 * @throws appeal/not-found, operator/own-record
 */
export async function getAppeal(db: Db, scope: Scope, input: { appealId: string }): Promise<StaffAppeal> {
  const row = await findAppeal(db, input.appealId);
  if (!row) throw new AppError('appeal/not-found');
  await requireOutside(db, scope, sanctionedParties((await findSanction(db, row.sanctionId)) as SanctionRow));
  const reversal = row.outcome === null ? await rehearseEnd(db, scope, row.sanctionId) : null;
  return { ...(await toStaffAppeal(db, scope, row)), reversal };
}

/** Upholds or overturns a decision. For an operator who neither made it nor dismissed the report that led to it. */
async function decideAppeal(
  tx: Tx,
  scope: Scope,
  input: { appealId: string; outcome: 'upheld' | 'overturned'; reason: string },
): Promise<StaffAppeal> {
  const appeal = await findAppeal(tx, input.appealId);
  if (!appeal) throw new AppError('appeal/not-found');
  const sanction = (await lockSanction(tx, appeal.sanctionId)) as SanctionRow;
  await requireOutside(tx, scope, sanctionedParties(sanction));
  const { accountId } = scope.actor;
  const { rows } = await sql<{ isDismisser: boolean }>`
    select ${accountId}::uuid in ${findDismissers(sanction.id)} as is_dismisser`.execute(tx);
  if (sanction.decidedBy === accountId || rows[0]?.isDismisser) throw new AppError('operator/own-decision');
  const { outcome, reason } = input;
  const decision = { outcome, reason, by: accountId, at: scope.clock.now() };
  if (await updateDecided(tx, appeal.id, decision)) {
    emitSanction(tx, sanction);
    if (outcome === 'overturned') await endSanction(tx, scope, sanction, { ending: 'overturned', reason });
    const variant = outcome === 'overturned' && (await isCopyNeeded(tx, sanction)) ? 'copy-needed' : outcome;
    await notifyOfSanction(tx, scope, sanction, { topic: 'appeal-decided', variant, reason });
  } else if ((await findAppeal(tx, appeal.id))?.outcome !== outcome) throw new AppError('appeal/decided');
  return toStaffAppeal(tx, scope, (await findAppeal(tx, appeal.id)) as AppealRow);
}

/** Mails those who can decide an overdue appeal, once. */
async function escalateAppeal(
  tx: Tx,
  scope: Pick<TaskScope, 'clock'>,
  { appealId }: { appealId: string },
): Promise<void> {
  if (!(await updateEscalated(tx, appealId, scope.clock.now()))) return;
  const row = (await findAppeal(tx, appealId)) as AppealRow;
  emitSanction(tx, (await findSanction(tx, row.sanctionId)) as SanctionRow);
  for (const to of await findDeciders(tx, row)) {
    const key = `appeal-overdue/${appealId}/${to}`;
    await enqueue(tx, overdueMailTask, { appealId, to, key }, { key });
  }
}

async function toStaffAppeal(db: Db, scope: Scope, row: AppealRow): Promise<StaffAppeal> {
  const sanction = (await findSanction(db, row.sanctionId)) as SanctionRow;
  return {
    ...row,
    at: row.at.toISOString(),
    dueAt: row.dueAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    evidence: await evidenceOf(db, scope, sanction),
    sanction: toSanction(sanction, scope.clock.now()),
    reversal: null,
    by: { accountId: row.accountId, name: row.accountName },
    ...(await originOf(db, sanction)),
    escalatedAt: row.escalatedAt?.toISOString() ?? null,
  };
}

/** The report that led to a decision about a message or conversation: the last one that its operator decided by then. */
const reportOfDecision = sql`(select report.id, report.seq from chat_reports report
  where report.conversation_id = decided.conversation_id and report.decided_by = decided.decided_by
    and case decided.measure when 'frozen' then report.decision = 'freeze'
      else report.decision = 'redact' and report.seq = decided.seq end
    and report.decided_at <= decided.decided_at
  order by report.decided_at desc, report.id desc limit 1)`;

/** The operator who decided, and the closed case that the decision comes from. */
async function originOf(db: Db, { id }: SanctionRow): Promise<Pick<StaffAppeal, 'decider' | 'fromCase'>> {
  const { rows } = await sql<{ decider: string; fromCase: StaffAppeal['fromCase'] }>`
    select author.name as decider, (
      select jsonb_build_object('kind', closed.kind, 'subjectId', closed.subject_id) from closed_cases closed
      where (closed.kind, closed.subject_id) in (values ('report', decided.case_id), ('payout_held', decided.withdrawal_id), ('certificate', decided.certificate_id),
          ('identity', decided.identity_check_id),
          ('flagged_review', decided.review_id),
          ('job_review', case when decided.measure = 'refused' then decided.job_id end),
          ('business_verification', case when decided.measure = 'verification_refused' then decided.business_id end),
          ('chat_report', (select origin.id from ${reportOfDecision} origin)))
        and closed.decided_by = decided.decided_by and closed.decided_at >= decided.decided_at
      order by closed.decided_at limit 1) as from_case
    from sanctions decided join accounts author on author.id = decided.decided_by where decided.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? { decider: '', fromCase: null };
}

type Evidence = StaffAppeal['evidence'];
const othersShown = 20;

/** The report case that led to a decision, with its text and work. */
async function reportedBehind(db: Db, sanctionId: string) {
  const row = await db
    .selectFrom('sanctions')
    .select('caseId')
    .where('id', '=', sanctionId)
    .executeTakeFirst();
  return row?.caseId ? await findReportCase(db, row.caseId) : undefined;
}

/** The work that a review is about. */
async function workOfReview(db: Db, reviewId: string): Promise<Evidence['work']> {
  const { rows } = await sql<{ work: NonNullable<Evidence['work']> }>`
    select jsonb_build_object('engagementId', work.id, 'title', work.terms ->> 'title', 'timeZone', work.terms ->> 'timeZone',
      'startsAt', ${isoText(sql`work.starts_at`)}, 'endsAt', ${isoText(sql`work.ends_at`)}) as work
    from reviews review join engagements work on work.id = review.engagement_id where review.id = ${reviewId}`.execute(
    db,
  );
  return rows[0]?.work ?? null;
}

type EvidenceTexts = Pick<Evidence, 'text' | 'findings' | 'reports' | 'notes'>;

async function evidenceOf(db: Db, scope: Scope, sanction: SanctionRow): Promise<Evidence> {
  const { rows } = await sql<EvidenceTexts & { lastSeq: number | null; reportedSeq: number | null }>`
    with decided as (select * from sanctions where id = ${sanction.id}),
      decided_cases as (select unnest(array[id, contested_id]) as id from report_cases where id = (select case_id from decided)),
      origin as (select report.* from decided cross join lateral ${reportOfDecision} report),
      same_reports as (select report.* from decided join chat_reports report on report.conversation_id = decided.conversation_id
        join origin on origin.seq is not distinct from report.seq)
    select coalesce(
        (select concat_ws(E'\\n\\n', stars || ' of 5', nullif(body, ''), 'Reply: ' || reply) from reviews where id = decided.review_id),
        (select concat_ws(E'\\n\\n', title, nullif(description, ''), nullif(array_to_string(requirements, E'\\n'), ''))
          from jobs where id = decided.job_id and decided.conversation_id is null)) as text,
      coalesce((select found from job_screenings where job_id = decided.job_id and decided.measure = 'refused'
        order by at desc limit 1), '[]') as findings,
      coalesce((select jsonb_agg(jsonb_build_object('reason', reason, 'note', note, 'at', ${isoText(sql`at`)}) order by at, id)
        from (select id, reason, note, at from reports where case_id in (select id from decided_cases)
          union all select id, reason, note, at from same_reports) reported), '[]') as reports,
      coalesce((select jsonb_agg(jsonb_build_object('by', author.name, 'body', note.body, 'at',
        ${isoText(sql`note.at`)}) order by note.at, note.id)
        from case_notes note join accounts author on author.id = note.author_id
        where note.what = 'note' and (note.kind, note.subject_id) in (
          select 'report', id from decided_cases union all select 'flagged_review', decided.review_id
          union all select 'job_review', decided.job_id where decided.measure = 'refused'
          union all select 'payout_held', decided.withdrawal_id union all select 'certificate', decided.certificate_id
          union all select 'identity', decided.identity_check_id
          union all select 'business_verification', decided.business_id where decided.measure = 'verification_refused'
          union all select 'chat_report', id from same_reports)), '[]') as notes,
      (select last_seq from conversations where id = decided.conversation_id)::int as last_seq,
      coalesce(decided.seq, (select seq from origin))::int as reported_seq
    from decided`.execute(db);
  const {
    lastSeq = null,
    reportedSeq: seq = null,
    ...texts
  } = rows[0] ?? { text: null, findings: [], reports: [], notes: [] };
  const { conversationId, withdrawalId, certificateId, identityCheckId, businessId, measure, reviewId } =
    sanction;
  const isRefusedBusiness = measure === 'verification_refused' && businessId !== null;
  const payout = withdrawalId === null ? undefined : await payoutEvidence(db, scope, withdrawalId);
  const reported = await reportedBehind(db, sanction.id);
  const decisions = await findEarlier(
    db,
    sanction.accountId === null
      ? { kind: 'business', id: businessId ?? '' }
      : { kind: 'account', id: sanction.accountId },
    othersShown + 1,
  );
  const now = scope.clock.now();
  const evidence: Evidence = {
    ...texts,
    text:
      texts.text ??
      (reported?.subjectText ? `${reported.subjectName}\n\n${reported.subjectText}`.trim() : null),
    others: decisions
      .filter(({ id }) => id !== sanction.id)
      .slice(0, othersShown)
      .map((decision) => toSanction(decision, now)),
    work: reviewId === null ? (reported?.work ?? null) : await workOfReview(db, reviewId),
    messages: [],
    seq: null,
    payout: payout ? { ...payout, decisions: payout.decisions.filter(({ id }) => id !== sanction.id) } : null,
    business: isRefusedBusiness ? await reviewBusiness(db, scope, { businessId }) : null,
    certificate: certificateId === null ? null : ((await certificateEvidence(db, certificateId)) ?? null),
    identity: identityCheckId === null ? null : ((await identityEvidence(db, identityCheckId)) ?? null),
  };
  if (conversationId === null || lastSeq === null) return evidence;
  const stretch = { conversationId, seq, lastSeq };
  const messagesOf = await readReported(db, scope.actor.accountId, [stretch]);
  return { ...evidence, messages: messagesOf(stretch), seq };
}

/** Mails an operator that an appeal they can decide is over its deadline. */
const overdueMailTask = defineTask({
  name: 'appeals.mail-overdue',
  payload: z.object({ appealId: z.uuid(), to: z.uuid(), key: z.string() }),
  queue: 'messages',
  async run({ db, mailer, config }, { appealId, to, key }) {
    const reader = await db
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', to)
      .where('disabledAt', 'is', null)
      .executeTakeFirst();
    if (!reader) return;
    const number = caseNumber({ subjectId: appealId });
    await mailer.send(
      operatorMail(config, reader.email, key, {
        subject: `Appeal ${number} is over its deadline`,
        heading: `Appeal ${number} is over its deadline`,
        text: "It wasn't decided in time. Decide it today, or hand it to someone who can.",
        path: `/cases/appeal/${appealId}`,
      }),
    );
  },
});

const appealDeadlineTask = defineTask({
  name: 'appeals.escalate',
  payload: z.object({ appealId: z.uuid() }),
  run: (scope, payload) => scope.db.transaction().execute((tx) => escalateAppeal(tx, scope, payload)),
});

export const appealsTasks = [appealDeadlineTask, overdueMailTask];

export const appealsRoutes = {
  create: write(appeals.create, createAppeal),
  decide: write(appeals.decide, decideAppeal),
};
