import { giveawayPath } from '@nearhand/contract/app-paths';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import { membersAt } from '../../people/businesses/businesses.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import { findGiveaway, type GiveawayRow } from './giveaways.sql.ts';

type GiveawayTopic = Extract<NotificationTopic, `giveaway-${string}`>;

/** Notifies workers, who never learn each other's names, and recruiters, who read the taker's. */
export async function notifyOfGiveaway(
  tx: Tx,
  scope: ClockScope,
  row: GiveawayRow,
  news: {
    topic: GiveawayTopic;
    workers: readonly (string | null)[];
    recruiters?: boolean;
    variant?: VariantOf<GiveawayTopic>;
    /** The account that caused it. */
    exceptAccountId?: string | null;
  },
): Promise<void> {
  const view = await findGiveaway(tx, { giveawayId: row.id }, null);
  if (!view) return;
  const { terms } = view;
  const { topic } = news;
  const noticeFor = (
    accountId: string,
    side: 'worker' | 'business',
    variant: VariantOf<GiveawayTopic> | undefined,
  ): Notice => ({
    accountId,
    topic,
    data: {
      side,
      jobTitle: terms.title,
      businessName: view.businessName,
      timeZone: terms.timeZone,
      startsAt: terms.startsAt ?? '',
      endsAt: terms.endsAt ?? '',
      amountMinor: terms.workerGetsMinor,
      currency: terms.currency,
      variant,
      by: terms.startsAt ?? '',
      workerName: side === 'business' ? (view.takerName ?? undefined) : undefined,
    },
    path: giveawayPath(row.id),
    dedupeKey: `${topic}/${row.id}/${view.version}`,
  });
  const recruiters = news.recruiters ? await membersAt(tx, row.jobId, 'work') : [];
  const partOf = (accountId: string) => (accountId === row.workerId ? 'giver' : 'taker');
  await notifyAll(
    tx,
    scope,
    [
      ...news.workers.flatMap((id) =>
        id === null ? [] : noticeFor(id, 'worker', news.variant ?? partOf(id)),
      ),
      ...recruiters.map((id) => noticeFor(id, 'business', news.variant)),
    ].filter(({ accountId }) => accountId !== news.exceptAccountId),
  );
}
