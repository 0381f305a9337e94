import type { Notification } from '@nearhand/contract/talk/notifications';
import { shareLeft } from '../../lib/forms/share-left.ts';

export type NoticeEntry = { notice: Notification; earlier: Notification[] };

/** Groups unread notices under the newest (product.md, Notification). `isNew` keeps a viewed group together. */
export function groupNotices(
  items: readonly Notification[],
  isNew: (notice: Notification) => boolean,
  dayOf: (notice: Notification) => string = ({ createdAt }) => createdAt.slice(0, 10),
): NoticeEntry[] {
  const heads = new Map<string, NoticeEntry>();
  const entries: NoticeEntry[] = [];
  for (const notice of items) {
    const { group } = notice;
    const ofDay = notice.topic === 'message-received' && group !== null ? `${group} ${dayOf(notice)}` : null;
    const fresh = group !== null && isNew(notice) ? group : null;
    const head = (fresh && heads.get(fresh)) ?? (ofDay && heads.get(ofDay));
    if (head) {
      head.earlier.push(notice);
      continue;
    }
    const entry: NoticeEntry = { notice, earlier: [] };
    entries.push(entry);
    if (fresh) heads.set(fresh, entry);
    if (ofDay) heads.set(ofDay, entry);
  }
  return entries;
}

/** Pending notices, one per request: a second reminder replaces the first. */
export function gatherAsks(items: readonly Notification[]): NoticeEntry[] {
  const asks = items.map((notice) => ({
    ...notice,
    group: notice.group ?? `${notice.topic} ${notice.path}`,
  }));
  return groupNotices(asks, () => true);
}

export const noticeIds = ({ notice, earlier }: NoticeEntry): string[] =>
  [notice, ...earlier].map(({ id }) => id);

const deadlineOf = ({ data }: Notification): number => {
  for (const name of ['expiresAt', 'by', 'decideBy']) {
    const at = Date.parse(String(data[name] ?? ''));
    if (!Number.isNaN(at)) return at;
  }
  return Number.POSITIVE_INFINITY;
};

/** The time when the first of an entry expires; null if none does. */
export function runsOut({ notice, earlier }: NoticeEntry): number | null {
  const first = Math.min(...[notice, ...earlier].map(deadlineOf));
  return Number.isFinite(first) ? first : null;
}

/**
 * The share of time left, from 1 to 0, since the first notice with the same deadline: a reminder does not restart
 * it, and equal deadlines look the same.
 */
export function shareOf(entry: NoticeEntry, entries: readonly NoticeEntry[], now: number): number | null {
  const end = runsOut(entry);
  if (end === null) return null;
  const starts = [entry, ...entries.filter((candidate) => runsOut(candidate) === end)]
    .flatMap(({ notice, earlier }) => [notice, ...earlier])
    .map(({ createdAt }) => Date.parse(createdAt));
  return shareLeft(Math.min(...starts), end, new Date(now));
}

/** Pending notices, soonest deadline first, then newest. Expired ones are no longer pending. */
export function inWaitingOrder(entries: readonly NoticeEntry[], now: number): NoticeEntry[] {
  const end = (entry: NoticeEntry) => runsOut(entry) ?? Number.POSITIVE_INFINITY;
  return entries
    .filter((entry) => end(entry) > now)
    .sort((a, b) => {
      const first = end(a);
      const second = end(b);
      if (first === second) return b.notice.createdAt.localeCompare(a.notice.createdAt);
      return first < second ? -1 : 1;
    });
}
