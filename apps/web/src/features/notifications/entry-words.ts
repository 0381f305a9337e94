import { plural, t } from '@lingui/core/macro';
import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import { joined } from '../../lib/format.ts';
import type { NoticeWords } from './notice-facts.ts';
import type { NoticeEntry } from './notice-groups.rules.ts';
import { noticeWords } from './notice-words.ts';

const mostNames = 3;

/** Whose news they are, each once. */
function names(notices: readonly Notification[]): string {
  const all = [
    ...new Set(
      notices
        .map(({ data }) =>
          String((data.side === 'worker' ? data.businessName : data.workerName) ?? '').trim(),
        )
        .filter(Boolean),
    ),
  ];
  const more = all.length - mostNames;
  return more > 0
    ? t`${all.slice(0, mostNames).join(', ')} and ${plural(more, { one: '# more', other: '# more' })}`
    : joined(...all);
}

/** Notices shown as one, in one sentence; one alone in its own words. */
export function entryWords({ notice, earlier }: NoticeEntry, now = new Date()): NoticeWords {
  const words = noticeWords(notice, now);
  if (earlier.length === 0) return words;
  const all = [notice, ...earlier];
  const count = all.length;
  const job = String(notice.data.jobTitle ?? '').trim() || t`this job`;
  const same = all.every(({ topic }) => topic === notice.topic);
  if (same && notice.topic === 'application-received')
    return {
      icon: 'users',
      title: t`${plural(count, { one: '# new application', other: '# new applications' })}: ${job}`,
      text: names(all),
    };
  if (same && counted.includes(notice.topic))
    return {
      icon: words.icon,
      title: t`${job}: ${plural(count, { one: '# update', other: '# updates' })}`,
      text: joined(words.title, names(earlier)),
    };
  // The same again about the same thing: the last word counts, such as a reminder after another.
  if (same) return words;
  return {
    icon: words.icon,
    title: t`${job}: ${plural(count, { one: '# update', other: '# updates' })}`,
    text: t`Last: ${words.title}`,
  };
}

/** Each of them is about somebody else. */
const counted: readonly NotificationTopic[] = [
  'application-withdrawn',
  'application-changed',
  'waitlist-joined',
];

/** What to press for a notice that asks for something, as a verb and its object. */
export function askedFor(topic: NotificationTopic, many: boolean): string {
  const words: Partial<Record<NotificationTopic, string>> = {
    'application-received': many ? t`See the applicants` : t`See the application`,
    'application-nudge': t`See the applicants`,
    'application-invited': t`See the job`,
    'interview-proposed': t`Pick a time`,
    'interview-reschedule-asked': t`Answer the request`,
    'interview-outcome-due': t`Say how it went`,
    'interview-no-show': t`See the report`,
    'offer-received': t`See the offer`,
    'offer-reminder': t`See the offer`,
    'engagement-confirm-asked': t`Confirm the shift`,
    'engagement-no-show': t`See the report`,
    'hours-to-submit': t`Send your hours`,
    'hours-submitted': t`Review the hours`,
    'hours-countered': t`See their hours`,
    'work-delivered': t`Review the work`,
    'changes-requested': t`See what they ask for`,
    'dispute-opened': t`Answer the dispute`,
    'dispute-proposal': t`See the proposal`,
    'payment-failed': t`Pay another way`,
    'payment-missing': t`Pay what is missing`,
    'payment-needs-confirmation': t`Confirm the payment`,
    'seat-unfunded': t`Open the job`,
    'withdrawal-failed': t`See the withdrawal`,
    'withdrawal-returned': t`See the withdrawal`,
    'message-received': t`Open the conversation`,
  };
  return words[topic] ?? t`Open it`;
}
