import type { NotificationTopic } from '@nearhand/contract/notifications';
import { MailRefused } from '../../platform/mail.ts';
import { composeMail } from '../../platform/mail-layout.ts';
import type { TaskScope } from '../../platform/tasks.ts';
import { noteRefusal } from './deliveries.service.ts';
import { type Delivery, endDeliveries, listDaily } from './deliveries.sql.ts';
import type { NoticeData } from './notice-text.ts';
import { knownTopic } from './notice-topics.rules.ts';
import { settleWay } from './notifications.rules.ts';
import { noticeMail } from './notifications.words.ts';
import { readerOf, readersOf } from './readers.service.ts';
import type { ReaderRow } from './readers.sql.ts';
import { unsubscribeUrl } from './unsubscribe.service.ts';

/** So many are told one by one; the rest are counted. */
const itemsMax = 50;

/**
 * For the runner: the daily mail of one account, with what was gathered and not yet seen; none where there is nothing left. Run twice it is one mail: the same
 * ways make the same Message-ID.
 */
export async function sendDigest(scope: TaskScope, accountId: string): Promise<void> {
  const { db, clock, config, mailer } = scope;
  const now = clock.now();
  const waiting = await listDaily(db, accountId, now);
  const first = waiting[0];
  if (!first) return;
  const reader = (
    await readersOf(
      db,
      [accountId],
      waiting.map(({ topic }) => topic),
      now,
    )
  ).get(accountId);
  if (!reader) return;
  const left: Delivery[] = [];
  for (const delivery of waiting) {
    const reason = reasonAgainst(delivery, reader, now);
    if (reason === null) left.push(delivery);
    else await endDeliveries(db, [delivery.id], { state: 'suppressed', reason }, now);
  }
  if (left.length === 0) return;
  const ids = left.map(({ id }) => id);
  const told = left.slice(0, itemsMax).flatMap((delivery) => {
    const words = noticeMail(delivery.topic as NotificationTopic, delivery.data as NoticeData);
    return words
      ? [
          {
            text: words.heading,
            detail: words.facts?.map(({ label, value }) => `${label}: ${value}`).join(' · ') ?? '',
            url: `${config.PUBLIC_URL}${delivery.path}`,
          },
        ]
      : [];
  });
  const more = left.length - told.length;
  try {
    await mailer.send(
      composeMail(reader.email, `digest-${accountId}-${first.due_at.getTime()}`, {
        subject:
          left.length === 1
            ? (told[0]?.text ?? 'Your day on Nearhand')
            : `${left.length} new things on Nearhand`,
        heading: 'What is new since yesterday',
        paragraphs: more > 0 ? [`And ${more} more in the app.`] : [],
        items: told,
        action: { label: 'Open my notifications', url: `${config.PUBLIC_URL}/notifications` },
        footnote: 'You get this once a day because you asked for it in the settings.',
        unsubscribe: {
          label: 'No more daily mail',
          url: unsubscribeUrl(scope, accountId, 'daily'),
        },
      }),
    );
  } catch (error) {
    // Anything else is tried again by the queue, and what stays is in the mail of the next day.
    if (!(error instanceof MailRefused)) throw error;
    await noteRefusal(scope, accountId, reader.email, error);
    return endDeliveries(db, ids, { state: 'failed', reason: 'email-refused', tried: true }, now);
  }
  await endDeliveries(db, ids, { state: 'sent', reason: null, tried: true }, now);
}

/** Why something is no longer in the daily mail; quiet hours were thought of when it was planned. */
function reasonAgainst(delivery: Delivery, row: ReaderRow, now: Date): string | null {
  const topic = knownTopic(delivery.topic);
  if (!topic) return 'gave-up';
  const reader = readerOf(row, delivery.topic, null);
  const settled = settleWay(
    topic,
    { ...reader, quiet: { ...reader.quiet, on: false } },
    { channel: 'email', deviceId: null },
    { seen: delivery.read_at !== null, over: delivery.over },
    now,
  );
  return typeof settled === 'string' && settled !== 'send' ? settled : null;
}
