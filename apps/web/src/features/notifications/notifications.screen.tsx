import { useLingui } from '@lingui/react/macro';
import type { Notification } from '@nearhand/contract/notifications';
import { Link } from 'react-router-dom';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatTime, ownTimeZone } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { PullRefresh } from '../../ui/pull-refresh.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { IconSign } from '../../ui/sign.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { byDay } from './notice-days.ts';
import { noticeWords } from './notice-words.ts';
import { useNotifications, useReadNotifications } from './notifications.api.ts';
import './notifications.css';

/** Only ways inside the app: a path that came from elsewhere leads nowhere. */
const inside = (path: string): string => (/^\/(?![/\\])/.test(path) ? path : '/notifications');

/** The inbox: what happened, by days, each leading to what it is about. */
export default function NotificationsScreen() {
  const { t } = useLingui();
  const query = useNotifications();
  const read = useReadNotifications();
  const items = (query.data?.pages.flatMap((page) => page.items) ?? []) as Notification[];
  const unread = items.filter(({ readAt }) => readAt === null).length;
  const markAll = () => read.mutate({ ids: 'all' }, { onError: (failure) => showToast(errorText(failure)) });
  return (
    <Screen
      title={t`Notifications`}
      actions={
        unread > 0 ? (
          <Button kind="text" size="s" busy={read.isPending} onClick={markAll}>
            {t`Mark all read`}
          </Button>
        ) : undefined
      }
    >
      <PullRefresh onRefresh={() => query.refetch()} />
      <QueryState
        query={query}
        loading={<RowsSkeleton count={7} />}
        errorTitle={t`We could not load your notifications`}
        describe={errorText}
        asOf={formatAgo}
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={<Nothing />}
      >
        {() => (
          <>
            {byDay(items, ownTimeZone()).map(({ day, title, items: ofDay }) => (
              <section key={day} className="notice-day">
                <h2 className="h-m">{title}</h2>
                <ul className="mt2">
                  {ofDay.map((notice) => (
                    <li key={notice.id}>
                      <NoticeRow
                        notice={notice}
                        onOpen={() => notice.readAt === null && read.mutate({ ids: [notice.id] })}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </Screen>
  );
}

function NoticeRow({ notice, onOpen }: { notice: Notification; onOpen: () => void }) {
  const { t } = useLingui();
  const { icon, title, text } = noticeWords(notice);
  const unread = notice.readAt === null;
  return (
    <Link
      to={inside(notice.path)}
      className={unread ? 'li press notice new' : 'li press notice'}
      onClick={onOpen}
    >
      <IconSign icon={icon} round />
      <span className="grow">
        <span className="t block">{title}</span>
        {text ? <span className="sm mute block">{text}</span> : null}
      </span>
      <span className="sm mute num notice-time">
        {formatTime(notice.createdAt, ownTimeZone())}
        {unread ? (
          <span className="notice-dot">
            <span className="vh">{t`Unread`}</span>
          </span>
        ) : null}
      </span>
    </Link>
  );
}

function Nothing() {
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
      <p>{t`When somebody answers an application, or applies for a job of yours, you read it here.`}</p>
    </EmptyState>
  );
}
