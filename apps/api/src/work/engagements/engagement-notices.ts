import { engagementPath } from '@nearhand/contract/app-paths';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import { findEngagementFacts } from './engagement-lines.ts';

/**
 * Notifies the worker, the business's recruiters, or both.
 * @param options `data` adds to the names and times every text needs; `event` is the deduplication key, the engagement by default; `but` is the account
 * that caused it
 */
export async function notifyOfEngagement(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  engagementId: string,
  options: {
    worker?: NotificationTopic;
    recruiters?: NotificationTopic;
    data?: Notice['data'];
    event?: string;
    but?: string;
  },
): Promise<void> {
  const facts = await findEngagementFacts(tx, engagementId);
  if (!facts) return;
  const data = {
    jobTitle: facts.jobTitle,
    businessName: facts.businessName,
    workerName: facts.workerName,
    timeZone: facts.timeZone,
    ...(facts.startsAt ? { startsAt: facts.startsAt.toISOString() } : {}),
    ...(facts.endsAt ? { endsAt: facts.endsAt.toISOString() } : {}),
    ...options.data,
  };
  const noticeFor = (accountId: string, topic: NotificationTopic, side: 'worker' | 'business'): Notice => ({
    accountId,
    topic,
    data: { ...data, side },
    path: engagementPath(engagementId, side),
    dedupeKey: `${topic}/${options.event ?? engagementId}`,
  });
  const { worker, recruiters } = options;
  await notifyAll(
    tx,
    scope,
    [
      ...(worker ? [noticeFor(facts.workerId, worker, 'worker')] : []),
      ...(recruiters ? facts.recruiters.map((id) => noticeFor(id, recruiters, 'business')) : []),
    ].filter(({ accountId }) => accountId !== options.but),
  );
}
