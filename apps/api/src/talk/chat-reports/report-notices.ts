import { conversationPath, ownReportPath } from '@nearhand/contract/app-paths';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import type { VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import { membersAt } from '../../people/businesses/businesses.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../notifications/notifications.ts';
import type { DecidingRow, LiftingRow } from './chat-reports.sql.ts';

type NoticeScope = Pick<Scope, 'clock' | 'config' | 'unmailed'>;
type Recipient = { accountId: string; side: ChatSide; mode: 'reporter' | 'contest' | 'reported' };
type About = { title: string; workerName: string; businessName: string };

/**
 * Notifies the reporter only: in a conversation of two, a notice of a dismissal would name them. The side that a
 * measure is against reads its statement of reasons (ADR 179).
 */
export const notifyOfDecision = (
  tx: Tx,
  scope: NoticeScope,
  row: DecidingRow,
  decided: { decision: VariantOf<'report-decided'>; reason: string },
): Promise<void> =>
  notifyThem(
    tx,
    scope,
    [
      {
        accountId: row.accountId,
        side: row.side,
        mode: row.contestedBy === null ? 'reporter' : 'contest',
      },
    ],
    reportedChat(row),
    {
      variant: decided.decision,
      reason: decided.reason,
      key: `${row.id}/${decided.decision}`,
      path:
        decided.decision === 'dismiss'
          ? ownReportPath(row.contestedId ?? row.id)
          : conversationPath(row.conversationId),
    },
  );

/** Notifies these sides of a conversation that it was reopened, with the reason. */
export async function notifyOfLifting(
  tx: Tx,
  scope: NoticeScope,
  row: LiftingRow,
  lifted: { reportId: string; reason: string; sides: readonly ChatSide[] },
): Promise<void> {
  const recipients: Recipient[] = [];
  for (const side of lifted.sides)
    for (const accountId of await accountsOf(tx, row, side))
      recipients.push({ accountId, side, mode: 'reported' });
  await notifyThem(tx, scope, recipients, reportedChat(row), {
    variant: 'unfreeze',
    reason: lifted.reason,
    path: conversationPath(row.id),
    key: `${lifted.reportId}/unfreeze`,
  });
}

const reportedChat = (row: DecidingRow | LiftingRow): About => ({
  title: row.title,
  workerName: row.workerName,
  businessName: row.businessName,
});

const accountsOf = async (
  tx: Tx,
  pair: { workerId: string; jobId: string },
  side: ChatSide,
): Promise<string[]> =>
  side === 'worker'
    ? [pair.workerId]
    : (await membersAt(tx, pair.jobId, 'messages')).filter((id) => id !== pair.workerId);

const notifyThem = (
  tx: Tx,
  scope: NoticeScope,
  recipients: readonly Recipient[],
  { title, workerName, businessName }: About,
  decided: { variant: VariantOf<'report-decided'>; reason: string; key: string; path: string },
): Promise<void> =>
  notifyAll(
    tx,
    scope,
    recipients.map(({ accountId, side, mode }) => ({
      accountId,
      topic: 'report-decided' as const,
      data: {
        side,
        jobTitle: title,
        workerName,
        businessName,
        variant: decided.variant,
        mode,
        reason: decided.reason,
      },
      path: decided.path,
      dedupeKey: `report-decided/${decided.key}`,
    })),
  );
