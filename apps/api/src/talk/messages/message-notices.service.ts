import { conversationPath } from '@nearhand/contract/app-paths';
import { excerptOf } from '@nearhand/contract/talk/messages.rules';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { noticeGroup, type Part, type Sending } from '../conversations/parts.service.ts';
import { type Notice, notifyAll } from '../notifications/notifications.service.ts';

/**
 * Notifies the other side of a message, except those who muted the conversation or have it open; a newer one replaces the unread one.
 * System lines have no notice here: the event has its own.
 */
export async function noticeOfMessage(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config' | 'unmailed'>,
  part: Part,
  message: Pick<Sending, 'hearers' | 'name' | 'job_title' | 'business_name'> & {
    id: string;
    body: string;
  },
): Promise<void> {
  const toWorker = part.side === 'business';
  await notifyAll(
    tx,
    scope,
    message.hearers.map(
      (accountId): Notice => ({
        accountId,
        topic: 'message-received',
        data: {
          side: toWorker ? 'worker' : 'business',
          jobTitle: message.job_title,
          businessName: message.business_name,
          ...(toWorker ? {} : { workerName: message.name }),
          reason: excerptOf(message.body),
          ...(message.body === '' ? { what: 'files' } : {}),
        },
        path: conversationPath(part.id),
        dedupeKey: `message-received/${message.id}`,
        group: noticeGroup(part.id),
        replaces: true,
      }),
    ),
  );
}
