import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useSearchAvailability } from '../../lib/forms/search-availability.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { unreadOnes } from '../../lib/words/counts.ts';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Count } from '../../ui/badge.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { type ChatMenuSide, myConversations, useConversations } from './conversations.api.ts';
import { deliveredUpTo } from './receipts.api.ts';

type ConversationListProps = {
  current: string | null;
  pathOf: (conversationId: string, seq: number | null) => string;
  replace: boolean;
};

const typingPauseMs = 250;

function useFilteredConversations() {
  const side = useDeviceSetting(sideSetting);
  const [typed, setTyped] = useState('');
  const search = useTypingPause(typed.trim());
  const [unread, setUnread] = useState(false);
  const [job, setJob] = useState<{ id: string; title: string } | null>(null);
  const [sideOfJob, setSideOfJob] = useState(side);
  if (sideOfJob !== side) {
    setSideOfJob(side);
    setJob(null);
  }
  const query = useConversations({ side, unread, search, ...(job ? { jobId: job.id } : {}) });
  // The same array while the response is the same: effects depend on it.
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const matches = useMemo(
    () =>
      // A page stored by an older app version has no matches.
      new Map(
        query.data?.pages
          .flatMap((page) => page.found ?? [])
          .map((message) => [message.conversationId, message]),
      ),
    [query.data],
  );
  return {
    side,
    typed,
    setTyped,
    search,
    unread,
    setUnread,
    job,
    setJob,
    showAll: () => {
      setUnread(false);
      setJob(null);
    },
    query,
    items,
    matches,
  };
}

