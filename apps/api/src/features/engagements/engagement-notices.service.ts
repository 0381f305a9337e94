import { engagementPath } from '@nearhand/contract/app-paths';
import type { NotificationTopic } from '@nearhand/contract/notifications';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../notifications/notifications.service.ts';
import { findEngagementFacts } from './engagements.sql.ts';

/**
 * For this slice and those in which an engagement goes on: tells the worker, the recruiters of the business, or both.
 * @param wish `data` goes on top of the names and times that all words need; `event` tells one occurrence of a topic from another, and is the
 * engagement itself where a topic comes once; `but` is whoever did it and need not be told
 */
export async function tellOfEngagement(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  engagementId: string,
  wish: {
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
    jobTitle: facts.job_title,
    businessName: facts.business_name,
    workerName: facts.worker_name,
    timeZone: facts.time_zone,
    ...(facts.starts_at ? { startsAt: facts.starts_at.toISOString() } : {}),
    ...(facts.ends_at ? { endsAt: facts.ends_at.toISOString() } : {}),
    ...wish.data,
  };
  const noticeFor = (accountId: string, topic: NotificationTopic, side: 'worker' | 'business'): Notice => ({
    accountId,
    topic,
    data: { ...data, side },
    path: engagementPath(engagementId, side),
    dedupeKey: `${topic}/${wish.event ?? engagementId}`,
  });
  const { worker, recruiters } = wish;
  await notifyAll(
    tx,
    scope,
    [
      ...(worker ? [noticeFor(facts.worker_id, worker, 'worker')] : []),
      ...(recruiters ? facts.recruiters.map((id) => noticeFor(id, recruiters, 'business')) : []),
    ].filter(({ accountId }) => accountId !== wish.but),
  );
}
