import { otherSide } from '@nearhand/contract/sides';
import { type ChatReport, type ChatReportReason, chatReports } from '@nearhand/contract/talk/chat-reports';
import type { ChatSide, Message } from '@nearhand/contract/talk/messages';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { freezeConversation, noticeGroup, requireConversation } from '../conversations/conversations.ts';
import { readReported } from '../conversations/message-views.ts';
import { redactReported, restoreReported } from '../messages/message-changes.ts';
import { deleteQuotes } from '../notifications/notice-words.ts';
import {
  type ChatReportRow,
  closeReport,
  type DecidingRow,
  findOpenReport,
  findReport,
  insertContest,
  insertReport,
  isMessage,
  lockRedaction,
} from './chat-reports.sql.ts';
import { notifyOfDecision } from './report-notices.ts';

/** Reports a message or a conversation, in any state. For either side. */
async function reportChat(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; seq?: number; reason: ChatReportReason; note: string },
): Promise<{ id: string }> {
  const { accountId } = scope.actor;
  const access = await requireConversation(tx, accountId, input.conversationId);
  if (input.seq !== undefined && !(await isMessage(tx, access.id, input.seq)))
    throw new AppError('chat/no-such-message');
  const now = scope.clock.now();
  const { reason, note } = input;
  const report = {
    id: newId(now),
    conversationId: access.id,
    seq: input.seq ?? null,
    accountId,
    side: access.side,
    reason,
    note,
  };
  return { id: await insertReport(tx, report, now) };
}

/**
 * Contests a dismissal, for its reporter. The new report is about the same message or conversation; another operator
 * decides it. Returns false if the dismissal was contested before.
 */
export async function contestChatReport(
  tx: Tx,
  scope: Scope,
  { reportId, words }: { reportId: string; words: string },
): Promise<boolean> {
  const now = scope.clock.now();
  return insertContest(tx, { id: newId(now), reportId, accountId: scope.actor.accountId, words }, now);
}

/** An open report with its messages, deleted text included, for operators. The caller checks access. */
export async function openChatReport(
  db: Db,
  scope: Scope,
  reportId: string,
): Promise<ChatReport | undefined> {
  const row = await findOpenReport(db, reportId);
  if (!row) return undefined;
  const messagesOf = await readReported(db, scope.actor.accountId, [row]);
  return toChatReport(row, messagesOf(row));
}

function toChatReport(row: ChatReportRow, messages: Message[]): ChatReport {
  return {
    ...row,
    by: { accountId: row.accountId, name: row.accountName, side: row.side },
    job: { id: row.jobId, title: row.title },
    business: { id: row.businessId, name: row.businessName },
    worker: { id: row.workerId, name: row.workerName },
    messages,
    at: row.at.toISOString(),
  };
}

type Decision = NonNullable<DecidingRow['decision']>;

/**
 * The side that a decision is against: the message's author or, for a whole conversation, the side that did
 * not report it.
 */
export type ReportedSide = {
  conversationId: string;
  /** Null for a frozen conversation. */
  seq: number | null;
  side: ChatSide;
  accountId: string;
  businessId: string;
  jobId: string;
  jobTitle: string;
};
type Decided = { id: string; decision: Decision; against: ReportedSide | null };

/**
 * Decides a report, for operators. The caller must send the `against` side a statement of reasons.
 * Idempotent.
 * @throws chat/report-not-found, operator/own-record, operator/own-decision, request/invalid for redacting a
 * whole conversation
 */
export async function decideChatReport(
  tx: Tx,
  scope: Scope,
  input: { reportId: string; decision: Decision; reason: string },
): Promise<Decided> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  if (input.decision === 'redact') await eraseReported(tx, accountId, input.reportId);
  const row = await findReport(tx, accountId, input.reportId, true);
  if (!row) throw new AppError('chat/report-not-found');
  const subject = { workerId: row.workerId, reporterId: row.accountId, isMember: row.isMember };
  if (!mayDecide(accountId, subject)) throw new AppError('operator/own-record');
  if (row.contestedBy === accountId) throw new AppError('operator/own-decision');
  const answer = { id: row.id, decision: input.decision };
  if (row.decision === input.decision) return { ...answer, against: null };
  if (row.decision !== null) throw new AppError('chat/report-not-found');
  const frozenConversation = { id: row.conversationId, workerId: row.workerId, businessId: row.businessId };
  if (input.decision === 'redact') {
    if (row.seq === null)
      throw new AppError('request/invalid', {
        issues: [{ path: 'decision', message: 'no message was reported' }],
      });
    await redactReported(tx, { ...frozenConversation, seq: row.seq, lastSeq: row.lastSeq }, now);
  }
  if (input.decision === 'freeze') await freezeConversation(tx, scope, frozenConversation);
  await closeReport(
    tx,
    {
      id: row.id,
      reporterId: row.accountId,
      decision: input.decision,
      accountId,
      reason: input.reason,
    },
    now,
  );
  await notifyOfDecision(tx, scope, row, input);
  return { ...answer, against: input.decision === 'dismiss' ? null : reportedSide(row, input.decision) };
}

const reportedSide = (row: DecidingRow, decision: Decision): ReportedSide => ({
  conversationId: row.conversationId,
  seq: decision === 'redact' ? row.seq : null,
  side: row.authorSide ?? otherSide(row.side),
  accountId: row.workerId,
  businessId: row.businessId,
  jobId: row.jobId,
  jobTitle: row.title,
});

/** Restores a message that an operator removed, unless its author had removed it. */
export async function restoreRedacted(
  tx: Tx,
  message: { conversationId: string; seq: number },
): Promise<void> {
  const row = await lockRedaction(tx, message);
  if (!row) return;
  const conversation = { id: message.conversationId, workerId: row.workerId, businessId: row.businessId };
  await restoreReported(tx, { ...conversation, seq: message.seq, lastSeq: row.lastSeq }, row.decidedAt);
}

/** Locks notices before the conversation, as in sending (ADR 92). */
async function eraseReported(tx: Tx, accountId: string, reportId: string): Promise<void> {
  const row = await findReport(tx, accountId, reportId, false);
  if (!row || row.seq === null) return;
  await deleteQuotes(tx, noticeGroup(row.conversationId));
}

/** Operators never decide about a conversation they or their business take part in, nor about their own report. */
export const mayDecide = (
  accountId: string,
  subject: { workerId: string; reporterId: string; isMember: boolean },
): boolean => accountId !== subject.workerId && accountId !== subject.reporterId && !subject.isMember;

export const chatReportsRoutes = {
  create: write(chatReports.create, reportChat),
};
