import type { NotificationTopic } from '@nearhand/contract/notifications';
import { applicationWords } from './application.words.ts';
import { engagementWords } from './engagement.words.ts';
import { interviewWords } from './interview.words.ts';
import { jobWords } from './job.words.ts';
import { messageWords } from './message.words.ts';
import { moneyWords } from './money.words.ts';
import { type NoticeData, type NoticeMail, type NoticeText, readNotice } from './notice-text.ts';
import { offerWords } from './offer.words.ts';
import { settlementWords } from './settlement.words.ts';

/** Complete by its type: a topic without words does not compile. */
const words: Record<NotificationTopic, (notice: NoticeText) => NoticeMail> = {
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
 * The words of a notice as mail; nothing for a topic of a newer server. The app has its own, translated ones; both read the same `data`: names
 * (`jobTitle`, `businessName`, `workerName`), the reader's `side`, instants (`startsAt`, `endsAt`, `by`, `decideBy`, `expiresAt`) with `timeZone`,
 * money (`amountMinor`, `currency`), `hours`, `reason`, counts (`waiting`, `count`).
 */
export const noticeMail = (topic: NotificationTopic, data: NoticeData): NoticeMail | undefined =>
  Object.hasOwn(words, topic) ? words[topic](readNotice(data)) : undefined;
