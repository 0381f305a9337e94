import type { ChatReport, ChatReportReason, FrozenConversation } from '@nearhand/contract/talk/chat-reports';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { isoText } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';

type Report = {
  id: string;
  conversationId: string;
  seq: number | null;
  accountId: string;
  side: ChatSide;
  reason: ChatReportReason;
  note: string;
};

/**
 * Stores a report and returns its id. An open report by the same person about the same message is updated
 * instead.
 */
export async function insertReport(tx: Tx, report: Report, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into chat_reports (id, conversation_id, seq, account_id, side, reason, note, at)
    values (${report.id}, ${report.conversationId}, ${report.seq}, ${report.accountId}, ${report.side},
      ${report.reason}, ${report.note}, ${now})
    on conflict (conversation_id, account_id, coalesce(seq, 0)) where decided_at is null and contested_id is null
    do update set reason = excluded.reason, note = excluded.note
    returning id`.execute(tx);
  const id = rows[0]?.id as string;
  emitRecord(tx, 'report', { id, workerId: report.accountId });
  return id;
}

/** Inserts a report that contests a dismissed one of the same account; false if there is one already. */
export async function insertContest(
  tx: Tx,
  contest: { id: string; reportId: string; accountId: string; words: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into chat_reports (id, conversation_id, seq, account_id, side, reason, note, at, contested_id, contested_by)
    select ${contest.id}, conversation_id, seq, account_id, side, reason, ${contest.words}, ${now}, id, decided_by
    from chat_reports where id = ${contest.reportId} and account_id = ${contest.accountId} and decision = 'dismiss'
    on conflict (contested_id) do nothing returning id`.execute(tx);
  if (rows.length > 0) emitRecord(tx, 'report', { id: contest.id, workerId: contest.accountId });
  return rows.length > 0;
}

export async function isMessage(db: Db, conversationId: string, seq: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from messages where conversation_id = ${conversationId} and seq = ${seq}::bigint and line is null) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

export type ChatReportRow = {
  id: string;
  conversationId: string;
  lastSeq: number;
  seq: number | null;
  reason: ChatReportReason;
  note: string;
  accountId: string;
  accountName: string;
  side: ChatSide;
  jobId: string;
  title: string;
  businessId: string;
  businessName: string;
  workerId: string;
  workerName: string;
  at: Date;
  contested: ChatReport['contested'];
};

const reportsAbout = sql`chat_reports report
    join conversations conversation on conversation.id = report.conversation_id
    join jobs job on job.id = conversation.job_id
    join businesses business on business.id = conversation.business_id
    join accounts worker on worker.id = conversation.worker_id`;

export async function findOpenReport(db: Db, reportId: string): Promise<ChatReportRow | undefined> {
  const { rows } = await sql<ChatReportRow>`
    select report.id, report.conversation_id, conversation.last_seq, report.seq, report.reason, report.note, report.account_id,
      reporter.name as account_name, report.side, job.id as job_id, job.title, business.id as business_id, business.name as business_name,
      worker.id as worker_id, worker.name as worker_name, report.at,
      (select jsonb_build_object('caseId', dismissed.id, 'note', dismissed.note, 'answer', dismissed.decision_reason, 'by', decider.name,
          'decidedAt', ${isoText(sql`dismissed.decided_at`)})
        from chat_reports dismissed join accounts decider on decider.id = dismissed.decided_by
          where dismissed.id = report.contested_id) as contested
    from ${reportsAbout}
    join accounts reporter on reporter.id = report.account_id
    where report.id = ${reportId} and report.decided_at is null`.execute(db);
  return rows[0];
}

export type DecidingRow = {
  id: string;
  conversationId: string;
  seq: number | null;
  accountId: string;
  decision: 'dismiss' | 'redact' | 'freeze' | null;
  /** The dismissed report that this one objects to, and the operator who dismissed it; null for other reports. */
  contestedId: string | null;
  contestedBy: string | null;
  workerId: string;
  businessId: string;
  jobId: string;
  lastSeq: number;
  isMember: boolean;
  side: ChatSide;
  /** Null for a whole conversation. */
  authorSide: ChatSide | null;
  title: string;
  workerName: string;
  businessName: string;
};

export async function findReport(
  tx: Tx,
  accountId: string,
  reportId: string,
  locked: boolean,
): Promise<DecidingRow | undefined> {
  const { rows } = await sql<DecidingRow>`
    select report.id, report.conversation_id, report.seq, report.account_id, report.decision,
      report.contested_id, report.contested_by, conversation.worker_id, conversation.business_id,
      conversation.job_id, conversation.last_seq, report.side, message.side as author_side,
      job.title, worker.name as worker_name, business.name as business_name,
      exists (select from business_members member where member.business_id = conversation.business_id and member.account_id = ${accountId})
        as is_member
    from chat_reports report join conversations conversation on conversation.id = report.conversation_id
    join jobs job on job.id = conversation.job_id join accounts worker on worker.id = conversation.worker_id
    join businesses business on business.id = conversation.business_id
    left join messages message on message.conversation_id = report.conversation_id and message.seq = report.seq
    where report.id = ${reportId} ${locked ? sql`for no key update of conversation, report` : sql``}`.execute(
    tx,
  );
  return rows[0];
}

