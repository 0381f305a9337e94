import { t } from '@lingui/core/macro';
import { dayMs } from '@nearhand/contract/durations';
import { dayIn, formatDay } from '../../lib/words/format.ts';
import type { NoticeEntry } from './notice-groups.rules.ts';

export type NoticeDay = { day: string; title: string; entries: NoticeEntry[] };

export function byDay(entries: readonly NoticeEntry[], timeZone: string, now = new Date()): NoticeDay[] {
  const today = dayIn(now, timeZone);
  const yesterday = dayIn(new Date(now.getTime() - dayMs), timeZone);
  const days: NoticeDay[] = [];
  for (const entry of entries) {
    const { createdAt } = entry.notice;
    const day = dayIn(createdAt, timeZone);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else
      days.push({
        day,
        title:
          day === today
            ? t`Today`
            : day === yesterday
              ? t`Yesterday`
              : formatDay(createdAt, timeZone, { style: 'long', now }),
        entries: [entry],
      });
  }
  return days;
}
