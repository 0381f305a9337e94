import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/chat';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { side as sideSetting, useDeviceSetting } from '../../lib/device-setting.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayIn, formatAgo, formatDay, formatTime, ownTimeZone } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { useNow } from '../../lib/use-now.ts';
import { Count } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type MenuSide, useConversations } from './chat.api.ts';
import { lastLine, otherName } from './chat-words.ts';
import { useOutgoing } from './outbox.ts';
import { deliveredUpTo } from './receipts.ts';
import { OtherMark } from './thread-head.tsx';

type ConversationListProps = {
  /** The open one. */
  current: string | null;
  pathOf: (conversationId: string) => string;
  /** Takes the place of the open one in the history, where both stand side by side. */
  replace: boolean;
};

const settleMs = 250;

/** Conversations of the side of the menu, newest first, with search and filters. */
export function ConversationList({ current, pathOf, replace }: ConversationListProps) {
  const { t } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim());
  const [unread, setUnread] = useState(false);
  const [job, setJob] = useState<{ id: string; title: string } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a job of the other side is not among these.
  useEffect(() => setJob(null), [side]);
  const query = useConversations({ side, unread, search, ...(job ? { jobId: job.id } : {}) });
  // The same list as long as the answer is the same: effects below hang on it.
  const items = useMemo(
    () => (query.data?.pages.flatMap((page) => page.items) ?? []) as Conversation[],
    [query.data],
  );
  const jobs = useJobsOf(items, job);
  useEffect(() => {
    for (const one of items) if (one.unread > 0) deliveredUpTo(one.id, one.lastSeq);
  }, [items]);
  const showAll = () => {
    setUnread(false);
    setJob(null);
  };
  const filtered = unread || job !== null || search !== '';
  return (
    <>
      <div className="chat-filters">
        <search className="search">
          <Icon name="magnifying-glass" />
          <input
            type="search"
            className="bare grow"
            aria-label={t`Search in messages`}
            placeholder={t`Names, jobs, words`}
            maxLength={80}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </search>
        <Chips label={t`Show`}>
          <Chip pressed={!unread && job === null} onClick={showAll}>
            {t`All`}
          </Chip>
          <Chip pressed={unread} onClick={() => setUnread(!unread)}>
            {t`Unread`}
          </Chip>
          {jobs.map((one) => (
            <Chip
              key={one.id}
              pressed={job?.id === one.id}
              onClick={() => setJob(job?.id === one.id ? null : one)}
            >
              <span className="clip">{one.title}</span>
            </Chip>
          ))}
        </Chips>
      </div>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={7} />}
        errorTitle={t`We could not load your messages`}
        describe={errorText}
        asOf={formatAgo}
        offlineNote={t`What you write is sent when you are back.`}
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={
          filtered ? (
            <NoneFound
              onClear={() => {
                setTyped('');
                showAll();
              }}
            />
          ) : (
            <NoneYet side={side} />
          )
        }
      >
        {() => (
          <>
            <ul className="chat-list">
              {items.map((one) => (
                <li key={one.id}>
                  <Row one={one} current={one.id === current} to={pathOf(one.id)} replace={replace} />
                </li>
              ))}
            </ul>
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </>
  );
}

/** A value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The jobs to filter by: those seen in the list, the chosen one first to stay. Nothing to choose below two. */
function useJobsOf(items: readonly Conversation[], chosen: { id: string; title: string } | null) {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    setSeen((before) => {
      if (items.every(({ job }) => before.has(job.id))) return before;
      return new Map([...before, ...items.map(({ job }): [string, string] => [job.id, job.title])]);
    });
  }, [items]);
  return useMemo(() => {
    const all = [...seen].map(([id, title]) => ({ id, title }));
    if (all.length < 2 && chosen === null) return [];
    return all.slice(0, 12);
  }, [seen, chosen]);
}

function Row({
  one,
  current,
  to,
  replace,
}: {
  one: Conversation;
  current: boolean;
  to: string;
  replace: boolean;
}) {
  const { t } = useLingui();
  const me = useUser()?.id ?? null;
  const now = useNow();
  const waiting = useOutgoing().filter(({ conversationId }) => conversationId === one.id);
  const newest = waiting.at(-1);
  const said = newest ? { who: t`You`, text: newest.body || t`File` } : lastLine(one, me);
  const failed = waiting.some(({ refusal }) => refusal !== null);
  const name = otherName(one);
  const unread = one.unread > 0;
  return (
    <Link
      to={to}
      replace={replace}
      className={['chat-entry', unread ? 'new' : '', current ? 'on' : ''].filter(Boolean).join(' ')}
      aria-current={current ? 'page' : undefined}
    >
      <OtherMark conversation={one} />
      <span className="grow">
        <span className="row g2 base">
          <span className="t grow clip" dir="auto">
            {name}
          </span>
          {one.online ? <span className="vh">{t`online`}</span> : null}
          {one.muted ? <Icon name="bell-slash" label={t`Muted`} className="chat-state-icon" /> : null}
          {one.state === 'blocked' || one.state === 'frozen' ? (
            <Icon
              name="prohibit"
              label={one.state === 'frozen' ? t`Stopped` : t`Blocked`}
              className="chat-state-icon"
            />
          ) : null}
          <time dateTime={one.lastAt} className="xs mute num nowrap">
            {listTime(one.lastAt, now)}
          </time>
        </span>
        <span className="block xs mute clip" dir="auto">
          {one.job.title}
        </span>
        <span className="row g2">
          <span className="grow sm chat-last">
            {failed ? (
              <span className="clip danger">{t`A message was not sent`}</span>
            ) : (
              <>
                {said.who ? (
                  <span className="nowrap">
                    <bdi>{said.who}</bdi>:
                  </span>
                ) : null}
                {/* Of its own direction and cut at its own end: what is written from right to left keeps its beginning. */}
                <span className="clip" dir="auto">
                  {said.text}
                </span>
              </>
            )}
          </span>
          <Count value={one.unread} label={t`${one.unread} unread`} />
        </span>
      </span>
    </Link>
  );
}

/** The time of today, else the day. */
function listTime(at: string, now: Date): string {
  const zone = ownTimeZone();
  return dayIn(at, zone) === dayIn(now, zone) ? formatTime(at, zone) : formatDay(at, zone, { now });
}

function NoneFound({ onClear }: { onClear: () => void }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Nothing found`}
      actions={
        <Button kind="out" full onClick={onClear}>
          {t`Show all conversations`}
        </Button>
      }
    >
      <p>{t`No conversation matches what you look for.`}</p>
    </EmptyState>
  );
}

function NoneYet({ side }: { side: MenuSide }) {
  const { t } = useLingui();
  return side === 'work' ? (
    <EmptyState
      title={t`No conversations yet`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`When you apply for a job or are invited to one, you and the business can write to each other here.`}</p>
    </EmptyState>
  ) : (
    <EmptyState
      title={t`No conversations yet`}
      actions={
        <ButtonLink kind="go" full to="/all-job-applicants">
          {t`See who applied`}
        </ButtonLink>
      }
    >
      <p>{t`When somebody applies for a job of yours, you can write to each other here.`}</p>
    </EmptyState>
  );
}