/** Locks the conversation of a removed message; undefined if the text was already deleted. */
export async function lockRedaction(
  tx: Tx,
  message: { conversationId: string; seq: number },
): Promise<{ decidedAt: Date; workerId: string; businessId: string; lastSeq: number } | undefined> {
  const { rows } = await sql<{ decidedAt: Date; workerId: string; businessId: string; lastSeq: number }>`
    select message.redacted_at as decided_at, conversation.worker_id, conversation.business_id, conversation.last_seq
    from conversations conversation join messages message on message.conversation_id = conversation.id
    where conversation.id = ${message.conversationId} and message.seq = ${message.seq}
      and message.redacted_at is not null
      and exists (select from chat_reports report where report.conversation_id = conversation.id and report.seq = message.seq
        and report.decision = 'redact' and report.decided_at = message.redacted_at)
    for no key update of conversation`.execute(tx);
  return rows[0];
}

export async function closeReport(
  tx: Tx,
  report: {
    id: string;
    reporterId: string;
    decision: NonNullable<DecidingRow['decision']>;
    accountId: string;
    reason: string;
  },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('chat_reports')
    .set({
      decision: report.decision,
      decidedBy: report.accountId,
      decisionReason: report.reason,
      decidedAt: now,
    })
    .where('id', '=', report.id)
    .execute();
  emitRecord(tx, 'report', { id: report.id, workerId: report.reporterId });
}

/** A frozen conversation, by the decision that froze it first. */
export type FrozenRow = {
  id: string;
  conversationId: string;
  jobId: string;
  title: string;
  businessId: string;
  businessName: string;
  workerId: string;
  workerName: string;
  reason: string;
  at: Date;
  lastSeq: number;
  seq: number | null;
  reports: FrozenConversation['reports'];
};

export async function findFrozen(db: Db, conversationId: string): Promise<FrozenRow | undefined> {
  const { rows } = await sql<FrozenRow>`
    select report.id, report.conversation_id, job.id as job_id, job.title, business.id as business_id, business.name as business_name,
      worker.id as worker_id, worker.name as worker_name, report.decision_reason as reason, report.decided_at as at,
      conversation.last_seq, report.seq,
      (select jsonb_agg(jsonb_build_object('id', led.id, 'reason', led.reason, 'note', led.note,
          'by', jsonb_build_object('name', reporter.name, 'side', led.side), 'at', ${isoText(sql`led.at`)}) order by led.at, led.id)
        from chat_reports led join accounts reporter on reporter.id = led.account_id
        where led.conversation_id = report.conversation_id and led.decision = 'freeze' and led.lifted_at is null) as reports
    from ${reportsAbout}
    where report.conversation_id = ${conversationId} and report.decision = 'freeze' and report.decided_at is not null
      and report.decision_reason is not null and report.lifted_at is null
    order by report.decided_at, report.id limit 1`.execute(db);
  return rows[0];
}

export type LiftingRow = {
  id: string;
  jobId: string;
  workerId: string;
  businessId: string;
  workerName: string;
  businessName: string;
  title: string;
  frozen: boolean;
  isMember: boolean;
  isReporter: boolean;
  isDecider: boolean;
};

export async function lockFrozen(
  tx: Tx,
  accountId: string,
  conversationId: string,
): Promise<LiftingRow | undefined> {
  const { rows } = await sql<LiftingRow>`
    select conversation.id, conversation.job_id, conversation.worker_id, conversation.business_id,
      conversation.frozen_at is not null as frozen, job.title,
      worker.name as worker_name, business.name as business_name,
      exists (select from business_members member where member.business_id = conversation.business_id and member.account_id = ${accountId})
        as is_member,
      exists (select from chat_reports report where report.conversation_id = conversation.id and report.account_id = ${accountId}
        and report.decision = 'freeze' and report.lifted_at is null) as is_reporter,
      exists (select from chat_reports report where report.conversation_id = conversation.id and report.decided_by = ${accountId}
        and report.decision = 'freeze' and report.lifted_at is null) as is_decider
    from conversations conversation join jobs job on job.id = conversation.job_id
    join accounts worker on worker.id = conversation.worker_id join businesses business on business.id = conversation.business_id
    where conversation.id = ${conversationId} for no key update of conversation`.execute(tx);
  return rows[0];
}

/**
 * Ends a freeze and records it on each decision that caused it.
 * @returns one of these decisions
 */
export async function clearFreeze(
  tx: Tx,
  report: { conversationId: string; accountId: string; reason: string },
  now: Date,
): Promise<string> {
  const lifted = await tx
    .updateTable('chat_reports')
    .set({ liftedBy: report.accountId, liftReason: report.reason, liftedAt: now })
    .where('conversationId', '=', report.conversationId)
    .where('decision', '=', 'freeze')
    .where('liftedAt', 'is', null)
    .returning('id')
    .execute();
  return lifted[0]?.id ?? report.conversationId;
}

/** Erases what a removed account wrote in reports and decisions. */
export async function eraseReports(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update chat_reports set note = ${withoutWords('note', member)}, decision_reason = ${withoutWords('decision_reason', member)},
      lift_reason = ${withoutWords('lift_reason', member)}
    where conversation_id in (select id from conversations where worker_id = ${member.accountId})
      or account_id = ${member.accountId}`.execute(tx);
}
