import { conversationPath } from '@nearhand/contract/app-paths';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { membersAt } from '../../people/businesses/members.service.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../notifications/notifications.service.ts';
import type { DecidingRow, LiftingRow } from './chat-reports.sql.ts';

type NoticeScope = Pick<Scope, 'clock' | 'config' | 'unmailed'>;
type Told = { accountId: string; side: ChatSide; reporter: boolean };
type About = { conversationId: string; title: string; workerName: string; businessName: string };

/**
 * Notifies the reporter of the decision and its reason (product.md, Report), and after a dismissal the author, or everyone on the other side
 * if the whole conversation was reported. The latter never learn who reported what. Any other decision reaches them with its statement of
 * reasons (ADR 179).
 */
export async function notifyOfDecision(
  tx: Tx,
  scope: NoticeScope,
  row: DecidingRow,
  decided: { decision: string; reason: string },
): Promise<void> {
  const notified = new Map<string, Told>();
  const add = (accountId: string, side: ChatSide): void => {
    notified.set(accountId, { accountId, side, reporter: accountId === row.account_id });
  };
  add(row.account_id, row.side);
  const other = row.side === 'worker' ? 'business' : 'worker';
  if (decided.decision === 'dismiss') {
    if (row.author_id !== null && row.author_side !== null) add(row.author_id, row.author_side);
    else for (const id of await accountsOf(tx, row, other)) add(id, other);
  }
  await notifyThem(tx, scope, [...notified.values()], about(row, row.conversation_id), {
    what: decided.decision,
    reason: decided.reason,
    key: `${row.id}/${decided.decision}`,
  });
}

/** Notifies everyone on these sides that they can write again, and why. */
export async function notifyOfLifting(
  tx: Tx,
  scope: NoticeScope,
  row: LiftingRow,
  lifted: { reportId: string; reason: string; sides: readonly ChatSide[] },
): Promise<void> {
  const notified: Told[] = [];
  for (const side of lifted.sides)
    for (const accountId of await accountsOf(tx, row, side))
      notified.push({ accountId, side, reporter: false });
  await notifyThem(tx, scope, notified, about(row, row.id), {
    what: 'unfreeze',
    reason: lifted.reason,
    key: `${lifted.reportId}/unfreeze`,
  });
}

const about = (row: DecidingRow | LiftingRow, conversationId: string): About => ({
  conversationId,
  title: row.title,
  workerName: row.worker_name,
  businessName: row.business_name,
});

const accountsOf = async (
  tx: Tx,
  of: { worker_id: string; job_id: string },
  side: ChatSide,
): Promise<string[]> =>
  side === 'worker'
    ? [of.worker_id]
    : (await membersAt(tx, of.job_id, 'recruiter')).filter((id) => id !== of.worker_id);

const notifyThem = (
  tx: Tx,
  scope: NoticeScope,
  notified: readonly Told[],
  { conversationId, title, workerName, businessName }: About,
  decided: { what: string; reason: string; key: string },
): Promise<void> =>
  notifyAll(
    tx,
    scope,
    notified.map(({ accountId, side, reporter }) => ({
      accountId,
      topic: 'report-decided' as const,
      data: {
        side,
        jobTitle: title,
        workerName,
        businessName,
        what: decided.what,
        mode: reporter ? 'reporter' : 'reported',
        reason: decided.reason,
      },
      path: conversationPath(conversationId),
      dedupeKey: `report-decided/${decided.key}`,
    })),
  );
