import { plural, t } from '@lingui/core/macro';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Notification } from '@nearhand/contract/talk/notifications';
import { joined } from '../../lib/words/format.ts';
import type { NoticeEntry } from './notice-groups.rules.ts';
import { type NoticeTexts, noticeTexts } from './notice-texts.ts';

const maxNames = 3;

/** Who they are about, each once. */
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
  const more = all.length - maxNames;
  return more > 0
    ? t`${joined(...all.slice(0, maxNames))} and ${plural(more, { one: '# more', other: '# more' })}`
    : joined(...all);
}

/** Notices shown as one, in one sentence; a single one with its own text. */
export function entryTexts({ notice, earlier }: NoticeEntry, now = new Date()): NoticeTexts {
  const texts = noticeTexts(notice, now);
  if (earlier.length === 0) return texts;
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
      icon: texts.icon,
      title: t`${job}: ${plural(count, { one: '# update', other: '# updates' })}`,
      text: joined(texts.title, names(earlier)),
    };
  // Repeats about the same thing, such as reminders: the latest replaces the others.
  if (same) return texts;
  return {
    icon: texts.icon,
    title: t`${job}: ${plural(count, { one: '# update', other: '# updates' })}`,
    text: t`Latest: ${texts.title}`,
  };
}

/** Each of these is about a different person. */
const counted: readonly NotificationTopic[] = [
  'application-withdrawn',
  'application-changed',
  'waitlist-joined',
];
