import type { NotificationTopic } from '@nearhand/contract/notifications';
import type { Side } from '@nearhand/contract/terms';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { EngagementRow } from '../engagements/engagement-moves.service.ts';
import { tellOfEngagement } from '../engagements/engagement-notices.service.ts';

/**
 * For the slices that settle pay: tells one side of an engagement, or both, what happened. `event` makes the notice one of its kind where it may
 * come again; `data` adds to the names and times that every such notice carries; amounts in minor units of the terms' currency.
 */
export async function tellOfWork(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: Pick<EngagementRow, 'id' | 'terms'>,
  wish: {
    topic: NotificationTopic;
    to: readonly Side[];
    event: string;
    data?: Record<string, string | number>;
  },
): Promise<void> {
  await tellOfEngagement(tx, scope, row.id, {
    ...(wish.to.includes('worker') ? { worker: wish.topic } : {}),
    ...(wish.to.includes('business') ? { recruiters: wish.topic } : {}),
    data: { currency: row.terms.currency, ...wish.data },
    event: wish.event,
  });
}
