import { t } from '@lingui/core/macro';
import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import { applicationWords } from './application-words.ts';
import { engagementWords } from './engagement-words.ts';
import { interviewWords } from './interview-words.ts';
import { jobWords } from './job-words.ts';
import { messageWords } from './message-words.ts';
import { moneyWords } from './money-words.ts';
import { type NoticeFacts, type NoticeWords, readNotice } from './notice-facts.ts';
import { offerWords } from './offer-words.ts';
import { settlementWords } from './settlement-words.ts';

/** Complete by its type: a topic without words does not compile. */
const words: Record<NotificationTopic, (notice: NoticeFacts) => NoticeWords> = {
  ...applicationWords,
  ...jobWords,
  ...interviewWords,
  ...offerWords,
  ...engagementWords,
  ...settlementWords,
  ...moneyWords,
  ...messageWords,
};

/**
 * A notice in the app's own words; the server keeps names and times only, so a changed language changes old notices too. A topic of a newer
 * server than this app has words for still leads somewhere.
 */
export function noticeWords(
  { topic, data }: Pick<Notification, 'topic' | 'data'>,
  now = new Date(),
): NoticeWords {
  if (!Object.hasOwn(words, topic)) return { icon: 'bell', title: t`Something new for you` };
  return words[topic](readNotice(data, now));
}
