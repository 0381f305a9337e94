import type { Side } from '@nearhand/contract/sides';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { EngagementRow } from '../engagements/engagement-moves.service.ts';
import { notifyOfEngagement } from '../engagements/engagement-notices.service.ts';

/** Notifies one or both sides about pay. `event` is the deduplication key; amounts in `data` are minor units of the terms' currency. */
export async function notifyOfWork(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: Pick<EngagementRow, 'id' | 'terms'>,
  notice: {
    topic: NotificationTopic;
    to: readonly Side[];
    event: string;
    data?: Record<string, string | number>;
  },
): Promise<void> {
  await notifyOfEngagement(tx, scope, row.id, {
    ...(notice.to.includes('worker') ? { worker: notice.topic } : {}),
    ...(notice.to.includes('business') ? { recruiters: notice.topic } : {}),
    data: { currency: row.terms.currency, ...notice.data },
    event: notice.event,
  });
}
