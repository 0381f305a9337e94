import { t } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { dayIn, dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Notification } from '@nearhand/contract/talk/notifications';
import { useEffect, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Button, ButtonLink, IconLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import {
  gatherAsks,
  groupNotices,
  inWaitingOrder,
  type NoticeEntry,
  noticeIds,
} from './notice-groups.rules.ts';
import { NoticeRow, WaitingNoticeCard } from './notice-row.tsx';
import {
  useNotifications,
  useOpenNotification,
  useReadNotifications,
  useWaitingNotices,
} from './notifications.api.ts';
import { useBatch } from './use-seen.ts';
import './notifications.css';

const shownWaiting = 4;

const skeleton = (
  <div className="notice-single">
    <RowsSkeleton count={7} />
  </div>
);

/** The notices by what they wait for and by day, and what happens as they are seen and opened. */
function useNotices() {
  const query = useNotifications();
  const pendingNotices = useWaitingNotices();
  const loading = useFirstLoading(query, pendingNotices);
  const markRead = useReadNotifications();
  const open = useOpenNotification();
  const now = useNow();
  // Viewed notices keep their dot until the page is left, so that new ones can be found.
  const [seenIds, setSeenIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => () => setSeenIds(new Set()), []);
  const isNew = ({ id, readAt }: Notification) => readAt === null || seenIds.has(id);

  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const onSeen = useBatch((batch) => {
    // Marked as read in the meantime: its dot must not return.
    const unreadIds = new Set(
      [...items, ...(pendingNotices.data?.items ?? [])].flatMap((entry) =>
        entry.readAt === null ? [entry.id] : [],
      ),
    );
    const ids = batch.filter((id) => unreadIds.has(id));
    if (ids.length === 0) return;
    setSeenIds((before) => new Set([...before, ...ids]));
    markRead.mutate({ ids });
  });
  const onOpen = (entry: NoticeEntry) => {
    setSeenIds((before) => new Set([...before].filter((id) => !noticeIds(entry).includes(id))));
    if ([entry.notice, ...entry.earlier].some(({ waiting, readAt }) => waiting || readAt === null))
      open.mutate({ notificationId: entry.notice.id });
  };
  const markAll = () => {
    setSeenIds(new Set());
    markRead.mutate({ ids: 'all' }, { onError: (failure) => showToast(errorText(failure)) });
  };

  const waiting = inWaitingOrder(gatherAsks(pendingNotices.data?.items ?? []), now.getTime());
  const waitingIds = new Set(waiting.flatMap(noticeIds));
  const rest = groupNotices(
    items.filter(({ id }) => !waitingIds.has(id)),
    isNew,
    ({ createdAt }) => dayIn(ownTimeZone(), createdAt),
  );
  // Messages are not in the server's count, but can be marked here too.
  const unread = (query.data?.pages[0]?.unread ?? 0) > 0 || items.some(({ readAt }) => readAt === null);
  return {
    query,
    loading,
    now,
    waiting,
    rest,
    isNew,
    hasNew: unread || seenIds.size > 0,
    isMarkingAll: markRead.isPending && markRead.variables.ids === 'all',
    markAll,
    onSeen,
    onOpen,
    refresh: () => Promise.all([query.refetch(), pendingNotices.refetch()]),
  };
}

type NoticesProps = { notices: ReturnType<typeof useNotices> };

export default function NotificationsScreen() {
  const { t } = useLingui();
  const notices = useNotices();
  const { query, loading, waiting, hasNew } = notices;
  return (
    <Screen
      title={t`Notifications`}
      width="wide"
      actions={
        <>
          {hasNew ? (
            <Button kind="text" size="s" busy={notices.isMarkingAll} onClick={notices.markAll}>
              {t`Mark all read`}
            </Button>
          ) : null}
          <IconLink icon="gear" label={t`Notification settings`} to="/notification-settings" />
        </>
      }
      onRefresh={notices.refresh}
    >
      {loading ? skeleton : null}
      <QueryState
        query={query}
        loading={loading ? null : skeleton}
        errorTitle={t`We couldn't load your notifications`}
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={<NoNotifications />}
      >
        {() =>
          loading ? null : (
            <div className={waiting.length > 0 ? 'notice-columns' : 'notice-single'}>
              {waiting.length > 0 ? <WaitingNotices notices={notices} /> : null}
              <NoticeDays notices={notices} />
            </div>
          )
        }
      </QueryState>
    </Screen>
  );
}

function WaitingNotices({ notices: { waiting, isNew, now, onSeen, onOpen } }: NoticesProps) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const visibleEntries = isOpen ? waiting : waiting.slice(0, shownWaiting);
  return (
    <section className="notice-waiting">
      <h2 className="h-m">{t`Waiting for you`}</h2>
      <ul className="notice-cards mt3">
        {visibleEntries.map((entry, index) => (
          <WaitingNoticeCard
            key={entry.notice.id}
            entry={entry}
            entries={waiting}
            isNew={isNew(entry.notice)}
            first={index === 0}
            now={now}
            onSeen={onSeen}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {waiting.length > visibleEntries.length ? (
        <Button kind="quiet" full onClick={() => setIsOpen(true)}>
          <Plural value={waiting.length - visibleEntries.length} one="Show # more" other="Show # more" />
        </Button>
      ) : null}
    </section>
  );
}

function NoticeDays({ notices: { query, rest, isNew, now, onSeen, onOpen } }: NoticesProps) {
  return (
    <div>
      {noticesByDay(rest, ownTimeZone(), now).map(({ day, title, entries }) => (
        <section key={day} className="notice-day">
          <h2 className="h-m">{title}</h2>
          <ul className="mt2 long">
            {entries.map((entry) => (
              <NoticeRow
                key={entry.notice.id}
                entry={entry}
                isNew={isNew(entry.notice)}
                now={now}
                onSeen={onSeen}
                onOpen={onOpen}
              />
            ))}
          </ul>
        </section>
      ))}
      <LoadMore query={query} />
    </div>
  );
}

function NoNotifications() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nothing here yet`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Replies to your applications and new applicants for your jobs will appear here.`}</p>
    </EmptyState>
  );
}

type NoticeDay = { day: string; title: string; entries: NoticeEntry[] };

export function noticesByDay(
  entries: readonly NoticeEntry[],
  timeZone: string,
  now = new Date(),
): NoticeDay[] {
  const today = dayIn(timeZone, now);
  const yesterday = dayIn(timeZone, subtractMs(now, dayMs));
  const days: NoticeDay[] = [];
  for (const entry of entries) {
    const { createdAt } = entry.notice;
    const day = dayIn(timeZone, createdAt);
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
