import type { NoticeData } from '@nearhand/contract/talk/topics/notice-facts';
import { topicTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { knownTopic } from '@nearhand/contract/talk/topics/topics';
import { MailRefused, MailUnconfirmed } from '../../platform/mail/mail.ts';
import { composeMail, say } from '../../platform/mail/mail-layout.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import type { ReaderRow } from '../notification-settings/readers.ts';
import { languageOf, readerOf, readersOf } from '../notification-settings/readers.ts';
import { unsubscribeUrl } from '../notification-settings/unsubscribe.ts';
import { type Delivery, endDeliveries, listDaily, noteRefusal } from './deliveries.ts';
import { noticeFormat } from './notice-format.ts';
import { settleWay } from './notifications.rules.ts';

/** This many are listed; the rest are counted. */
const itemsMax = 50;

/**
 * For the runner: one account's daily mail, with what was collected and not seen; none if nothing is left. Run twice it is one mail: the
 * same deliveries give the same Message-ID.
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
  const notified = left.slice(0, itemsMax).flatMap((delivery) => {
    const words = topicTexts(
      delivery.topic,
      delivery.data as NoticeData,
      noticeFormat(reader.clock, languageOf(reader)),
    );
    return words
      ? [
          {
            text: words.title,
            detail: words.text,
            url: `${config.PUBLIC_URL}${delivery.path}`,
          },
        ]
      : [];
  });
  const more = left.length - notified.length;
  try {
    await mailer.send(
      composeMail(reader.email, `digest-${accountId}-${first.dueAt.getTime()}`, {
        subject:
          left.length === 1
            ? (notified[0]?.text ?? say('Your day on Nearhand'))
            : say(
                '{count, plural, one {# new notification on Nearhand} other {# new notifications on Nearhand}}',
                {
                  count: left.length,
                },
              ),
        heading: say('New since yesterday'),
        paragraphs: [],
        items: notified,
        ...(more > 0 ? { rest: say('And {more} more in the app.', { more }) } : {}),
        action: { label: say('View notifications'), url: `${config.PUBLIC_URL}/notifications` },
        footnote: say("You're receiving this once a day because you chose a daily email in your settings."),
        unsubscribe: {
          label: say('Unsubscribe from the daily email'),
          url: unsubscribeUrl(scope, accountId, 'daily'),
        },
      }).in(languageOf(reader)),
    );
  } catch (error) {
    if (error instanceof MailUnconfirmed) {
      // Left queued, they would keep the key of tomorrow's mail as it is.
      scope.log.error({ err: error }, 'a daily mail was given up');
      return endDeliveries(db, ids, { state: 'failed', reason: 'gave-up', tried: true }, now);
    }
    // The queue retries anything else, and leftovers are in the next day's mail.
    if (!(error instanceof MailRefused)) throw error;
    await noteRefusal(scope, accountId, reader.email, error);
    return endDeliveries(db, ids, { state: 'failed', reason: 'email-refused', tried: true }, now);
  }
  await endDeliveries(db, ids, { state: 'sent', reason: null, tried: true }, now);
}

/** Why something is no longer in the daily mail; quiet hours were considered when it was planned. */
function reasonAgainst(delivery: Delivery, row: ReaderRow, now: Date): string | null {
  const topic = knownTopic(delivery.topic);
  if (!topic) return 'gave-up';
  const reader = readerOf(row, delivery.topic, null);
  const settled = settleWay(
    topic,
    { ...reader, quiet: { ...reader.quiet, on: false } },
    { channel: 'email', deviceId: null },
    { seen: delivery.readAt !== null, over: delivery.over },
    now,
  );
  return typeof settled === 'string' && settled !== 'send' ? settled : null;
}