export function ConversationList({ current, pathOf, replace }: ConversationListProps) {
  const { t } = useLingui();
  const list = useFilteredConversations();
  const { side, search, unread, job, query, items, matches } = list;
  useEffect(() => {
    for (const item of items) if (item.unread > 0) deliveredUpTo(item.id, item.lastSeq);
  }, [items]);
  const isFiltered = unread || job !== null || search !== '';
  return (
    <>
      <ListFilters list={list} />
      {job === null ? <OtherSide side={side} search={search} unread={unread} /> : null}
      <QueryState
        query={query}
        loading={<RowsSkeleton count={7} />}
        errorTitle={t`We couldn't load your messages`}
        offlineNote={t`Your messages are sent when you're back online.`}
        isEmpty={(data) => data.pages[0]?.items.length === 0}
        empty={
          isFiltered ? (
            <NoneFound
              onClear={() => {
                list.setTyped('');
                list.showAll();
              }}
            />
          ) : (
            <NoneYet side={side} />
          )
        }
      >
        {() => (
          <>
            <ul className="chat-list" onKeyDown={walkList}>
              {items.map((item) => (
                <li key={item.id}>
                  <ConversationRow
                    conversation={item}
                    match={matches.get(item.id) ?? null}
                    sought={search}
                    current={item.id === current}
                    to={pathOf(item.id, matches.get(item.id)?.seq ?? null)}
                    replace={replace}
                  />
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

function ListFilters({ list }: { list: ReturnType<typeof useFilteredConversations> }) {
  const { t } = useLingui();
  const { side, typed, setTyped, search, unread, setUnread, job, setJob, showAll } = list;
  const field = useRef<HTMLInputElement>(null);
  const searching = useSearchAvailability(typed);
  const canShow = useCanShow();
  const needsNetwork = (onlyUnread: boolean, jobFilter: typeof job) =>
    !canShow(myConversations({ side, unread: onlyUnread, search, jobId: jobFilter?.id }));
  const jobs = useJobsOf(list.items, job);
  return (
    <div className="chat-filters">
      {/* biome-ignore lint/a11y/useSemanticElements: older web views don't support <search>. */}
      <div className="search" role="search">
        <Icon name="magnifying-glass" />
        <input
          ref={field}
          type="search"
          className="bare grow"
          aria-label={t`Search in messages`}
          placeholder={t`Names, jobs or messages`}
          maxLength={talkLimits.conversationSearchMax}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          {...searching}
          onKeyDown={(event) => {
            const first = event.currentTarget
              .closest('.chat-lists')
              ?.querySelector<HTMLElement>('.chat-entry');
            if (event.key !== 'ArrowDown' || !first) return;
            event.preventDefault();
            first.focus();
          }}
        />
        {typed === '' ? null : (
          <IconButton
            icon="x"
            label={t`Clear the search`}
            onClick={() => {
              setTyped('');
              field.current?.focus();
            }}
          />
        )}
      </div>
      <Chips label={t`Show`}>
        <Chip pressed={!unread && job === null} needsNetwork={needsNetwork(false, null)} onClick={showAll}>
          {t`All`}
        </Chip>
        <Chip pressed={unread} needsNetwork={needsNetwork(!unread, job)} onClick={() => setUnread(!unread)}>
          {t`Unread`}
        </Chip>
        {jobs.map((listedJob) => (
          <Chip
            key={listedJob.id}
            pressed={job?.id === listedJob.id}
            needsNetwork={needsNetwork(unread, job?.id === listedJob.id ? null : listedJob)}
            onClick={() => setJob(job?.id === listedJob.id ? null : listedJob)}
          >
            <span className="clip">{listedJob.title}</span>
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** Arrow keys move between conversations; up from the first goes to the search. */
function walkList(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('.chat-entry')];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  const next = event.key === 'ArrowDown' ? entries[at + 1] : entries[at - 1];
  if (!next && event.key === 'ArrowDown') return;
  event.preventDefault();
  (
    next ?? event.currentTarget.closest('.chat-lists')?.querySelector<HTMLElement>('input[type=search]')
  )?.focus();
}

function useTypingPause(value: string): string {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The jobs to filter by: jobs in the list, with the chosen one first. None if fewer than two. */
function useJobsOf(items: readonly Conversation[], chosenJob: { id: string; title: string } | null) {
  const [seenJobs, setSeenJobs] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    setSeenJobs((before) => {
      if (items.every(({ job }) => before.has(job.id))) return before;
      return new Map([...before, ...items.map(({ job }): [string, string] => [job.id, job.title])]);
    });
  }, [items]);
  return useMemo(() => {
    const all = [...seenJobs].map(([id, title]) => ({ id, title }));
    if (all.length < 2 && chosenJob === null) return [];
    return all.slice(0, 12);
  }, [seenJobs, chosenJob]);
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
      <p>{t`No conversations match your search.`}</p>
    </EmptyState>
  );
}

function NoneYet({ side }: { side: ChatMenuSide }) {
  const { t } = useLingui();
  const { business } = useCurrentBusiness();
  if (side === 'hire' && business && !roleMay(business.role, 'messages'))
    return (
      <EmptyState title={t`No conversations`}>
        <p>{t`Your role at ${business.name} doesn't include messages with applicants.`}</p>
      </EmptyState>
    );
  return side === 'work' ? (
    <EmptyState
      title={t`No conversations yet`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`When you apply for a job or get an invitation, you can message the business here.`}</p>
    </EmptyState>
  ) : (
    <EmptyState
      title={t`No conversations yet`}
      actions={
        <ButtonLink kind="go" full to="/all-job-applicants">
          {t`View applicants`}
        </ButtonLink>
      }
    >
      <p>{t`When someone applies for one of your jobs, you can message each other here.`}</p>
    </EmptyState>
  );
}

type OtherSideProps = { side: ChatMenuSide; search: string; unread: boolean };

/** Links to the conversations on the other side, for people who both work and hire. */
export function OtherSide({ side, search, unread }: OtherSideProps) {
  const { t } = useLingui();
  const otherSide = side === 'work' ? 'hire' : 'work';
  const page = useConversations({ side: otherSide, search, unread }).data?.pages[0];
  const count = page?.items.length ?? 0;
  if (!page || count === 0) return null;
  const countText = page.nextCursor ? `${count}+` : `${count}`;
  const isHiringSide = otherSide === 'hire';
  const words = (): string => {
    if (search) return isHiringSide ? t`${countText} found under Hire` : t`${countText} found under Work`;
    if (unread) return isHiringSide ? t`${countText} unread under Hire` : t`${countText} unread under Work`;
    return isHiringSide
      ? plural(count, {
          one: `${countText} conversation under Hire`,
          other: `${countText} conversations under Hire`,
        })
      : plural(count, {
          one: `${countText} conversation under Work`,
          other: `${countText} conversations under Work`,
        });
  };
  return (
    <button type="button" className="chat-other-side sm" onClick={() => sideSetting.set(otherSide)}>
      <Icon name={isHiringSide ? 'storefront' : 'briefcase'} />
      <span className="grow">{words()}</span>
      <Count value={page.unread} label={unreadOnes(page.unread)} />
      <Icon name="caret-right" flip />
    </button>
  );
}
