import { t } from '@lingui/core/macro';
import type { Notification } from '@nearhand/contract/notifications';
import { dayIn, formatDay } from '../../lib/format.ts';

export type NoticeDay = { day: string; title: string; items: Notification[] };

const dayMs = 86_400_000;

/** An inbox by days of the reader's own zone, newest first as it came. */
export function byDay(items: readonly Notification[], timeZone: string, now = new Date()): NoticeDay[] {
  const today = dayIn(now, timeZone);
  const yesterday = dayIn(new Date(now.getTime() - dayMs), timeZone);
  const days: NoticeDay[] = [];
  for (const item of items) {
    const day = dayIn(item.createdAt, timeZone);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else
      days.push({
        day,
        title:
          day === today
            ? t`Today`
            : day === yesterday
              ? t`Yesterday`
              : formatDay(item.createdAt, timeZone, { style: 'long', now }),
        items: [item],
      });
  }
  return days;
}
